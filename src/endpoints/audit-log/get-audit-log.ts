import * as v from 'valibot'
import { AUDIT_ACTIONS } from '../../domain/audit-log/audit-entry-rows.ts'
import { getAuditLog } from '../../domain/audit-log/get-audit-log.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { json, jsonInteger, jsonNonNegativeInteger, nonNegativeInteger, wordOf } from '../parameter-types.ts'

const MAX_AT_ONCE = 500

/**
 * Returns who did what to accounts, keys, rights and data of the organization, newest first; for its owners only.
 * Entries are kept for as long as the deployment says (`AUDIT_LOG_DAYS`). Parley's own.
 */
export const getAuditLogEndpoint = defineEndpoint({
  operation: 'get-audit-log',
  method: 'GET',
  path: '/audit_log',
  access: 'owner',
  params: {
    before: v.pipe(
      v.optional(jsonNonNegativeInteger),
      v.description(
        'Only entries with a lower id than this: the `next` of the page before. By default the newest entries.',
      ),
    ),
    limit: v.pipe(
      v.optional(json(v.pipe(nonNegativeInteger, v.minValue(1), v.maxValue(MAX_AT_ONCE))), '100'),
      v.description('How many entries the answer may have.'),
    ),
    action: v.pipe(v.optional(wordOf(AUDIT_ACTIONS)), v.description('Only entries of this kind.')),
    actor_id: v.pipe(v.optional(jsonInteger), v.description('Only actions of this account.')),
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
    next: v.pipe(
      v.nullable(v.number()),
      v.description(
        'Where the next page begins; null when there is none. A page may be short and still have a next.',
      ),
    ),
  }),
  command: getAuditLog,
})
