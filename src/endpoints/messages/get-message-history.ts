import * as v from 'valibot'
import { finishMessageHistory, getMessageHistory } from '../../domain/messages/edit/get-message-history.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean, pathInteger } from '../parameter-types.ts'

/** Gets a message's edits, from the original on. Source: docs/interface/messages.md#edit-history. */
export const getMessageHistoryEndpoint = defineEndpoint({
  operation: 'get-message-history',
  method: 'GET',
  path: '/messages/:message_id/history',
  access: 'user',
  params: {
    message_id: pathInteger,
    allow_empty_topic_name: v.optional(jsonBoolean, 'false'),
  },
  returns: v.object({
    message_history: v.array(
      v.object({
        topic: v.string(),
        content: v.string(),
        rendered_content: v.string(),
        timestamp: v.number(),
        user_id: v.nullable(v.number()),
        prev_topic: v.optional(v.string()),
        prev_stream: v.optional(v.number()),
        stream: v.optional(v.number()),
        prev_content: v.optional(v.string()),
        prev_rendered_content: v.optional(v.string()),
        content_html_diff: v.optional(v.string()),
      }),
    ),
  }),
  command: getMessageHistory,
  finish: (found, params, { bodies }) => finishMessageHistory(found, params, bodies),
})
