import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { normalReactionType } from '../../events/message-additions.ts'
import { customEmojiOf } from '../../store/emoji/custom-emoji-rows.ts'
import {
  type CustomEmojiLookup,
  type Emoji,
  emojiNamed,
  inPresentForm,
  requireEmoji,
} from '../../store/emoji/emoji-lookup.ts'
import { NO_STATUS, putStatus, readStatus } from '../../store/presence/presence-and-status-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { userAudience } from '../users/visibility/visible-users.ts'

export interface StatusParams {
  readonly status_text?: string
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type?: string
  readonly away?: boolean
}

type StatusChange = Partial<Pick<StatusParams, 'away' | 'status_text'>> & Partial<Emoji>

/** Returns the changes. Errors in the order of docs/interface/users.md#status. */
export function requireStatusChange(sql: Sql, { away, status_text, ...emoji }: StatusParams): StatusChange {
  if (away === undefined && status_text === undefined && emoji.emoji_name === undefined) {
    throw new BadRequestError('Client did not pass any new values.')
  }
  return {
    ...(away === undefined ? {} : { away }),
    ...(status_text === undefined ? {} : { status_text }),
    ...requireStatusEmoji(emoji, customEmojiOf(sql)),
  }
}

function requireStatusEmoji(
  { emoji_name, emoji_code, reaction_type }: Pick<StatusParams, keyof Emoji>,
  custom: CustomEmojiLookup,
): Emoji | undefined {
  if (emoji_name === undefined) {
    if (emoji_code === undefined && reaction_type === undefined) return undefined
    throw new BadRequestError('Client must pass emoji_name if they pass either emoji_code or reaction_type.')
  }
  if (emoji_name === '') {
    const { emoji_code: code, reaction_type: type } = NO_STATUS
    return { emoji_name, emoji_code: code, reaction_type: type }
  }
  const named =
    emoji_code === undefined || reaction_type === undefined ? emojiNamed(emoji_name, custom) : undefined
  const sent = inPresentForm({
    emoji_name,
    emoji_code: emoji_code ?? named!.emoji_code,
    reaction_type: reaction_type === undefined ? named!.reaction_type : normalReactionType(reaction_type),
  })
  return requireEmoji(sent, custom)
}

/** Emits `away`, which older clients read in place of `presence_enabled`, to everybody who may know of the user. */
export function announceAway(tx: RealmTransaction, user: User, away: boolean): void {
  tx.emit({ type: 'user_status', user_id: user.id, away }, userAudience(tx, user))
}

/** Stores the change and notifies everybody who may know of the user. */
export function changeStatus(tx: RealmTransaction, user: User, change: StatusChange): void {
  const { away: _, ...stored } = change
  putStatus(tx.sql, user.id, { ...readStatus(tx.sql, user.id), ...stored })
  tx.emit({ type: 'user_status', user_id: user.id, ...change }, userAudience(tx, user))
}
