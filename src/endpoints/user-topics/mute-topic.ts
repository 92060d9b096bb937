import * as v from 'valibot'
import { BadRequestError, IncompatibleParametersError, MissingParameterError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { findChannel, findChannelByName } from '../../domain/channels/channel-rows.ts'
import { spelledAsRenamed } from '../../domain/messages/respelled-topic.ts'
import { withinQuota } from '../../domain/quotas/within-quota.ts'
import { isSubscribed } from '../../domain/subscriptions/subscriber-rows.ts'
import { setPolicy } from '../../domain/user-topics/set-policy.ts'
import { TOPIC_POLICY, topicPolicy } from '../../domain/user-topics/user-topic-rows.ts'
import {
  invalidChannelId,
  invalidChannelName,
  requireChannelContent,
} from '../../permissions/channel-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { jsonInteger, textUpTo, wordOf } from '../parameter-types.ts'
import { topicName } from './topic-parameters.ts'

/** Mutes a topic, or unmutes it again, in the older way. Source: docs/interface/subscriptions.md#topics. */
export const muteTopicEndpoint = defineEndpoint({
  operation: 'mute-topic',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  access: 'user',
  growsObject: true,
  params: {
    stream_id: v.optional(jsonInteger),
    stream: v.optional(textUpTo(NAME_LENGTH)),
    topic: topicName,
    op: wordOf(['add', 'remove']),
  },
  returns: v.object({}),
  command: { apply: muteTopic },
  audit: 'own',
})

interface MuteTopicParams {
  /** Exactly one of the two is required. */
  readonly stream_id?: number
  readonly stream?: string
  readonly topic: string
  readonly op: 'add' | 'remove'
}

function muteTopic(
  tx: RealmTransaction,
  caller: Caller,
  { stream_id, stream, topic: spelled, op }: MuteTopicParams,
): object {
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
}
