import { CHANGES_OF_COMMIT, LARGE_CHANGES_OF_COMMIT, ROWS_OF_TURN } from '../../../core/budgets.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import { findChannel } from '../../../store/channels/channel-rows.ts'
import { countWithin } from '../../../store/messages/edit/belonging-rows.ts'
import { messagesSentBy } from '../../../store/messages/edit/sender-message-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { deleteMessages } from './delete-messages.ts'

/** The kinds of conversations in which messages are deleted. */
export interface DeletedPlaces {
  readonly inPublicChannels: boolean
  readonly inPrivateChannels: boolean
  readonly inConversations: boolean
}

/**
 * Deletes the next messages that an account has sent in these places, above one id and up to another, as many as one commit may. Returns
 * the id up to which it has looked; undefined when none are left. Checks no rights.
 */
export function deleteMessagesOf(
  tx: RealmTransaction,
  senderId: number,
  places: DeletedPlaces,
  { above, upTo }: { readonly above: number; readonly upTo: number },
): number | undefined {
  if (above >= upTo || Object.values(places).every((isMeant) => !isMeant)) return undefined
  const sent = messagesSentBy(tx.sql, senderId, { above, limit: CHANGES_OF_COMMIT })
  const meant = sent.messages.filter((message) => message.id <= upTo && isIn(tx.sql, places, message))
  const next = withinBudgets(tx.sql, meant)
  for (const messages of Map.groupBy(next, ({ recipientId }) => recipientId).values()) {
    deleteMessages(tx, messages)
  }
  const reached = next.length < meant.length ? next.at(-1)!.id : sent.reached
  return reached < upTo ? reached : undefined
}

function isIn(sql: Sql, places: DeletedPlaces, { recipientId }: IndexedMessage): boolean {
  const recipient = recipientOf(recipientId)
  if (recipient.kind !== 'channel') return places.inConversations
  return findChannel(sql, recipient.id)?.isPrivate ? places.inPrivateChannels : places.inPublicChannels
}

/** Returns the first of the messages: one at least. */
function withinBudgets(sql: Sql, messages: readonly IndexedMessage[]): readonly IndexedMessage[] {
  const recipients = new Set<number>()
  const end = messages.findIndex(
    ({ recipientId }) => recipients.add(recipientId).size > LARGE_CHANGES_OF_COMMIT,
  )
  const few = end < 0 ? messages : messages.slice(0, end)
  const ids = few.map(({ id }) => id)
  return ids.length === 0 ? [] : few.slice(0, countWithin(sql, ids, ROWS_OF_TURN))
}
