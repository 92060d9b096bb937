import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type RequestSource, rateLimitsOf } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import { clientNetwork, longestWindow, type RateLimit } from '../../core/rate-limits.ts'
import type { RealmIdentity, RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteAttempts } from '../../store/attempts/attempt-rows.ts'
import { isKnownNetwork } from '../../store/attempts/network-rows.ts'
import {
  findTotp,
  replaceRecoveryCodes,
  useRecoveryCode,
  useStepOfTotp,
} from '../../store/second-factors/second-factor-rows.ts'
import { type Attempt, countAttempt } from '../attempts/count-attempt.ts'
import { isBrowserOf } from '../users/login/login-attempts.ts'

/** The facts with which the Worker checks a code of an authenticator app. They never leave the Worker. */
export interface CodeCheck {
  /** The app's sealed secret; null without an app. */
  readonly secret: string | null
  /** UNIX seconds. */
  readonly now: number
}

/** A code that a user has entered, checked by the Worker. */
export interface EnteredCode {
  readonly code: string
  /** The step of the code; null when it is not valid now, or is not a code of an app. */
  readonly step: number | null
}

export function codeCheckOf({ sql, now }: RealmReads, userId: number): CodeCheck {
  return { secret: findTotp(sql, userId)?.secret ?? null, now }
}

/**
 * Counts a code before it is checked, by account and network. Networks from which no member has logged in also share one count, so that an
 * attacker with the password cannot use up the owner's attempts. Known networks share another, since a member can make any number of
 * networks known. Browsers in which the owner has logged in before are counted in the same two ways, apart from networks. After too many
 * attempts it counts nothing, and returns the seconds to wait. Source: docs/interface/conventions.md#rate-limits.
 */
export function countCode(tx: RealmTransaction, source: RequestSource, userId: number): number | undefined {
  return countAttempt(tx, ...attemptsOf(tx, source, userId))
}

/** Clears the attempts from this network or browser after a right code. */
export function passCode(tx: RealmTransaction, source: RequestSource, userId: number): void {
  for (const { table, owner } of attemptsOf(tx, source, userId)) deleteAttempts(tx.sql, table, owner)
}

function attemptsOf({ sql, now }: RealmReads, source: RequestSource, userId: number): readonly Attempt[] {
  const { codes, codesOfKnown, codesOfStrangers } = rateLimitsOf(source)
  const keptSeconds = longestWindow([...codes, ...codesOfKnown, ...codesOfStrangers])
  const counted = (where: string, limits: readonly RateLimit[]): Attempt => {
    return { table: 'code_failure', owner: `${userId}${where}`, limits, keptSeconds }
  }
  if (isBrowserOf(source, userId)) {
    return [counted(` browser ${source.browser!.id}`, codes), counted(' browsers', codesOfKnown)]
  }
  const network = clientNetwork(source.ip)
  const inAll = isKnownNetwork(sql, network, now)
    ? counted(' known', codesOfKnown)
    : counted('', codesOfStrangers)
  return [counted(` ${network}`, codes), inAll]
}

/** Uses up a code of the app or a recovery code; false if it is neither, or used. `unconfirmed`: only codes of an app being set up. */
export function spendCode(
  tx: RealmTransaction,
  userId: number,
  { code, step }: EnteredCode,
  { unconfirmed = false } = {},
): boolean {
  const totp = findTotp(tx.sql, userId)
  if (step === null) return !unconfirmed && spendRecoveryCode(tx, userId, code)
  if (!totp || (!totp.isConfirmed && !unconfirmed) || step <= totp.lastStep) return false
  useStepOfTotp(tx.sql, userId, step)
  return true
}

export function wrongCode(): BadRequestError {
  return new BadRequestError('That code is wrong, or was used already. Enter the newest one.')
}

const CODES = 10
/** An alphabet of 32 characters that are hard to confuse, five bits each. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const LETTERS = 12

/** Replaces an account's recovery codes by ten new ones of 60 bits each, and returns them: only digests are stored. */
export function renewRecoveryCodes(tx: RealmTransaction, userId: number): string[] {
  const codes = Array.from({ length: CODES }, () => newCode(tx))
  replaceRecoveryCodes(
    tx.sql,
    userId,
    codes.map((code) => digestOf(tx.realm, userId, code)),
  )
  return codes
}

/** Uses up a recovery code, in any case and with or without hyphens; false when the account does not have it. */
function spendRecoveryCode(tx: RealmTransaction, userId: number, entered: string): boolean {
  return useRecoveryCode(tx.sql, userId, digestOf(tx.realm, userId, entered))
}

function newCode(tx: RealmTransaction): string {
  const bytes = Buffer.from(tx.randomHex(LETTERS), 'hex')
  const letters = [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.match(/.{4}/g)!.join('-')
}

/** Returns a digest that differs by account, so that one search does not try all accounts at once. */
function digestOf({ id }: RealmIdentity, userId: number, code: string): string {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(`recovery code ${id} ${userId} ${letters}`).digest('hex')
}

/** A new secret, with the names that an authenticator app shows next to its codes. */
export interface NewTotp {
  /** Sealed. */
  readonly secret: string
  readonly email: string
  readonly organization: string
}
