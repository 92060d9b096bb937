import type { RequestSource } from '../../core/call.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { ClientCapability } from '../../events/queue.ts'
import type { Caller } from '../caller.ts'

/** The requested parts of the snapshot, and their form. */
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

/** Returns the keys of one fetch type. */
export type Snapshot = (tx: RealmReads, caller: Caller, options: SnapshotOptions) => object

/** The facts about a request on which the keys that everybody gets may depend. */
export type SharedSource = Pick<RequestSource, 'origin' | 'development' | 'deployment' | 'level'>

/** Returns the keys of a fetch type that are the same for everybody: from the store and the source alone. */
export type SharedSnapshot = (
  view: Pick<RealmReads, 'sql' | 'realm'>,
  caller: { readonly source: SharedSource },
) => object

export function isFetched({ types }: Pick<SnapshotOptions, 'types'>, type: string): boolean {
  return types === null || types.includes(type)
}
