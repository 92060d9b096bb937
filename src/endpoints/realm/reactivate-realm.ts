import { findConfirmation } from '../../domain/confirmations/confirmation-rows.ts'
import { askReactivation, reactivateRealm, showReactivation } from '../../domain/realm/reactivate-realm.ts'
import { defineStep } from '../define-endpoint.ts'
import { entered, inAddress } from '../step-types.ts'

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
