import { defineStep } from '../../api/define-endpoint.ts'
import { inAddress } from '../../api/step-types.ts'
import { confirmEmailChange, showEmailChange } from '../../model/accounts/addresses/confirm-email.ts'
import { findUserByEmail } from '../../store/users/user-rows.ts'

/** The step behind the page for confirming a new address; the API has no such operation. */
export const showEmailChangeStep = defineStep({
  operation: 'show-email-change',
  access: 'anyone',
  params: { secret: inAddress },
  apply: showEmailChange,
  audit: 'read-only',
})

export const confirmEmailChangeStep = defineStep({
  operation: 'confirm-email-change',
  access: 'anyone',
  params: { secret: inAddress },
  apply: confirmEmailChange,
  audit: ({ view, value }) => {
    const { id } = findUserByEmail(view.sql, value.email)!
    return { action: 'email_changed', actorId: id, details: { user_id: id } }
  },
})
