import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { mentionText } from '../../markdown/mention-text.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import type { ChannelMembers } from '../../store/subscriptions/subscriber-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { personalNoticeTexts } from '../notices/personal-notice-texts.ts'
import { sendNotice } from '../sending/send-notice.ts'

/** Value of `max_bulk_new_subscription_messages`: if more users are subscribed together, nobody gets a message. */
export const MAX_BULK_NEW_SUBSCRIPTION_MESSAGES = 100

/** Who subscribes others, and to which of the channels nobody is notified of: those that were made for it. */
interface Subscribing {
  readonly by: Author
  readonly created: readonly Channel[]
  /** `https://chat.example.com`, for links. */
  readonly origin: string
}

/**
 * Notifies users that someone else subscribed them to existing channels. Returns false if they are too many
 * (docs/interface/subscriptions.md#subscribe).
 */
export function noticeSubscribed(
  tx: RealmTransaction,
  { by, created, origin }: Subscribing,
  joinings: readonly ChannelMembers[],
): boolean {
  const joined = new Set(joinings.flatMap(({ userIds }) => userIds))
  if (joined.size > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return false
  const old = joinings.filter(({ channel }) => !created.some(({ id }) => id === channel.id))
  for (const user of findUsers(tx.sql, [...joined]).values()) {
    const gained = old.filter(({ userIds }) => userIds.includes(user.id)).map(({ channel }) => channel)
    if (gained.length === 0 || user.id === by.user.id || user.botType !== null) continue
    sendNotice(tx, { to: { user }, content: noticeOfJoining(user, by, gained), cause: by, origin })
  }
  return true
}

function noticeOfJoining(reader: User, { user }: Author, channels: readonly Channel[]): string {
  const texts = personalNoticeTexts(reader)
  const who = mentionText({ user, notifies: true })
  if (channels.length === 1) return texts.subscribed({ who, channel: mentionText({ channel: channels[0]! }) })
  const inOrder = [...channels].sort((a, b) => (a.name < b.name ? -1 : 1))
  const lines = inOrder.map((one) => `* ${mentionText({ channel: one })}`)
  return `${texts.subscribedToSeveral(who)}\n\n${lines.join('\n')}`
}
