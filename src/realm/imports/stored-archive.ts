import type { RealmImport } from '../../domain/imports/import-rows.ts'
import { uploadKey } from '../../domain/uploads/upload-key.ts'
import type { ImportArchive } from '../../imports/import-reader.ts'
import type { Runtime } from '../runtime.ts'

/** Thrown when what an import needs is no longer in R2. */
export class MissingArchiveError extends Error {}

/** Returns the uploaded archive, which is read by ranges. */
export function archiveOf(
  { uploads }: Pick<Runtime, 'uploads'>,
  { name, size, archivePath }: RealmImport,
): ImportArchive {
  const key = uploadKey(archivePath)
  return {
    name,
    size,
    async read(from, to) {
      const end = Math.min(to, size)
      if (from >= end) return new Uint8Array(0)
      return readRange({ uploads }, key, from, end - from)
    },
  }
}

/** @throws MissingArchiveError when there is no such object */
export async function readRange(
  { uploads }: Pick<Runtime, 'uploads'>,
  key: string,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const stored = await uploads.get(key, { range: { offset, length } })
  if (!stored) throw new MissingArchiveError()
  return new Uint8Array(await stored.arrayBuffer())
}
