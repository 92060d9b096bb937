import { showUnsubscription, unsubscribe } from '../../domain/emails/unsubscribe.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

/** The step behind the page of the link in a mail; the API has no such operation. */
export const showUnsubscriptionStep = defineStep({
  operation: 'show-unsubscription',
  access: 'anyone',
  params: { kind: inAddress, token: inAddress },
  command: showUnsubscription,
  audit: 'read-only',
})

export const unsubscribeStep = defineStep({
  operation: 'unsubscribe-from-mail',
  access: 'anyone',
  params: { kind: inAddress, token: inAddress },
  command: unsubscribe,
  audit: 'own',
})
