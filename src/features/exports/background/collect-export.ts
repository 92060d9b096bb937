import { PAUSES } from '../../../core/budgets.ts'
import type { JobRuntime } from '../../../core/job-runtime.ts'
import type { MessageBody } from '../../../core/message-bodies.ts'
import type { TimeLimit } from '../../../core/within-time.ts'
import type { NeutralRecord, RecordOf } from '../../../imports/neutral.ts'
import { type ExportedPicture, type ExportPage, exportScope } from '../../../model/exports/export-source.ts'
import { EXPORT_SOURCES } from '../../../model/exports/export-sources.ts'
import { messageRecord } from '../../../model/exports/message-record.ts'
import { uploadsSource } from '../../../model/exports/read-uploads.ts'
import { TAR_END } from '../../../model/exports/tar.ts'
import { bodyOf, completeMessage, versionOf } from '../../../model/messages/in-worker/complete-message.ts'
import { deleteGone, forgetGoneFiles } from '../../../store/exports/collecting-rows.ts'
import type { CollectingProgress, ExportProgress, RealmExport } from '../../../store/exports/export-rows.ts'
import type { Attachment } from '../../../store/uploads/attachment-rows.ts'
import { uploadKey } from '../../../store/uploads/upload-keys.ts'
import { ChunkWriter } from './chunk-writer.ts'

/** Bytes of an export that are in memory at a time, approximately. */
const CHUNK_BYTES = 4 * 1024 * 1024
/** Bytes below which an upload is copied into a chunk, so that a part of the archive has few objects to read. */
const SMALL_UPLOAD_BYTES = 1024 * 1024
/** Number of times that a page of messages is read again because of edits. */
const PAGE_ATTEMPTS = 5
const FOLDER = 'export/'

/** Reads the archive's content, page by page, until the time is over, and returns the progress. */
export async function collectExport(
  runtime: JobRuntime,
  exported: RealmExport,
  from: CollectingProgress,
  time: TimeLimit,
): Promise<ExportProgress> {
  forgetGoneBefore(runtime, exported, from)
  const writer = new ChunkWriter(runtime, exported)
  let progress = from
  for (;;) {
    progress = startOfSource(progress)
    const { page, files } = await takePage(runtime, exported, progress, writer)
    // A run of pages that wait for nothing must not block the others.
    await runtime.pause(page.next === null ? 0 : PAUSES.commit)
    const next = afterPage(progress, page, files)
    if (next === 'complete') return finishCollecting(writer, from, progress)
    progress = next
    // The uploads begin with a new chunk.
    const isNewChunk = EXPORT_SOURCES[progress.source] === uploadsSource && progress.cursor.length === 0
    if (isNewChunk || writer.gatheredBytes >= CHUNK_BYTES || time.isOver) {
      return writer.commit(from, (positioned) => ({ ...progress, ...positioned }))
    }
  }
}

/** Forgets messages that were deleted before the export read anything: they are not in it. */
function forgetGoneBefore(
  { sql }: JobRuntime,
  { id }: RealmExport,
  { source, cursor }: CollectingProgress,
): void {
  if (cursor.length > 0) return
  if (source === 0) deleteGone(sql, id)
  if (EXPORT_SOURCES[source] === uploadsSource) forgetGoneFiles(sql, id)
}

/** Returns the progress at a source's start. The uploads' start is kept: a deleted upload leads back there. */
function startOfSource(progress: CollectingProgress): CollectingProgress {
  const { source, chunks, length, uploadsFrom } = progress
  if (EXPORT_SOURCES[source] !== uploadsSource || uploadsFrom) return progress
  return { ...progress, uploadsFrom: { source, chunks, length } }
}

function afterPage(
  progress: CollectingProgress,
  { next }: ExportPage,
  files: number,
): CollectingProgress | 'complete' {
  if (next !== null) return { ...progress, cursor: next, files: progress.files + files }
  if (progress.source === EXPORT_SOURCES.length - 1) return 'complete'
  return { ...progress, source: progress.source + 1, cursor: [], files: 0 }
}

function finishCollecting(
  writer: ChunkWriter,
  from: CollectingProgress,
  { uploadsFrom }: CollectingProgress,
): Promise<ExportProgress> {
  writer.addBytes(TAR_END)
  return writer.commit(from, ({ length }) => ({
    stage: 'assemble',
    length,
    uploadsFrom: uploadsFrom!,
    uploadId: null,
    etags: [],
  }))
}

/** Reads one page and adds its files; returns it, and how many of them are numbered. */
async function takePage(
  runtime: JobRuntime,
  exported: RealmExport,
  progress: CollectingProgress,
  writer: ChunkWriter,
): Promise<{ readonly page: ExportPage; readonly files: number }> {
  const source = EXPORT_SOURCES[progress.source]!
  const numbered = `${FOLDER}${source.name}/${String(progress.files + 1).padStart(6, '0')}.jsonl`
  const { page, messages } = await readPage(runtime, exported, progress)
  if (page.kind === 'messages') {
    const ids = messages.map(({ id }) => Number(id))
    if (ids.length > 0) writer.addMessages(numbered, linesOf(messages), ids)
    return { page, files: ids.length > 0 ? 1 : 0 }
  }
  const records = page.kind === 'records' ? page.records : await addFiles(runtime, page, writer)
  if (records.length === 0) return { page, files: 0 }
  const own = page.kind === 'records' ? page.name : undefined
  writer.add(own === undefined ? numbered : `${FOLDER}${own}`, linesOf(records))
  return { page, files: own === undefined ? 1 : 0 }
}

/** Adds the bytes of pictures or uploads; returns the records of those that still exist. */
async function addFiles(
  runtime: JobRuntime,
  page: Extract<ExportPage, { kind: 'pictures' | 'uploads' }>,
  writer: ChunkWriter,
): Promise<RecordOf<'file'>[]> {
  const records: RecordOf<'file'>[] = []
  if (page.kind === 'pictures') {
    for (const { record, keys } of page.pictures) {
      const bytes = await pictureIn(runtime, keys)
      if (!bytes) continue
      writer.add(`${FOLDER}${record.path}`, bytes)
      await writer.storeIfFull(CHUNK_BYTES)
      records.push(record)
    }
    return records
  }
  for (const upload of page.uploads) {
    const record = recordOfUpload(upload)
    if (await addUpload(runtime, upload, `${FOLDER}${record.path}`, writer)) records.push(record)
    await writer.storeIfFull(CHUNK_BYTES)
  }
  return records
}

/** Reads a page with the bodies of its messages. It ends where those end, and the next one continues there. */
async function readPage(
  runtime: JobRuntime,
  exported: RealmExport,
  { source, cursor }: CollectingProgress,
): Promise<{ readonly page: ExportPage; readonly messages: readonly RecordOf<'message'>[] }> {
  for (let attempt = 1; attempt <= PAGE_ATTEMPTS; attempt += 1) {
    const page = await runtime.suspendableChange((tx) =>
      EXPORT_SOURCES[source]!.read({ tx, exported, scope: exportScope(tx.sql, exported) }, cursor),
    )
    if (page.kind !== 'messages') return { page, messages: [] }
    const ids = page.messages.map(({ facts }) => facts.id)
    const bodies = await runtime.bodies().read(page.messages.map(versionOf))
    const messages = messageRecords(page, bodies)
    if (messages.length === ids.length) return { page, messages }
    if (messages.length > 0) return { page: { ...page, next: [ids[messages.length - 1]!] }, messages }
  }
  throw new Error(`Messages of export ${exported.id} change too fast, or have no bodies`)
}

/** Adds a file; false when it no longer exists: the link of its message is dead, in the archive too. */
async function addUpload(
  { uploads }: JobRuntime,
  { path, size }: Attachment,
  name: string,
  writer: ChunkWriter,
): Promise<boolean> {
  const key = uploadKey(path)
  if (size > SMALL_UPLOAD_BYTES) {
    const stored = await uploads.head(key)
    if (stored) await writer.addStored(name, key, stored.size)
    return stored !== null
  }
  const stored = await uploads.get(key)
  if (stored) writer.add(name, new Uint8Array(await stored.arrayBuffer()))
  return stored !== null
}

/** Returns a picture; undefined if it has been replaced. */
async function pictureIn(
  { uploads }: JobRuntime,
  keys: ExportedPicture['keys'],
): Promise<Uint8Array | undefined> {
  for (const key of keys) {
    const stored = await uploads.get(key)
    if (stored) return new Uint8Array(await stored.arrayBuffer())
  }
  return undefined
}

function recordOfUpload(upload: Attachment): RecordOf<'file'> {
  return {
    type: 'file',
    id: upload.path,
    name: upload.name,
    path: `uploads/${upload.path}`,
    size: upload.size,
    content_type: upload.contentType,
    owner: String(upload.ownerId),
    created_ms: upload.createdAt,
  }
}

function linesOf(records: readonly NeutralRecord[]): Uint8Array {
  return new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

/**
 * Returns the records of messages, which have the source as `content`. Stops at the first message without a body of its version: it has been
 * edited or deleted, or the bodies are too large to be held together.
 */
function messageRecords(
  { messages, historyPolicy, referable }: Extract<ExportPage, { kind: 'messages' }>,
  bodies: ReadonlyMap<number, MessageBody>,
): RecordOf<'message'>[] {
  const complete: RecordOf<'message'>[] = []
  for (const message of messages) {
    const body = bodyOf(versionOf(message), bodies)
    if (!body) break
    const options = { applyMarkdown: false, allowEmptyTopic: true, historyPolicy }
    complete.push(messageRecord(completeMessage(message, body, options), referable))
  }
  return complete
}
