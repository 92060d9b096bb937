import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { json, jsonInteger } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReadableChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { spelledAsRenamed } from '../../model/messages/topic-of-message.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { setPolicy } from '../../model/user-topics/set-policy.ts'
import { invalidChannelId } from '../../rules/channel-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { TOPIC_POLICY, type TopicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import { topicName } from './topic-parameters.ts'

/**
 * Mutes, unmutes or follows a topic for the caller, or resets that. Source:
 * docs/interface/subscriptions.md#topics.
 */
export const setTopicPolicyEndpoint = defineEndpoint({
  operation: 'set-topic-policy',
  method: 'POST',
  path: '/user_topics',
  access: 'user',
  growsObject: true,
  params: {
    stream_id: jsonInteger,
    topic: topicName,
    visibility_policy: v.pipe(
      json(v.picklist([0, 1, 2, 3])),
      v.description('0 none, 1 muted, 2 unmuted, 3 followed.'),
    ),
  },
  returns: v.object({}),
  command: { apply: setTopicPolicy },
  audit: 'own',
})

interface SetTopicPolicyParams {
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
function setTopicPolicy(
  tx: RealmTransaction,
  caller: Caller,
  { stream_id, topic, visibility_policy }: SetTopicPolicyParams,
): object {
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
}
