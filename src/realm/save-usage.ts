import { D1_CALLS } from '../core/budgets.ts'
import { log } from '../core/log.ts'
import { type Counts, sample } from '../core/metrics.ts'
import type { Sql } from '../core/sql.ts'
import { dayOf } from '../core/time.ts'
import { withinTime } from '../core/within-time.ts'
import { noteUsage } from '../store/d1/organization-usage.ts'
import { countDeadLettersByKind } from '../store/dead-letters/dead-letter-rows.ts'
import { listDueJobs } from '../store/jobs/job-rows.ts'
import { readMeta } from '../store/meta-rows.ts'
import { useOfOrganization } from '../store/quotas/quota-rows.ts'
import { ALL_TIME, addUsage, usageOf } from '../store/usage/usage-rows.ts'
import { ageOfOutbox, countQueues } from './realm-health.ts'
import type { Runtime } from './runtime.ts'

/** Due jobs that are counted at most. */
const JOBS_COUNTED = 100

/** Saves what the organization has used, and notes its figures in D1. If D1 fails, the next note makes up for it. */
export async function saveUsage(runtime: Runtime): Promise<void> {
  const { sql, usage, db, realm } = runtime
  const now = runtime.now()
  const totals = totalsOf(runtime)
  addUsage(sql, dayOf(now), usage.unsaved(totals))
  usage.saved(totals)
  const figures = { ...usageOf(sql, ALL_TIME), ...gaugesOf(runtime, now) }
  try {
    await withinTime(D1_CALLS.answerMs, noteUsage(db, realm, now, figures))
  } catch (error) {
    log('warn', 'The figures of an organization could not be noted in D1', {
      organization: realm.host,
      error,
    })
  }
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
