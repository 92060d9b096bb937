import type { RealmView } from '../../core/realm-transaction.ts'
import { reactionTypeFor } from '../../events/reaction-type.ts'
import { reactionsOf } from '../reactions/reaction-rows.ts'
import { apiEmail } from '../users/api-email.ts'
import { findUsers, type User } from '../users/user-rows.ts'
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

/** The reactions to each message, by its id, in the order in which they were made. Source: core-endpoints 5. */
export function presentReactions(
  { sql, realm }: RealmView,
  messages: readonly IndexedMessage[],
  userAgent: string,
): Map<number, PresentedReaction[]> {
  const reactedTo = messages.filter(({ bits }) => (bits & MESSAGE_BIT.hasReaction) !== 0)
  if (reactedTo.length === 0) return new Map()
  const found = reactionsOf(
    sql,
    reactedTo.map(({ id }) => id),
  )
  const userIds = [...found.values()].flat().map(({ userId }) => userId)
  const users = findUsers(sql, [...new Set(userIds)])
  return new Map(
    [...found].map(([messageId, reactions]) => [
      messageId,
      reactions.map((reaction) => ({
        emoji_name: reaction.emoji_name,
        emoji_code: reaction.emoji_code,
        reaction_type: reactionTypeFor(reaction.reaction_type, userAgent),
        user_id: reaction.userId,
        user: presentUser(users.get(reaction.userId)!, realm),
      })),
    ]),
  )
}

function presentUser(user: User, realm: RealmView['realm']): PresentedReaction['user'] {
  return { id: user.id, email: apiEmail(user, realm), full_name: user.fullName, is_mirror_dummy: false }
}
