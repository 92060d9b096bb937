import { ServiceUnavailableError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { farTrip } from '../core/request-record.ts'

/** The messages of D1 about a query that is wrong: it will say so again. */
const MISTAKE = /SQLITE_(ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG)|parameter bindings|D1_TYPE_ERROR/

/** Is the query at fault, and not D1? */
export function isMistake(error: unknown): boolean {
  return MISTAKE.test(String(error))
}

/** The messages of D1 about writes that it will never take, however often they come. */
const REFUSAL =
  /SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG)|string or blob too big|malformed JSON|D1_TYPE_ERROR/
/** The first statement of a batch says so when the cursor is elsewhere: nothing is wrong with the writes. */
const CURSOR_MOVED = /projection\.applied/

/** Are the writes of a batch at fault? Not for a table that is missing: that is a deployment half done. */
export function isRefusedForGood(error: unknown): boolean {
  const text = String(error)
  return REFUSAL.test(text) && !CURSOR_MOVED.test(text)
}

/** The error that is thrown in place of D1's: a mistake is a bug of ours, anything else passes (503). */
export function d1Failure(error: unknown): unknown {
  if (isMistake(error)) return error
  log('error', 'D1 cannot be reached', { error })
  return new ServiceUnavailableError()
}

/**
 * A write that whoever asked for it repeats, if at all.
 * @throws ServiceUnavailableError (503) when D1 does not answer: the write may have been made.
 */
export async function writeOnce<Answer>(write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await farTrip(write)
  } catch (error) {
    throw d1Failure(error)
  }
}
