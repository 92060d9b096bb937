import type { Operation } from '../../api/define-endpoint.ts'
import {
  beginPasskeyLoginStep,
  beginTotpAtLoginStep,
  checkLoginCodeStep,
  findPasskeyStep,
  finishLoginWithCodeStep,
  finishPasskeyLoginStep,
  showSecondFactorStep,
} from './log-in-steps.ts'
import {
  addPasskeyEndpoint,
  beginPasskeyEndpoint,
  removePasskeyEndpoint,
  renamePasskeyEndpoint,
} from './passkeys.ts'
import { askForProofEndpoint, proveEndpoint } from './reauthentication.ts'
import {
  getSecondFactorsEndpoint,
  getUsersWithSecondFactorsEndpoint,
  resetSecondFactorsEndpoint,
} from './second-factors.ts'
import {
  beginTotpEndpoint,
  checkOwnCodeStep,
  confirmTotpEndpoint,
  removeTotpEndpoint,
  renewRecoveryCodesEndpoint,
} from './totp.ts'

export const SECOND_FACTOR_ENDPOINTS = [
  getSecondFactorsEndpoint,
  getUsersWithSecondFactorsEndpoint,
  beginTotpEndpoint,
  confirmTotpEndpoint,
  removeTotpEndpoint,
  renewRecoveryCodesEndpoint,
  beginPasskeyEndpoint,
  addPasskeyEndpoint,
  renamePasskeyEndpoint,
  removePasskeyEndpoint,
  resetSecondFactorsEndpoint,
  askForProofEndpoint,
  proveEndpoint,
]
export const SECOND_FACTOR_STEPS: readonly Operation[] = [
  checkOwnCodeStep,
  showSecondFactorStep,
  beginTotpAtLoginStep,
  checkLoginCodeStep,
  finishLoginWithCodeStep,
  beginPasskeyLoginStep,
  findPasskeyStep,
  finishPasskeyLoginStep,
]
