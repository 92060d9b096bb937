import * as v from 'valibot'
import { MAX_LIST_LENGTH } from '../../api/input-limits.ts'
import { anchor, anchorDate } from '../../api/message-parameters.ts'
import { narrowOrNull } from '../../api/narrow-parameter.ts'
import {
  json,
  jsonBoolean,
  jsonNonNegativeInteger,
  listUpTo,
  nonNegativeInteger,
} from '../../api/parameter-types.ts'
import { MAX_MESSAGES_PER_FETCH } from './fetch-messages.ts'
import { messageSchema } from './message-schema.ts'

/**
 * Bytes that a message of a page of GET /messages takes in the Worker until it has been sent, without its
 * body.
 */
const MESSAGE_OF_A_PAGE = 2_000

/**
 * Parameters for fetching messages, with an account and without. Source:
 * docs/interface/reading.md#fetch-messages.
 */
export const messagesParameters = {
  anchor: v.optional(anchor),
  anchor_date: v.optional(anchorDate),
  include_anchor: v.optional(jsonBoolean, 'true'),
  num_before: v.optional(jsonNonNegativeInteger, '0'),
  num_after: v.optional(jsonNonNegativeInteger, '0'),
  narrow: v.optional(narrowOrNull, 'null'),
  use_first_unread_anchor: v.optional(jsonBoolean, 'false'),
  client_gravatar: v.optional(jsonBoolean, 'true'),
  apply_markdown: v.optional(jsonBoolean, 'true'),
  allow_empty_topic_name: v.optional(jsonBoolean, 'false'),
  message_ids: v.optional(json(v.nullable(listUpTo(MAX_LIST_LENGTH, nonNegativeInteger)))),
}

export const messagesAnswer = v.object({
  messages: v.array(messageSchema),
  anchor: v.optional(v.number()),
  found_anchor: v.boolean(),
  found_oldest: v.boolean(),
  found_newest: v.boolean(),
  history_limited: v.boolean(),
})

/** Returns the bytes that the answer takes in the Worker. */
export function messagesMemory({
  num_before,
  num_after,
  message_ids,
}: {
  readonly num_before: number
  readonly num_after: number
  readonly message_ids?: readonly number[] | null
}): number {
  return (
    Math.min(num_before + num_after + (message_ids?.length ?? 0), MAX_MESSAGES_PER_FETCH) * MESSAGE_OF_A_PAGE
  )
}
