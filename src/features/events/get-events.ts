import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { PROSE_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, jsonInteger, textUpTo } from '../../api/parameter-types.ts'
import { deliveredEvent } from '../../events/index.ts'
import { CLIENT_CAPABILITIES, type ClientCapability } from '../../events/queue.ts'
import { getEvents } from '../../model/events/get-events.ts'
import { registrationParameters } from './registration-parameters.ts'

/**
 * Waits for events on a queue. The object answers with the queue's position; `realm/polls/poll-events.ts` and
 * `http/polls/hold-poll.ts` do the waiting. Source: docs/interface/events.md#poll.
 */
export const getEventsEndpoint = defineEndpoint({
  operation: 'get-events',
  method: 'GET',
  path: '/events',
  access: 'user',
  rateLimit: 'events',
  held: true,
  opensStream: true,
  params: {
    // A text that is no queue gets the refusal after which clients register again.
    queue_id: v.optional(textUpTo(PROSE_LENGTH)),
    last_event_id: v.optional(jsonInteger),
    dont_block: v.optional(jsonBoolean, 'false'),
    ...registrationParameters,
    lifespan_secs: v.optional(jsonInteger),
    ...(Object.fromEntries(CLIENT_CAPABILITIES.map((name) => [name, v.optional(jsonBoolean)])) as Record<
      ClientCapability,
      v.OptionalSchema<typeof jsonBoolean, undefined>
    >),
  },
  returns: v.object({
    events: v.array(deliveredEvent),
    queue_id: v.string(),
  }),
  command: getEvents,
})
