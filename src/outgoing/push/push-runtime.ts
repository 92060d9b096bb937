import type { SavedQueue } from '../../events/queue.ts'
import type { OutgoingRuntime } from '../outgoing-work.ts'
import type { PushCircuitBreaker, WebPushCircuitBreaker } from './failure.ts'
import type { PushBouncer } from './push-bouncer.ts'

/** What notifications have of the realm object. */
export interface PushRuntime extends OutgoingRuntime {
  readonly push: PushBouncer
  readonly pushes: PushCircuitBreaker
  readonly webPushRest: WebPushCircuitBreaker
  /** The highest event id that the client of a queue has acknowledged, and when it last polled (UNIX seconds). */
  readonly progress: { of(queue: SavedQueue): { readonly acked: number; readonly seenAt: number } }
}
