import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import {
  beginConnectingStep,
  connectLoginIdentityStep,
  enterPictureOfProviderStep,
  findLoginProviderStep,
  logInWithProviderStep,
  logOutByProviderStep,
  noteFailedProviderLoginStep,
  proveWithProviderStep,
  reservePictureOfProviderStep,
} from './log-in-with-provider.ts'
import { getLoginIdentitiesEndpoint, removeLoginIdentityEndpoint } from './login-identities.ts'
import {
  createLoginProviderEndpoint,
  getLoginProvidersEndpoint,
  removeLoginProviderEndpoint,
  testLoginProviderEndpoint,
  updateLoginProviderEndpoint,
} from './login-providers.ts'

export const LOGIN_PROVIDER_ENDPOINTS: readonly Endpoint[] = [
  getLoginProvidersEndpoint,
  createLoginProviderEndpoint,
  updateLoginProviderEndpoint,
  removeLoginProviderEndpoint,
  testLoginProviderEndpoint,
  getLoginIdentitiesEndpoint,
  removeLoginIdentityEndpoint,
]

export const LOGIN_PROVIDER_STEPS: readonly Operation[] = [
  findLoginProviderStep,
  logInWithProviderStep,
  logOutByProviderStep,
  beginConnectingStep,
  connectLoginIdentityStep,
  proveWithProviderStep,
  noteFailedProviderLoginStep,
  reservePictureOfProviderStep,
  enterPictureOfProviderStep,
]
