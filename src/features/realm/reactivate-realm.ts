import { defineStep } from '../../api/define-endpoint.ts'
import { entered, inAddress } from '../../api/step-types.ts'
import { askReactivation, reactivateRealm, showReactivation } from '../../model/realm/reactivate-realm.ts'
import { findConfirmation } from '../../store/confirmations/confirmation-rows.ts'

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
