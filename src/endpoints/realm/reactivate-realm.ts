import { askReactivation, reactivateRealm, showReactivation } from '../../domain/realm/reactivate-realm.ts'
import { defineStep } from '../define-endpoint.ts'
import { entered, inAddress } from '../step-types.ts'

/** The step behind the pages that open a closed organization again; the API has no such operation. */
export const askReactivationStep = defineStep({
  operation: 'ask-reactivation',
  access: 'anyone',
  params: { email: entered },
  command: askReactivation,
})

export const showReactivationStep = defineStep({
  operation: 'show-reactivation',
  access: 'anyone',
  params: { secret: inAddress },
  command: showReactivation,
})

export const reactivateRealmStep = defineStep({
  operation: 'reactivate-realm',
  access: 'anyone',
  params: { secret: inAddress },
  command: reactivateRealm,
})
