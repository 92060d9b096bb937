import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { TOKEN_LENGTH } from '../../api/input-limits.ts'
import { auditOfLogin, loginEnd } from '../../api/own-password.ts'
import { integer, textUpTo } from '../../api/parameter-types.ts'
import { digest, entered } from '../../api/step-types.ts'
import { BadRequestError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { requirePasswordLogin } from '../../model/accounts/login/fetch-api-key.ts'
import { finishLogin, requiredSecondFactor } from '../../model/accounts/login/finish-login.ts'
import { noteNewFactor } from '../../model/second-factors/change-second-factors.ts'
import {
  type CodeCheck,
  codeCheckOf,
  countCode,
  type EnteredCode,
  type NewTotp,
  passCode,
  spendCode,
} from '../../model/second-factors/codes.ts'
import { hasConfirmedTotp } from '../../model/second-factors/second-factor-state.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { hasPasskey, putTotp } from '../../store/second-factors/second-factor-rows.ts'
import {
  countTicketTry,
  deleteLoginTicket,
  type FinishedLogin,
  findLoginTicket,
  type LoginEnd,
  putTotpSecret,
} from '../../store/users/login/login-ticket-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

/** Returns the second factors that can follow the password. */
export const showSecondFactorStep = defineStep({
  operation: 'show-second-factor',
  access: 'anyone',
  madeInCopies: true,
  params: { ticket: digest },
  apply(tx, _anyone, params): SecondFactorQuestion {
    const { user } = requireTicket(tx, params)
    return questionFor(tx, user)
  },
  audit: 'read-only',
})

/**
 * Begins to set up an authenticator app for a user who must have one to log in. `secret`: a new one, sealed; the answer has the secret with
 * which this ticket began. Each ticket has its own: otherwise a thief of the password would know the secret that the owner confirms.
 */
export const beginTotpAtLoginStep = defineStep({
  operation: 'begin-totp-at-login',
  access: 'anyone',
  madeInCopies: true,
  params: { ticket: digest, secret: textUpTo(TOKEN_LENGTH) },
  apply(tx, _anyone, { secret, ...params }): NewTotp {
    const { user, digest, totpSecret } = requireTicket(tx, params)
    if (!setsUpTotp(tx, user, totpSecret)) throw ticketIsOver()
    if (totpSecret === null) putTotpSecret(tx.sql, digest, secret)
    return {
      secret: totpSecret ?? secret,
      email: user.deliveryEmail,
      organization: realmProperty(tx.sql, 'name'),
    }
  },
  audit: 'step',
})

/** Counts a code that is entered after the password, and returns the facts to check it. */
export const checkLoginCodeStep = defineStep({
  operation: 'check-login-code',
  access: 'anyone',
  madeInCopies: true,
  params: { ticket: digest },
  apply(tx, { source }, params): CodeCheck {
    const { user, digest, totpSecret } = requireTicket(tx, params, { leaves: 1 })
    const setsUp = setsUpTotp(tx, user, totpSecret)
    const wait = countCode(tx, source, user.id)
    if (wait !== undefined) throw new RateLimitHitError(wait)
    countTicketTry(tx.sql, digest)
    return setsUp ? { secret: totpSecret, now: tx.now } : codeCheckOf(tx, user.id)
  },
  audit: { because: 'Counts the code; finish-login-with-code records the outcome.' },
})

/** Finishes a log-in by a code that the Worker has checked: of the app, of an app that is being set up, or a recovery code. */
export const finishLoginWithCodeStep = defineStep({
  operation: 'finish-login-with-code',
  access: 'anyone',
  madeInCopies: true,
  params: { ticket: digest, code: entered, step: v.nullable(integer), end: loginEnd },
  apply(tx, { source }, { end, code, step, ...params }): LoginWithCode {
    const { user, digest, totpSecret, address } = requireTicket(tx, params)
    const setsUp = setsUpTotp(tx, user, totpSecret)
    if (setsUp && totpSecret !== null && step !== null) putTotp(tx.sql, user.id, totpSecret, tx.now)
    if (!spendCode(tx, user.id, { code, step }, { unconfirmed: setsUp }))
      return { kind: 'wrong code', user_id: user.id }
    passCode(tx, source, user.id)
    const codes = setsUp ? noteNewFactor(tx, { user, source }) : []
    deleteLoginTicket(tx.sql, digest)
    const proof = { method: 'password+code', address } as const
    return { ...finishLogin(tx, user, { source, end, proof }), recovery_codes: codes }
  },
  audit: ({ value, ...change }) => {
    const { user_id } = value
    // The entry has no actor, like that of a wrong password.
    if (value.kind === 'wrong code') {
      return { action: 'login_failed', actorId: null, details: { user_id, wrong: 'code' } }
    }
    const isNew = value.recovery_codes.length > 0
    const added = {
      action: 'second_factor_added',
      actorId: user_id,
      details: { user_id, kind: 'totp' },
    } as const
    const login = auditOfLogin('password+code')({ ...change, value })
    return [...(isNew ? [added] : []), ...(login ? [login] : [])]
  },
})

/** Number of wrong codes after which a ticket is invalid. */
const MAX_TRIES = 5

interface WithTicket {
  /** The ticket for a caller who knew the password. */
  readonly ticket: string
}

/** The facts for the page that asks for the second factor. */
export interface SecondFactorQuestion {
  /** Whether the organization requires one that is still to be set up. */
  readonly must_set_up: boolean
  readonly has_totp: boolean
  readonly has_passkey: boolean
}

export type FinishCodeParams = WithTicket & EnteredCode & { readonly end: LoginEnd }

/** A finished log-in, or a wrong code. */
export type LoginWithCode =
  | (FinishedLogin & { readonly recovery_codes: readonly string[] })
  | { readonly kind: 'wrong code'; readonly user_id: number }

/**
 * Returns the user who got the ticket for the password, while passwords are on. `leaves`: the number of tries that must be left.
 * @throws BadRequestError; UnauthorizedError
 */
export function requireTicket(
  tx: RealmReads,
  { ticket }: WithTicket,
  { leaves = 0 } = {},
): {
  readonly user: User
  readonly digest: string
  readonly totpSecret: string | null
  /** As it was entered with the password. */
  readonly address: string | undefined
} {
  requirePasswordLogin(tx.sql)
  const digest = createHash('sha256').update(ticket).digest('hex')
  const found = findLoginTicket(tx.sql, 'second factor', digest, tx.now)
  const user = found && findUser(tx.sql, found.userId)
  if (!found || !user || found.tries + leaves > MAX_TRIES) throw ticketIsOver()
  return { user, digest, totpSecret: found.totpSecret, address: found.proof.address }
}

/**
 * Whether an app is set up with the ticket. Once that has begun the ticket is good for nothing else: its codes are not
 * those of an app that was confirmed meanwhile.
 *
 * @throws BadRequestError
 */
function setsUpTotp({ sql }: RealmReads, user: User, totpSecret: string | null): boolean {
  const isDue = requiredSecondFactor(sql, user) === 'set up'
  if (!isDue && totpSecret !== null) throw ticketIsOver()
  return isDue
}

function questionFor({ sql }: RealmReads, user: User): SecondFactorQuestion {
  return {
    must_set_up: requiredSecondFactor(sql, user) === 'set up',
    has_totp: hasConfirmedTotp(sql, user.id),
    has_passkey: hasPasskey(sql, user.id),
  }
}

function ticketIsOver(): BadRequestError {
  return new BadRequestError('That took too long, or was tried too often. Log in again.')
}
