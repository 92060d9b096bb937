import { ApiError } from './errors.ts'

/** Seconds after which clients try again: they get to the new server once the name leads there. */
const RETRY_SECONDS = 60

/** The refusal of an organization that has moved to another server (docs/moving.md). */
export class MovedAwayError extends ApiError {
  constructor(to: string) {
    const msg = `This organization has moved to ${to}.`
    super('SERVICE_UNAVAILABLE', msg, { 'retry-after': RETRY_SECONDS }, 503)
  }
}
