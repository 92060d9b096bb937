import { createHash } from 'node:crypto'
import type { RequestSource } from '../core/call.ts'
import { type ApiError, BadRequestError } from '../core/errors.ts'
import type { Endpoint } from '../endpoints/define-endpoint.ts'
import { DigestedFiles } from './digested-files.ts'
import type { RawParameters } from './read-parameters.ts'

export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
export const LONGEST_IDEMPOTENCY_KEY = 255

interface KeyedRequest {
  readonly endpoint: Endpoint
  readonly request: Request
  readonly raw: RawParameters
}

/** Does the endpoint give a request that comes again with its key the first answer? */
export function takesIdempotencyKey({
  method,
  access,
  idempotency,
}: Pick<Endpoint, 'method' | 'access' | 'idempotency'>): boolean {
  return method !== 'GET' && access !== 'anyone' && idempotency !== 'harmless'
}

/**
 * The key and the digest that tell whether a request is the same as an earlier one. The digest begins with the key, which is
 * stored nowhere: so nobody can find out a password by trying which one fits the digest.
 */
export async function idempotencyOf(
  { endpoint, request, raw }: KeyedRequest,
  value: unknown,
): Promise<Pick<RequestSource, 'idempotency'>> {
  const key = request.headers.get(IDEMPOTENCY_HEADER)
  if (key === null || !takesIdempotencyKey(endpoint)) return {}
  const files = endpoint.streamsFiles || endpoint.tus ? null : await digestAll(raw.files)
  const digest = createHash('sha256').update(JSON.stringify([key, endpoint.operation, value, files]))
  return { idempotency: { key, request: digest.digest('base64url') } }
}

/** The digest of files that are in memory already. */
async function digestAll(files: RawParameters['files']): Promise<string | undefined> {
  const digested = new DigestedFiles(files)
  await digested.drain()
  return digested.digest
}

/** The refusal of a request's key, if anything is wrong with it. */
export function refuseKey(request: Request): ApiError | undefined {
  const length = request.headers.get(IDEMPOTENCY_HEADER)?.length
  if (length === undefined || (length > 0 && length <= LONGEST_IDEMPOTENCY_KEY)) return undefined
  return new BadRequestError(`${IDEMPOTENCY_HEADER} must have 1 to ${LONGEST_IDEMPOTENCY_KEY} characters`)
}
