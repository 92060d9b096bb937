import type { Command } from '../../core/command.ts'
import { invalidChannelId } from '../../permissions/channel-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import type { Caller } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { requireReadableChannel } from '../channels/visibility/find-for-caller.ts'
import { spelledAsRenamed } from '../messages/respelled-topic.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { setPolicy } from './set-policy.ts'
import { TOPIC_POLICY, type TopicPolicy } from './user-topic-rows.ts'

export interface SetTopicPolicyParams {
  readonly stream_id: number
  readonly topic: string
  readonly visibility_policy: TopicPolicy
}

/**
 * Sets the caller's policy for a topic. Anything but removing a policy needs access to the channel's
 * messages, or the answers would reveal what is in private channels; removing needs only that the channel
 * exists, so that nobody has to keep a policy. Source: docs/interface/subscriptions.md#topics;
 * docs/decisions/interface.md#records.
 */
export const setTopicPolicy: Command<Caller, SetTopicPolicyParams, void, object> = {
  apply(tx, caller, { stream_id, topic, visibility_policy }) {
    const { user } = caller
    const setting = {
      userId: user.id,
      channelId: stream_id,
      topic: spelledAsRenamed(tx, user.id, stream_id, topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic),
      policy: visibility_policy,
    }
    if (visibility_policy !== TOPIC_POLICY.none) requireReadableChannel(tx.sql, caller, stream_id)
    else if (!findChannel(tx.sql, stream_id)) throw invalidChannelId()
    withinQuota(tx, caller, 'topicSettings', () => setPolicy(tx, setting))
    return {}
  },
}
