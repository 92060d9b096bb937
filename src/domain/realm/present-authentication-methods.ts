import { AUTHENTICATION_METHODS, type AuthenticationMethods } from './realm-properties.ts'

/** The methods that this server has, and which are on; none of them lacks anything (docs/interface/register.md#settings-of-the-organization-in-it). */
export function presentAuthenticationMethods(enabled: AuthenticationMethods) {
  return Object.fromEntries(
    AUTHENTICATION_METHODS.map((method) => [method, { enabled: enabled[method], available: true }]),
  )
}
