import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, json, jsonInteger, textUpTo, trimmedTextUpTo, wordOf } from '../../api/parameter-types.ts'
import { BadRequestError, IncompatibleParametersError, MissingParameterError } from '../../core/errors.ts'
import { requireReadableChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { MAX_TOPIC_LENGTH } from '../../model/messages/text/compose.ts'
import { spelledAsRenamed } from '../../model/messages/topic-of-message.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { setPolicy } from '../../model/user-topics/set-policy.ts'
import { invalidChannelId, invalidChannelName, requireChannelContent } from '../../rules/channel-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { findChannel, findChannelByName } from '../../store/channels/channel-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { TOPIC_POLICY, topicPolicy } from '../../store/user-topics/user-topic-rows.ts'

/** An existing topic: a name that is too long is an error (docs/interface/conventions.md#topics). */
const topicName = trimmedTextUpTo(MAX_TOPIC_LENGTH)

const muteTopicParams = {
  stream_id: v.optional(jsonInteger),
  stream: v.optional(textUpTo(NAME_LENGTH)),
  topic: topicName,
  op: wordOf(['add', 'remove']),
}

/** Mutes a topic, or unmutes it, in the older form. Source: docs/interface/subscriptions.md#topics. */
export const muteTopicEndpoint = defineEndpoint({
  operation: 'mute-topic',
  route: 'PATCH /users/me/subscriptions/muted_topics',
  access: 'user',
  growsObject: true,
  params: muteTopicParams,
  apply(tx, caller, { stream_id, stream, topic: spelled, op }) {
    const { user, actor } = caller
    if (stream_id === undefined && stream === undefined) throw new MissingParameterError('stream_id')
    if (stream_id !== undefined && stream !== undefined) {
      throw new IncompatibleParametersError(['stream_id', 'stream'])
    }
    const [channel, refusal] =
      stream_id === undefined
        ? [findChannelByName(tx.sql, stream!), invalidChannelName(stream!)]
        : [findChannel(tx.sql, stream_id), invalidChannelId()]
    const topic = spelled === EMPTY_TOPIC_DISPLAY_NAME ? '' : spelled
    if (op === 'add') {
      const { id } = requireChannelContent(
        actor,
        channel,
        channel !== undefined && isSubscribed(tx.sql, channel.id, user.id),
        refusal,
      )
      withinQuota(tx, caller, 'topicSettings', () =>
        setPolicy(tx, {
          userId: user.id,
          channelId: id,
          topic: spelledAsRenamed(tx, user.id, id, topic),
          policy: TOPIC_POLICY.muted,
        }),
      )
      return
    }
    if (!channel || topicPolicy(tx.sql, user.id, channel.id, topic) !== TOPIC_POLICY.muted) {
      throw new BadRequestError('Topic is not muted')
    }
    setPolicy(tx, { userId: user.id, channelId: channel.id, topic, policy: TOPIC_POLICY.none })
  },
  audit: 'own',
})

/**
 * Mutes, unmutes or follows a topic for the caller, or resets that. Setting a policy needs access to the channel's messages, or the answers
 * would reveal what is in private channels; resetting only needs an existing channel, so that nobody is stuck with a policy. Source:
 * docs/interface/subscriptions.md#topics; docs/decisions/interface.md#records.
 */
export const setTopicPolicyEndpoint = defineEndpoint({
  operation: 'set-topic-policy',
  route: 'POST /user_topics',
  access: 'user',
  growsObject: true,
  params: {
    stream_id: jsonInteger,
    topic: topicName,
    visibility_policy: described(json(v.picklist([0, 1, 2, 3])), '0 none, 1 muted, 2 unmuted, 3 followed.'),
  },
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
  },
  audit: 'own',
})
