import type { RealmCall } from '../../core/call.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  type AuditDetail,
  type AuditDetails,
  insertAuditEntry,
} from '../../domain/audit-log/audit-entry-rows.ts'
import type { AuditRule } from '../../domain/audit-log/audit-rule.ts'
import type { Caller } from '../../domain/caller.ts'
import { AUDIT_OF_OPERATION } from '../../endpoints/audit-log/audit-of-operation.ts'

type Context = Caller | { readonly source: RealmCall['source'] }

/** Makes a change, and writes down in the same commit what the audit log says of it: nothing, mostly. */
export function audited<Value>(
  tx: RealmTransaction,
  { operation, context, params }: { operation: string; context: Context; params: unknown },
  change: () => Value,
): Value {
  const found = Object.hasOwn(AUDIT_OF_OPERATION, operation) ? AUDIT_OF_OPERATION[operation] : undefined
  if (typeof found !== 'object') return change()
  return recorded(tx, found, context, params, change)
}

function recorded<Value>(
  tx: RealmTransaction,
  { before, note }: AuditRule,
  context: Context,
  params: unknown,
  change: () => Value,
): Value {
  const actorId = 'user' in context ? context.user.id : null
  const seen = before?.(tx, params)
  const value = change()
  const notes = note({ view: tx, actorId, params, value, events: tx.emitted, before: seen })
  for (const { action, details, actorId: noted } of [notes ?? []].flat()) {
    insertAuditEntry(tx.sql, {
      at: tx.now,
      action,
      actorId: noted === undefined ? actorId : noted,
      address: context.source.ip === '' ? null : context.source.ip,
      details: shortened(details),
    })
  }
  return value
}

/** The length of a list of ids that is noted. */
const MOST_IDS = 100

/** Long lists are cut, and told how long they were. */
function shortened(details: AuditDetails): AuditDetails {
  const entries = Object.entries(details).flatMap(([name, value]): [string, AuditDetail][] =>
    Array.isArray(value) && value.length > MOST_IDS
      ? [
          [name, value.slice(0, MOST_IDS)],
          [`${name}_count`, value.length],
        ]
      : [[name, value]],
  )
  return Object.fromEntries(entries)
}
