import type { Command } from '../../core/command.ts'
import { BadRequestError, IncompatibleParametersError, MissingParameterError } from '../../core/errors.ts'
import {
  invalidChannelId,
  invalidChannelName,
  requireChannelContent,
} from '../../permissions/channel-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import type { Caller } from '../caller.ts'
import { findChannel, findChannelByName } from '../channels/channel-rows.ts'
import { spelledAsRenamed } from '../messages/respelled-topic.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { isSubscribed } from '../subscriptions/subscriber-rows.ts'
import { setPolicy } from './set-policy.ts'
import { TOPIC_POLICY, topicPolicy } from './user-topic-rows.ts'

export interface MuteTopicParams {
  /** Exactly one of the two is required. */
  readonly stream_id?: number
  readonly stream?: string
  readonly topic: string
  readonly op: 'add' | 'remove'
}

/** Mutes a topic, or unmutes it again, in the older way. Source: docs/interface/subscriptions.md#topics. */
export const muteTopic: Command<Caller, MuteTopicParams, void, object> = {
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
      return {}
    }
    if (!channel || topicPolicy(tx.sql, user.id, channel.id, topic) !== TOPIC_POLICY.muted) {
      throw new BadRequestError('Topic is not muted')
    }
    setPolicy(tx, { userId: user.id, channelId: channel.id, topic, policy: TOPIC_POLICY.none })
    return {}
  },
}
