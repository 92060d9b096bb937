import { joinedBytes } from '../../../core/growing-bytes.ts'
import type { JobRuntime } from '../../../core/job-runtime.ts'
import type { ImportArchive } from '../../../imports/import-reader.ts'
import { uploadIdAt } from '../../../model/imports/import-upload.ts'
import { importPrefix } from '../../../model/imports/import-work.ts'
import type { RealmImport } from '../../../store/imports/import-rows.ts'
import { findImportUpload, listParts, markComplete } from '../../../store/imports/import-upload-rows.ts'
import { uploadKey } from '../../../store/uploads/upload-keys.ts'

/** Thrown when an object that an import needs is no longer in R2. */
export class MissingArchiveError extends Error {}

/** Bytes of a part of an unpacked archive. */
export const UNPACKED_BYTES = 8 * 1024 * 1024

/** Returns the key of such a part, counted from 1. */
export function unpackedKey(
  { realm }: Pick<JobRuntime, 'realm'>,
  imported: RealmImport,
  part: number,
): string {
  return `${importPrefix(realm.id, imported)}unpacked/${part}`
}

/** Returns the uploaded archive, or what it was unpacked to. */
export function archiveOf(
  runtime: Pick<JobRuntime, 'uploads' | 'realm'>,
  imported: RealmImport,
): ImportArchive {
  return imported.unpackedSize === null
    ? uploadedArchive(runtime, imported)
    : { name: imported.name, size: imported.unpackedSize, read: unpackedReader(runtime, imported) }
}

function unpackedReader(
  runtime: Pick<JobRuntime, 'uploads' | 'realm'>,
  imported: RealmImport,
): ImportArchive['read'] {
  return async (from, to) => {
    const end = Math.min(to, imported.unpackedSize!)
    const found: Uint8Array[] = []
    for (let at = from; at < end; ) {
      const part = Math.floor(at / UNPACKED_BYTES)
      const [start, until] = [at - part * UNPACKED_BYTES, Math.min(end, (part + 1) * UNPACKED_BYTES)]
      found.push(await readRange(runtime, unpackedKey(runtime, imported, part + 1), start, until - at))
      at = until
    }
    return found.length === 1 ? found[0]! : joinedBytes(found)
  }
}

function uploadedArchive(
  { uploads }: Pick<JobRuntime, 'uploads'>,
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
  { uploads }: Pick<JobRuntime, 'uploads'>,
  key: string,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const stored = await uploads.get(key, { range: { offset, length } })
  if (!stored) throw new MissingArchiveError()
  return new Uint8Array(await stored.arrayBuffer())
}

/** Joins the parts of an archive that was uploaded for imports, unless that is done. */
export async function completeArchive(
  { uploads, sql }: Pick<JobRuntime, 'uploads' | 'sql'>,
  { archivePath }: RealmImport,
): Promise<void> {
  const upload = findImportUpload(sql, uploadIdAt(archivePath))
  if (!upload || upload.isComplete || upload.multipartId === null) return
  const key = uploadKey(archivePath)
  // R2 may have done so without an answer.
  if (!(await uploads.head(key))) {
    const parts = listParts(sql, upload.id).map(({ number, etag }) => ({ partNumber: number, etag }))
    await uploads.resumeMultipartUpload(key, upload.multipartId).complete(parts)
  }
  markComplete(sql, upload.id)
}

const BLOCK_BYTES = 256 * 1024
const BLOCKS_KEPT = 16
/** Longer ranges are read directly. */
const SHORT_BYTES = 64 * 1024

/**
 * Reads short ranges of an archive in blocks, the last of which are cached: headers and small files are next to each other, and each call of R2 takes as
 * long as a thousand reads in memory.
 */
export function readAhead(archive: ImportArchive): ImportArchive {
  const kept = new Map<number, Uint8Array>()
  const blockAt = async (number: number): Promise<Uint8Array> => {
    const block = kept.get(number) ?? (await archive.read(number * BLOCK_BYTES, (number + 1) * BLOCK_BYTES))
    kept.delete(number)
    kept.set(number, block)
    if (kept.size > BLOCKS_KEPT) kept.delete(kept.keys().next().value!)
    return block
  }
  return {
    name: archive.name,
    size: archive.size,
    async read(from, to) {
      const end = Math.min(to, archive.size)
      if (end - from > SHORT_BYTES) return archive.read(from, end)
      const bytes = new Uint8Array(Math.max(end - from, 0))
      for (let at = from; at < end; ) {
        const number = Math.floor(at / BLOCK_BYTES)
        const start = number * BLOCK_BYTES
        const part = (await blockAt(number)).subarray(at - start, end - start)
        if (part.length === 0) return bytes.subarray(0, at - from)
        bytes.set(part, at - from)
        at += part.length
      }
      return bytes
    },
  }
}
