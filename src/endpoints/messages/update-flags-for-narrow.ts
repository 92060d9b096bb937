import * as v from 'valibot'
import { updateFlagsForNarrow } from '../../domain/messages/flags/update-flags-for-narrow.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean, jsonNonNegativeInteger, word } from '../parameter-types.ts'
import { anchor, anchorDate } from './message-parameters.ts'
import { narrow } from './narrow-parameter.ts'

/**
 * Sets or clears a personal flag on the messages of a narrow. Source:
 * docs/interface/reading.md#change-flags-in-a-narrow.
 */
export const updateFlagsForNarrowEndpoint = defineEndpoint({
  operation: 'update-flags-for-narrow',
  method: 'POST',
  path: '/messages/flags/narrow',
  access: 'user',
  params: {
    anchor,
    anchor_date: v.optional(anchorDate),
    include_anchor: v.optional(jsonBoolean, 'true'),
    num_before: jsonNonNegativeInteger,
    num_after: jsonNonNegativeInteger,
    narrow,
    op: v.pipe(word, v.description('`add` or `remove`.')),
    flag: v.pipe(word, v.description('`read`, `starred`, `collapsed` or `hide_link_previews`.')),
  },
  returns: v.object({
    processed_count: v.number(),
    updated_count: v.number(),
    first_processed_id: v.nullable(v.number()),
    last_processed_id: v.nullable(v.number()),
    found_oldest: v.boolean(),
    found_newest: v.boolean(),
    ignored_because_not_subscribed_channels: v.array(v.number()),
  }),
  command: updateFlagsForNarrow,
  audit: 'own',
})
