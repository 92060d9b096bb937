import { type ApiResponse, askWorker } from './api.ts'
import type { TestRealm, TestUser } from './factories.ts'
import { fromJson } from './json.ts'
import { authorization } from './uploads.ts'

type TusInit = { headers?: Record<string, string>; body?: BodyInit | null }

export const CHUNK = { 'Content-Type': 'application/offset+octet-stream' }

export const MIB = 1024 * 1024

/** Returns bytes in which no two chunks are equal. */
export function bytes(length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length)
  for (let at = 0; at < length; at += 1) all[at] = (at * 31 + (at >> 8) * 17 + (at >> 16)) & 255
  return all
}

/** Makes a request of the tus protocol, with or without credentials. `path` is on the organization's host. The body of an empty answer is undefined. */
export async function askTus(
  who: TestUser | Pick<TestRealm, 'host'>,
  method: string,
  path: string,
  { headers = {}, body = null }: TusInit = {},
): Promise<ApiResponse> {
  const host = 'api' in who ? who.api.host : who.host
  const response = await askWorker(
    new Request(`http://${host}${path}`, {
      method,
      headers: {
        'Tus-Resumable': '1.0.0',
        ...('api' in who ? authorization(who) : {}),
        ...headers,
      },
      body,
    }),
  )
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : fromJson(text),
  }
}

/** Encodes metadata as clients do: values in Base64. */
export function metadata(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key} ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`)
    .join(',')
}

/** Starts an upload; returns its path on the host. */
export async function beginUpload(
  user: TestUser,
  length: number,
  fields: Record<string, string> = { filename: 'notes.txt', filetype: 'text/plain' },
): Promise<string> {
  const { status, headers, body } = await askTus(user, 'POST', '/api/v1/tus/', {
    headers: { 'Upload-Length': String(length), 'Upload-Metadata': metadata(fields) },
  })
  if (status !== 201) throw new Error(`No upload: ${status} ${JSON.stringify(body)}`)
  return headers.get('location')!
}

/** Sends a chunk that begins at `offset`. */
export function sendChunk(user: TestUser, url: string, offset: number, body: BodyInit): Promise<ApiResponse> {
  return askTus(user, 'PATCH', url, { headers: { ...CHUNK, 'Upload-Offset': String(offset) }, body })
}

/** Returns the offset of an upload, or the status when it is unknown. */
export async function offsetOf(
  user: TestUser | Pick<TestRealm, 'host'>,
  url: string,
): Promise<number | string> {
  const { status, headers } = await askTus(user, 'HEAD', url)
  return status === 200 ? Number(headers.get('upload-offset')) : `status ${status}`
}
