import { createHash } from 'node:crypto'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { IdempotentRequest } from '../../core/call.ts'
import { IdempotencyKeyReusedError, RateLimitHitError, TooMuchAtOnceError } from '../../core/errors.ts'
import { jsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import {
  addFilesToFirstAnswer,
  deleteFirstAnswersBefore,
  type FirstAnswer,
  findFirstAnswer,
  insertFirstAnswer,
  keptForAll,
  keptForUser,
  oldestDayOfAnswers,
} from '../../store/idempotency/first-answer-rows.ts'

/** Seconds for which a repeated request gets its first answer. */
const KEPT_SECONDS = DAY

/** Length of a stored answer, in characters of JSON. A request with a longer one is refused. */
const MAX_ANSWER_LENGTH = 256_000
/** Limits of an account's, and of an organization's, stored answers of one day (UTC). Most are empty. */
const OF_AN_ACCOUNT = { answers: 10_000, bytes: 8_000_000 }
const OF_ALL = { answers: 500_000, bytes: 256_000_000 }

/** A user's request with a key, as it may be stored: the key itself is not. */
export interface KeyedRequest extends Pick<IdempotentRequest, 'request' | 'files'> {
  /** Digest of user and key. */
  readonly key: string
}

/** Returns a user's request with a key as it may be stored. */
export function keyedRequest(userId: number, idempotency: IdempotentRequest): KeyedRequest {
  const { request, files } = idempotency
  return { key: keyDigest(userId, idempotency), request, ...(files === undefined ? {} : { files }) }
}

/**
 * Returns the first answer to this user's request, if it is repeated within a day.
 * @throws IdempotencyKeyReusedError (422) when the key was used for another request
 */
export function firstAnswerTo(
  { sql, now }: { readonly sql: Sql; readonly now: number },
  idempotency: KeyedRequest,
): FirstAnswer | undefined {
  const first = findFirstAnswer(sql, idempotency.key, now - KEPT_SECONDS)
  if (!first) return undefined
  const { request, files } = idempotency
  const differs = files !== undefined && first.files !== null && files !== first.files
  if (first.request !== request || differs) throw new IdempotencyKeyReusedError()
  return first
}

/**
 * Stores an answer in the commit of its change.
 * @throws TooMuchAtOnceError (413) when it is too long
 * @throws RateLimitHitError (429) when too much is stored already
 */
export function keepFirstAnswer(
  tx: RealmTransaction,
  userId: number,
  idempotency: KeyedRequest,
  value: object,
): void {
  const answer = jsonText(value)
  if (answer.length > MAX_ANSWER_LENGTH) throw new TooMuchAtOnceError()
  const day = Math.floor(tx.now / DAY)
  const [own, all] = [keptForUser(tx.sql, day, userId), keptForAll(tx.sql, day)]
  for (const [kept, quota] of [
    [own, OF_AN_ACCOUNT],
    [all, OF_ALL],
  ] as const) {
    const isFull = kept.answers >= quota.answers || kept.bytes + answer.length > quota.bytes
    if (isFull) throw new RateLimitHitError((day + 1) * DAY - tx.now)
  }
  const { key, request, files = null } = idempotency
  insertFirstAnswer(tx.sql, { day, userId, key, request, files, answer, at: tx.now }, own)
  if (all.answers === 0) tx.schedule({ kind: 'forget-first-answers', key: '', dueAt: (day + 2) * DAY })
}

/** Adds the digest of the files to the stored answer, once they were read completely. */
export function addFilesOfFirstAnswer(
  { sql }: RealmTransaction,
  userId: number,
  idempotency: IdempotentRequest | undefined,
): void {
  if (idempotency?.files === undefined) return
  const { request, files } = idempotency
  addFilesToFirstAnswer(sql, { key: keyDigest(userId, idempotency), request, files })
}

/** Deletes a batch of answers older than a day. Returns when it is due again (UNIX seconds). */
export function forgetFirstAnswers(tx: RealmTransaction): number | undefined {
  const today = Math.floor(tx.now / DAY)
  if (!deleteFirstAnswersBefore(tx.sql, today - 1, ENTRIES_AT_ONCE)) return tx.now + 1
  const oldest = oldestDayOfAnswers(tx.sql)
  return oldest === undefined ? undefined : (oldest + 2) * DAY
}

/** Returns a digest of the key, of fixed length and different for each user. */
function keyDigest(userId: number, { key }: IdempotentRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, key]))
    .digest('base64url')
}
