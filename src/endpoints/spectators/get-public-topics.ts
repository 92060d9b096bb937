import * as v from 'valibot'
import { getPublicTopics } from '../../domain/spectators/get-public-topics.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean, pathInteger } from '../parameter-types.ts'

/** GET /json/users/me/{stream_id}/topics without an account. Source: docs/interface/visitors.md#routes; docs/interface/visitors.md#messages. */
export const getPublicTopicsEndpoint = defineEndpoint({
  operation: 'get-public-topics',
  method: 'GET',
  path: '/users/me/:stream_id/topics',
  access: 'spectator',
  params: { stream_id: pathInteger, allow_empty_topic_name: v.optional(jsonBoolean, 'false') },
  returns: v.object({ topics: v.array(v.object({ name: v.string(), max_id: v.number() })) }),
  command: getPublicTopics,
  largeAnswer: true,
})
