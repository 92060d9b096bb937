import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { digest, entered, inAddress } from '../../api/step-types.ts'
import { confirmEmailChange, showEmailChange } from '../../model/users/addresses/confirm-email.ts'
import { askPasswordReset, resetPassword, showPasswordReset } from '../../model/users/login/reset-password.ts'
import { findUserByEmail } from '../../store/users/user-rows.ts'

/** The step behind the page of the link to a new address; the API has no such operation. */
export const showEmailChangeStep = defineStep({
  operation: 'show-email-change',
  access: 'anyone',
  params: { secret: inAddress },
  command: showEmailChange,
  audit: 'read-only',
})

export const confirmEmailChangeStep = defineStep({
  operation: 'confirm-email-change',
  access: 'anyone',
  params: { secret: inAddress },
  command: confirmEmailChange,
  audit: ({ view, value }) => {
    const { id } = findUserByEmail(view.sql, value.email)!
    return { action: 'email_changed', actorId: id, details: { user_id: id } }
  },
})

/** The step behind the pages for a forgotten password; the API has no such operation. */
export const askPasswordResetStep = defineStep({
  operation: 'ask-password-reset',
  access: 'anyone',
  params: { email: entered },
  command: askPasswordReset,
  audit: { because: 'Sends mail, which has limits of its own; reset-password says what came of it.' },
})

export const showPasswordResetStep = defineStep({
  operation: 'show-password-reset',
  access: 'anyone',
  params: { secret: inAddress },
  command: showPasswordReset,
  audit: 'read-only',
})

export const resetPasswordStep = defineStep({
  operation: 'reset-password',
  access: 'anyone',
  params: { secret: inAddress, password: entered, password_hash: v.optional(digest) },
  command: resetPassword,
  audit: ({ view, value }) => {
    const { id } = findUserByEmail(view.sql, value.email)!
    return { action: 'password_reset', actorId: id, details: { user_id: id } }
  },
})
