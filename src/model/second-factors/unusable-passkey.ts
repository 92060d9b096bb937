import { BadRequestError } from '../../core/errors.ts'

/** The refusal of whatever is wrong with a passkey or its answer: a stranger does not learn what. */
export function unusablePasskey(): BadRequestError {
  return new BadRequestError('This passkey does not fit. Try again, or use another way.')
}
