import { errors } from 'jose'
import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'

/**
 * Why a provider lets nobody in:
 *
 * - `unreachable`: it does not answer, or not in time;
 * - `declined`: it says so itself, since the person has broken off, or may not use this client;
 * - `invalid`: its answer breaks a rule, or the settings do not fit it.
 */
type ProviderProblem = 'unreachable' | 'declined' | 'invalid'

/** Characters of the detail, some of which other servers have written. */
const MAX_DETAIL = 200

/** Thrown when a log-in at a provider comes to nothing. The detail is for administrators, and has no secret. */
export class ProviderError extends Error {
  readonly problem: ProviderProblem
  readonly detail: string

  constructor(problem: ProviderProblem, detail: string, options?: ErrorOptions) {
    super(`${problem}: ${detail}`, options)
    this.problem = problem
    this.detail = detail.slice(0, MAX_DETAIL)
  }
}

/** Answers of a token endpoint that say nothing but that the code is not, or no longer, good. */
const CODE_REFUSED = 'invalid_grant'

/** Errors of the libraries about what a provider has sent. */
const OF_ANSWERS = [
  OperationProcessingError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
  errors.JOSEError,
]

/** Runs a step of a log-in at a provider. @throws ProviderError for whatever the provider does wrong */
export async function withProvider<Value>(step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    throw asProviderError(error)
  }
}

/** Returns any other error as it is: that would be a fault of our own. */
function asProviderError(error: unknown): unknown {
  const options = { cause: error }
  if (error instanceof AuthorizationResponseError)
    return new ProviderError('declined', codeIn(error.error), options)
  if (error instanceof ResponseBodyError) {
    const detail = `The provider answers ${codeIn(error.error)}`
    return new ProviderError(error.error === CODE_REFUSED ? 'declined' : 'invalid', detail, options)
  }
  const isOfAnswer = OF_ANSWERS.some((kind) => error instanceof kind)
  return isOfAnswer ? new ProviderError('invalid', (error as Error).message, options) : error
}

/** Returns a code of OAuth; other texts, which anybody may put into an address, say nothing. */
function codeIn(text: string): string {
  return /^[a-z_]{1,40}$/.test(text) ? text : 'unknown'
}
