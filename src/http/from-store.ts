import { ServiceUnavailableError } from '../core/errors.ts'

/**
 * Asks the store of files for something.
 * @throws ServiceUnavailableError (503) when it does not answer
 */
export async function fromStore<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    console.error('Files cannot be reached', error)
    throw new ServiceUnavailableError()
  }
}
