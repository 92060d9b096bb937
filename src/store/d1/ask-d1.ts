import { D1_CALLS } from '../../core/budgets.ts'
import { dailyLimitOf } from '../../core/daily-limits.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { farTrip, nearTrip } from '../../core/request-record.ts'
import { NoAnswerError, withinTime } from '../../core/within-time.ts'

/** Messages of D1 about a wrong query, which would fail again. */
const MISTAKE = /SQLITE_(ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG)|parameter bindings|D1_TYPE_ERROR/

/** Whether the query is at fault, and not D1. */
function isMistake(error: unknown): boolean {
  return MISTAKE.test(String(error))
}

/** Messages of a database that lacks a migration of this build. */
const UNMIGRATED = /no such (?:table|column)|has no column named/

/** Seconds of Retry-After for such a database: a deployment applies the migration, or is to be made. */
const UNMIGRATED_RETRY_SECONDS = 60

/** Messages of D1 about writes that it will never accept. */
const REFUSAL =
  /SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG)|string or blob too big|malformed JSON|D1_TYPE_ERROR/
/** The message of a batch's first statement when the cursor has moved: nothing is wrong with the writes. */
const CURSOR_MOVED = /projection\.applied/

/** Whether the writes of a batch are at fault. A missing table does not count: that is an unfinished deployment. */
export function isRefusedForGood(error: unknown): boolean {
  const text = String(error)
  return REFUSAL.test(text) && !CURSOR_MOVED.test(text)
}

/** Messages of a database, or an account, that has no room for more. Deletions are taken nevertheless. */
const NO_ROOM = /Exceeded maximum (DB size|account storage)|SQLITE_FULL|database or disk is full/i

/** Whether D1 has refused a write for want of room. */
export function isWithoutRoom(error: unknown): boolean {
  return NO_ROOM.test(String(error))
}

/** Returns the error to throw in place of D1's: a mistake is a bug of ours, anything else passes (503). */
function d1Failure(error: unknown): unknown {
  const limit = dailyLimitOf(error)
  if (limit) return limit
  if (UNMIGRATED.test(String(error))) {
    log('error', 'D1 lacks a migration of this build, which `npm run deploy` applies', { error })
    return new ServiceUnavailableError(UNMIGRATED_RETRY_SECONDS)
  }
  if (isMistake(error)) return error
  log('error', 'D1 cannot be reached', { error })
  return new ServiceUnavailableError()
}

/**
 * Makes a write that only its caller may repeat.
 * @throws ServiceUnavailableError (503) when D1 does not answer: the write may have been made.
 */
export async function writeOnce<Answer>(write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await farTrip(() => withinTime(D1_CALLS.answerMs, write()))
  } catch (error) {
    throw d1Failure(error)
  }
}

/** Milliseconds between one try and the next: D1 fails for a moment now and then, and seldom twice. */
const PAUSES_MS = [20, 100, 400]

/**
 * Repeats a read that fails. Reading twice harms nothing.
 * @throws ServiceUnavailableError (503) when D1 has failed every time, or does not answer.
 */
export async function readPatiently<Answer>(
  read: () => Promise<Answer>,
  trip: typeof farTrip = farTrip,
): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await trip(() => withinTime(D1_CALLS.answerMs, read()))
    } catch (error) {
      const pause = PAUSES_MS[tries]
      const isFinal =
        pause === undefined || error instanceof NoAnswerError || isMistake(error) || dailyLimitOf(error)
      if (isFinal) throw d1Failure(error)
      log('warn', 'D1 could not be read; retrying at once', { error })
      await scheduler.wait(pause)
    }
  }
}

/**
 * Makes a read that any copy of the database may answer; the nearest does, and may be some moments behind. The caller must be able to
 * recognize an outdated answer, and ask `fromPrimary` then. Source: Cloudflare's documentation, D1 read replication.
 */
export function fromNearest<Answer>(
  db: D1Database,
  read: (copy: Pick<D1DatabaseSession, 'prepare'>) => Promise<Answer>,
): Promise<Answer> {
  return readPatiently(() => read(db.withSession('first-unconstrained')), nearTrip)
}

/** Makes a read of the primary, which has all earlier writes, wherever it is. */
export function fromPrimary<Answer>(
  db: D1Database,
  read: (database: Pick<D1DatabaseSession, 'prepare'>) => Promise<Answer>,
): Promise<Answer> {
  return readPatiently(() => read(db), farTrip)
}
