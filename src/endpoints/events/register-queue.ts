import * as v from 'valibot'
import { registerQueue } from '../../domain/events/register-queue.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { integer, json, jsonBoolean, jsonInteger, text, wordOrJson } from '../parameter-types.ts'
import { registerAnswer } from './register-answer.ts'

/** What a queue is registered with; GET /events takes it too (behaviour 4.5). */
export const registrationParameters = {
  apply_markdown: v.optional(jsonBoolean),
  client_gravatar: v.optional(jsonBoolean),
  slim_presence: v.optional(jsonBoolean),
  presence_history_limit_days: v.optional(json(v.nullable(integer))),
  all_public_streams: v.optional(jsonBoolean),
  include_subscribers: v.optional(wordOrJson(['partial'], v.boolean())),
  client_capabilities: v.optional(
    json(v.nullable(v.looseObject({ notification_settings_null: v.boolean() }))),
  ),
  event_types: v.optional(json(v.nullable(v.array(v.string())))),
  fetch_event_types: v.optional(json(v.nullable(v.array(v.string())))),
  narrow: v.optional(json(v.array(v.array(v.string())))),
  queue_lifespan_secs: v.optional(jsonInteger),
  /** A newer name of the same: a number, or text that newer servers know. */
  idle_queue_timeout: v.optional(text),
}

/** Opens an event queue and gives the state that its events go on from. Source: core-endpoints 1. */
export const registerQueueEndpoint = defineEndpoint({
  operation: 'register-queue',
  method: 'POST',
  path: '/register',
  access: 'user',
  params: registrationParameters,
  returns: registerAnswer,
  command: registerQueue,
  // A queue that nobody knows of ends by itself.
  repeatable: () => true,
})
