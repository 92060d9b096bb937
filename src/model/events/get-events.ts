import { BadEventQueueIdError, BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { CLIENT_CAPABILITIES, type ClientCapability, type EventQueue, findQueue } from '../../events/queue.ts'
import { readMeta } from '../../store/meta-rows.ts'
import type { Caller } from '../caller.ts'
import { openQueue, type RegisterParams } from './register-queue.ts'

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

/** Checks a poll, or registers the queue that it asks for. */
export function getEvents(tx: RealmTransaction, caller: Caller, params: GetEventsParams): QueueCursor {
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
}

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
