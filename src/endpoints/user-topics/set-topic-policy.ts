import * as v from 'valibot'
import { setTopicPolicy } from '../../domain/user-topics/set-topic-policy.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { json, jsonInteger } from '../parameter-types.ts'
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
  command: setTopicPolicy,
  audit: 'own',
})
