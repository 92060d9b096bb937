import type { Operation } from '../../api/define-endpoint.ts'
import type { DigestOfAddress } from '../../core/address-digest.ts'
import type { JobRuntime } from '../../core/job-runtime.ts'
import type { PauseFor } from '../../core/pauses.ts'
import type { CountedSql } from '../../engine/counted-sql.ts'
import type { Memory } from '../../engine/memory.ts'
import type { Readings } from '../../engine/readings.ts'
import type { BodyTails, Projectors } from '../projection/body-tails.ts'
import type { CostWatch } from '../usage/cost-watch.ts'
import type { LimitWatch } from '../usage/limit-watch.ts'
import type { UsageWatch } from '../usage/usage-watch.ts'
import type { LargeAnswers } from './large-answers.ts'
import type { RateLimiter, SpectatorAllowance } from './rate-limiter.ts'
import type { Commit, EventIds } from './transaction.ts'

/** What is stored, and what is known of it. */
interface Stored extends Pick<JobRuntime, 'storage' | 'db' | 'uploads'> {
  readonly sql: CountedSql
  readonly ids: EventIds
  readonly memory: Memory
  readonly readings: Readings
  /** Bytes of the object's SQLite. */
  databaseSize(): number
  /** Does what follows a commit, in the same turn. The answer to the caller does not wait for it. */
  committed(commit: Commit): void
}

/** How calls share the object. */
interface Calls extends Pick<JobRuntime, 'realm' | 'pause' | 'now' | 'reached'> {
  readonly origin: string
  /** The operations of the realm, by name. */
  readonly operations: ReadonlyMap<string, Operation>
  readonly largeAnswers: LargeAnswers
  readonly polls: { isWaiting(queueId: string): boolean }
  /** The changes of several commits that a request or a job continues now, by id, until it stops: nobody else continues them meanwhile. */
  readonly drivenChanges: Map<string, Promise<void>>
  /** Returns the pauses of one account's work. */
  readonly pauseFor: PauseFor
}

/** What limits and counts calls. */
interface Limits {
  readonly limiter: RateLimiter
  readonly spectators: SpectatorAllowance
  readonly usage: UsageWatch
  readonly cost: CostWatch
  readonly limits: LimitWatch
  /** Whether requests are counted against the limits; not with `RATE_LIMITS=off`. */
  limited(): boolean
}

/** The way to D1. */
interface Projection {
  readonly tail: BodyTails
  readonly projector: Projectors
}

/** What the deployment has. */
interface Deployment {
  /** Whether pictures of other servers come through this one. */
  readonly proxiesPictures: () => boolean
  readonly sendsMail: () => boolean
  /** Whether there is a service for notifications on phones. */
  readonly sendsPushes: () => boolean
  readonly digestOfAddress: DigestOfAddress
}

/** The parts of the object that calls and their commits work with. */
export interface CallRuntime extends Stored, Calls, Limits, Projection, Deployment {}
