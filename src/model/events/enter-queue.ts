import { ServiceUnavailableError } from '../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
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
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import type { QuotaUse } from '../../store/quotas/quota-rows.ts'
import type { Caller } from '../caller.ts'
import { quotaOf } from '../quotas/within-quota.ts'

/**
 * Enters a queue. Each queue holds up the log, needs housekeeping, and may have a waiting client, so their number is
 * limited. A new queue is never refused. Instead the queue that was idle longest is ended: one of the account that has
 * too many, or of the account with the most if the organization has too many. Its client registers again if it ever
 * comes back.
 * @throws ServiceUnavailableError where the account that has the most has nothing but this queue
 */
export function enterQueue(tx: RealmTransaction, caller: Caller, queue: EventQueue): void {
  const quota = quotaOf('queues', caller.source)
  const bytes = insertQueue(tx.sql, queue)
  const known = tx.recallToChange(QUEUE_USE)
  known.add(tx, bytes)
  const use = countQueuesOfUser(tx.sql, queue.userId)
  const ofOne = { count: quota.account!, bytes: quota.accountBytes! }
  endOldest(tx, queue.userId, use, ofOne, queue.id)
  const ofAll = { count: quota.organization!, bytes: quota.organizationBytes! }
  if (isWithin(known.use, ofAll)) return
  known.recount(tx)
  for (let pass = 1; !isWithin(known.use, ofAll); pass += 1) {
    const holder = largestQueueHolder(tx.sql, known.use.count > ofAll.count ? 'count' : 'bytes')!
    const left = endOldest(tx, holder, known.use, ofAll, queue.id)
    if (left.count === known.use.count || pass === MAX_PASSES) throw new ServiceUnavailableError()
    // Counting them again would read all of them once more.
    known.put(tx, left)
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

/** Ends a user's oldest queues, except the newest, as far as needed, and returns what is left of `use`. */
function endOldest(
  tx: RealmTransaction,
  userId: number,
  use: QuotaUse,
  limit: QuotaUse,
  newest: string,
): QuotaUse {
  if (isWithin(use, limit)) return use
  const few = unusedFirst(tx, listQueuesOfUser(tx.sql, userId, LOOKED_AT), newest)
  const hasEnough = few[0] && !tx.isPolled(few[0].id) && isWithin(without(use, few[0]), limit)
  const queues = hasEnough ? few : unusedFirst(tx, listQueuesOfUser(tx.sql, userId), newest)
  let left = use
  for (const queue of queues) {
    if (isWithin(left, limit)) break
    deleteQueue(tx.sql, queue.id)
    tx.endPoll(queue.id)
    left = without(left, queue)
  }
  return left
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

/** Seconds after which all queues are counted again, and what is added to their number when it is stored. */
const COUNTED_FOR = 86_400
const AHEAD: QuotaUse = { count: 100, bytes: 200_000 }

/** A number of queues as it is stored. `countedAt`: when they were counted, in UNIX seconds. */
type StoredUse = QuotaUse & { readonly countedAt: number }

/**
 * An upper bound of the organization's number of queues: new queues are added, and ended ones are subtracted only when
 * there seem to be too many, or a day later. What is stored is ahead of it, so that one registration in a hundred
 * writes a row for the quota, and an object that wakes need not count.
 */
class KnownQueueUse {
  #use: QuotaUse
  #stored: StoredUse

  constructor(stored: StoredUse) {
    this.#use = stored
    this.#stored = stored
  }

  get use(): QuotaUse {
    return this.#use
  }

  /** Adds a queue that is inserted already. */
  add(tx: RealmTransaction, bytes: number): void {
    if (Math.abs(tx.now - this.#stored.countedAt) > COUNTED_FOR) {
      this.recount(tx)
      return
    }
    this.#use = { count: this.#use.count + 1, bytes: this.#use.bytes + bytes }
    if (!isWithin(this.#use, this.#stored)) this.#store(tx, this.#stored.countedAt)
  }

  recount(tx: RealmTransaction): void {
    this.put(tx, countQueues(tx.sql))
  }

  /** Takes what was just counted. */
  put(tx: RealmTransaction, use: QuotaUse): void {
    this.#use = use
    this.#store(tx, tx.now)
  }

  #store(tx: RealmTransaction, countedAt: number): void {
    const { count, bytes } = this.#use
    this.#stored = { count: count + AHEAD.count, bytes: bytes + AHEAD.bytes, countedAt }
    writeMeta(tx.sql, 'queue_use', jsonText(this.#stored))
  }
}

const QUEUE_USE: MemorySlot<KnownQueueUse> = {
  name: 'queue-use',
  load(sql) {
    const stored = readMeta<JsonText<StoredUse>>(sql, 'queue_use')
    return new KnownQueueUse(stored === undefined ? { count: 0, bytes: 0, countedAt: 0 } : fromJson(stored))
  },
}
