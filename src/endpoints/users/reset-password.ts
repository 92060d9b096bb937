import * as v from 'valibot'
import {
  askPasswordReset,
  resetPassword,
  showPasswordReset,
} from '../../domain/users/login/reset-password.ts'
import { defineStep } from '../define-endpoint.ts'
import { digest, entered, inAddress } from '../step-types.ts'

/** The step behind the pages for a forgotten password; the API has no such operation. */
export const askPasswordResetStep = defineStep({
  operation: 'ask-password-reset',
  access: 'anyone',
  params: { email: entered },
  command: askPasswordReset,
})

export const showPasswordResetStep = defineStep({
  operation: 'show-password-reset',
  access: 'anyone',
  params: { secret: inAddress },
  command: showPasswordReset,
})

export const resetPasswordStep = defineStep({
  operation: 'reset-password',
  access: 'anyone',
  params: { secret: inAddress, password: entered, password_hash: v.optional(digest) },
  command: resetPassword,
})
