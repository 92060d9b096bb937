import * as v from 'valibot'
import { MESSAGE_OF_A_PAGE } from '../../core/budgets.ts'
import { finishMessages } from '../../domain/messages/finish-messages.ts'
import {
  allOfIds,
  type FoundMessages,
  getMessages,
  MAX_MESSAGES_PER_FETCH,
} from '../../domain/messages/get-messages.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { LONGEST_LIST, WORD_LENGTH } from '../input-limits.ts'
import {
  json,
  jsonBoolean,
  jsonNonNegativeInteger,
  listUpTo,
  nonNegativeInteger,
  textUpTo,
} from '../parameter-types.ts'
import { messageSchema } from './message-schema.ts'
import { narrowOrNull } from './narrow-parameter.ts'

/** Fetches messages. Source: core-endpoints 5. */
export const getMessagesEndpoint = defineEndpoint({
  operation: 'get-messages',
  method: 'GET',
  path: '/messages',
  access: 'user',
  params: {
    anchor: v.optional(
      v.pipe(textUpTo(WORD_LENGTH), v.description('A message id, or `newest`, `oldest` or `first_unread`.')),
    ),
    include_anchor: v.optional(jsonBoolean, 'true'),
    num_before: v.optional(jsonNonNegativeInteger, '0'),
    num_after: v.optional(jsonNonNegativeInteger, '0'),
    narrow: v.optional(narrowOrNull, 'null'),
    use_first_unread_anchor: v.optional(jsonBoolean, 'false'),
    client_gravatar: v.optional(jsonBoolean, 'true'),
    apply_markdown: v.optional(jsonBoolean, 'true'),
    allow_empty_topic_name: v.optional(jsonBoolean, 'false'),
    message_ids: v.optional(json(v.nullable(listUpTo(LONGEST_LIST, nonNegativeInteger)))),
  },
  returns: v.object({
    messages: v.array(messageSchema),
    anchor: v.optional(v.number()),
    found_anchor: v.boolean(),
    found_oldest: v.boolean(),
    found_newest: v.boolean(),
    history_limited: v.boolean(),
  }),
  command: getMessages,
  workerBytes: ({ num_before, num_after, message_ids }) =>
    Math.min(num_before + num_after + (message_ids?.length ?? 0), MAX_MESSAGES_PER_FETCH) * MESSAGE_OF_A_PAGE,
  finish: async (found, params, { bodies, run }) =>
    finishMessages(
      found,
      params,
      bodies,
      async (ids) => (await run('get-messages', { ...allOfIds(params, ids) })) as FoundMessages,
    ),
})
