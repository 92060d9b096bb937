import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import {
  checkOwnPasswordStep,
  noteWrongOwnPasswordStep,
  passOwnPasswordStep,
} from '../../api/own-password.ts'
import { logInThroughAccessStep, noteFailedAccessStep } from './access-steps.ts'
import { confirmEmailChangeStep, showEmailChangeStep } from './confirm-email.ts'
import { createUserEndpoint } from './create-user.ts'
import { deactivateOwnUserEndpoint } from './deactivate-own-user.ts'
import { deactivateUserEndpoint } from './deactivate-user.ts'
import { fetchApiKeyEndpoint } from './fetch-api-key.ts'
import { fetchOwnApiKeyEndpoint } from './fetch-own-api-key.ts'
import { getOwnUserEndpoint } from './get-own-user.ts'
import { getUserEndpoint } from './get-user.ts'
import { getUserByEmailEndpoint } from './get-user-by-email.ts'
import { getUsersEndpoint } from './get-users.ts'
import { jwtFetchApiKeyEndpoint, logInWithTokenStep } from './jwt-fetch-api-key.ts'
import {
  completeLoginStep,
  logInByOwnerLinkStep,
  noteFailedLoginStep,
  redeemDesktopTicketStep,
} from './login-steps.ts'
import { reactivateUserEndpoint } from './reactivate-user.ts'
import { regenerateOwnApiKeyEndpoint } from './regenerate-own-api-key.ts'
import { askPasswordResetStep, resetPasswordStep, showPasswordResetStep } from './reset-password.ts'
import { runCommandEndpoint } from './run-command.ts'
import {
  updateDisplaySettingsEndpoint,
  updateNotificationSettingsEndpoint,
  updateSettingsEndpoint,
} from './update-settings.ts'
import { updateUserByEmailEndpoint, updateUserEndpoint } from './update-user.ts'

export const USER_ENDPOINTS: readonly Endpoint[] = [
  createUserEndpoint,
  deactivateOwnUserEndpoint,
  deactivateUserEndpoint,
  fetchApiKeyEndpoint,
  getOwnUserEndpoint,
  getUserByEmailEndpoint,
  getUserEndpoint,
  getUsersEndpoint,
  jwtFetchApiKeyEndpoint,
  reactivateUserEndpoint,
  regenerateOwnApiKeyEndpoint,
  runCommandEndpoint,
  updateDisplaySettingsEndpoint,
  updateNotificationSettingsEndpoint,
  updateSettingsEndpoint,
  updateUserByEmailEndpoint,
  updateUserEndpoint,
]

export const USER_STEPS: readonly Operation[] = [
  askPasswordResetStep,
  checkOwnPasswordStep,
  completeLoginStep,
  logInThroughAccessStep,
  logInWithTokenStep,
  logInByOwnerLinkStep,
  noteFailedAccessStep,
  noteFailedLoginStep,
  noteWrongOwnPasswordStep,
  confirmEmailChangeStep,
  // Its only route is below /json.
  fetchOwnApiKeyEndpoint,
  passOwnPasswordStep,
  redeemDesktopTicketStep,
  resetPasswordStep,
  showEmailChangeStep,
  showPasswordResetStep,
]
