import type { RealmIdentity } from '../../../core/realm-transaction.ts'
import { recipientId } from '../../../core/recipient-id.ts'
import type { DisplayRecipientUser } from '../../../events/message.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { apiEmail } from '../../users/addresses/api-email.ts'
import type { Destination } from '../send/compose.ts'

/**
 * Returns the channel's name, or basic data of all participants by e-mail
 * (docs/interface/messages.md#the-message-object).
 */
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

/**
 * Returns the `recipient_id` of a direct message for a reader. Between two people it is the other one's, so that it names the
 * conversation for each; a group has one for all: the index's.
 */
export function directRecipientId(
  members: readonly number[],
  readerId: number,
  recipientIdInIndex: number,
): number {
  if (members.length > 2) return recipientIdInIndex
  return recipientId({ kind: 'user', id: members.find((id) => id !== readerId) ?? readerId })
}
