import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, pathInteger } from '../../api/parameter-types.ts'
import { getStreamTopics } from './channel-topics.ts'
import { getPublicTopicsEndpoint } from './get-public-topics.ts'

/** Lists the topics of a channel. Source: docs/interface/reading.md#topics-of-a-channel. */
export const getStreamTopicsEndpoint = defineEndpoint({
  operation: 'get-stream-topics',
  method: 'GET',
  path: '/users/me/:stream_id/topics',
  access: 'user',
  params: { stream_id: pathInteger, allow_empty_topic_name: v.optional(jsonBoolean, 'false') },
  returns: v.object({ topics: v.array(v.object({ name: v.string(), max_id: v.number() })) }),
  command: { reads: true, apply: getStreamTopics },
  forSpectators: getPublicTopicsEndpoint,
  largeAnswer: true,
})
