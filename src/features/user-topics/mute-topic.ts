import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonInteger, textUpTo, wordOf } from '../../api/parameter-types.ts'
import { BadRequestError, IncompatibleParametersError, MissingParameterError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { spelledAsRenamed } from '../../model/messages/topic-of-message.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { setPolicy } from '../../model/user-topics/set-policy.ts'
import { invalidChannelId, invalidChannelName, requireChannelContent } from '../../rules/channel-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { findChannel, findChannelByName } from '../../store/channels/channel-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { TOPIC_POLICY, topicPolicy } from '../../store/user-topics/user-topic-rows.ts'
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
