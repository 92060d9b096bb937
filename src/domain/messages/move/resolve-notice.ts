import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { RESOLVED_TOPIC_PREFIX } from '../../../permissions/topic-rules.ts'
import type { Caller } from '../../caller.ts'
import { findChannel } from '../../channels/channel-rows.ts'
import { subscriberIdsWithSetting, subscriptionsAmong } from '../../subscriptions/subscription-rows.ts'
import { listTopicSettings, TOPIC_POLICY } from '../../user-topics/user-topic-rows.ts'
import { userSetting } from '../../users/settings/user-setting-rows.ts'
import { findUsers } from '../../users/user-rows.ts'
import { deleteMessages } from '../edit/delete-messages.ts'
import { MESSAGE_BIT } from '../flags/message-bits.ts'
import { findMessage, type IndexedMessage, newestMessageOfTopic } from '../message-rows.ts'
import { silentMention } from '../send/mention-text.ts'

import { sendNotice } from '../send/send-notice.ts'
import type { Topic } from '../topic-rows.ts'

/**
 * Seconds within which a topic that was resolved by mistake can be reopened without a trace
 * (docs/interface/conventions.md#limits).
 */
const UNDO_SECONDS = 60

/**
 * Sends a notice to a topic that it was marked as resolved, or as unresolved. Within a minute the opposite
 * only deletes the earlier notice. Source: docs/interface/messages.md#notices-of-a-move.
 */
export function noticeOfToggle(tx: RealmTransaction, caller: Caller, topic: Topic): void {
  const newest = newestMessageOfTopic(tx.sql, topic.id)
  const last = newest === undefined ? undefined : findMessage(tx.sql, newest)
  if (last && isFreshNotice(last, tx.now)) {
    deleteMessages(tx, [last])
    return
  }
  const channel = findChannel(tx.sql, topic.channelId)!
  const state = topic.name.startsWith(RESOLVED_TOPIC_PREFIX) ? 'resolved' : 'unresolved'
  sendNotice(tx, {
    to: { channel, topic: topic.name },
    content: `${silentMention(caller.user)} has marked this topic as ${state}.`,
    cause: caller,
    origin: caller.source.origin,
    resolveNotice: { unreadFor: interestedUsers(tx, topic).filter((id) => id !== caller.user.id) },
  })
}

function isFreshNotice({ bits, sentAt }: IndexedMessage, now: number): boolean {
  return (bits & MESSAGE_BIT.isResolveNotice) !== 0 && sentAt > now - UNDO_SECONDS
}

/**
 * Returns subscribers who want to read such notices: always, or in topics that they follow. The unchanged
 * setting means followed topics, so no others need to be read.
 */
function interestedUsers({ sql }: RealmReads, topic: Topic): number[] {
  const followers = new Set(
    listTopicSettings(sql, topic.channelId, topic.name)
      .filter(({ policy }) => policy === TOPIC_POLICY.followed)
      .map(({ userId }) => userId),
  )
  const following = [...subscriptionsAmong(sql, topic.channelId, [...followers]).values()]
  const concerned = [
    ...subscriberIdsWithSetting(sql, topic.channelId, 'resolved_topic_notice_auto_read_policy'),
    ...following.filter(({ isActive }) => isActive).map(({ userId }) => userId),
  ]
  return [...findUsers(sql, concerned).values()]
    .filter(({ isActive }) => isActive)
    .filter((user) => {
      const autoRead = userSetting(user, 'resolved_topic_notice_auto_read_policy')
      return autoRead === 'never' || (autoRead === 'except_followed' && followers.has(user.id))
    })
    .map(({ id }) => id)
}
