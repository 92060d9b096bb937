import { confirmEmailChange, showEmailChange } from '../../domain/users/confirm-email.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

/** What the page behind the link to a new address asks for; the API has no such operation. */
export const showEmailChangeStep = defineStep({
  operation: 'show-email-change',
  access: 'anyone',
  params: { secret: inAddress },
  command: showEmailChange,
})

export const confirmEmailChangeStep = defineStep({
  operation: 'confirm-email-change',
  access: 'anyone',
  params: { secret: inAddress },
  command: confirmEmailChange,
})
