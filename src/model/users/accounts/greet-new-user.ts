import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { escapeName, mentionText } from '../../../markdown/mention-text.ts'
import { findChannel } from '../../../store/channels/channel-rows.ts'
import { putFlagBits } from '../../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../../../store/messages/flags/message-bits.ts'
import { NO_CHANNEL } from '../../../store/realm/realm-properties.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { sendNotice } from '../../messages/send/send-notice.ts'

const SIGNUP_TOPIC = 'signups'

/**
 * Greets a new user: with a notice in the channel for that, if the organization has one, and for the newcomer
 * a first message and the organization's own text. `text`: '' for none. Source:
 * docs/interface/access.md#a-new-organization.
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
    const content = `${mentionText({ user })} joined this organization.`
    sendNotice(tx, { to: { channel, topic }, content, origin })
  }
  welcome(tx, user, origin)
  if (text !== '') sendNotice(tx, { to: { user }, content: text, from: 'welcome-bot', origin })
}

/** Starred, so that the user finds it again. */
function welcome(tx: RealmTransaction, user: User, origin: string): void {
  const lines = [
    `Hello, and welcome to ${escapeName(realmProperty(tx.sql, 'name'))}! :wave:`,
    'Conversations here stand in channels, and each has a topic of its own. Look through the channels, join those that concern you, and answer where you read.',
    'I am a bot: I have starred this message for you, and do not read answers.',
  ]
  const content = lines.join('\n\n')
  const id = sendNotice(tx, { to: { user }, content, from: 'welcome-bot', origin, mentionsNobody: true })
  putFlagBits(tx.sql, user.id, id, FLAG_BIT.starred)
}
