import type { JobRuntime } from '../../../core/job-runtime.ts'
import { fromJson, type JsonText } from '../../../core/json.ts'
import { log } from '../../../core/log.ts'
import type { TimeLimit } from '../../../core/within-time.ts'
import { readTarEntries, tarHeader } from '../../../model/exports/tar.ts'
import {
  deleteChunks,
  deleteGone,
  type ExportChunk,
  findChunkWithMessages,
  forgetGoneFiles,
  goneMessages,
  hasGone,
  hasGoneFiles,
  listChunksWithin,
} from '../../../store/exports/collecting-rows.ts'
import {
  type AssemblingProgress,
  advanceExport,
  archiveKey,
  type ExportProgress,
  type RealmExport,
} from '../../../store/exports/export-rows.ts'

/** Bytes of a part. One part is held in memory. R2 requires equal sizes of at least 5 MiB, and at most 10,000 parts. */
const PART_BYTES = 8 * 1024 * 1024

/** Number of times that the uploads are collected again: an organization that keeps deleting files has to wait. */
const MAX_COLLECTIONS = 50

/** Thrown when an upload was deleted after it had been listed. */
class MissingUploadError extends Error {}

/** Joins chunks into parts until the time is over, and returns the progress. A part made again is the same. */
export async function assembleArchive(
  runtime: JobRuntime,
  exported: RealmExport,
  from: AssemblingProgress,
  time: TimeLimit,
): Promise<ExportProgress> {
  let progress: ExportProgress = from
  try {
    do progress = await assemblePart(runtime, exported, progress)
    while (progress.stage === 'assemble' && !time.isOver)
    return progress
  } catch (error) {
    if (!(error instanceof MissingUploadError) || progress.stage !== 'assemble') throw error
    return collectUploadsAgain(runtime, exported, progress)
  }
}

async function assemblePart(
  runtime: JobRuntime,
  exported: RealmExport,
  progress: AssemblingProgress,
): Promise<ExportProgress> {
  const { uploads, realm, sql } = runtime
  if (hasGoneFiles(sql, exported.id)) return collectUploadsAgain(runtime, exported, progress)
  if (hasGone(sql, exported.id)) return takeOutGone(runtime, exported, progress)
  const key = archiveKey(realm.id, exported)
  const { length, uploadId, etags } = progress
  if (length <= PART_BYTES) {
    await uploads.put(key, await readArchive(runtime, exported, 0, length))
    return finish(runtime, exported, progress)
  }
  if (uploadId === null) {
    const started = await uploads.createMultipartUpload(key)
    return advance(runtime, exported, progress, { ...progress, uploadId: started.uploadId })
  }
  const upload = uploads.resumeMultipartUpload(key, uploadId)
  const next = etags.includes(null) ? etags.indexOf(null) : etags.length
  const start = next * PART_BYTES
  if (start < length) {
    const bytes = await readArchive(runtime, exported, start, Math.min(start + PART_BYTES, length))
    const { etag } = await upload.uploadPart(next + 1, bytes)
    return advance(runtime, exported, progress, { ...progress, etags: replaced(etags, next, etag) })
  }
  // The last run may have died after everything was done.
  if ((await uploads.head(key)) === null) {
    await upload.complete(etags.map((etag, index) => ({ partNumber: index + 1, etag: etag! })))
  }
  return finish(runtime, exported, progress)
}

/** Finishes the archive. If something in it has been deleted since, it is made again. */
function finish(runtime: JobRuntime, exported: RealmExport, progress: AssemblingProgress): ExportProgress {
  if (hasGone(runtime.sql, exported.id)) return progress
  return advance(runtime, exported, progress, { stage: 'tidy', length: progress.length, uploadId: null })
}

/** Removes deleted messages from the first chunk that has some. The parts with its bytes are made again. */
async function takeOutGone(
  runtime: JobRuntime,
  exported: RealmExport,
  progress: AssemblingProgress,
): Promise<ExportProgress> {
  const { uploads, sql, storage } = runtime
  const [first] = goneMessages(sql, exported.id)
  const chunk = findChunkWithMessages(sql, exported.id, first!)
  if (!chunk || chunk.firstMessageId! > first!) {
    deleteGone(sql, exported.id, 0, chunk ? chunk.firstMessageId! - 1 : undefined)
    return progress
  }
  const gone = goneMessages(sql, exported.id, first, chunk.lastMessageId!)
  const bytes = await readObject(runtime, chunk, 0, chunk.size)
  await uploads.put(chunk.key, takeOutMessages(bytes, new Set(gone)))
  const afresh = await discardComplete(runtime, exported, progress)
  return storage.transactionSync(() => {
    deleteGone(sql, exported.id, 0, gone.at(-1))
    return advance(
      runtime,
      exported,
      progress,
      afresh ?? { ...progress, etags: withoutParts(progress, chunk) },
    )
  })
}

function withoutParts({ etags }: AssemblingProgress, { start, length }: ExportChunk): (string | null)[] {
  return etags.map((etag, part) =>
    part * PART_BYTES < start + length && (part + 1) * PART_BYTES > start ? null : etag,
  )
}

/** Discards parts that may already be joined into one object, which cannot be changed. They are uploaded and joined again. */
async function discardComplete(
  { uploads, realm }: JobRuntime,
  exported: RealmExport,
  progress: AssemblingProgress,
): Promise<AssemblingProgress | undefined> {
  const { uploadId, etags, length } = progress
  if (uploadId === null || etags.includes(null) || etags.length * PART_BYTES < length) return undefined
  const key = archiveKey(realm.id, exported)
  await abandonUpload({ uploads, realm }, key, uploadId)
  await uploads.delete(key)
  return { ...progress, uploadId: null, etags: [] }
}

function replaced<Value>(values: readonly Value[], at: number, value: Value): Value[] {
  return [...values.slice(0, at), value, ...values.slice(at + 1)]
}

function advance(
  { sql }: JobRuntime,
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
  runtime: JobRuntime,
  exported: RealmExport,
  from: AssemblingProgress,
): Promise<ExportProgress> {
  const { uploads, realm, sql, storage } = runtime
  const key = archiveKey(realm.id, exported)
  const again = (from.uploadsFrom.again ?? 0) + 1
  if (again > MAX_COLLECTIONS) throw new Error(`Uploads of export ${exported.id} are deleted too fast`)
  if (from.uploadId !== null) await abandonUpload(runtime, key, from.uploadId)
  await uploads.delete(key)
  const uploadsFrom = { ...from.uploadsFrom, again }
  return storage.transactionSync(() => {
    forgetGoneFiles(sql, exported.id)
    deleteChunks(sql, exported.id, uploadsFrom.chunks)
    return advance(runtime, exported, from, {
      stage: 'collect',
      ...uploadsFrom,
      cursor: [],
      files: 0,
      uploadsFrom,
    })
  })
}

/** Aborts an upload. One that cannot be aborted is gone, or ends by itself in some days. */
export async function abandonUpload(
  { uploads, realm }: Pick<JobRuntime, 'uploads' | 'realm'>,
  key: string,
  uploadId: string,
): Promise<void> {
  await uploads
    .resumeMultipartUpload(key, uploadId)
    .abort()
    .catch((error: unknown) =>
      log('warn', 'An upload was left unfinished', { organization: realm.host, error }),
    )
}

/** Reads the bytes of the archive from `from` up to `to`. */
async function readArchive(
  runtime: JobRuntime,
  exported: RealmExport,
  from: number,
  to: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from)
  for (const chunk of listChunksWithin(runtime.sql, exported.id, from, to)) {
    const header = headerOf(chunk, exported)
    const contentStart = chunk.start + header.length
    copyOverlap(header, chunk.start, bytes, from)
    // After the content come zeros, which the buffer has already.
    const first = Math.max(from, contentStart)
    const end = Math.min(to, contentStart + chunk.size)
    if (first < end) {
      bytes.set(await readObject(runtime, chunk, first - contentStart, end - first), first - from)
    }
  }
  return bytes
}

function headerOf({ name, size }: ExportChunk, { startedAt }: RealmExport): Uint8Array {
  return name === null ? new Uint8Array(0) : tarHeader({ name, size, modifiedAt: Math.floor(startedAt) })
}

/** Copies the part that two ranges of the archive share. */
function copyOverlap(source: Uint8Array, sourceStart: number, target: Uint8Array, targetStart: number): void {
  const first = Math.max(sourceStart, targetStart)
  const end = Math.min(sourceStart + source.length, targetStart + target.length)
  if (first < end) {
    target.set(source.subarray(first - sourceStart, end - sourceStart), first - targetStart)
  }
}

async function readObject(
  { uploads }: JobRuntime,
  { key, name }: ExportChunk,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const stored = await uploads.get(key, { range: { offset, length } })
  if (!stored && name !== null) throw new MissingUploadError()
  if (!stored) throw new Error(`A chunk of an archive is gone: ${key}`)
  return new Uint8Array(await stored.arrayBuffer())
}

/** Files with messages in an archive (docs/export.md). */
const MESSAGE_FILES = /^export\/messages\/\d+\.jsonl$/

/**
 * Returns a chunk of an archive without these messages, of the same length: spaces in place of their lines, so that what follows does not
 * move, nor the parts that are already joined.
 */
function takeOutMessages(chunk: Uint8Array, gone: ReadonlySet<number>): Uint8Array {
  const changed = chunk.slice()
  for (const { name, start, size } of readTarEntries(chunk)) {
    if (!MESSAGE_FILES.test(name)) continue
    for (let at = start, end = at; at < start + size; at = end + 1) {
      end = chunk.indexOf(NEW_LINE, at)
      const line = new TextDecoder().decode(chunk.subarray(at, end))
      // A line of spaces has been taken out before.
      if (line.trim() === '') continue
      const { id } = fromJson(line as JsonText<{ readonly id: string }>)
      if (gone.has(Number(id))) changed.fill(SPACE, at, end)
    }
  }
  return changed
}

const SPACE = 32
const NEW_LINE = 10
