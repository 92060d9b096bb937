import type { AuditNotes, AuditRule, MadeChange } from '../../api/audit-rules.ts'
import type { Operation } from '../../api/define-endpoint.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  type AuditAction,
  type AuditDetail,
  type AuditDetails,
  insertAuditEntry,
} from '../../store/audit-log/audit-entry-rows.ts'
import type { CallContext } from './admission.ts'

interface CommitOfChange {
  readonly operation: Operation
  readonly context: CallContext
  readonly params: unknown
  /** Whether earlier commits belong to the same change. */
  readonly isBegun: boolean
  /** Gets the action of each entry. The commit may still fail. */
  readonly entered: AuditAction[]
}

/** The outcome of the commit: the result after the last one. */
type Over = { readonly result: unknown } | undefined

/** Makes a commit, and adds the audit entries of the operation's `audit` to it, if any. They are in the first commit of a change. */
export function audited(
  tx: RealmTransaction,
  { operation, context, params, isBegun, entered }: CommitOfChange,
  change: () => Over,
): Over {
  const { audit } = operation
  if (audit === undefined || typeof audit === 'string' || 'because' in audit) return change()
  if (isBegun && !('ofEachCommit' in audit)) return change()
  const notesOf = ruleBefore(tx, audit, params)
  const over = change()
  const actorId = 'user' in context ? context.user.id : null
  const notes = notesOf({ view: tx, actorId, params, value: over?.result, events: tx.emitted })
  for (const { action, details, actorId: actorOfNote } of [notes ?? []].flat()) {
    entered.push(action)
    insertAuditEntry(tx.sql, {
      at: tx.now,
      action,
      actorId: actorOfNote === undefined ? actorId : actorOfNote,
      address: context.source.ip === '' ? null : context.source.ip,
      details: shortened(details),
    })
  }
  return over
}

/** Returns the function that makes the notes after the change. It must be called before the change. */
function ruleBefore(
  tx: RealmTransaction,
  rule: AuditRule,
  params: unknown,
): (change: MadeChange) => AuditNotes {
  if (typeof rule === 'function') return rule
  if ('before' in rule) return rule.before(tx, params)
  if ('ofEachCommit' in rule) return rule.ofEachCommit
  return (change) => (change.events.length === 0 ? undefined : rule.whenChanged(change))
}

/** Length of a list of ids in a note. */
const MAX_IDS = 100

/** Cuts long lists, and adds how long they were. */
function shortened(details: AuditDetails): AuditDetails {
  const entries = Object.entries(details).flatMap(([name, value]): [string, AuditDetail][] =>
    Array.isArray(value) && value.length > MAX_IDS
      ? [
          [name, value.slice(0, MAX_IDS)],
          [`${name}_count`, value.length],
        ]
      : [[name, value]],
  )
  return Object.fromEntries(entries)
}
