import { createHash } from 'node:crypto'
import type { Endpoint } from '../api/define-endpoint.ts'
import type { RequestSource } from '../core/call.ts'
import { type ApiError, BadRequestError } from '../core/errors.ts'
import { DigestedFiles } from './input/digested-files.ts'
import type { RawParameters } from './input/read-parameters.ts'

export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255

interface KeyedRequest {
  readonly endpoint: Endpoint
  readonly request: Request
  readonly raw: RawParameters
}

/** Whether the endpoint answers a repeated request (with the same key) with the first answer. */
export function takesIdempotencyKey({
  method,
  access,
  idempotency,
}: Pick<Endpoint, 'method' | 'access' | 'idempotency'>): boolean {
  return method !== 'GET' && access !== 'anyone' && idempotency !== 'harmless'
}

/**
 * Returns the key and the digest by which a repeated request is recognized. The digest begins with the key,
 * which is stored nowhere, so that nobody can find a password by trying which one fits the digest.
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

/** Returns the digest of files that are in memory already. */
async function digestAll(files: RawParameters['files']): Promise<string | undefined> {
  const digested = new DigestedFiles(files)
  await digested.drain()
  return digested.digest
}

/** Returns the refusal of a request's key, if anything is wrong with it. */
export function refuseKey(request: Request): ApiError | undefined {
  const length = request.headers.get(IDEMPOTENCY_HEADER)?.length
  if (length === undefined || (length > 0 && length <= MAX_IDEMPOTENCY_KEY_LENGTH)) return undefined
  return new BadRequestError(`${IDEMPOTENCY_HEADER} must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`)
}
