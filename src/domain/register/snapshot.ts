import type { RequestSource } from '../../core/call.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { ClientCapability } from '../../events/queue.ts'
import type { Caller } from '../caller.ts'
import type { AllChannels } from '../channels/read/all-channels.ts'
import type { ListedPeople } from '../presence/known-presences.ts'
import type { StatusesAhead } from '../user-status/statuses-ahead.ts'
import type { OpenPerson } from '../users/open-person-rows.ts'
import type { MembersAhead } from './members-by-joining.ts'
import type { ListsAhead } from './personal-list-rows.ts'

/** Somebody whom a guest who does not see everybody sees, or for whom there is a placeholder. */
export interface ListedPerson {
  readonly id: number
  readonly isActive: boolean
  readonly isSeen: boolean
  /** What is shown beside their presence, of people who are seen and have an open account. */
  readonly person: OpenPerson | undefined
  /** The item of a list in JSON, with a comma before it; '' where no list is asked for. */
  readonly text: string
}

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
  /** Every channel, by name, if they were listed in several turns. */
  readonly channels?: AllChannels | undefined
  /** Lists of the caller's own, if they were read in several turns. */
  readonly lists?: ListsAhead | undefined
  /** Whom a guest sees who does not see all, by id: found in several turns. */
  readonly people?: readonly ListedPerson[] | undefined
  /** All people with open accounts, for their presence, if they were listed in several turns. */
  readonly openPeople?: ListedPeople | undefined
  /** When members joined, if it was read in a turn of its own. */
  readonly members?: MembersAhead | undefined
  /** The statuses of all, for a guest who does not see everybody, if they were read in a turn of their own. */
  readonly statuses?: StatusesAhead | undefined
}

/** Returns the keys of one fetch type. */
export type Snapshot = (tx: RealmReads, caller: Caller, options: SnapshotOptions) => object

/** The facts about a request on which the keys that everybody gets may depend. */
export type SharedSource = Pick<RequestSource, 'origin' | 'development' | 'deployment' | 'level'>

/**
 * Returns the keys of a fetch type that are the same for everybody. A change of them emits an event that is not traffic
 * (events/event-type.ts).
 */
export type SharedSnapshot = (tx: RealmReads, caller: { readonly source: SharedSource }) => object

/** Whether a fetch type was requested. */
export function isFetched({ types }: Pick<SnapshotOptions, 'types'>, type: string): boolean {
  return types === null || types.includes(type)
}
