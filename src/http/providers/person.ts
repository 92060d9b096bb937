import type { ProvenPerson } from '../../model/login-providers/proven-person.ts'
import type { Claims } from './code-flow.ts'
import { ProviderError } from './provider-error.ts'

/** Characters of a subject (OpenID Connect Core 2), and here of a session too. */
const MAX_SUBJECT = 255
const MAX_EMAIL = 254
const MAX_NAME = 500
const MAX_PICTURE = 2_000
/** Number and length of the groups and roles that are looked at: others have no place in the settings either. */
const MAX_VALUES = 1_000
const MAX_VALUE = 200

/**
 * Reads what a provider says of a person. What is too long is left out, since none of it has to be there but the subject.
 *
 * @throws ProviderError without a subject that could be kept
 */
export function personIn(
  claims: Claims,
  names: { readonly groupsClaim: string; readonly roleClaim: string },
): ProvenPerson {
  const subject = textIn(claims.sub, MAX_SUBJECT)
  if (subject === null)
    throw new ProviderError('invalid', 'It gives no id of the account (sub) that could be kept')
  return {
    subject,
    email: textIn(claims.email, MAX_EMAIL),
    // Some providers write it as text.
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    fullName: nameIn(claims),
    groups: isElsewhere(claims, names.groupsClaim) ? null : valuesIn(claims, names.groupsClaim),
    roles: isElsewhere(claims, names.roleClaim) ? null : valuesIn(claims, names.roleClaim),
    sid: textIn(claims.sid, MAX_SUBJECT),
    loggedInAt: Number.isSafeInteger(claims.auth_time) ? (claims.auth_time as number) : null,
  }
}

/** Returns the address of the person's picture, as the provider says it. */
export function pictureIn({ picture }: Claims): string | null {
  return textIn(picture, MAX_PICTURE)
}

function nameIn({ name, given_name, family_name }: Claims): string | null {
  const parts = [given_name, family_name]
    .map((part) => textIn(part, MAX_NAME))
    .filter((part) => part !== null)
  return textIn(name, MAX_NAME) ?? (parts.length > 0 ? parts.join(' ') : null)
}

function textIn(value: unknown, limit: number): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return text !== '' && text.length <= limit ? text : null
}

/** Returns the values of a claim, which may be within others: `realm_access.roles`. A single text is a list of one. */
function valuesIn(claims: Claims, name: string): string[] {
  if (name === '') return []
  const value = Object.hasOwn(claims, name) ? claims[name] : within(claims, name.split('.'))
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value]
  return list.filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= MAX_VALUE)
}

/** Whether a claim is left out because it would be too long (OpenID Connect Core 5.6.2). */
function isElsewhere({ _claim_names }: Claims, name: string): boolean {
  return typeof _claim_names === 'object' && _claim_names !== null && Object.hasOwn(_claim_names, name)
}

function within(claims: Claims, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string, unknown>)[part]
        : undefined,
    claims,
  )
}
