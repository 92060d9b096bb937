import { Secret, TOTP } from 'otpauth'
import type { ApiClient } from './api.ts'
import { expectSuccess, type TestUser } from './factories.ts'
import { world } from './world.ts'

/** An app that shows codes of one secret, by the clock of the tests. */
export class AuthenticatorApp {
  readonly #totp: TOTP

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) })
  }

  /** Returns the code of now, or of some steps of 30 seconds before or after. */
  code(steps = 0): string {
    return this.#totp.generate({ timestamp: Date.now() + (world.clockOffset + 30 * steps) * 1000 })
  }
}

/** Moves the clock to the next code. */
export function nextCode(): void {
  world.clockOffset += 30
}

/** Sets an app up for somebody, with a key; the clock has passed the code that this took. */
export async function withApp({
  api,
}: Pick<TestUser, 'api'> | { api: ApiClient }): Promise<{ app: AuthenticatorApp; recoveryCodes: string[] }> {
  const begun = expectSuccess(await api.post('/second_factors/totp'))
  const app = new AuthenticatorApp(String(begun.secret))
  const confirmed = expectSuccess(await api.post('/second_factors/totp/confirm', { code: app.code() }))
  nextCode()
  return { app, recoveryCodes: confirmed.recovery_codes as string[] }
}
