import { BadRequestError } from '../../core/errors.ts'
import { isIncompatible } from '../../features/server/get-server-settings.ts'
import { userAgentOf } from '../request/request-url.ts'
import { respondError, respondSuccess } from '../request/respond.ts'

/** GET /compatibility: whether this client may be used here. Browsers ask before they reload. */
export async function respondCompatibility(request: Request): Promise<Response> {
  const userAgent = userAgentOf(request)
  if (userAgent === '') return respondError(new BadRequestError('User-Agent header missing from request'))
  if (isIncompatible({ userAgent })) return respondError(new BadRequestError('Client is too old'))
  return respondSuccess({})
}
