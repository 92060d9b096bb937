import * as v from 'valibot'
import { changesIn } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { integer, json } from '../../api/parameter-types.ts'
import { deactivateRealm } from '../../model/realm/deactivate-realm.ts'
import { MAX_DELETION_DAYS } from '../../model/realm/deletion-days.ts'

/**
 * Closes the organization. Its data is deleted after the given number of days, or never; until then an owner
 * may open it again. Source: docs/interface/organization.md#close;
 * docs/interface/register.md#what-the-snapshot-has (`server_min_deactivated_realm_deletion_days`).
 */
export const deactivateRealmEndpoint = defineEndpoint({
  operation: 'deactivate-realm',
  method: 'POST',
  path: '/realm/deactivate',
  access: 'owner',
  needsProof: true,
  params: {
    deletion_delay_days: v.pipe(
      v.optional(json(v.nullable(v.pipe(integer, v.maxValue(MAX_DELETION_DAYS))))),
      v.description(
        'Days after which all data of the organization is deleted: at least 14. If null or absent, it is kept.',
      ),
    ),
  },
  returns: v.object({}),
  command: deactivateRealm,
  audit: ({ params }) => ({
    action: 'organization_deactivated',
    details: changesIn(params),
  }),
})
