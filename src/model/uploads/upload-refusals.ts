import { ApiError } from '../../core/errors.ts'

/** Returns the refusal, HTTP 409, after which clients ask for the upload's progress and continue there. */
export function offsetConflict(received?: number): ApiError {
  const extra = received === undefined ? {} : { upload_offset: received }
  return new ApiError('BAD_REQUEST', 'The upload does not go on at this offset', extra, 409)
}

/** Returns the refusal, HTTP 413. */
export function tooManyBytes(): ApiError {
  return new ApiError('BAD_REQUEST', 'These are more bytes than the upload was to have', {}, 413)
}
