import type { RealmView, StoredEvent } from '../../core/realm-transaction.ts'
import type { AuditAction, AuditDetails } from './audit-entry-rows.ts'

/** A change that was just made, and is not committed yet. `Value` is what the operation's command answers. */
export interface MadeChange<Params = unknown, Value = unknown> {
  readonly view: RealmView
  /** The caller's id; null where the caller has no account. */
  readonly actorId: number | null
  readonly params: Params
  readonly value: Value
  /** The events of the change. */
  readonly events: readonly StoredEvent[]
}

/** The entry that the log gets for one change. */
export interface AuditNote {
  readonly action: AuditAction
  readonly details: AuditDetails
  /** The person who has logged in or joined by the change, where it is not the caller. */
  readonly actorId?: number | null
}

/** The entries for a change; undefined when there is nothing to say: nothing was changed, or nothing of this kind. */
export type AuditNotes = AuditNote | readonly AuditNote[] | undefined

type NotesOf<Params, Value> = (change: MadeChange<Params, Value>) => AuditNotes

/** The way in which an operation gets its entries in the audit log. */
export type AuditRule<Params = unknown, Value = unknown> =
  | NotesOf<Params, Value>
  /** The rule of an operation that may be asked without changing anything: without an event there is no entry. */
  | { readonly whenChanged: NotesOf<Params, Value> }
  /** Looks, before the change, at what it will take away; answers what makes the entry of it afterwards. */
  | { readonly before: (view: RealmView, params: Params) => NotesOf<Params, Value> }

/**
 * The reason why an operation has no entry:
 *
 * - `own`: what it changes is everybody's own, and changes nothing for others;
 * - `speech`: it is what people say to one another;
 * - `read-only`: it looks, and changes nothing;
 * - `shown`: what it changes is seen by all where it is used, and nobody has more rights by it;
 * - `step`: it is a part of the server's work, which another operation ends;
 * - any other, in a sentence.
 */
export type NoAudit = 'own' | 'speech' | 'read-only' | 'shown' | 'step' | { readonly because: string }
