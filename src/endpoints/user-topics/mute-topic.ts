import * as v from 'valibot'
import { muteTopic } from '../../domain/user-topics/mute-topic.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { jsonInteger, textUpTo, wordOf } from '../parameter-types.ts'
import { topicName } from './topic-parameters.ts'

/** Mutes a topic, or unmutes it again. Deprecated. Source: docs/interface/subscriptions.md#topics. */
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
  command: muteTopic,
  audit: 'own',
})
