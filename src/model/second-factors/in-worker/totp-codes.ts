import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

/** Length of a secret, as RFC 4226 recommends. */
const SECRET_BYTES = 20
const DIGITS = 6
const PERIOD_SECONDS = 30
/** Number of steps before and after the present one whose codes are valid, since clocks of phones differ. */
const WINDOW = 1

/** Returns a new secret in Base32, the form for authenticator apps. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Whether the text can be a code of an app, and not a recovery code. */
export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(withoutSpaces(code))
}

/** Returns the step of a code; null if the code is not valid now (UNIX seconds). */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  if (!isTotpCode(code)) return null
  const delta = totpOf(secret).validate({ token: withoutSpaces(code), timestamp: now * 1000, window: WINDOW })
  return delta === null ? null : Math.floor(now / PERIOD_SECONDS) + delta
}

/** The forms in which an app takes the secret: the address in the QR code, and the code as a picture. */
export interface TotpEntry {
  readonly secret: string
  readonly uri: string
  /** SVG. */
  readonly qr_code: string
}

export function totpEntryOf(
  secret: string,
  { email, organization }: { readonly email: string; readonly organization: string },
): TotpEntry {
  // Apps show issuer and label, which a colon separates.
  const issuer = organization.replaceAll(':', ' ').trim() || 'Parley'
  const uri = totpOf(secret, { issuer, label: email }).toString()
  return { secret, uri, qr_code: renderSVG(uri, { border: 2 }) }
}

function totpOf(secret: string, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
  })
}

/** Removes the space with which apps show codes in two groups. Digits may be wide, as input methods for Japanese write them. */
function withoutSpaces(code: string): string {
  return code.normalize('NFKC').replaceAll(/\s/g, '')
}
