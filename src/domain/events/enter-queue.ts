import { ServiceUnavailableError } from '../../core/errors.ts'
import type { MemorySlot, RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import {
  countQueues,
  countQueuesOfUser,
  deleteQueue,
  type EventQueue,
  insertQueue,
  largestQueueHolder,
  listQueuesOfUser,
} from '../../events/queue.ts'
import type { Caller } from '../caller.ts'
import type { QuotaUse } from '../quotas/quota-rows.ts'
import { quotaOf } from '../quotas/within-quota.ts'

/**
 * Enters a queue. Each queue holds up the log, needs housekeeping, and may have a waiting client, so their
 * number is limited. No new queue is refused: of the account that has too many, or of the one that has the
 * most if the organization has too many, the queue that was idle longest is ended. Its client, if it ever
 * comes back, learns that it is gone and registers again.
 * @throws ServiceUnavailableError where the account that has the most has nothing but this queue
 */
export function enterQueue(tx: RealmTransaction, caller: Caller, queue: EventQueue): void {
  const quota = quotaOf('queues', caller.source)
  const bytes = insertQueue(tx.sql, queue)
  const known = tx.recallToChange(QUEUE_USE)
  known.add(bytes)
  const use = countQueuesOfUser(tx.sql, queue.userId)
  const ofOne = { count: quota.account!, bytes: quota.accountBytes! }
  endOldest(tx, queue.userId, use, ofOne, queue.id)
  const ofAll = { count: quota.organization!, bytes: quota.organizationBytes! }
  if (isWithin(known.use, ofAll)) return
  known.recount(tx.sql)
  for (let pass = 1; !isWithin(known.use, ofAll); pass += 1) {
    const holder = largestQueueHolder(tx.sql, known.use.count > ofAll.count ? 'count' : 'bytes')!
    const ended = endOldest(tx, holder, known.use, ofAll, queue.id)
    if (ended === 0 || pass === MAX_PASSES) throw new ServiceUnavailableError()
    known.recount(tx.sql)
  }
}

/**
 * Number of accounts whose queues are ended to make room for one: each has the most, so one or two are
 * enough.
 */
const MAX_PASSES = 5

interface HeldQueue {
  readonly id: string
  readonly bytes: number
}

/** Number of queues that are looked at first: a registration of a client that ends none makes one too many. */
const LOOKED_AT = 20

/** Ends a user's oldest queues, except the newest, and returns how many. */
function endOldest(
  tx: RealmTransaction,
  userId: number,
  use: QuotaUse,
  limit: QuotaUse,
  newest: string,
): number {
  if (isWithin(use, limit)) return 0
  const few = unusedFirst(tx, listQueuesOfUser(tx.sql, userId, LOOKED_AT), newest)
  const hasEnough = few[0] && !tx.isPolled(few[0].id) && isWithin(without(use, few[0]), limit)
  const queues = hasEnough ? few : unusedFirst(tx, listQueuesOfUser(tx.sql, userId), newest)
  let [ended, left] = [0, use]
  for (const queue of queues) {
    if (isWithin(left, limit)) break
    deleteQueue(tx.sql, queue.id)
    tx.endPoll(queue.id)
    left = without(left, queue)
    ended += 1
  }
  return ended
}

function without({ count, bytes }: QuotaUse, queue: HeldQueue): QuotaUse {
  return { count: count - 1, bytes: bytes - queue.bytes }
}

function unusedFirst(tx: RealmReads, queues: readonly HeldQueue[], newest: string): HeldQueue[] {
  const others = queues.filter(({ id }) => id !== newest)
  return [...others.filter(({ id }) => !tx.isPolled(id)), ...others.filter(({ id }) => tx.isPolled(id))]
}

function isWithin(use: QuotaUse, limit: QuotaUse): boolean {
  return use.count <= limit.count && use.bytes <= limit.bytes
}

/**
 * The known number of queues of the organization, never too low: new queues are added, and ended ones are
 * subtracted only when there seem to be too many. So a registration writes no row for the quota, and counts the
 * other queues only when the quota seems to be exceeded.
 */
class KnownQueueUse {
  #use: QuotaUse

  constructor(use: QuotaUse) {
    this.#use = use
  }

  get use(): QuotaUse {
    return this.#use
  }

  add(bytes: number): void {
    this.#use = { count: this.#use.count + 1, bytes: this.#use.bytes + bytes }
  }

  recount(sql: RealmReads['sql']): void {
    this.#use = countQueues(sql)
  }
}

const QUEUE_USE: MemorySlot<KnownQueueUse> = {
  name: 'queue-use',
  load: (sql) => new KnownQueueUse(countQueues(sql)),
}
