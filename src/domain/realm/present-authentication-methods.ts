import { AUTHENTICATION_METHODS, type AuthenticationMethods } from './realm-properties.ts'

/**
 * Returns the methods of this server, and which are enabled; none has a requirement that is missing
 * (docs/interface/register.md#settings-of-the-organization-in-it).
 */
export function presentAuthenticationMethods(enabled: AuthenticationMethods) {
  return Object.fromEntries(
    AUTHENTICATION_METHODS.map((method) => [method, { enabled: enabled[method], available: true }]),
  )
}
