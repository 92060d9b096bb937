import type { Command } from '../../core/command.ts'
import type { Sql } from '../../core/sql.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import type { Caller } from '../caller.ts'
import { requireReadableChannel, requireVisibleChannel } from '../channels/find-for-caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { setPolicy, type TopicSetting } from './set-policy.ts'
import { TOPIC_POLICY, type TopicPolicy, topicPolicy } from './user-topic-rows.ts'

export interface SetTopicPolicyParams {
  readonly stream_id: number
  readonly topic: string
  readonly visibility_policy: TopicPolicy
}

/**
 * What the caller wants of a topic. Anything but taking a preference off needs access to the channel's
 * messages, and that at least sight of it, unless there is a preference to take off: else the answers would
 * tell which private channels there are.
 * Source: SPEC 4.9; behaviour 4.9; decisions 2.
 */
export const setTopicPolicy: Command<Caller, SetTopicPolicyParams, void, object> = {
  apply(tx, caller, { stream_id, topic, visibility_policy }) {
    const { user } = caller
    const setting = {
      userId: user.id,
      channelId: stream_id,
      topic: topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic,
      policy: visibility_policy,
    }
    if (visibility_policy !== TOPIC_POLICY.none) requireReadableChannel(tx.sql, caller, stream_id)
    else if (!isSet(tx.sql, setting)) requireVisibleChannel(tx.sql, caller, stream_id)
    withinQuota(tx, caller, 'topicSettings', () => setPolicy(tx, setting))
    return {}
  },
}

function isSet(sql: Sql, { userId, channelId, topic }: TopicSetting): boolean {
  return topicPolicy(sql, userId, channelId, topic) !== TOPIC_POLICY.none
}
