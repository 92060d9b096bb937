import { AUTHENTICATION_METHODS, type AuthenticationMethods } from './realm-properties.ts'

/** The methods that this server has, and which are on; none of them lacks anything (core-endpoints 1.1). */
export function presentAuthenticationMethods(enabled: AuthenticationMethods) {
  return Object.fromEntries(
    AUTHENTICATION_METHODS.map((method) => [method, { enabled: enabled[method], available: true }]),
  )
}
