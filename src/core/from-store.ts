import { ServiceUnavailableError } from './errors.ts'
import { log } from './log.ts'
import { farTrip } from './request-record.ts'

/**
 * Asks the file store for something.
 * @throws ServiceUnavailableError (503) when it does not answer
 */
export async function fromStore<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await farTrip(ask)
  } catch (error) {
    log('error', 'Files cannot be reached', { error })
    throw new ServiceUnavailableError()
  }
}
