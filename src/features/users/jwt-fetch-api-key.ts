import { errors, jwtVerify } from 'jose'
import * as v from 'valibot'
import type { AuditNote } from '../../api/audit-rules.ts'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH, TOKEN_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError, UnauthorizedError } from '../../core/errors.ts'
import { secretText } from '../../core/secret-text.ts'
import { MINUTE } from '../../core/time.ts'
import { wrongPassword } from '../../model/accounts/login/fetch-api-key.ts'
import { finishLogin, requireOpenForLogin } from '../../model/accounts/login/finish-login.ts'
import { mailOwnersOfOpening } from '../../model/emails/account-mails.ts'
import { askToConnect, connectTokens } from '../../model/login-providers/ask-to-connect.ts'
import { opensToOwners } from '../../model/login-providers/proven-person.ts'
import { presentUser } from '../../model/users/read/present-user.ts'
import { readMeta } from '../../store/meta-rows.ts'
import { findUserByEmail } from '../../store/users/user-rows.ts'
import { user } from './get-users.ts'

/** A log-in; or the account that its user has not opened to tokens. */
type TokenLogin =
  | (LoggedIn & { readonly is_refused?: false })
  | { readonly user_id: number; readonly is_refused: true }

interface LoggedIn {
  readonly api_key: string
  readonly email: string
  readonly user_id: number
  readonly user?: object
}

/**
 * Gives an account's key to another system of the organization, which authenticates users in its own way. Source:
 * docs/interface/login.md#with-a-token-of-another-system.
 */
export const jwtFetchApiKeyEndpoint = defineEndpoint({
  operation: 'jwt-fetch-api-key',
  route: 'POST /jwt/fetch_api_key',
  access: 'anyone',
  rateLimit: 'doors',
  params: {
    token: v.optional(textUpTo(TOKEN_LENGTH), ''),
    include_profile: v.optional(jsonBoolean, 'false'),
  },
  returns: v.object({ api_key: secretText(), email: v.string(), user: v.optional(user) }),
  query({ sql }, _anyone, { token }) {
    requireOpenForLogin(sql)
    const sealed = readMeta<string>(sql, 'jwt_secret')
    if (sealed === undefined) {
      throw new BadRequestError('JWT authentication is not enabled for this organization.')
    }
    if (token === '') throw new BadRequestError('No JSON web token passed in request')
    return { sealed }
  },
  audit: { because: 'Changes nothing; log-in-with-token records who logged in.' },
  async finish({ sealed }, { token, include_profile }, worker) {
    const secret = await worker.secrets.open('json web token', sealed)
    const email = await emailInToken(token, secret)
    const login = await worker.run(logInWithTokenStep.operation, { email, include_profile })
    const { user_id: _, is_refused, ...answer } = login as TokenLogin
    if (is_refused) throw notConnected()
    return answer as Omit<LoggedIn, 'user_id'>
  },
})

/** Logs in the user named in a token that the organization's other system has signed. */
export const logInWithTokenStep = defineStep({
  operation: 'log-in-with-token',
  access: 'anyone',
  params: { email: textUpTo(NAME_LENGTH), include_profile: v.boolean() },
  apply(tx, { source }, { email, include_profile }): TokenLogin {
    const found = findUserByEmail(tx.sql, email)
    if (!found || found.botType !== null) throw wrongPassword()
    // An account with an unconfirmed address may have been created by someone else, who would then share it.
    if (!found.isEmailConfirmed && found.formerEmail === null) throw wrongPassword()
    if (found.isActive && !found.opensByToken) {
      if (!opensToOwners(found, source)) {
        // Refused in a commit, which sends the mail and is in the audit log.
        askToConnect(tx, found, source, { connection: null, name: null })
        return { user_id: found.id, is_refused: true }
      }
      connectTokens(tx, found, source)
      if (!found.awaitsLogin) mailOwnersOfOpening(tx, found, source, null)
    }
    const proof = { method: 'jwt', address: email } as const
    const finished = finishLogin(tx, found, { source, end: { kind: 'app' }, proof })
    if (finished.kind !== 'app') throw new Error(`A token ended in ${finished.kind}`)
    const { kind: _, ...login } = finished
    if (!include_profile) return login
    const options = { viewer: found, realm: tx.realm, clientGravatar: false, includeProfileData: false }
    return { ...login, user: presentUser(found, options) }
  },
  audit: ({ value: { user_id, is_refused } }): AuditNote =>
    is_refused
      ? {
          action: 'login_failed',
          actorId: null,
          details: { user_id, method: 'jwt', because: 'not_connected' },
        }
      : { action: 'login', actorId: user_id, details: { user_id, method: 'jwt' } },
})

function notConnected(): UnauthorizedError {
  return new UnauthorizedError(
    'This account has been used without the other system. Its user can allow it by the link that was mailed to them.',
    'AUTHENTICATION_FAILED',
  )
}

/** Seconds for which a token without `exp` is good after its `iat`. */
const GOOD_FOR_SECONDS = 10 * MINUTE
/** Tolerated difference of clocks, in seconds. */
const CLOCK_SECONDS = MINUTE

/**
 * @throws BadRequestError if the token is not signed with this secret, has expired, never would, or names nobody
 */
async function emailInToken(token: string, secret: string): Promise<string> {
  const { email, exp, iat } = await jwtVerify(token, new TextEncoder().encode(secret), {
    algorithms: ['HS256'],
  }).then(
    ({ payload }) => payload,
    (error) => {
      if (error instanceof errors.JOSEError) throw new BadRequestError('Bad JSON web token')
      throw error
    },
  )
  // jwtVerify obeys `exp` where there is one. A token that ends never would be another key of the account.
  if (exp === undefined && !isRecent(iat)) throw new BadRequestError('Bad JSON web token')
  if (typeof email !== 'string' || email === '') {
    throw new BadRequestError('No email specified in JSON web token claims')
  }
  if (email.length > NAME_LENGTH) throw wrongPassword()
  return email
}

function isRecent(iat: number | undefined): boolean {
  const age = Date.now() / 1_000 - (iat ?? Number.NEGATIVE_INFINITY)
  return age >= -CLOCK_SECONDS && age <= GOOD_FOR_SECONDS
}
