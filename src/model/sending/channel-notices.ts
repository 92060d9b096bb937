import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { mentionText } from '../../markdown/mention-text.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { Caller } from '../caller.ts'
import { privacyName, quoted } from '../channels/change/change-notices.ts'
import { topicsPolicyIn } from '../channels/read/present-channel.ts'
import { noticeTexts } from '../notices/channel-notice-texts.ts'
import { sendNotice } from './send-notice.ts'

/** The topic for notices about a channel itself (docs/interface/access.md#notices). */
const CHANNEL_EVENTS_TOPIC = 'channel events'
const NEW_CHANNELS_TOPIC = 'new channels'

/** Sends a notice of a change to its channel, in the name of the person who made it, if the organization wants such notices. */
export function noticeInChannel(
  tx: RealmTransaction,
  caller: Caller,
  channelId: number,
  content: string,
  { arrivesRead = false } = {},
): void {
  if (!realmProperty(tx.sql, 'send_channel_events_messages')) return
  // Read again, since the notice may be the channel's first message, or the second of one change.
  const channel = findChannel(tx.sql, channelId)!
  const isTopicFixed = topicsPolicyIn(tx.sql, channel) === 'empty_topic_only'
  sendNotice(tx, {
    to: { channel, topic: isTopicFixed ? '' : CHANNEL_EVENTS_TOPIC },
    content,
    cause: caller,
    origin: caller.source.origin,
    arrivesRead,
  })
}

/** Sends the first message of a channel (docs/interface/channels.md#rights-and-settings-of-a-new-channel). */
export function noticeCreated(tx: RealmTransaction, caller: Caller, channel: Channel): void {
  const line = noticeTexts(tx).created({
    privacy: privacyName(tx, channel),
    who: mentionText({ user: caller.user }),
  })
  noticeInChannel(tx, caller, channel.id, `${line}\n${quoted(tx, channel.description)}`)
}

export function announceNewChannels(
  tx: RealmTransaction,
  caller: Caller,
  channels: readonly Channel[],
): void {
  const channel = findChannel(tx.sql, realmProperty(tx.sql, 'new_stream_announcements_stream_id'))
  if (!channel || channel.isArchived || channels.length === 0) return
  const links = channels.map((channel) => mentionText({ channel })).join(', ')
  sendNotice(tx, {
    to: { channel, topic: topicsPolicyIn(tx.sql, channel) === 'empty_topic_only' ? '' : NEW_CHANNELS_TOPIC },
    content: noticeTexts(tx).announced({
      who: mentionText({ user: caller.user }),
      links,
      isOne: channels.length === 1,
    }),
    cause: caller,
    origin: caller.source.origin,
  })
}
