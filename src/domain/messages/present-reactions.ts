import type { RealmView } from '../../core/realm-transaction.ts'
import { reactionTypeFor } from '../../events/reaction-type.ts'
import { apiEmail } from '../users/api-email.ts'
import { findUsers } from '../users/user-rows.ts'
import { MESSAGE_BIT } from './message-bits.ts'
import type { IndexedMessage } from './message-rows.ts'

/** A reaction in a message. `user` is deprecated; its id is called `id` here, unlike in events. */
export interface PresentedReaction {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
  readonly user_id: number
  readonly user: {
    readonly id: number
    readonly email: string
    readonly full_name: string
    readonly is_mirror_dummy: boolean
  }
}

interface ReactionRow {
  message_id: number
  emoji_name: string
  emoji_code: string
  reaction_type: string
  user_id: number
}

/** The reactions to each message, by its id, in the order in which they were made. Source: core-endpoints 5. */
export function presentReactions(
  { sql, realm }: RealmView,
  messages: readonly IndexedMessage[],
  userAgent: string,
): Map<number, PresentedReaction[]> {
  const reactedTo = messages.filter(({ bits }) => (bits & MESSAGE_BIT.hasReaction) !== 0)
  if (reactedTo.length === 0) return new Map()
  const rows = sql.all<ReactionRow>(
    `SELECT message_id, emoji_name, emoji_code, reaction_type, user_id FROM reaction
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, seq`,
    JSON.stringify(reactedTo.map(({ id }) => id)),
  )
  const users = findUsers(sql, [...new Set(rows.map(({ user_id }) => user_id))])
  const presented = new Map<number, PresentedReaction[]>()
  for (const row of rows) {
    const user = users.get(row.user_id)!
    const list = presented.get(row.message_id) ?? []
    list.push({
      emoji_name: row.emoji_name,
      emoji_code: row.emoji_code,
      reaction_type: reactionTypeFor(row.reaction_type, userAgent),
      user_id: user.id,
      user: {
        id: user.id,
        email: apiEmail(user, realm),
        full_name: user.fullName,
        is_mirror_dummy: false,
      },
    })
    presented.set(row.message_id, list)
  }
  return presented
}
