import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { emojiCodeByName } from '../../markdown/emoji-data.ts'
import { hasRealmGrant } from '../../permissions/grants.ts'
import { isAdministrator } from '../../permissions/roles.ts'
import type { Caller } from '../caller.ts'
import { enterImage, type ReservedImage, reserveImage } from '../images/reserve-image.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { announceCustomEmoji } from './announce-custom-emoji.ts'
import { findCustomEmojiNamed, insertCustomEmoji } from './custom-emoji-rows.ts'

export interface ReservedEmoji extends ReservedImage {
  /** Whether it must not replace an emoji that everybody knows, since the caller may not do that. */
  readonly mustNotOverride: boolean
}

/** Reserves an address for the picture of a new emoji. Source: docs/interface/organization.md#custom-emoji. */
export const uploadCustomEmoji: Command<Caller, { readonly emoji_name: string }, void, ReservedEmoji> = {
  apply(tx, caller, { emoji_name }) {
    const name = requireMayAdd(tx, caller, emoji_name)
    return { ...reserveImage(tx, caller.source.fileId), mustNotOverride: mustNotOverride(caller, name) }
  },
}

export interface EnterEmojiParams {
  readonly emoji_name: string
  readonly path: string
  readonly stillPath: string | null
}

/** Enters the emoji after its picture was stored. */
export const enterCustomEmoji: Command<Caller, EnterEmojiParams, void, object> = {
  apply(tx, caller, { emoji_name, path, stillPath }) {
    const name = requireMayAdd(tx, caller, emoji_name)
    enterImage(tx, path)
    withinQuota(tx, caller, 'emoji', () =>
      insertCustomEmoji(tx.sql, { name, path, stillPath, authorId: caller.user.id }),
    )
    announceCustomEmoji(tx, findCustomEmojiNamed(tx.sql, name)!.id)
    return {}
  },
}

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
