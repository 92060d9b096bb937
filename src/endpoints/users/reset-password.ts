import { askPasswordReset, resetPassword, showPasswordReset } from '../../domain/users/reset-password.ts'
import { defineStep } from '../define-endpoint.ts'

/** What the pages for a forgotten password ask for; the API has no such operation. */
export const askPasswordResetStep = defineStep({
  operation: 'ask-password-reset',
  access: 'anyone',
  command: askPasswordReset,
})

export const showPasswordResetStep = defineStep({
  operation: 'show-password-reset',
  access: 'anyone',
  command: showPasswordReset,
})

export const resetPasswordStep = defineStep({
  operation: 'reset-password',
  access: 'anyone',
  command: resetPassword,
})
