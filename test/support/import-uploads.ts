import { expect } from 'vitest'
import type { ApiResponse } from './api.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { askTus, CHUNK, MIB, metadata } from './tus.ts'

/** Bytes of a part of an archive for an import. */
export const PART = 16 * MIB
export const IMPORT_UPLOADS = '/api/v1/imports/uploads'
export const UPLOAD_GONE = 'This upload does not exist, or it has expired'

/** Announces an archive of an import. */
export function announceArchive(
  user: TestUser | Pick<TestRealm, 'host'>,
  length: number,
): Promise<ApiResponse> {
  return askTus(user, 'POST', `${IMPORT_UPLOADS}/`, {
    headers: { 'Upload-Length': String(length), 'Upload-Metadata': metadata({ filename: 'team.jsonl' }) },
  })
}

/** Begins to upload an archive; returns its path on the host. */
export async function beginArchive(user: TestUser, length: number): Promise<string> {
  const { status, headers, body } = await announceArchive(user, length)
  if (status !== 201) throw new Error(`No upload: ${status} ${JSON.stringify(body)}`)
  return headers.get('location')!
}

export function sendPart(user: TestUser, url: string, offset: number, body: BodyInit): Promise<ApiResponse> {
  return askTus(user, 'PATCH', url, { headers: { ...CHUNK, 'Upload-Offset': String(offset) }, body })
}

export async function sendArchive(user: TestUser, archive: Uint8Array<ArrayBuffer>): Promise<string> {
  const url = await beginArchive(user, archive.length)
  for (let at = 0; at < archive.length; at += PART) {
    const { status } = await sendPart(user, url, at, archive.subarray(at, at + PART))
    expect(status).toBe(204)
  }
  return url
}

export const archiveIdOf = (url: string) => url.split('/').at(-1)!

export async function importUploaded(user: TestUser, url: string): Promise<number> {
  return expectSuccess(await user.api.post('/imports', { upload_id: archiveIdOf(url) })).id
}
