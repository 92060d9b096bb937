import type { LoginProvider } from '../../store/login-providers/login-provider-rows.ts'

/** The facts that are needed to ask a provider as a log-in would. */
export interface ProviderTest extends Pick<LoginProvider, 'preset' | 'issuer' | 'clientId' | 'tokenAuth'> {
  /** Opened; null for a client without one. */
  readonly clientSecret: string | null
  readonly redirectUri: string
}
