import type { ProvenPerson } from '../../model/login-providers/proven-person.ts'
import { isEmailAddress } from '../../model/users/addresses/email-rules.ts'
import { STANDARD_EMAIL_CLAIM } from '../../store/login-providers/login-provider-rows.ts'
import { ProviderError } from './provider-calls.ts'

export type Claims = Readonly<Record<string, unknown>>

/** What a provider says about a person: in the ID token, which counts first, and in UserInfo, if that was asked. */
export type Sources = readonly [idToken: Claims, userInfo?: Claims | undefined]

/** The claims that the organization has chosen for an address, groups and a role; '' for none. */
export interface ChosenClaims {
  readonly emailClaim: string
  readonly groupsClaim: string
  readonly roleClaim: string
}

/** Limit of a subject in characters (OpenID Connect Core 2), and here of a session too. */
const MAX_SUBJECT = 255
const MAX_EMAIL = 254
const MAX_NAME = 500
const MAX_LOCALE = 100
const MAX_PICTURE = 2_000
/** Limits of the number and length of the groups and roles considered: the settings have no room for others either. */
const MAX_VALUES = 1_000
const MAX_VALUE = 200

/** What a log-in needs and an ID token has not: without the address nobody can be found by it. */
export type Lacking = 'nothing' | 'the address' | 'a name or a mapped claim'

export function lackingIn(idToken: Claims, { emailClaim, groupsClaim, roleClaim }: ChosenClaims): Lacking {
  if (emailIn(idToken, emailClaim) === null) return 'the address'
  const mapped = [groupsClaim, roleClaim].filter((name) => name !== '')
  const hasAll = nameIn(idToken) !== null && mapped.every((name) => isStated(valueAt(idToken, name)))
  return hasAll ? 'nothing' : 'a name or a mapped claim'
}

/**
 * Reads what a provider says about a user. Values that are too long are left out, since only the subject is required.
 * @throws ProviderError without a usable subject
 */
export function personIn(
  sources: Sources,
  { emailClaim, groupsClaim, roleClaim }: ChosenClaims,
): ProvenPerson {
  const [idToken] = sources
  const subject = textIn(idToken.sub, MAX_SUBJECT)
  if (subject === null)
    throw new ProviderError('invalid', 'It gives no id of the account (sub) that could be kept')
  return {
    subject,
    ...addressIn(sources, emailClaim),
    fullName: firstIn(sources, nameIn),
    locale: firstIn(sources, ({ locale }) => textIn(locale, MAX_LOCALE)),
    groups: valuesIn(sources, groupsClaim),
    roles: valuesIn(sources, roleClaim),
    sid: textIn(idToken.sid, MAX_SUBJECT),
    loggedInAt: Number.isSafeInteger(idToken.auth_time) ? (idToken.auth_time as number) : null,
  }
}

/** Returns the address of the user's picture, as the provider states it. */
export function pictureIn(sources: Sources): string | null {
  return firstIn(sources, ({ picture }) => textIn(picture, MAX_PICTURE))
}

/** The address, and whether it is verified, which must come from the same source. */
function addressIn(sources: Sources, claim: string): Pick<ProvenPerson, 'email' | 'isEmailVerified'> {
  const source = sources.find((claims) => claims && emailIn(claims, claim) !== null)
  if (!source) return { email: null, isEmailVerified: false }
  const said = claim === STANDARD_EMAIL_CLAIM && source.email_verified
  // Some providers send it as text.
  return { email: emailIn(source, claim), isEmailVerified: said === true || said === 'true' }
}

/** Returns the address in a claim, which may be a name that is none. */
function emailIn(claims: Claims, claim: string): string | null {
  const text = textIn(valueAt(claims, claim), MAX_EMAIL)
  return text !== null && isEmailAddress(text) ? text : null
}

function nameIn({ name, given_name, family_name }: Claims): string | null {
  const parts = [given_name, family_name]
    .map((part) => textIn(part, MAX_NAME))
    .filter((part) => part !== null)
  return textIn(name, MAX_NAME) ?? textIn(parts.join(' '), MAX_NAME)
}

/** Returns the values of a claim; null where no source states it. A single text is a list of one. */
function valuesIn(sources: Sources, name: string): string[] | null {
  if (name === '') return null
  const said = sources.map((claims) => claims && valueAt(claims, name)).filter((value) => value !== undefined)
  if (said.length === 0) return null
  const value = said.find(isStated)
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value]
  return list.filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= MAX_VALUE)
}

function isStated(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Returns the value of a claim, which may be nested: `realm_access.roles`. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? (value as Record<string, unknown>)[part]
          : undefined,
      claims,
    )
}

function firstIn(sources: Sources, read: (claims: Claims) => string | null): string | null {
  for (const claims of sources) {
    const found = claims && read(claims)
    if (typeof found === 'string') return found
  }
  return null
}

function textIn(value: unknown, limit: number): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return text !== '' && text.length <= limit ? text : null
}
