import { defineStep } from '../../api/define-endpoint.ts'
import { inAddress } from '../../api/step-types.ts'
import { showUnsubscription, unsubscribe } from '../../model/emails/unsubscribe.ts'

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
