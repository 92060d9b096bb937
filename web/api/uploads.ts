import { ApiError, NetworkError } from './errors.ts'
import { fromJson } from './json.ts'
import type { Api } from './request.ts'

export interface UploadedFile {
  /** Address to which a message links, below the organization's. */
  readonly url: string
  readonly filename: string
}

export interface UploadOptions {
  /** Called with 0 to 1. */
  onProgress?(part: number): void
  readonly signal?: AbortSignal
  /** The endpoint to which the upload goes. */
  readonly endpoint?: string
}

/** The milliseconds before each retry of a chunk, together a minute without network. */
const RETRY_DELAYS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000]
const CHUNK_BYTES = 5 * 1024 * 1024

/**
 * Uploads a file so that it continues after a lost connection, and after a reload when the same file is
 * chosen again. The library is loaded with the first file.
 *
 * @throws ApiError when the server refuses it (too large, no room), NetworkError when the server could not be
 * reached, and an AbortError when the signal was aborted.
 */
export async function uploadFile(api: Api, file: File, options: UploadOptions = {}): Promise<UploadedFile> {
  const { Upload } = await import('tus-js-client')
  const { onProgress, signal, endpoint = './json/tus/' } = options
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint,
      chunkSize: CHUNK_BYTES,
      // Most files are complete with this one request.
      uploadDataDuringCreation: true,
      retryDelays: RETRY_DELAYS,
      removeFingerprintOnSuccess: true,
      metadata: { filename: file.name, filetype: file.type },
      onShouldRetry: ({ originalResponse }) => mayGoOn(originalResponse?.getStatus() ?? 0),
      onBeforeRequest: (request) => nameSession(api, request),
      onProgress: (sent, total) => onProgress?.(total === 0 ? 1 : sent / total),
      onSuccess: ({ lastResponse }) => {
        const answer = fromJson<UploadedFile>(lastResponse.getBody())
        resolve({ url: answer.url, filename: answer.filename })
      },
      onError: (error) => reject(errorOf(api, error)),
    })
    signal?.addEventListener('abort', () => {
      void upload.abort(true).catch(() => {})
      reject(signal.reason)
    })
    void upload.findPreviousUploads().then((earlier) => {
      if (earlier[0]) upload.resumeFromPreviousUpload(earlier[0])
      if (!signal?.aborted) upload.start()
    }, reject)
  })
}

const ARCHIVES = './json/imports/uploads/'
/** Bytes of a part of an archive, as the server wants them (docs/interface/administration.md#uploading-an-archive). */
const ARCHIVE_PART_BYTES = 16 * 1024 * 1024

/** An unfinished upload of an archive, which is continued. */
export interface BegunArchive {
  readonly id: string
  readonly part_size: number
}

/**
 * Uploads an archive for an import, or the rest of it.
 *
 * @throws as `uploadFile`. The uploaded part stays if the signal is aborted.
 */
export async function uploadArchive(
  api: Api,
  file: File,
  begun: BegunArchive | undefined,
  { onProgress, signal }: Pick<UploadOptions, 'onProgress' | 'signal'>,
): Promise<void> {
  const { Upload } = await import('tus-js-client')
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: ARCHIVES,
      uploadUrl: begun ? ARCHIVES + begun.id : null,
      chunkSize: begun?.part_size ?? ARCHIVE_PART_BYTES,
      retryDelays: RETRY_DELAYS,
      // The server knows which archive is there.
      storeFingerprintForResuming: false,
      metadata: { filename: file.name },
      onShouldRetry: ({ originalResponse }) => mayGoOn(originalResponse?.getStatus() ?? 0),
      onBeforeRequest: (request) => nameSession(api, request),
      onProgress: (sent, total) => onProgress?.(sent / total),
      onSuccess: () => resolve(),
      onError: (error) => reject(errorOf(api, error)),
    })
    signal?.addEventListener('abort', () => {
      void upload.abort().catch(() => {})
      reject(signal.reason)
    })
    upload.start()
  })
}

/** Names the tab's session, which the server compares with the cookie's. @throws SessionEndedError */
function nameSession(api: Api, request: { setHeader(name: string, value: string): void }): void {
  api.session.require()
  request.setHeader('X-CSRFToken', api.session.token)
}

/** Deletes an archive, complete or not. */
export async function deleteArchive(api: Api, id: string): Promise<void> {
  const { Upload } = await import('tus-js-client')
  try {
    await Upload.terminate(ARCHIVES + id, {
      onBeforeRequest: (request) => nameSession(api, request),
    })
  } catch (error) {
    throw errorOf(api, error as Error)
  }
}

/**
 * Whether an upload may continue: the same request may work later without an answer (0), after a request to retry, or after a conflict. The
 * library itself gives up as soon as the browser is offline.
 */
function mayGoOn(status: number): boolean {
  return status === 0 || [409, 423, 429].includes(status) || (status >= 500 && status !== 507)
}

function errorOf({ session }: Api, error: Error): Error {
  const response = (error as { originalResponse?: { getStatus(): number; getBody(): string } | null })
    .originalResponse
  if (!response) return new NetworkError(error)
  if (response.getStatus() === 401) session.end()
  try {
    const { code, msg } = fromJson<{ code: string; msg: string }>(response.getBody())
    return new ApiError(code, msg, response.getStatus())
  } catch {
    return new ApiError('UNKNOWN', '', response.getStatus())
  }
}
