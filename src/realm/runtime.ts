import type { RealmIdentity } from '../core/realm-transaction.ts'
import type { Endpoint } from '../endpoints/define-endpoint.ts'
import type { LogBuffer } from '../events/log-buffer.ts'
import type { BodyTail } from './body-tail.ts'
import type { PollSockets } from './poll-sockets.ts'
import type { Projector } from './projector.ts'
import type { QueueProgress } from './queue-progress.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { CountedSql, EventIds } from './transaction.ts'

/**
 * Where a crash makes a difference. The tests stop the object at each of them; in a deployed Worker
 * nothing listens.
 */
export type CrashPoint = 'decided' | 'committed' | 'projecting' | 'projected' | 'delivering' | 'delivered'

/** The parts of a running realm object. All of them can be built again from storage. */
export interface Runtime {
  readonly storage: DurableObjectStorage
  readonly sql: CountedSql
  readonly db: D1Database
  readonly realm: RealmIdentity
  readonly ids: EventIds
  readonly buffer: LogBuffer
  readonly tail: BodyTail
  readonly projector: Projector
  readonly polls: PollSockets
  readonly progress: QueueProgress
  readonly limiter: RateLimiter
  /** What can be asked of the realm, by operation. */
  readonly operations: ReadonlyMap<string, Endpoint>
  /** False when `RATE_LIMITS=off`. */
  readonly limited: boolean
  /** UNIX seconds with fraction. */
  now(): number
  reached(point: CrashPoint): void
}
