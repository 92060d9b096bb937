import { D1_CALLS } from '../core/budgets.ts'
import { log } from '../core/log.ts'
import { type Counts, sample } from '../core/metrics.ts'
import type { Sql } from '../core/sql.ts'
import { dayOf } from '../core/time.ts'
import { withinTime } from '../core/within-time.ts'
import { costNow } from '../model/cost/cost-now.ts'
import { notifyOwnersOfLimit } from '../model/cost/notify-of-limit.ts'
import { notifyOwnersOfCost } from '../model/cost/notify-owners.ts'
import { noteUsage } from '../store/d1/organization-usage.ts'
import { countDeadLettersByKind } from '../store/dead-letters/dead-letter-rows.ts'
import { listDueJobs } from '../store/jobs/job-rows.ts'
import { readMeta } from '../store/meta-rows.ts'
import { useOfOrganization } from '../store/quotas/quota-rows.ts'
import { addUsageOfAllTime, addUsageOfDay } from '../store/usage/usage-rows.ts'
import { ageOfOutbox, countQueues } from './realm-health.ts'
import type { Runtime } from './runtime.ts'

/** Due jobs that are counted at most. */
const JOBS_COUNTED = 100

/** Saves what the organization has used, and notes its figures in D1. What cannot be saved or noted now is with the next time. */
export async function saveUsage(runtime: Runtime): Promise<void> {
  const { cost, db, limits, realm } = runtime
  const now = runtime.now()
  try {
    const figures = runtime.storage.transactionSync(() => save(runtime, now))
    cost.follow(figures)
    const { used } = cost
    if (used > 0) runtime.change((tx) => notifyOwnersOfCost(tx, used))
    const { untold } = limits
    if (untold) {
      runtime.change((tx) => notifyOwnersOfLimit(tx, untold))
      limits.told(untold)
    }
    await withinTime(D1_CALLS.answerMs, noteUsage(db, realm, now, figures))
    await cost.askDeployment(db, now)
  } catch (error) {
    log('warn', 'The figures of an organization could not be noted', { organization: realm.host, error })
  }
}

/** Saves in the object, and returns the figures of all time with the present state. */
function save(runtime: Runtime, now: number): Counts {
  const { sql, usage, cost } = runtime
  const totals = totalsOf(runtime)
  const fresh = usage.unsaved(totals)
  addUsageOfDay(sql, dayOf(now), fresh)
  const state = gaugesOf(runtime, now)
  const figures = addUsageOfAllTime(sql, fresh, {
    ...state,
    month_dollars: costNow(sql, state, now).dollars,
    ...cost.ofDeployment(now),
  })
  usage.saved(totals)
  return figures
}

/** Returns what the parts of the object have counted in its life. */
function totalsOf({ sql, projector, polls }: Runtime): Counts {
  const { read, written } = sql.counts
  return {
    [sample('object_rows_total', { rows: 'read' })]: read,
    [sample('object_rows_total', { rows: 'written' })]: written,
    [sample('d1_rows_total', { rows: 'read' })]: projector.counts.read,
    [sample('d1_rows_total', { rows: 'written' })]: projector.counts.written,
    events_delivered_total: polls.delivered.events,
  }
}

/** Returns the state of the organization at this moment. It reads some tens of rows. */
function gaugesOf(runtime: Runtime, now: number): Counts {
  const { sql, projector, polls, tail } = runtime
  const due = listDueJobs(sql, now, JOBS_COUNTED)
  const waiting = polls.waiting()
  const streams = waiting.filter(({ flow }) => flow).length
  const held = waiting.filter(({ call }) => call).length
  return {
    noted_timestamp_seconds: Math.floor(now),
    accounts: useOfOrganization(sql, 'accounts').count,
    queues: countQueues(sql),
    [sample('waiting_clients', { how: 'stream' })]: streams,
    [sample('waiting_clients', { how: 'held' })]: held,
    [sample('waiting_clients', { how: 'parked' })]: waiting.length - streams - held,
    d1_outbox_entries: tail.size.entries,
    d1_outbox_bytes: tail.size.bytes,
    d1_outbox_age_seconds: ageOfOutbox(sql, projector.projected, now) ?? 0,
    d1_failing: projector.failingSince === undefined ? 0 : 1,
    ...deadLetters(sql, now),
    jobs_due: due.length,
    jobs_overdue_seconds: due[0] ? Math.round(now - due[0].dueAt) : 0,
    [sample('storage_bytes', { store: 'object' })]: runtime.databaseSize(),
    [sample('storage_bytes', { store: 'files' })]: readMeta<number>(sql, 'upload_space_used') ?? 0,
  }
}

function deadLetters(sql: Sql, now: number): Counts {
  const counts = countDeadLettersByKind(sql, now)
  return Object.fromEntries(counts.map(({ kind, count }) => [sample('dead_letters', { kind }), count]))
}
