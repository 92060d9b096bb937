import { deploymentOf } from '../../core/call.ts'
import type { ReadCommand } from '../../core/command.ts'
import { DAY } from '../../core/time.ts'
import type { Caller } from '../caller.ts'
import { type AuditAction, type AuditEntry, listAuditEntries } from './audit-entry-rows.ts'

export interface GetAuditLogParams {
  readonly before?: number
  readonly limit: number
  readonly action?: AuditAction
  readonly actor_id?: number
}

/** An entry as owners get it. */
export interface PresentedAuditEntry {
  readonly id: number
  readonly timestamp: number
  readonly action: string
  readonly actor_id: number | null
  readonly address: string | null
  readonly details: AuditEntry['details']
}

/** Number of entries that one call reads, whatever it is asked for. */
const LOOKED_AT = 2_000

/** Gets a page of the audit log, newest first, and where the next one begins. */
export const getAuditLog: ReadCommand<
  Caller,
  GetAuditLogParams,
  void,
  { readonly entries: PresentedAuditEntry[]; readonly next: number | null }
> = {
  reads: true,
  apply({ sql, now }, { source }, { before = Number.MAX_SAFE_INTEGER, limit, action, actor_id }) {
    const since = now - deploymentOf(source).auditLogDays * DAY
    const asked = action === undefined ? limit : LOOKED_AT
    const looked = listAuditEntries(sql, { below: before, since, actorId: actor_id, limit: asked })
    const found = looked.filter((entry) => action === undefined || entry.action === action)
    const entries = found.slice(0, limit)
    const isOver = looked.length < asked && found.length === entries.length
    const last = found.length > entries.length ? entries.at(-1) : looked.at(-1)
    return { entries: entries.map(shown), next: isOver ? null : (last?.id ?? null) }
  },
}

function shown({ id, at, action, actorId, address, details }: AuditEntry): PresentedAuditEntry {
  return { id, timestamp: Math.floor(at), action, actor_id: actorId, address, details }
}
