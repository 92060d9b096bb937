import * as v from 'valibot'
import { BadRequestError, isRefusal } from '../../core/errors.ts'
import { deactivateCustomEmoji, getCustomEmoji } from '../../domain/emoji/deactivate-custom-emoji.ts'
import { enterCustomEmoji, uploadCustomEmoji } from '../../domain/emoji/upload-custom-emoji.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { discardImage, requireOnlyFile, storeEmoji } from '../images/store-image.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'
import { placeInStore } from '../step-types.ts'

const emoji = v.object({
  id: v.string(),
  name: v.string(),
  source_url: v.string(),
  still_url: v.nullable(v.string()),
  deactivated: v.boolean(),
  author_id: v.number(),
})

/** The organization's own emoji. Source: docs/interface/organization.md#custom-emoji. */
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
  idempotency: 'last-step',
  async finish(reserved, { emoji_name }, worker) {
    const file = await requireOnlyFile(worker, 'You must upload exactly one file.')
    if (reserved.mustNotOverride) {
      throw new BadRequestError('Only administrators can override default emoji.')
    }
    const image = await storeEmoji(reserved, file, worker)
    try {
      return (await worker.run(enterCustomEmojiStep.operation, { emoji_name, ...image })) as object
    } catch (error) {
      if (isRefusal(error)) await discardImage(worker.store, image.path)
      throw error
    }
  },
})

export const enterCustomEmojiStep = defineStep({
  operation: 'enter-custom-emoji',
  access: 'user',
  params: { emoji_name: textUpTo(NAME_LENGTH), path: placeInStore, stillPath: v.nullable(placeInStore) },
  command: enterCustomEmoji,
  idempotency: 'answer',
})

/** Takes an emoji out of use. */
export const deactivateCustomEmojiEndpoint = defineEndpoint({
  operation: 'deactivate-custom-emoji',
  method: 'DELETE',
  path: '/realm/emoji/:emoji_name',
  access: 'user',
  params: { emoji_name: textUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: deactivateCustomEmoji,
})
