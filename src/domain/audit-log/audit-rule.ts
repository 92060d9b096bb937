import type { RealmView, StoredEvent } from '../../core/realm-transaction.ts'
import type { AuditAction, AuditDetails } from './audit-entry-rows.ts'

/** A change that was just made, and is not committed yet. */
export interface MadeChange<Before = unknown> {
  readonly view: RealmView
  /** Null where the caller has no account. */
  readonly actorId: number | null
  // biome-ignore lint/suspicious/noExplicitAny: each rule knows its operation's parameters
  readonly params: any
  // biome-ignore lint/suspicious/noExplicitAny: and what it answers
  readonly value: any
  /** The events of the change. */
  readonly events: readonly StoredEvent[]
  readonly before: Before
}

/** The entry that the log gets for one change. */
export interface AuditNote {
  readonly action: AuditAction
  readonly details: AuditDetails
  /** Where it is not the caller: whoever has logged in or joined by it. */
  readonly actorId?: number | null
}

/** The rule by which an operation stands in the audit log (endpoints/audit-log/audit-of-operation.ts). */
export interface AuditRule<Before = unknown> {
  /** Looks at what the change will take away. */
  before?(view: RealmView, params: MadeChange['params']): Before
  /** Undefined when there is nothing to say: nothing was changed, or nothing of this kind. */
  note(change: MadeChange<Before>): AuditNote | readonly AuditNote[] | undefined
}
