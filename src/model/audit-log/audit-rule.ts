import type { RealmView, StoredEvent } from '../../core/realm-transaction.ts'
import type { AuditAction, AuditDetails } from '../../store/audit-log/audit-entry-rows.ts'

/** A change that is made but not committed yet. `Value`: the result of the operation's command. */
export interface MadeChange<Params = unknown, Value = unknown> {
  readonly view: RealmView
  /** The caller's id; null where the caller has no account. */
  readonly actorId: number | null
  readonly params: Params
  readonly value: Value
  readonly events: readonly StoredEvent[]
}

/** The entry of the log for one change. */
export interface AuditNote {
  readonly action: AuditAction
  readonly details: AuditDetails
  /** The person who logged in or joined through the change, if not the caller. */
  readonly actorId?: number | null
}

/** Entries for a change; undefined when nothing of the kind was changed. */
export type AuditNotes = AuditNote | readonly AuditNote[] | undefined

type NotesOf<Params, Value> = (change: MadeChange<Params, Value>) => AuditNotes

/** How an operation gets its entries in the audit log. */
export type AuditRule<Params = unknown, Value = unknown> =
  | NotesOf<Params, Value>
  /** For an operation that may change nothing: without an event there is no entry. */
  | { readonly whenChanged: NotesOf<Params, Value> }
  /** Writes an entry for each commit of a long change. Other rules run for the first commit alone, before there is a value. */
  | { readonly ofEachCommit: NotesOf<Params, Value> }
  /** Looks at what the change will remove, before it does; returns a function that makes the entry afterwards. */
  | { readonly before: (view: RealmView, params: Params) => NotesOf<Params, Value> }

/**
 * Why an operation has no entry:
 *
 * - `own`: it changes only what belongs to one account;
 * - `speech`: it is what people say to one another;
 * - `read-only`: it changes nothing;
 * - `shown`: everyone sees its effect, and it grants no rights;
 * - `step`: it is one step of work that another operation completes;
 * - any other, in a sentence.
 */
export type NoAudit = 'own' | 'speech' | 'read-only' | 'shown' | 'step' | { readonly because: string }
