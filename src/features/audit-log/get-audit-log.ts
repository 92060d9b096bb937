import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import {
  described,
  json,
  jsonInteger,
  jsonNonNegativeInteger,
  nonNegativeInteger,
  wordOf,
} from '../../api/parameter-types.ts'
import { deploymentOf } from '../../core/call.ts'
import { DAY } from '../../core/time.ts'
import { AUDIT_ACTIONS, type AuditEntry, listAuditEntries } from '../../store/audit-log/audit-entry-rows.ts'

const MAX_AT_ONCE = 500

/**
 * Gets a page of the audit log, newest first: who did what to accounts, keys, rights and data of the organization. Entries are kept for
 * `AUDIT_LOG_DAYS`. Parley's own.
 */
export const getAuditLogEndpoint = defineEndpoint({
  operation: 'get-audit-log',
  route: 'GET /audit_log',
  access: 'owner',
  params: {
    before: described(
      v.optional(jsonNonNegativeInteger),
      'Only entries with a lower id than this: the `next` of the page before. By default the newest entries.',
    ),
    limit: described(
      v.optional(json(v.pipe(nonNegativeInteger, v.minValue(1), v.maxValue(MAX_AT_ONCE))), '100'),
      'How many entries the answer may have.',
    ),
    action: described(v.optional(wordOf(AUDIT_ACTIONS)), 'Only entries of this kind.'),
    actor_id: described(v.optional(jsonInteger), 'Only actions of this account.'),
  },
  returns: v.object({
    entries: v.array(
      v.object({
        id: v.number(),
        timestamp: v.number(),
        action: v.string(),
        actor_id: v.nullable(v.number()),
        address: v.nullable(v.string()),
        details: v.record(
          v.string(),
          v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(v.number())]),
        ),
      }),
    ),
    next: described(
      v.nullable(v.number()),
      'Where the next page begins; null when there is none. A page may be short and still have a next.',
    ),
  }),
  query({ sql, now }, { source }, { before = Number.MAX_SAFE_INTEGER, limit, action, actor_id }) {
    const since = now - deploymentOf(source).auditLogDays * DAY
    const asked = action === undefined ? limit : LOOKED_AT
    const looked = listAuditEntries(sql, { below: before, since, actorId: actor_id, limit: asked })
    const found = looked.filter((entry) => action === undefined || entry.action === action)
    const entries = found.slice(0, limit)
    const isOver = looked.length < asked && found.length === entries.length
    const last = found.length > entries.length ? entries.at(-1) : looked.at(-1)
    return { entries: entries.map(shown), next: isOver ? null : (last?.id ?? null) }
  },
})

/** Entries that one call with a filter reads. */
const LOOKED_AT = 2_000

function shown({ id, at, action, actorId, address, details }: AuditEntry) {
  return { id, timestamp: Math.floor(at), action, actor_id: actorId, address, details }
}
