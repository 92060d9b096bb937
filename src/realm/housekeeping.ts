import { HOUSEKEEPING } from '../domain/events/register-queue.ts'
import { readMeta, writeMeta } from '../domain/meta-rows.ts'
import { newestLogId, oldestLogId, trimLog } from '../events/log.ts'
import { deleteQueue, listQueues, saveQueueProgress } from '../events/queue.ts'
import { SAVE_EVERY_SECONDS } from './queue-progress.ts'
import type { Runtime } from './runtime.ts'

export { HOUSEKEEPING }

const EVERY_SECONDS = 300

/**
 * Ends queues that nobody has asked for in their lifespan, saves how far the others are, and takes off
 * the log what every cursor has passed. Due again while there is anything to keep.
 */
export function keepHouse(runtime: Runtime): number | undefined {
  const { sql } = runtime
  const now = runtime.now()
  let lowestCursor = runtime.projector.applied
  let queues = 0
  for (const queue of listQueues(sql)) {
    const { acked, seenAt } = runtime.progress.of(queue)
    // Saved progress may be this much older than the last request.
    const idle = now - seenAt - SAVE_EVERY_SECONDS
    if (idle > queue.lifespan && !runtime.polls.isWaiting(queue.id)) {
      deleteQueue(sql, queue.id)
      runtime.progress.forget(queue.id)
      continue
    }
    queues += 1
    if (acked > queue.ackedEvent || seenAt > queue.seenAt) saveQueueProgress(sql, queue.id, { acked, seenAt })
    lowestCursor = Math.min(lowestCursor, Math.max(acked, queue.startEvent))
  }
  trim(runtime, lowestCursor)
  const worthKeeping = queues > 0 || (oldestLogId(sql) ?? 0) < newestLogId(sql)
  return worthKeeping ? now + EVERY_SECONDS : undefined
}

function trim({ sql }: Runtime, upTo: number): void {
  if (upTo <= (readMeta<number>(sql, 'trimmed') ?? 0)) return
  trimLog(sql, upTo)
  writeMeta(sql, 'trimmed', upTo)
}
