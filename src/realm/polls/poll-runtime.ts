import type { CountedSql } from '../../engine/counted-sql.ts'
import type { LogBuffer } from '../../events/log-buffer.ts'
import type { EventRepresentations } from '../../events/representations.ts'
import type { CallRuntime } from '../calls/call-runtime.ts'
import type { PollSockets } from './poll-sockets.ts'
import type { QueueProgress } from './queue-progress.ts'

/** The parts of the object that polls work with. */
export interface PollRuntime extends CallRuntime {
  readonly buffer: LogBuffer
  readonly forms: EventRepresentations
  readonly polls: PollSockets
  readonly progress: QueueProgress
  /** `trimmed` returns the id up to which entries of the log are deleted, or may be. */
  readonly housekeeping: { trimmed(sql: CountedSql): number }
  /** Milliseconds for which a queue is busy after a poll returned events. */
  busyQueueMs(): number
}
