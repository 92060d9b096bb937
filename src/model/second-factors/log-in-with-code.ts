import { createHash } from 'node:crypto'
import { BadRequestError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
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
import type { Anyone } from '../caller.ts'
import { finishLogin, requiredSecondFactor } from '../users/login/finish-login.ts'
import { noteNewFactor } from './change-second-factors.ts'
import { type CodeCheck, codeCheckOf, countCode, type EnteredCode, passCode, spendCode } from './codes.ts'
import { hasConfirmedTotp } from './second-factor-state.ts'
import type { NewTotp } from './totp.ts'

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

/** Returns the second factors that can follow the password. */
export function showSecondFactor(
  tx: RealmTransaction,
  _anyone: Anyone,
  params: WithTicket,
): SecondFactorQuestion {
  const { user } = requireTicket(tx, params)
  return questionFor(tx, user)
}

/**
 * Begins to set up an authenticator app for a user who must have one to log in. `secret`: a new one, sealed; the answer has the secret with
 * which this ticket began. Each ticket has its own: otherwise a thief of the password would know the secret that the owner confirms.
 */
export function beginTotpAtLogin(
  tx: RealmTransaction,
  _anyone: Anyone,
  { secret, ...params }: WithTicket & { readonly secret: string },
): NewTotp {
  const { user, digest, totpSecret } = requireTicket(tx, params)
  if (!setsUpTotp(tx, user, totpSecret)) throw ticketIsOver()
  if (totpSecret === null) putTotpSecret(tx.sql, digest, secret)
  return {
    secret: totpSecret ?? secret,
    email: user.deliveryEmail,
    organization: realmProperty(tx.sql, 'name'),
  }
}

/** Counts a code that is entered after the password, and returns the facts to check it. */
export function checkLoginCode(tx: RealmTransaction, { source }: Anyone, params: WithTicket): CodeCheck {
  const { user, digest, totpSecret } = requireTicket(tx, params, { leaves: 1 })
  const setsUp = setsUpTotp(tx, user, totpSecret)
  const wait = countCode(tx, source, user.id)
  if (wait !== undefined) throw new RateLimitHitError(wait)
  countTicketTry(tx.sql, digest)
  return setsUp ? { secret: totpSecret, now: tx.now } : codeCheckOf(tx, user.id)
}

export type FinishCodeParams = WithTicket & EnteredCode & { readonly end: LoginEnd }

/** A finished log-in, or a wrong code. */
export type LoginWithCode =
  | (FinishedLogin & { readonly recovery_codes: readonly string[] })
  | { readonly kind: 'wrong code'; readonly user_id: number }

/** Finishes a log-in by a code that the Worker has checked: of the app, of an app that is being set up, or a recovery code. */
export function finishLoginWithCode(
  tx: RealmTransaction,
  { source }: Anyone,
  { end, code, step, ...params }: FinishCodeParams,
): LoginWithCode {
  const { user, digest, totpSecret } = requireTicket(tx, params)
  const setsUp = setsUpTotp(tx, user, totpSecret)
  if (setsUp && totpSecret !== null && step !== null) putTotp(tx.sql, user.id, totpSecret, tx.now)
  if (!spendCode(tx, user.id, { code, step }, { unconfirmed: setsUp }))
    return { kind: 'wrong code', user_id: user.id }
  passCode(tx, source, user.id)
  const codes = setsUp ? noteNewFactor(tx, { user, source }) : []
  deleteLoginTicket(tx.sql, digest)
  const proof = { method: 'password+code' } as const
  return { ...finishLogin(tx, user, { source, end, proof }), recovery_codes: codes }
}

/** Returns the user who got the ticket for the password. `leaves`: the number of tries that must be left. @throws BadRequestError */
export function requireTicket(
  tx: RealmReads,
  { ticket }: WithTicket,
  { leaves = 0 } = {},
): { readonly user: User; readonly digest: string; readonly totpSecret: string | null } {
  const digest = createHash('sha256').update(ticket).digest('hex')
  const found = findLoginTicket(tx.sql, 'second factor', digest, tx.now)
  const user = found && findUser(tx.sql, found.userId)
  if (!found || !user || found.tries + leaves > MAX_TRIES) throw ticketIsOver()
  return { user, digest, totpSecret: found.totpSecret }
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
