import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import {
  checkOwnPasswordStep,
  noteWrongOwnPasswordStep,
  passOwnPasswordStep,
} from '../../api/own-password.ts'
import {
  createUserEndpoint,
  deactivateOwnUserEndpoint,
  deactivateUserEndpoint,
  reactivateUserEndpoint,
} from './accounts.ts'
import {
  fetchApiKeyEndpoint,
  fetchOwnApiKeyEndpoint,
  jwtFetchApiKeyEndpoint,
  logInWithTokenStep,
  regenerateOwnApiKeyEndpoint,
} from './api-keys.ts'
import { getOwnUserEndpoint, getUserByEmailEndpoint, getUserEndpoint, getUsersEndpoint } from './get-users.ts'
import {
  askPasswordResetStep,
  confirmEmailChangeStep,
  resetPasswordStep,
  showEmailChangeStep,
  showPasswordResetStep,
} from './links-in-mails.ts'
import {
  completeLoginStep,
  logInByOwnerLinkStep,
  logInThroughAccessStep,
  noteFailedAccessStep,
  noteFailedLoginStep,
  redeemDesktopTicketStep,
} from './login-steps.ts'
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
