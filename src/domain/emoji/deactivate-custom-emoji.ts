import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import { isAdministrator } from '../../permissions/roles.ts'
import type { Caller } from '../caller.ts'
import { announceCustomEmoji } from './announce-custom-emoji.ts'
import { deactivateCustomEmojiRow, findCustomEmojiNamed } from './custom-emoji-rows.ts'
import { presentCustomEmoji } from './present-custom-emoji.ts'

/** Lists the organization's emoji. Source: docs/interface/organization.md#custom-emoji. */
export const getCustomEmoji: ReadCommand<Caller, object, void, object> = {
  reads: true,
  apply: ({ sql }) => ({ emoji: presentCustomEmoji(sql) }),
}

/**
 * Deactivates an emoji; it stays visible where it was used. Source:
 * docs/interface/organization.md#custom-emoji.
 */
export const deactivateCustomEmoji: Command<Caller, { readonly emoji_name: string }, void, object> = {
  apply(tx, { user, actor }, { emoji_name }) {
    const emoji = findCustomEmojiNamed(tx.sql, emoji_name)
    if (!emoji) throw new NotFoundError(`Emoji '${emoji_name}' does not exist`)
    if (!isAdministrator(actor) && emoji.authorId !== user.id) {
      throw new BadRequestError('Must be an organization administrator or emoji author')
    }
    deactivateCustomEmojiRow(tx.sql, emoji.id)
    announceCustomEmoji(tx, emoji.id)
    return {}
  },
}
