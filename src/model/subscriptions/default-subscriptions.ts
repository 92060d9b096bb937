import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { type Channel, listDefaultChannels } from '../../store/channels/channel-rows.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { newestMessageIdsOf } from '../../store/messages/message-rows.ts'
import { backdateReceipts } from '../../store/subscriptions/subscription-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { joinAsNewUser } from './join-and-announce.ts'

/** Number of messages that a new user finds in their channels, and of unread ones among them. */
const HISTORY_MESSAGES = 1_000
const HISTORY_UNREAD = 20

export function subscribeToDefaultChannels(tx: RealmTransaction, user: User): void {
  subscribeNewUser(tx, user, listDefaultChannels(tx.sql))
}

/** Subscribes a new account to its first channels; people get some history. */
export function subscribeNewUser(tx: RealmTransaction, user: User, channels: readonly Channel[]): void {
  joinAsNewUser(tx, user.id, channels)
  const open = channels.filter(({ isPrivate }) => !isPrivate)
  if (user.botType === null) giveHistory(tx, user, open)
}

/**
 * Gives a user the newest messages of the channels, all but a few of them read. No message gets a row: the subscription
 * period begins earlier, messages sent before the account was made are shown as `historical`
 * (messages/flags/message-flags.ts), and the unread ones are bits below the account's read floor.
 */
function giveHistory(tx: RealmTransaction, user: User, channels: readonly Channel[]): void {
  const recipients = channels.map(({ id }) => channelRecipientId(id))
  const ids = newestOfMany(tx.sql, recipients, HISTORY_MESSAGES)
  const oldest = ids.at(-1)
  if (oldest === undefined) return
  backdateReceipts(
    tx.sql,
    user.id,
    channels.map(({ id }) => id),
    oldest - 1,
  )
  const read = new ReadSet(tx.sql, user)
  for (const id of ids.slice(0, HISTORY_UNREAD)) read.delete(id)
  read.save(tx.sql)
}

/**
 * Returns the newest messages of all these channels or conversations together, newest first. First each is read as far as
 * its share of the limit; then those with more are read down to the oldest message that still counts. So about twice the
 * limit is read in all, and not the limit for each.
 */
export function newestOfMany(sql: Sql, recipientIds: readonly number[], limit: number): number[] {
  const share = Math.ceil(limit / Math.max(recipientIds.length, 1))
  const begun = recipientIds.map((recipientId) => ({
    recipientId,
    ids: newestMessageIdsOf(sql, recipientId, share),
  }))
  let newest = newestFirst(begun.flatMap(({ ids }) => ids)).slice(0, limit)
  // The busiest channels come first, since they raise the mark for the others.
  const unfinished = begun
    .filter(({ ids }) => ids.length === share)
    .sort((a, b) => b.ids.at(-1)! - a.ids.at(-1)!)
  for (const { recipientId, ids } of unfinished) {
    const mark = newest.length < limit ? 0 : newest.at(-1)!
    if (ids.at(-1)! <= mark) break
    const more = newestMessageIdsOf(sql, recipientId, limit, mark).slice(share)
    newest = newestFirst([...newest, ...more]).slice(0, limit)
  }
  return newest
}

function newestFirst(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => b - a)
}
