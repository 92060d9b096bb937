import type { CostCaps } from '../core/cost-cap.ts'
import type { CountedSql } from '../engine/counted-sql.ts'
import type { EmailRuntime } from '../outgoing/emails/email-sender.ts'
import type { PushRuntime } from '../outgoing/push/push-runtime.ts'
import type { SchemaStep } from '../store/schema/schema.ts'
import type { SharedSlices } from './calls/shared-slices.ts'
import type { Housekeeping } from './jobs/housekeeping.ts'
import type { JobAlarm } from './jobs/job-alarm.ts'
import type { ClockWatch, StatisticsWatch } from './jobs/watches.ts'
import type { PollRuntime } from './polls/poll-runtime.ts'
import type { QueueProgress } from './polls/queue-progress.ts'
import type { CostWatch } from './usage/cost-watch.ts'
import type { UsageWatch } from './usage/usage-watch.ts'

/** The build that made a block: blocks of another organization, or of another version of the program, are useless. */
export interface Build {
  readonly name: string
  /** Whether it has the program's version, so that its blocks may be stored. */
  readonly isKnown: boolean
}

/** What runs. */
interface Program {
  readonly build: Build
  /** The steps of the schema, all of which the object has. */
  readonly schemaSteps: readonly SchemaStep[]
  readonly turns: SharedSlices
  /** Called when the deletion of the organization begins: it is no longer here. */
  leave(): void
  /** Ends the object with whatever it is doing. It wakes again at once, with what is stored. */
  restart(): Promise<void>
}

/** Work without a call. */
interface Background {
  readonly clock: ClockWatch
  readonly statistics: StatisticsWatch
  auditLogDays(): number
  /** Milliseconds between two runs of the projection to D1. */
  d1RestMs(): number
  costCaps(): CostCaps
  /** Milliseconds of quiet after which usage is saved. */
  usageQuietMs(): number
}

/**
 * The parts of a running realm object: those of calls and polls, those of deliveries, and the object's own. All of them can be rebuilt
 * from storage.
 */
export interface Runtime extends Program, Background, PollRuntime, PushRuntime, EmailRuntime {
  readonly sql: CountedSql
  readonly alarm: JobAlarm
  readonly progress: QueueProgress
  readonly housekeeping: Housekeeping
  readonly usage: UsageWatch
  readonly cost: CostWatch
}
