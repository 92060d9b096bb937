import type { RealmIdentity, RealmView } from '../../../core/realm-transaction.ts'
import { recipientId } from '../../../core/recipient-id.ts'
import type { DisplayRecipientUser } from '../../../events/message.ts'
import { reactionTypeFor } from '../../../events/message-additions.ts'
import { MESSAGE_BIT } from '../../../store/messages/flags/message-bits.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { reactionsOf } from '../../../store/reactions/reaction-rows.ts'
import type { Submessage } from '../../../store/submessages/submessage-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { findShownUsers, type ShownUser } from '../../../store/users/user-summary-rows.ts'
import type { Caller } from '../../caller.ts'
import { apiEmail } from '../../users/addresses/api-email.ts'
import { placeholderOf, visibleUsers } from '../../users/visibility/visible-users.ts'
import type { Destination } from '../text/compose.ts'

/** Returns the channel's name, or basic data of all participants (docs/interface/messages.md#the-message-object). */
export function presentDisplayRecipient(
  destination: Destination,
  realm: RealmIdentity,
): string | DisplayRecipientUser[] {
  return destination.kind === 'channel'
    ? destination.channel.name
    : presentParticipants(destination.participants, realm)
}

export function presentParticipants(
  participants: readonly User[],
  realm: RealmIdentity,
): DisplayRecipientUser[] {
  return participants
    .map((user) => ({
      id: user.id,
      email: apiEmail(user, realm),
      full_name: user.fullName,
      is_mirror_dummy: false,
    }))
    .sort((a, b) => (a.email < b.email ? -1 : 1))
}

/** Returns the `recipient_id` of a direct message for a reader: that of the other person, or of the group. */
export function directRecipientId(
  members: readonly number[],
  readerId: number,
  recipientIdInIndex: number,
): number {
  if (members.length > 2) return recipientIdInIndex
  return recipientId({ kind: 'user', id: members.find((id) => id !== readerId) ?? readerId })
}

/** Returns a submessage in the form for message objects. Source: docs/interface/messages.md#the-message-object. */
export function presentSubmessage({ id, messageId, senderId, type, content }: Submessage) {
  return { id, message_id: messageId, sender_id: senderId, msg_type: type, content }
}

export type PresentedSubmessage = ReturnType<typeof presentSubmessage>

/** A reaction in a message. `user` is deprecated, and has `id`, unlike in events. */
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

/** Returns the reactions to each message, by its id, in order. Source: docs/interface/messages.md#the-message-object. */
export function presentReactions(
  view: RealmView,
  caller: Caller,
  messages: readonly IndexedMessage[],
): Map<number, PresentedReaction[]> {
  const { sql, realm } = view
  const reactedTo = messages.flatMap(({ id, bits }) => ((bits & MESSAGE_BIT.hasReaction) !== 0 ? id : []))
  if (reactedTo.length === 0) return new Map()
  const found = reactionsOf(sql, reactedTo)
  const userIds = [...found.values()].flat().map(({ userId }) => userId)
  const users = findShownUsers(sql, [...new Set(userIds)])
  const known = new Set(visibleUsers(view, caller, [...users.values()]))
  // All reactions of a user share one object, so that it crosses to the Worker once.
  const presented = new Map([...users].map(([id, user]) => [id, presentUser(user, known, realm)]))
  return new Map(
    [...found].map(([messageId, reactions]) => [
      messageId,
      reactions.map((reaction) => ({
        emoji_name: reaction.emoji_name,
        emoji_code: reaction.emoji_code,
        reaction_type: reactionTypeFor(reaction.reaction_type, caller.source.asksForSvc === true),
        user_id: reaction.userId,
        user: presented.get(reaction.userId)!,
      })),
    ]),
  )
}

/** Returns the user of a reaction; for one whom the reader does not see, only the id. */
function presentUser(
  user: ShownUser,
  known: ReadonlySet<ShownUser>,
  realm: RealmView['realm'],
): PresentedReaction['user'] {
  const { email, full_name } = known.has(user)
    ? { email: apiEmail(user, realm), full_name: user.fullName }
    : placeholderOf(user.id, realm)
  return { id: user.id, email, full_name, is_mirror_dummy: false }
}
