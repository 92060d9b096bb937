import * as v from 'valibot'
import { changesIn } from '../../api/audit-notes.ts'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { integer, json } from '../../api/parameter-types.ts'
import { entered, inAddress } from '../../api/step-types.ts'
import { deactivateRealm } from '../../model/realm/deactivate-realm.ts'
import { MAX_DELETION_DAYS } from '../../model/realm/deletion-days.ts'
import { askReactivation, reactivateRealm, showReactivation } from '../../model/realm/reactivate-realm.ts'
import { findConfirmation } from '../../store/confirmations/confirmation-rows.ts'

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

/** The step behind the pages that open a closed organization again; the API has no such operation. */
export const askReactivationStep = defineStep({
  operation: 'ask-reactivation',
  access: 'anyone',
  params: { email: entered },
  command: askReactivation,
  audit: { because: 'Sends mail, which has limits of its own; reactivate-realm says what came of it.' },
})

export const showReactivationStep = defineStep({
  operation: 'show-reactivation',
  access: 'anyone',
  params: { secret: inAddress },
  command: showReactivation,
  audit: 'read-only',
})

export const reactivateRealmStep = defineStep({
  operation: 'reactivate-realm',
  access: 'anyone',
  params: { secret: inAddress },
  command: reactivateRealm,
  audit: {
    before(view, { secret }) {
      const confirmation = findConfirmation(view, 'realm-reactivation', secret)
      return () => ({
        action: 'organization_reactivated',
        actorId: confirmation?.userId ?? null,
        details: {},
      })
    },
  },
})
