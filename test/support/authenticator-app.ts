import type { ApiClient } from './api.ts'
import { AuthenticatorApp } from './authenticator-codes.ts'
import { expectSuccess, type TestUser } from './factories.ts'
import { world } from './world.ts'

/** Returns an app of this secret, by the clock of the tests. */
export function appOf(secret: string): AuthenticatorApp {
  return new AuthenticatorApp(secret, () => Date.now() + world.clockOffset * 1000)
}

/** Moves the clock to the next code. */
export function nextCode(): void {
  world.clockOffset += 30
}

/** Sets up an app for a user, with a key, and moves the clock past the code that this used. */
export async function withApp({
  api,
}: Pick<TestUser, 'api'> | { api: ApiClient }): Promise<{ app: AuthenticatorApp; recoveryCodes: string[] }> {
  const begun = expectSuccess(await api.post('/second_factors/totp'))
  const app = appOf(String(begun.secret))
  const confirmed = expectSuccess(await api.post('/second_factors/totp/confirm', { code: app.code() }))
  nextCode()
  return { app, recoveryCodes: confirmed.recovery_codes as string[] }
}
