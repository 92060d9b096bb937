import type { RealmReads } from '../../core/realm-transaction.ts'
import type { ClientCapability } from '../../events/queue.ts'
import type { Caller } from '../caller.ts'

/** The parts of the snapshot that the client asked for, and their form. */
export interface SnapshotOptions {
  /** `fetch_event_types`, else `event_types`; null for everything. Unknown names are ignored. */
  readonly types: readonly string[] | null
  readonly eventTypes: readonly string[] | null
  readonly clientGravatar: boolean
  readonly slimPresence: boolean
  readonly includeSubscribers: boolean | 'partial'
  readonly capabilities: ReadonlySet<ClientCapability>
  readonly userAgent: string
  readonly presenceHistoryLimitDays: number | null
}

/** Makes the keys that one fetch type stands for. */
export type Snapshot = (tx: RealmReads, caller: Caller, options: SnapshotOptions) => object

/** Is a fetch type among those that were asked for? */
export function isFetched({ types }: SnapshotOptions, type: string): boolean {
  return types === null || types.includes(type)
}
