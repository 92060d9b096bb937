import { call } from './call.ts'

/** The secret with which another system of the organization logs people in. */

export async function hasJwtSecret(): Promise<boolean> {
  return (await call('GET', '/realm/jwt_secret')).is_set as boolean
}

const BYTES = 32

/** Makes a secret, in place of the present one, and returns it: nobody is shown it again. */
export async function makeJwtSecret(): Promise<string> {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  const secret = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  await call('PUT', '/realm/jwt_secret', { secret })
  return secret
}

export async function removeJwtSecret(): Promise<void> {
  await call('DELETE', '/realm/jwt_secret')
}
