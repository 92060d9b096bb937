import { askReactivation, reactivateRealm, showReactivation } from '../../domain/realm/reactivate-realm.ts'
import { defineStep } from '../define-endpoint.ts'

/** What the pages that open a closed organization again ask for; the API has no such operation. */
export const askReactivationStep = defineStep({
  operation: 'ask-reactivation',
  access: 'anyone',
  command: askReactivation,
})

export const showReactivationStep = defineStep({
  operation: 'show-reactivation',
  access: 'anyone',
  command: showReactivation,
})

export const reactivateRealmStep = defineStep({
  operation: 'reactivate-realm',
  access: 'anyone',
  command: reactivateRealm,
})
