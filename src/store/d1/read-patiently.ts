import { D1_CALLS } from '../../core/budgets.ts'
import { log } from '../../core/log.ts'
import { farTrip } from '../../core/request-record.ts'
import { NoAnswerError, withinTime } from '../../core/within-time.ts'
import { d1Failure, isMistake } from './d1-failure.ts'

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
      const isFinal = pause === undefined || error instanceof NoAnswerError || isMistake(error)
      if (isFinal) throw d1Failure(error)
      log('warn', 'D1 could not be read, next try at once', { error })
      await scheduler.wait(pause)
    }
  }
}
