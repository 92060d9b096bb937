import { Secret, TOTP } from 'otpauth'

/** An app that shows codes of one secret. `now`: its clock, in milliseconds. */
export class AuthenticatorApp {
  readonly #totp: TOTP
  readonly #now: () => number

  constructor(secret: string, now: () => number = Date.now) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) })
    this.#now = now
  }

  /** Returns the current code, or the one a number of 30-second steps earlier or later. */
  code(steps = 0): string {
    return this.#totp.generate({ timestamp: this.#now() + 30_000 * steps })
  }
}
