import { createHash } from 'node:crypto'
import type { Endpoint } from '../../api/define-endpoint.ts'
import type { RequestSource } from '../../core/call.ts'
import { type ApiError, BadRequestError } from '../../core/errors.ts'
import type { IncomingFile } from '../../core/files.ts'
import type { RawParameters } from '../input/read-parameters.ts'

export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255

interface KeyedRequest {
  readonly endpoint: Endpoint
  readonly request: Request
  readonly raw: RawParameters
}

/** Whether the endpoint answers a request with a repeated key with its first answer. */
export function takesIdempotencyKey({
  method,
  access,
  idempotency,
}: Pick<Endpoint, 'method' | 'access' | 'idempotency'>): boolean {
  return method !== 'GET' && access !== 'anyone' && idempotency !== 'harmless'
}

/**
 * Returns the source with the key and the digest that identify a repeated request, if it has a key. The digest starts from the key, which is not stored, so a password in
 * the request cannot be found by trying candidates against the digest.
 */
export async function withIdempotency(
  source: RequestSource,
  { endpoint, request, raw }: KeyedRequest,
  value: unknown,
): Promise<RequestSource> {
  const key = request.headers.get(IDEMPOTENCY_HEADER)
  if (key === null || !takesIdempotencyKey(endpoint)) return source
  const files = endpoint.streamsFiles || endpoint.tus ? null : await digestAll(raw.files)
  const digest = createHash('sha256').update(JSON.stringify([key, endpoint.operation, value, files]))
  return { ...source, idempotency: { key, request: digest.digest('base64url') } }
}

async function digestAll(files: RawParameters['files']): Promise<string | undefined> {
  const digested = new DigestedFiles(files)
  await digested.drain()
  return digested.digest
}

export function refuseKey(request: Request): ApiError | undefined {
  const length = request.headers.get(IDEMPOTENCY_HEADER)?.length
  if (length === undefined || (length > 0 && length <= MAX_IDEMPOTENCY_KEY_LENGTH)) return undefined
  return new BadRequestError(`${IDEMPOTENCY_HEADER} must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`)
}

/** Digests files while they are read, so that none is held in memory for it. */
export class DigestedFiles implements AsyncIterable<IncomingFile> {
  readonly #files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>
  readonly #hash = createHash('sha256')
  #hasBegun = false

  constructor(files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>) {
    this.#files = files
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<IncomingFile> {
    for await (const file of this.#files) {
      const { name, contentType } = file
      yield { name, contentType, content: this.#digested(file) }
    }
  }

  /** The digest of everything read so far; undefined before the first read. */
  get digest(): string | undefined {
    return this.#hasBegun ? this.#hash.copy().digest('base64url') : undefined
  }

  /** Reads the unread files, only for the digest. */
  async drain(): Promise<void> {
    for await (const { name, content } of this) {
      if (name === '') continue
      for await (const _ of content) {
        // Only the digest is wanted.
      }
    }
  }

  async *#digested({ name, contentType, content }: IncomingFile): AsyncGenerator<Uint8Array> {
    this.#hasBegun = true
    this.#hash.update(JSON.stringify([name, contentType]))
    for await (const chunk of content) {
      this.#hash.update(chunk)
      yield chunk
    }
  }
}
