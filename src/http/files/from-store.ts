import { ServiceUnavailableError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { farTrip } from '../../core/request-record.ts'

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
