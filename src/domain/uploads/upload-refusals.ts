import { ApiError } from '../../core/errors.ts'

/** HTTP 409: clients ask how far the upload has come, and go on from there. */
export function offsetConflict(received?: number): ApiError {
  const extra = received === undefined ? {} : { upload_offset: received }
  return new ApiError('BAD_REQUEST', 'The upload does not go on at this offset', extra, 409)
}

/** HTTP 413. */
export function tooManyBytes(): ApiError {
  return new ApiError('BAD_REQUEST', 'These are more bytes than the upload was to have', {}, 413)
}
