import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { sendNotice, silentMention } from '../messages/send-notice.ts'
import { NO_CHANNEL } from '../realm/realm-properties.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import type { User } from './user-rows.ts'

const SIGNUP_TOPIC = 'signups'

/**
 * What a new person is greeted with: a notice in the channel for that, where the organization has one, and
 * its own text to the newcomer. `text`: '' for none. Source: behaviour 0.11.
 */
export function greetNewUser(
  tx: RealmTransaction,
  user: User,
  { text, origin }: { readonly text: string; readonly origin: string },
): void {
  const channelId = realmProperty(tx.sql, 'signup_announcements_stream_id')
  const channel = channelId === NO_CHANNEL ? undefined : findChannel(tx.sql, channelId)
  if (channel && !channel.isArchived) {
    const topic = channel.topicsPolicy === 'empty_topic_only' ? '' : SIGNUP_TOPIC
    const content = `${silentMention(user)} joined this organization.`
    sendNotice(tx, { to: { channel, topic }, content, origin })
  }
  if (text !== '') sendNotice(tx, { to: { user }, content: text, from: 'welcome-bot', origin })
}
