import { dailyLimitOf } from '../core/daily-limits.ts'
import type { JobKind } from '../core/job-kinds.ts'
import type { JobRuntime } from '../core/job-runtime.ts'
import { log } from '../core/log.ts'
import { type HistogramName, sample } from '../core/metrics.ts'
import type { RealmTransaction } from '../core/realm-transaction.ts'
import { withinTime } from '../core/within-time.ts'
import { deleteJob, enqueueJob } from '../store/jobs/job-rows.ts'
import { LANES, type Lane, type LaneName, pauseAfter } from './lanes.ts'
import { FinalFailure, type WorkInLanes } from './work-in-lanes.ts'

/** What deliveries have of the realm object. */
export interface OutgoingRuntime extends JobRuntime {
  readonly lanes: WorkInLanes
  /** The object's one alarm. `follow` is called after the jobs have changed. */
  readonly alarm: { follow(): void }
  /** Counts what the organization uses. */
  readonly usage: {
    count(name: string): void
    observe(name: HistogramName, labels: Readonly<Record<string, string>>, seconds: number): void
  }
  readonly webhooks: {
    /** `host:port` that may be called though not public. */
    readonly allowedHosts: readonly string[]
    /** Ids of bots whose webhooks are being called. They need not survive an eviction. */
    readonly busyBots: Set<number>
  }
}

interface Tried {
  readonly attempts: number
}

/** Items of one kind that wait in a table to be delivered to other servers, one by one. */
export interface OutgoingWork<Item extends Tried, Runtime extends OutgoingRuntime = OutgoingRuntime> {
  readonly lane: LaneName
  readonly job: JobKind
  /** Begins the next due item, and counts the try. It is due again at `until` (UNIX seconds), in case the object dies. */
  lease(runtime: Runtime, now: number, until: number): Item | undefined
  /**
   * Delivers the item and deletes it. Throws when it should be retried; FinalFailure when that is useless. A delivery that outlasts its
   * lease counts as failed: whatever it still finishes must be right even if another try has begun.
   */
  carryOut(runtime: Runtime, item: Item): Promise<void>
  /** Called when a try has ended, or its lease. */
  release?(runtime: Runtime, item: Item): void
  retryLater(tx: RealmTransaction, item: Item, dueAt: number): void
  /** Gives the item up and deletes it; `reason` is for people. */
  giveUp(tx: RealmTransaction, item: Item, reason: string): void
  /** Returns when the next item is due (UNIX seconds); undefined without one. */
  nextAt(runtime: Runtime): number | undefined
}

/** Seconds until due work without a free slot is checked again; it begins earlier if something ends. */
const LOOK_AGAIN_SECONDS = 5

/** Begins due work in the free slots of its lane, and returns when to look again. Whenever one item ends, the next begins. */
export function beginOutgoing<Item extends Tried, Runtime extends OutgoingRuntime>(
  runtime: Runtime,
  work: OutgoingWork<Item, Runtime>,
): number | undefined {
  beginAll(runtime, work)
  const next = work.nextAt(runtime)
  return next === undefined ? undefined : Math.max(next, runtime.now() + LOOK_AGAIN_SECONDS)
}

function beginAll<Item extends Tried, Runtime extends OutgoingRuntime>(
  runtime: Runtime,
  work: OutgoingWork<Item, Runtime>,
): void {
  const lane: Lane = LANES[work.lane]
  while (runtime.lanes.isFree(work.lane)) {
    // Mail to thousands of users who have reached their limit ends at once.
    if (runtime.lanes.isSliceOver(work.lane)) {
      runtime.lanes.rest(work.lane, runtime.pause, () => goOn(runtime, work))
      return
    }
    const now = runtime.now()
    const item = work.lease(runtime, now, now + lane.leaseSeconds)
    if (!item) return
    runtime.lanes.begin(
      work.lane,
      async () => {
        const began = Date.now()
        try {
          // The object has died too often while delivering it.
          if (item.attempts > lane.tries) throw new FinalFailure('The server stopped before it was finished.')
          await withinTime(lane.leaseSeconds * 1_000, work.carryOut(runtime, item))
          countDelivery(runtime, work.lane, 'ok', began)
        } catch (error) {
          countDelivery(runtime, work.lane, 'failed', began)
          await fail(runtime, work, item, error)
        } finally {
          work.release?.(runtime, item)
        }
      },
      () => goOn(runtime, work),
    )
  }
}

/** Begins the next due work in the slot that has become free, and schedules the job for the next. */
function goOn<Item extends Tried, Runtime extends OutgoingRuntime>(
  runtime: Runtime,
  work: OutgoingWork<Item, Runtime>,
): void {
  beginAll(runtime, work)
  const next = work.nextAt(runtime)
  if (next !== undefined) {
    const dueAt = Math.max(next, runtime.now() + LOOK_AGAIN_SECONDS)
    enqueueJob(runtime.sql, { kind: work.job, key: '', dueAt })
  } else {
    deleteJob(runtime.sql, { kind: work.job, key: '' })
  }
  runtime.alarm.follow()
}

/** @param began milliseconds of the clock */
function countDelivery(
  { usage }: OutgoingRuntime,
  kind: LaneName,
  outcome: 'ok' | 'failed',
  began: number,
): void {
  usage.count(sample('deliveries_total', { kind, outcome }))
  usage.observe('delivery_seconds', { kind }, (Date.now() - began) / 1_000)
}

async function fail<Item extends Tried, Runtime extends OutgoingRuntime>(
  runtime: Runtime,
  work: OutgoingWork<Item, Runtime>,
  item: Item,
  error: unknown,
): Promise<void> {
  const lane: Lane = LANES[work.lane]
  const limit = dailyLimitOf(error, runtime.now())
  if (limit) return runtime.change((tx) => work.retryLater(tx, item, limit.until))
  const facts = { lane: work.lane, attempts: item.attempts, error, organization: runtime.realm.host }
  if (error instanceof FinalFailure || item.attempts >= lane.tries) {
    runtime.usage.count(sample('deliveries_total', { kind: work.lane, outcome: 'given_up' }))
    await runtime.suspendableChange((tx) => work.giveUp(tx, item, reasonOf(error)))
    log('warn', 'given up', { ...facts, end: lane.end })
    return
  }
  runtime.change((tx) => work.retryLater(tx, item, tx.now + pauseAfter(lane, item.attempts, randomOf(tx))))
  log('warn', 'tried again later', facts)
}

/** Returns a number from 0 to 1. */
export function randomOf(tx: Pick<RealmTransaction, 'randomHex'>): number {
  return Number.parseInt(tx.randomHex(2), 16) / 0xffff
}

/** Returns the failure, in a sentence that owners may read. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Unknown error'
}
