import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { mentionText } from '../../markdown/mention-text.ts'
import type { Caller } from '../../model/caller.ts'
import { sendNotice } from '../../model/messages/send/send-notice.ts'
import type { ChannelMembers } from '../../model/subscriptions/channel-members.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'

/**
 * Value of `max_bulk_new_subscription_messages`: when more are subscribed together, nobody gets a message.
 */
export const MAX_BULK_NEW_SUBSCRIPTION_MESSAGES = 100

/**
 * Notifies people that someone else subscribed them to existing channels. Returns false when they are too
 * many to be notified (docs/interface/subscriptions.md#subscribe).
 */
export function noticeSubscribed(
  tx: RealmTransaction,
  caller: Caller,
  joinings: readonly ChannelMembers[],
  created: readonly Channel[],
): boolean {
  const joined = new Set(joinings.flatMap(({ userIds }) => userIds))
  if (joined.size > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return false
  const old = joinings.filter(({ channel }) => !created.some(({ id }) => id === channel.id))
  for (const user of findUsers(tx.sql, [...joined]).values()) {
    const gained = old.filter(({ userIds }) => userIds.includes(user.id)).map(({ channel }) => channel)
    if (gained.length === 0 || user.id === caller.user.id || user.botType !== null) continue
    sendNotice(tx, {
      to: { user },
      content: `${mentionText({ user: caller.user, notifies: true })} subscribed you to ${listed(gained)}`,
      cause: caller,
      origin: caller.source.origin,
    })
  }
  return true
}

function listed(channels: readonly Channel[]): string {
  if (channels.length === 1) return `the channel ${mentionText({ channel: channels[0]! })}.`
  const inOrder = [...channels].sort((a, b) => (a.name < b.name ? -1 : 1))
  const lines = inOrder.map((one) => `* ${mentionText({ channel: one })}`)
  return `the following channels:\n\n${lines.join('\n')}`
}
