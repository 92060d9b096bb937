import type { Command } from '../../core/command.ts'
import { ApiError, BadEventQueueIdError, BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { findQueue } from '../../events/queue.ts'
import type { Caller } from '../caller.ts'
import { readMeta } from '../meta-rows.ts'
import { openQueue, type RegisterParams } from './register-queue.ts'

export interface GetEventsParams extends RegisterParams {
  readonly queue_id?: string
  readonly last_event_id?: number
  readonly dont_block: boolean
}

/** Where a poll stands: which queue, after which event, and whether it waits. */
export interface QueueCursor {
  readonly queueId: string
  readonly cursor: number
  readonly block: boolean
}

const REGISTRATION = [
  'event_types',
  'narrow',
  'apply_markdown',
  'client_gravatar',
  'slim_presence',
  'all_public_streams',
  'client_capabilities',
  'queue_lifespan_secs',
] as const

/**
 * Checks a poll, or registers the queue that it asks for.
 * Source: SPEC 4.5; behaviour 4.5; decisions 6.
 */
export const getEvents: Command<Caller, GetEventsParams, void, QueueCursor> = {
  apply(tx, caller, params) {
    const block = !params.dont_block
    if (params.queue_id === undefined) {
      const registers = REGISTRATION.some((name) => params[name] !== undefined)
      if (block && !registers) throw new BadRequestError("Missing 'queue_id' argument")
      const queue = openQueue(tx, caller, params)
      return { queueId: queue.id, cursor: queue.startEvent, block }
    }
    const queue = findQueue(tx.sql, params.queue_id)
    if (queue?.userId !== caller.user.id) throw new BadEventQueueIdError(params.queue_id)
    const cursor = Math.max(params.last_event_id ?? -1, queue.startEvent)
    requireKnownEvent(tx, params.last_event_id ?? -1, cursor)
    return { queueId: queue.id, cursor, block }
  },
}

/** Ids in gaps are fine, and so is any id below the first: "from the start" (decisions 6). */
function requireKnownEvent(tx: RealmTransaction, lastEventId: number, cursor: number): void {
  if (lastEventId > tx.lastEventId()) throw new BadRequestError(`Event ${lastEventId} was not in this queue`)
  if (cursor < (readMeta<number>(tx.sql, 'trimmed') ?? 0)) {
    throw new ApiError('BAD_REQUEST', `An event newer than ${lastEventId} has already been pruned!`)
  }
}
