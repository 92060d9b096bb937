import type { Operation } from '../api/define-endpoint.ts'
import type { DigestOfAddress } from '../core/address-digest.ts'
import type { PauseFor } from '../core/pauses.ts'
import type { Readings } from '../engine/readings.ts'
import type { LogBuffer } from '../events/log-buffer.ts'
import type { EventRepresentations } from '../events/representations.ts'
import type { EmailRuntime } from '../outgoing/emails/email-sender.ts'
import type { PushRuntime } from '../outgoing/push/push-runtime.ts'
import type { SchemaStep } from '../store/schema/schema.ts'
import type { CountedSql } from './calls/counted-sql.ts'
import type { LargeAnswers } from './calls/large-answers.ts'
import type { RateLimiter, SpectatorAllowance } from './calls/rate-limiter.ts'
import type { SharedSlices } from './calls/shared-slices.ts'
import type { EventIds } from './calls/transaction.ts'
import type { Housekeeping } from './jobs/housekeeping.ts'
import type { JobAlarm } from './jobs/job-alarm.ts'
import type { ClockWatch, StatisticsWatch } from './jobs/watches.ts'
import type { Memory } from './memory.ts'
import type { PollSockets } from './polls/poll-sockets.ts'
import type { QueueProgress } from './polls/queue-progress.ts'
import type { BodyTails, Projectors } from './projection/body-tails.ts'
import type { UsageWatch } from './usage/usage-watch.ts'

/** The build that made a block: blocks of another organization, or of another version of the program, are useless. */
export interface Build {
  readonly name: string
  /** Whether it has the program's version, so that its blocks may be stored. */
  readonly isKnown: boolean
}

/** The parts of a running realm object. All of them can be rebuilt from storage. */
export interface Runtime extends PushRuntime, EmailRuntime {
  readonly sql: CountedSql
  readonly origin: string
  readonly build: Build
  readonly clock: ClockWatch
  readonly ids: EventIds
  readonly readings: Readings
  readonly alarm: JobAlarm
  readonly buffer: LogBuffer
  readonly forms: EventRepresentations
  readonly tail: BodyTails
  readonly projector: Projectors
  readonly housekeeping: Housekeeping
  readonly statistics: StatisticsWatch
  readonly usage: UsageWatch
  readonly polls: PollSockets
  readonly progress: QueueProgress
  readonly memory: Memory
  readonly limiter: RateLimiter
  readonly spectators: SpectatorAllowance
  readonly largeAnswers: LargeAnswers
  readonly turns: SharedSlices
  /** The changes of several commits that a request or a job continues now, by id, until it stops: nobody else continues them meanwhile. */
  readonly drivenChanges: Map<string, Promise<void>>
  /** Returns the pauses of one account's work. */
  readonly pauseFor: PauseFor
  /** The operations of the realm, by name. */
  readonly operations: ReadonlyMap<string, Operation>
  /** The steps of the schema, all of which the object has. */
  readonly schemaSteps: readonly SchemaStep[]
  /** Whether requests are counted against the limits; not with `RATE_LIMITS=off`. */
  limited(): boolean
  /** Whether pictures of other servers come through this one. */
  readonly proxiesPictures: () => boolean
  readonly sendsMail: () => boolean
  /** Whether there is a service for notifications on phones. */
  readonly sendsPushes: () => boolean
  readonly digestOfAddress: DigestOfAddress
  auditLogDays(): number
  /** Bytes of the object's SQLite. */
  databaseSize(): number
  /** Milliseconds for which a queue is busy after a poll returned events. */
  busyQueueMs(): number
  /** Milliseconds between two runs of the projection to D1. */
  d1RestMs(): number
  /** Milliseconds of quiet after which usage is saved. */
  usageQuietMs(): number
  /** Called when the deletion of the organization begins: it is no longer here. */
  leave(): void
}
