import type { Operation } from '../api/define-endpoint.ts'
import type { DigestOfAddress } from '../core/address-digest.ts'
import type { FileLimits } from '../core/files.ts'
import type { RateLimits } from '../core/rate-limits.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'
import type { Readings } from '../engine/readings.ts'
import type { Pause } from '../engine/suspended.ts'
import type { LogBuffer } from '../events/log-buffer.ts'
import type { EventRepresentations } from '../events/representations.ts'
import type { SchemaStep } from '../store/schema/schema.ts'
import type { CountedSql } from './calls/counted-sql.ts'
import type { LargeAnswers } from './calls/large-answers.ts'
import type { PauseFor } from './calls/pauses.ts'
import type { RateLimiter, SpectatorAllowance } from './calls/rate-limiter.ts'
import type { SharedSlices } from './calls/shared-slices.ts'
import type { EventIds } from './calls/transaction.ts'
import type { Housekeeping } from './jobs/housekeeping.ts'
import type { JobAlarm } from './jobs/job-rows.ts'
import type { ClockWatch, StatisticsWatch } from './jobs/watches.ts'
import type { Memory } from './memory.ts'
import type { EmailOutlet } from './outgoing/mail/email-sender.ts'
import type { PoolWork } from './outgoing/pool-work.ts'
import type { PushCircuitBreaker, WebPushCircuitBreaker } from './outgoing/push/ask-bouncer.ts'
import type { PushBouncer } from './outgoing/push/push-bouncer.ts'
import type { PollSockets } from './polls/poll-sockets.ts'
import type { QueueProgress } from './polls/queue-progress.ts'
import type { BodyTails, Projectors } from './projection/body-tails.ts'

/** Points at which a crash makes a difference. Tests stop the object at each of them; in a deployment nothing listens. */
export type CrashPoint =
  | 'decided'
  | 'committed'
  | 'projecting'
  | 'projected'
  | 'delivering'
  | 'delivered'
  | 'exporting'
  | 'importing'

/** The build that made a block: blocks of another organization, or of another version of the program, are useless. */
export interface Build {
  readonly name: string
  /** Whether it has the program's version, so that its blocks may be stored. */
  readonly isKnown: boolean
}

/** The parts of a running realm object. All of them can be rebuilt from storage. */
export interface Runtime {
  readonly storage: DurableObjectStorage
  readonly sql: CountedSql
  readonly db: D1Database
  readonly uploads: R2Bucket
  readonly realm: RealmIdentity
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
  readonly polls: PollSockets
  readonly progress: QueueProgress
  readonly memory: Memory
  readonly limiter: RateLimiter
  readonly spectators: SpectatorAllowance
  readonly largeAnswers: LargeAnswers
  readonly turns: SharedSlices
  readonly lanes: PoolWork
  readonly webhooks: {
    /** `host:port` that may be called though not public. */
    readonly allowedHosts: readonly string[]
    /** Ids of bots whose webhooks are being called. They need not survive an eviction. */
    readonly busyBots: Set<number>
  }
  /** The changes of several commits that a request or a job continues now, by id, until it stops: nobody else continues them meanwhile. */
  readonly drivenChanges: Map<string, Promise<void>>
  readonly pause: Pause
  /** Returns the pauses of one account's work. */
  readonly pauseFor: PauseFor
  readonly emails: EmailOutlet
  readonly push: PushBouncer
  readonly pushes: PushCircuitBreaker
  readonly webPushRest: WebPushCircuitBreaker
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
  /** The limits in force: the deployment may set others. */
  rateLimits(): RateLimits
  auditLogDays(): number
  fileLimits(): FileLimits
  /** Whether the deployment lets organizations have channels that are read without an account. */
  allowsWebPublic(): boolean
  /** UNIX seconds with fraction. */
  now(): number
  /** Bytes of the object's SQLite. */
  databaseSize(): number
  /** Milliseconds for which a queue is busy after a poll returned events. */
  busyQueueMs(): number
  /** Milliseconds between two runs of the projection to D1. */
  d1RestMs(): number
  reached(point: CrashPoint): void
  /** Called when the deletion of the organization begins: it is no longer here. */
  leave(): void
}
