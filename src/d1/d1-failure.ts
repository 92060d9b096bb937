import { ServiceUnavailableError } from '../core/errors.ts'

/** What D1 says of a query that is wrong: it will say so again. */
const MISTAKE = /SQLITE_(ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG)|parameter bindings|D1_TYPE_ERROR/

/** Is the query at fault, and not D1? */
export function isMistake(error: unknown): boolean {
  return MISTAKE.test(String(error))
}

/** What is thrown in place of what D1 threw: a mistake is a bug of ours, anything else passes (503). */
export function d1Failure(error: unknown): unknown {
  if (isMistake(error)) return error
  console.error('D1 cannot be reached', error)
  return new ServiceUnavailableError()
}

/**
 * A write that whoever asked for it repeats, if at all.
 * @throws ServiceUnavailableError (503) when D1 does not answer: the write may have been made.
 */
export async function writeOnce<Answer>(write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await write()
  } catch (error) {
    throw d1Failure(error)
  }
}
