import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import {
  MAX_HANDMADE_LIST_LENGTH,
  MAX_NARROW_LENGTH,
  NAME_LENGTH,
  PROSE_LENGTH,
  VALUE_LENGTH,
  WORD_LENGTH,
} from '../../api/input-limits.ts'
import {
  described,
  integer,
  json,
  jsonBoolean,
  jsonInteger,
  listUpTo,
  textUpTo,
  valueUpTo,
  wordOrJson,
} from '../../api/parameter-types.ts'
import { BadEventQueueIdError, BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { deliveredEvent } from '../../events/index.ts'
import {
  CLIENT_CAPABILITIES,
  type ClientCapability,
  deleteQueue as deleteQueueRow,
  type EventQueue,
  findQueue,
} from '../../events/queue.ts'
import { requireQueueNarrow } from '../../events/queue-narrow.ts'
import type { Caller } from '../../model/caller.ts'
import {
  declaredCapabilities,
  narrowPair,
  openQueue,
  type RegisterParams,
  registerQueue,
} from '../../model/events/register-queue.ts'
import { isStateLarge, spectatorState } from '../../model/register/initial-state.ts'
import { versionKeys } from '../../model/server/version.ts'
import { spectatorCaller } from '../../model/spectators/spectator.ts'
import { readMeta } from '../../store/meta-rows.ts'
import { registerAnswer } from './register-answer.ts'

/** Limit of the strings in a term: operator, operand, and what newer clients may add. */
const MAX_TERM_LENGTH = 10

/** Known capabilities; any value but `true` counts as absent. One of them is required (docs/interface/events.md#poll). */
const capabilities = v.object({
  ...Object.fromEntries(
    CLIENT_CAPABILITIES.map((name) => [name, v.optional(valueUpTo(VALUE_LENGTH, v.boolean()))]),
  ),
  notification_settings_null: v.boolean(),
})

/** The parameters for registering a queue; GET /events accepts them too (docs/interface/events.md#poll). */
const registrationParameters = {
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
    described(
      wordOrJson(['mobile'], integer),
      'The newer name of `queue_lifespan_secs`. `mobile` is as long as possible.',
    ),
  ),
}

/**
 * Returns the snapshot for visitors without an account: what is web-public, and its authors. There is no queue. Source:
 * docs/interface/visitors.md#the-snapshot.
 */
export const registerSpectatorEndpoint = defineEndpoint({
  operation: 'register-spectator',
  route: 'POST /register',
  access: 'spectator',
  params: registrationParameters,
  returns: v.looseObject({
    queue_id: v.null(),
    zulip_version: v.string(),
    zulip_feature_level: v.number(),
  }),
  apply(tx, { source }, params) {
    for (const name of ['client_gravatar', 'include_subscribers'] as const) {
      if (params[name]) throw new BadRequestError(`Invalid '${name}' parameter for anonymous request`)
    }
    requireQueueNarrow((params.narrow ?? []).map(narrowPair))
    const state = spectatorState(tx, spectatorCaller(tx, source), {
      types: params.fetch_event_types ?? params.event_types ?? null,
      eventTypes: params.event_types ?? null,
      clientGravatar: false,
      slimPresence: false,
      includeSubscribers: false,
      capabilities: new Set(declaredCapabilities(params.client_capabilities, source)),
      userAgent: source.userAgent,
      presenceHistoryLimitDays: null,
    })
    return { queue_id: null, ...versionKeys(), ...state }
  },
  audit: 'read-only',
  largeAnswer: true,
  answersInSections: true,
  // The request changes nothing.
  idempotency: 'harmless',
  repeatable: () => true,
})

/** Opens an event queue and returns the state from which its events continue. Source: docs/interface/register.md#what-is-asked-for. */
export const registerQueueEndpoint = defineEndpoint({
  operation: 'register-queue',
  route: 'POST /register',
  access: 'user',
  madeInCopies: true,
  params: registrationParameters,
  returns: registerAnswer,
  apply: registerQueue,
  audit: 'own',
  forSpectators: registerSpectatorEndpoint,
  // After a deploy a thousand clients that want only events return at once, and their answers are small.
  largeAnswer: ({ event_types, fetch_event_types }) => isStateLarge(fetch_event_types ?? event_types),
  answersInSections: true,
  // A queue that no client knows expires.
  idempotency: 'harmless',
  repeatable: () => true,
})

/**
 * Waits for events on a queue. The object answers with the queue's position; `realm/polls/poll-events.ts` and
 * `http/polls/hold-poll.ts` do the waiting. Source: docs/interface/events.md#poll.
 */
export const getEventsEndpoint = defineEndpoint({
  operation: 'get-events',
  route: 'GET /events',
  access: 'user',
  rateLimit: 'events',
  held: true,
  opensStream: true,
  params: {
    // A text that is not a queue id gets the refusal after which clients register again.
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
  apply(tx, caller, params): QueueCursor {
    const block = !params.dont_block
    if (params.queue_id === undefined) {
      const registers = Object.entries(params).some(
        ([name, value]) => value !== undefined && !POLLING.includes(name),
      )
      if (block && !registers) throw new BadRequestError("Missing 'queue_id' argument")
      const queue = openQueue(tx, caller, registrationOf(params))
      return { queueId: queue.id, cursor: queue.startEvent, block }
    }
    const trimmed = readMeta<number>(tx.sql, 'trimmed') ?? 0
    return positionOnQueue(tx.sql, caller, params, { trimmed, newest: tx.lastEventId() })!
  },
})

/** Ends a queue, and the poll on it. Source: docs/interface/events.md#end-a-queue. */
export const deleteQueueEndpoint = defineEndpoint({
  operation: 'delete-queue',
  route: 'DELETE /events',
  access: 'user',
  madeInCopies: true,
  rateLimit: 'events',
  params: { queue_id: textUpTo(PROSE_LENGTH) },
  apply: deleteQueue,
  audit: 'own',
})

function deleteQueue(
  tx: RealmTransaction,
  caller: Caller,
  { queue_id }: { readonly queue_id: string },
): void {
  const queue = findQueue(tx.sql, queue_id)
  if (queue?.userId !== caller.user.id) throw new BadEventQueueIdError(queue_id)
  deleteQueueRow(tx.sql, queue_id)
  tx.endPoll(queue_id)
}

/** The parameters of POST /register, and older boolean ones for capabilities. */
export interface GetEventsParams
  extends RegisterParams,
    Partial<Readonly<Record<ClientCapability, boolean>>> {
  readonly queue_id?: string
  readonly last_event_id?: number
  readonly dont_block: boolean
  readonly lifespan_secs?: number
}

/** A poll: its queue, the event after which it continues, and whether it waits. */
export interface QueueCursor {
  readonly queueId: string
  readonly cursor: number
  readonly block: boolean
}

/** Parameters that are not options of a new queue. */
const POLLING: readonly string[] = [
  'queue_id',
  'last_event_id',
  'dont_block',
] satisfies (keyof GetEventsParams)[]

/** Ids of the log: everything up to `trimmed` has been deleted. */
interface LogRange {
  readonly trimmed: number
  readonly newest: number
}

/** Returns the position of a poll on its queue; undefined where it names none. */
export function positionOnQueue(
  sql: Sql,
  caller: Caller,
  { queue_id, last_event_id, dont_block }: GetEventsParams,
  log: LogRange,
): QueueCursor | undefined {
  if (queue_id === undefined) return undefined
  const queue = findQueue(sql, queue_id)
  if (queue?.userId !== caller.user.id) throw new BadEventQueueIdError(queue_id)
  return { queueId: queue.id, cursor: cursorOf(queue, last_event_id, log), block: !dont_block }
}

/**
 * Returns the cursor. Ids in gaps are valid, and any id below the first means "from the start". Without an id, nothing is
 * acknowledged and everything kept is returned (docs/decisions/interface.md#queues-and-events).
 */
function cursorOf(
  { startEvent }: EventQueue,
  lastEventId: number | undefined,
  { trimmed, newest }: LogRange,
): number {
  if (lastEventId === undefined) return Math.max(startEvent, trimmed)
  if (lastEventId > newest) throw new BadRequestError(`Event ${lastEventId} was not in this queue`)
  const cursor = Math.max(lastEventId, startEvent)
  if (cursor >= trimmed) return cursor
  throw new BadRequestError(`An event newer than ${lastEventId} has already been pruned!`)
}

function registrationOf(params: GetEventsParams): RegisterParams {
  const flat = CLIENT_CAPABILITIES.filter((name) => params[name] !== undefined)
  return {
    ...params,
    queue_lifespan_secs: params.queue_lifespan_secs ?? params.lifespan_secs,
    client_capabilities:
      flat.length === 0
        ? params.client_capabilities
        : {
            notification_settings_null: false,
            ...params.client_capabilities,
            ...Object.fromEntries(flat.map((name) => [name, params[name]])),
          },
  }
}
