import { log } from '../core/log.ts'
import type { AssemblingProgress, ExportProgress } from '../domain/exports/export-progress.ts'
import { advanceExport, type RealmExport } from '../domain/exports/export-rows.ts'
import { deletePieces, type ExportPiece, listPiecesWithin } from '../domain/exports/piece-rows.ts'
import { archiveKey } from '../domain/exports/present-export.ts'
import { tarHeader } from '../domain/exports/tar.ts'
import type { Runtime } from './runtime.ts'

/** R2 wants parts of equal size, at least 5 MiB, and 10,000 of them at most; one is held in memory. */
const PART_BYTES = 8 * 1024 * 1024

/** An upload was deleted after it had been noted. */
class MissingUploadError extends Error {}

/**
 * Goes on with putting the pieces together until `until` (UNIX seconds), part by part. Parts are stretches
 * of the archive, so that one that is made again is the same. Answers how far it has come.
 */
export async function assembleArchive(
  runtime: Runtime,
  exported: RealmExport,
  from: AssemblingProgress,
  until: number,
): Promise<ExportProgress> {
  let progress: ExportProgress = from
  try {
    do progress = await assemblePart(runtime, exported, progress)
    while (progress.stage === 'assemble' && runtime.now() < until)
    return progress
  } catch (error) {
    if (!(error instanceof MissingUploadError) || progress.stage !== 'assemble') throw error
    return collectUploadsAgain(runtime, exported, progress)
  }
}

async function assemblePart(
  runtime: Runtime,
  exported: RealmExport,
  progress: AssemblingProgress,
): Promise<ExportProgress> {
  const { uploads, realm } = runtime
  const key = archiveKey(realm.id, exported)
  const { length, uploadId, etags } = progress
  const isThere: ExportProgress = { stage: 'tidy', length, uploadId: null }
  if (length <= PART_BYTES) {
    await uploads.put(key, await readArchive(runtime, exported, 0, length))
    return advance(runtime, exported, progress, isThere)
  }
  if (uploadId === null) {
    const begun = await uploads.createMultipartUpload(key)
    return advance(runtime, exported, progress, { ...progress, uploadId: begun.uploadId })
  }
  const upload = uploads.resumeMultipartUpload(key, uploadId)
  const start = etags.length * PART_BYTES
  if (start < length) {
    const bytes = await readArchive(runtime, exported, start, Math.min(start + PART_BYTES, length))
    const { etag } = await upload.uploadPart(etags.length + 1, bytes)
    return advance(runtime, exported, progress, { ...progress, etags: [...etags, etag] })
  }
  // The last run may have died when all was done.
  if ((await uploads.head(key)) === null) {
    await upload.complete(etags.map((etag, index) => ({ partNumber: index + 1, etag })))
  }
  return advance(runtime, exported, progress, isThere)
}

function advance(
  { sql }: Runtime,
  exported: RealmExport,
  from: ExportProgress,
  progress: ExportProgress,
): ExportProgress {
  if (!advanceExport(sql, exported.id, from, progress)) {
    throw new Error(`Export ${exported.id} is not where it was`)
  }
  return progress
}

async function collectUploadsAgain(
  runtime: Runtime,
  exported: RealmExport,
  from: AssemblingProgress,
): Promise<ExportProgress> {
  const { uploads, realm, sql, storage } = runtime
  if (from.uploadId !== null) {
    await abandonUpload(uploads, archiveKey(realm.id, exported), from.uploadId)
  }
  const { uploadsFrom } = from
  return storage.transactionSync(() => {
    deletePieces(sql, exported.id, uploadsFrom.pieces)
    return advance(runtime, exported, from, {
      stage: 'collect',
      ...uploadsFrom,
      cursor: [],
      files: 0,
      uploadsFrom,
    })
  })
}

/** If it cannot be called off it is gone, or the platform does it in some days. */
export async function abandonUpload(uploads: R2Bucket, key: string, uploadId: string): Promise<void> {
  await uploads
    .resumeMultipartUpload(key, uploadId)
    .abort()
    .catch((error: unknown) => log('warn', 'An upload was left unfinished', { error }))
}

/** Bytes of the archive, from `from` up to `to`. */
async function readArchive(
  runtime: Runtime,
  exported: RealmExport,
  from: number,
  to: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from)
  for (const piece of listPiecesWithin(runtime.sql, exported.id, from, to)) {
    const header = headerOf(piece, exported)
    const contentStart = piece.start + header.length
    copyOverlap(header, piece.start, bytes, from)
    // After the content come zeros, which are there already.
    const first = Math.max(from, contentStart)
    const end = Math.min(to, contentStart + piece.size)
    if (first < end) {
      bytes.set(await readObject(runtime, piece, first - contentStart, end - first), first - from)
    }
  }
  return bytes
}

function headerOf({ name, size }: ExportPiece, { startedAt }: RealmExport): Uint8Array {
  return name === null ? new Uint8Array(0) : tarHeader({ name, size, modifiedAt: Math.floor(startedAt) })
}

/** Both stand somewhere in the archive: what they share is copied. */
function copyOverlap(source: Uint8Array, sourceStart: number, target: Uint8Array, targetStart: number): void {
  const first = Math.max(sourceStart, targetStart)
  const end = Math.min(sourceStart + source.length, targetStart + target.length)
  if (first < end) {
    target.set(source.subarray(first - sourceStart, end - sourceStart), first - targetStart)
  }
}

async function readObject(
  { uploads }: Runtime,
  { key, name }: ExportPiece,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const stored = await uploads.get(key, { range: { offset, length } })
  if (!stored && name !== null) throw new MissingUploadError()
  if (!stored) throw new Error(`A piece of an archive is gone: ${key}`)
  return new Uint8Array(await stored.arrayBuffer())
}
