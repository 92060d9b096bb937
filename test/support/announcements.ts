import type { ApiResponse } from './api.ts'
import type { TestUser } from './factories.ts'
import { askTus, CHUNK, metadata } from './tus.ts'

/** The headers of an announcement that may be repeated with this key. */
export function headersFor(key: string, length: number): Record<string, string> {
  const fields = { filename: 'notes.txt', filetype: 'text/plain' }
  return {
    ...CHUNK,
    'Upload-Length': String(length),
    'Upload-Metadata': metadata(fields),
    'Idempotency-Key': key,
  }
}

/** Announces an upload, with its first bytes. */
export function announce(
  user: TestUser,
  key: string,
  length: number,
  body: BodyInit | null,
): Promise<ApiResponse> {
  return askTus(user, 'POST', '/api/v1/tus/', { headers: headersFor(key, length), body })
}

/** The state of the upload as a client sees it. */
export function seen({ status, headers, body }: ApiResponse) {
  return {
    status,
    location: headers.get('location'),
    offset: headers.get('upload-offset'),
    url: body?.url,
  }
}
