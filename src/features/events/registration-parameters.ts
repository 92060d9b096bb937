import * as v from 'valibot'
import {
  MAX_HANDMADE_LIST_LENGTH,
  MAX_NARROW_LENGTH,
  NAME_LENGTH,
  VALUE_LENGTH,
  WORD_LENGTH,
} from '../../api/input-limits.ts'
import {
  integer,
  json,
  jsonBoolean,
  jsonInteger,
  listUpTo,
  textUpTo,
  valueUpTo,
  wordOrJson,
} from '../../api/parameter-types.ts'
import { CLIENT_CAPABILITIES } from '../../events/queue.ts'

/** Limit of the texts in a term: operator, operand, and what newer clients may add. */
const MAX_TERM_LENGTH = 10

/**
 * Known capabilities; any value but `true` counts as absent. One is required (docs/interface/events.md#poll).
 */
const capabilities = v.object({
  ...Object.fromEntries(
    CLIENT_CAPABILITIES.map((name) => [name, v.optional(valueUpTo(VALUE_LENGTH, v.boolean()))]),
  ),
  notification_settings_null: v.boolean(),
})

/**
 * Parameters with which a queue is registered; GET /events takes them too (docs/interface/events.md#poll).
 */
export const registrationParameters = {
  apply_markdown: v.optional(jsonBoolean),
  client_gravatar: v.optional(jsonBoolean),
  slim_presence: v.optional(jsonBoolean),
  presence_history_limit_days: v.optional(json(v.nullable(integer))),
  all_public_streams: v.optional(jsonBoolean),
  include_subscribers: v.optional(wordOrJson(['partial'], v.boolean())),
  client_capabilities: v.optional(json(v.nullable(capabilities))),
  event_types: v.optional(json(v.nullable(listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(WORD_LENGTH))))),
  fetch_event_types: v.optional(json(v.nullable(listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(WORD_LENGTH))))),
  narrow: v.optional(json(listUpTo(MAX_NARROW_LENGTH, listUpTo(MAX_TERM_LENGTH, textUpTo(NAME_LENGTH))))),
  queue_lifespan_secs: v.optional(jsonInteger),
  idle_queue_timeout: v.optional(
    v.pipe(
      wordOrJson(['mobile'], integer),
      v.description('The newer name of `queue_lifespan_secs`. `mobile` is as long as possible.'),
    ),
  ),
}
