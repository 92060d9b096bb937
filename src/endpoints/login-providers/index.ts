import type { Operation } from '../define-endpoint.ts'
import { findLoginProviderStep } from './find-login-provider.ts'

export const LOGIN_PROVIDER_STEPS: readonly Operation[] = [findLoginProviderStep]
