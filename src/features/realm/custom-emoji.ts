import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { discardImages, requireOnlyFile, storeEmoji } from '../../api/in-worker/store-image.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { pathInStore } from '../../api/step-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { EVERYONE } from '../../core/audience.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { IncomingFile } from '../../core/files.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { customEmojiSchema } from '../../events/realm-lists.ts'
import { emojiCodeByName } from '../../markdown/emoji-data.ts'
import type { Caller } from '../../model/caller.ts'
import { insertImage, reserveImage } from '../../model/images/reserve-image.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { presentCustomEmoji } from '../../model/realm/present-realm.ts'
import { hasRealmGrant } from '../../rules/grants.ts'
import { isAdministrator } from '../../rules/roles.ts'
import {
  deactivateCustomEmojiRow,
  findCustomEmojiNamed,
  insertCustomEmoji,
} from '../../store/emoji/custom-emoji-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'

/** Lists the organization's own emoji. Source: docs/interface/organization.md#custom-emoji. */
export const getCustomEmojiEndpoint = defineEndpoint({
  operation: 'get-custom-emoji',
  route: 'GET /realm/emoji',
  access: 'user',
  returns: v.object({ emoji: customEmojiSchema }),
  query: ({ sql }) => ({ emoji: presentCustomEmoji(sql) }),
})

/** Adds an emoji, whose picture is the form's only file. */
export const uploadCustomEmojiEndpoint = defineEndpoint({
  operation: 'upload-custom-emoji',
  route: 'POST /realm/emoji/:emoji_name',
  access: 'user',
  growsObject: true,
  takesFiles: true,
  params: { emoji_name: textUpTo(NAME_LENGTH) },
  apply(tx, caller, { emoji_name }) {
    const name = requireMayAdd(tx, caller, emoji_name)
    return { ...reserveImage(tx, caller.source.fileId), mustNotOverride: mustNotOverride(caller, name) }
  },
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
    return (await worker.run(insertCustomEmojiStep.operation, entered)) as object
  },
})

function requireEmoji(worker: WorkerContext): Promise<IncomingFile> {
  return requireOnlyFile(worker, 'You must upload exactly one file.')
}

/** Enters the emoji after its picture was stored. */
export const insertCustomEmojiStep = defineStep({
  operation: 'enter-custom-emoji',
  access: 'user',
  params: { emoji_name: textUpTo(NAME_LENGTH), path: pathInStore, stillPath: v.nullable(pathInStore) },
  apply(tx, caller, { emoji_name, path, stillPath }) {
    const name = requireMayAdd(tx, caller, emoji_name)
    insertImage(tx, path)
    withinQuota(tx, caller, 'emoji', () =>
      insertCustomEmoji(tx.sql, { name, path, stillPath, authorId: caller.user.id }),
    )
    announceCustomEmoji(tx, findCustomEmojiNamed(tx.sql, name)!.id)
  },
  audit: 'shown',
  idempotency: 'answer',
})

/** Deactivates an emoji; it stays visible where it was used. Source: docs/interface/organization.md#custom-emoji. */
export const deactivateCustomEmojiEndpoint = defineEndpoint({
  operation: 'deactivate-custom-emoji',
  route: 'DELETE /realm/emoji/:emoji_name',
  access: 'user',
  params: { emoji_name: textUpTo(NAME_LENGTH) },
  apply(tx, { user, actor }, { emoji_name }) {
    const emoji = findCustomEmojiNamed(tx.sql, emoji_name)
    if (!emoji) throw new NotFoundError(`Emoji '${emoji_name}' does not exist`)
    if (!isAdministrator(actor) && emoji.authorId !== user.id) {
      throw new BadRequestError('Must be an organization administrator or emoji author')
    }
    deactivateCustomEmojiRow(tx.sql, emoji.id)
    announceCustomEmoji(tx, emoji.id)
  },
  audit: 'shown',
})

function requireMayAdd({ sql }: RealmReads, { actor }: Caller, given: string): string {
  const name = requireEmojiName(given)
  if (!hasRealmGrant(actor, realmPermissions(sql), 'can_add_custom_emoji_group')) {
    throw new BadRequestError('Insufficient permission')
  }
  if (findCustomEmojiNamed(sql, name)) {
    throw new BadRequestError('A custom emoji with this name already exists.')
  }
  return name
}

function mustNotOverride({ actor }: Caller, name: string): boolean {
  return emojiCodeByName(name) !== undefined && !isAdministrator(actor)
}

function requireEmojiName(given: string): string {
  const name = given.trim().replaceAll(' ', '_')
  if (name === '') throw new BadRequestError('Emoji name is missing')
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw new BadRequestError(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    )
  }
  if (!/[0-9a-z]$/.test(name)) {
    throw new BadRequestError('Emoji names must end with either a letter or digit.')
  }
  return name
}

/** Emits the change of a custom emoji to everyone (docs/interface/events.md#events-about-the-organization). */
function announceCustomEmoji(tx: RealmTransaction, id: number): void {
  const realm_emoji = presentCustomEmoji(tx.sql)
  tx.emit({ type: 'realm_emoji', op: 'update', realm_emoji, changed: realm_emoji[id]! }, EVERYONE)
}
