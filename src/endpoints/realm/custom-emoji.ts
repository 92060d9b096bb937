import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import type { IncomingFile } from '../../core/files.ts'
import { deactivateCustomEmoji, getCustomEmoji } from '../../domain/emoji/deactivate-custom-emoji.ts'
import { enterCustomEmoji, uploadCustomEmoji } from '../../domain/emoji/upload-custom-emoji.ts'
import { defineEndpoint, defineStep, type WorkerContext } from '../define-endpoint.ts'
import { discardImages, requireOnlyFile, storeEmoji } from '../in-worker/store-image.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'
import { pathInStore } from '../step-types.ts'

const emoji = v.object({
  id: v.string(),
  name: v.string(),
  source_url: v.string(),
  still_url: v.nullable(v.string()),
  deactivated: v.boolean(),
  author_id: v.number(),
})

/** Lists the organization's own emoji. Source: docs/interface/organization.md#custom-emoji. */
export const getCustomEmojiEndpoint = defineEndpoint({
  operation: 'get-custom-emoji',
  method: 'GET',
  path: '/realm/emoji',
  access: 'user',
  params: {},
  returns: v.object({ emoji: v.record(v.string(), emoji) }),
  command: getCustomEmoji,
})

/** Adds an emoji; the request carries its picture as the one file of a form. */
export const uploadCustomEmojiEndpoint = defineEndpoint({
  operation: 'upload-custom-emoji',
  method: 'POST',
  path: '/realm/emoji/:emoji_name',
  access: 'user',
  growsObject: true,
  takesFiles: true,
  params: { emoji_name: textUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: uploadCustomEmoji,
  audit: 'shown',
  idempotency: 'last-step',
  stores: {
    keep: async (_params, worker) => storeEmoji(await requireEmoji(worker), worker),
    discard: discardImages,
  },
  async finish({ mustNotOverride }, { emoji_name }, worker, stored) {
    await requireEmoji(worker)
    if (mustNotOverride) throw new BadRequestError('Only administrators can override default emoji.')
    const entered = { emoji_name, ...(await stored()) }
    return (await worker.run(enterCustomEmojiStep.operation, entered)) as object
  },
})

function requireEmoji(worker: WorkerContext): Promise<IncomingFile> {
  return requireOnlyFile(worker, 'You must upload exactly one file.')
}

export const enterCustomEmojiStep = defineStep({
  operation: 'enter-custom-emoji',
  access: 'user',
  params: { emoji_name: textUpTo(NAME_LENGTH), path: pathInStore, stillPath: v.nullable(pathInStore) },
  command: enterCustomEmoji,
  audit: 'shown',
  idempotency: 'answer',
})

/** Deactivates an emoji. */
export const deactivateCustomEmojiEndpoint = defineEndpoint({
  operation: 'deactivate-custom-emoji',
  method: 'DELETE',
  path: '/realm/emoji/:emoji_name',
  access: 'user',
  params: { emoji_name: textUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: deactivateCustomEmoji,
  audit: 'shown',
})
