import { PAUSES } from '../../core/budgets.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { TimeLimit } from '../../core/within-time.ts'
import {
  type ExportedPicture,
  type ExportedUpload,
  type ExportPage,
  exportScope,
} from '../../model/exports/export-source.ts'
import { EXPORT_SOURCES, uploadsSource } from '../../model/exports/export-sources.ts'
import { TAR_END } from '../../model/exports/tar.ts'
import type { EditHistoryPolicy } from '../../model/messages/edit/edit-history.ts'
import { bodyOf, completeMessage, versionOf } from '../../model/messages/in-worker/complete-message.ts'
import type { PresentedMessage } from '../../model/messages/read/present-message.ts'
import { deleteGone, forgetGoneFiles } from '../../store/exports/collecting-rows.ts'
import type { CollectingProgress, ExportProgress, RealmExport } from '../../store/exports/export-rows.ts'
import { uploadKey } from '../../store/uploads/upload-keys.ts'
import { suspendableChange } from '../jobs/change-by-job.ts'
import type { Runtime } from '../runtime.ts'
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
  runtime: Runtime,
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
  { sql }: Runtime,
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
  { next, nextName }: ExportPage,
  files: number,
): CollectingProgress | 'complete' {
  if (next !== null) return { ...progress, cursor: next, name: nextName, files: progress.files + files }
  if (progress.source === EXPORT_SOURCES.length - 1) return 'complete'
  return { ...progress, source: progress.source + 1, cursor: [], name: undefined, files: 0 }
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

/** Reads one page and adds its files; returns the progress after it. */
async function takePage(
  runtime: Runtime,
  exported: RealmExport,
  progress: CollectingProgress,
  writer: ChunkWriter,
): Promise<{ readonly page: ExportPage; readonly files: number }> {
  const source = EXPORT_SOURCES[progress.source]!
  const numbered = `${source.name}/${String(progress.files + 1).padStart(6, '0')}.json`
  const addJson = (content: object, name = numbered) => writer.add(`${FOLDER}${name}`, jsonOf(content))
  const { page, messages } = await readPage(runtime, exported, progress)
  if (page.kind === 'json') {
    if (page.content) addJson(page.content, page.name)
    return { page, files: page.content && !page.name ? 1 : 0 }
  }
  if (page.kind === 'messages') {
    if (messages.length > 0) {
      const ids = messages.map(({ id }) => id)
      writer.addMessages(`${FOLDER}${numbered}`, jsonOf({ messages }), ids)
    }
    return { page, files: messages.length > 0 ? 1 : 0 }
  }
  if (page.kind === 'pictures') {
    const pictures: object[] = []
    for (const picture of page.pictures) {
      const name = `pictures/${picture.name}`
      const bytes = await pictureIn(runtime, picture)
      if (!bytes) continue
      writer.add(`${FOLDER}${name}`, bytes)
      await writer.storeIfFull(CHUNK_BYTES)
      pictures.push({ ...picture.facts, name, content_type: picture.contentType })
    }
    if (pictures.length > 0) addJson({ pictures })
    return { page, files: pictures.length > 0 ? 1 : 0 }
  }
  const attachments: object[] = []
  for (const upload of page.uploads) {
    if (await addUpload(runtime, upload, writer)) attachments.push(presentUpload(upload))
    await writer.storeIfFull(CHUNK_BYTES)
  }
  if (attachments.length > 0) addJson({ attachments })
  return { page, files: attachments.length > 0 ? 1 : 0 }
}

/** Reads a page with the bodies of its messages. It ends where those end, and the next one continues there. */
async function readPage(
  runtime: Runtime,
  exported: RealmExport,
  { source, cursor, name }: CollectingProgress,
): Promise<{ readonly page: ExportPage; readonly messages: readonly ExportedMessage[] }> {
  for (let attempt = 1; attempt <= PAGE_ATTEMPTS; attempt += 1) {
    const page = await suspendableChange(runtime, (tx) =>
      EXPORT_SOURCES[source]!.read({ tx, exported, scope: exportScope(tx.sql, exported) }, cursor, name),
    )
    if (page.kind !== 'messages') return { page, messages: [] }
    const ids = page.messages.map(({ facts }) => facts.id)
    const bodies = await runtime.tail.readerOver(runtime).read(page.messages.map(versionOf))
    const messages = completeMessages(page.messages, bodies, page.historyPolicy)
    if (messages.length === ids.length) return { page, messages }
    if (messages.length > 0) return { page: { ...page, next: [ids[messages.length - 1]!] }, messages }
  }
  throw new Error(`Messages of export ${exported.id} change too fast, or have no bodies`)
}

/** Adds a file; false when it no longer exists: the link of its message is dead, in the archive too. */
async function addUpload(
  { uploads }: Runtime,
  { attachment }: ExportedUpload,
  writer: ChunkWriter,
): Promise<boolean> {
  const key = uploadKey(attachment.path)
  const name = `${FOLDER}uploads/${attachment.path}`
  if (attachment.size > SMALL_UPLOAD_BYTES) {
    const stored = await uploads.head(key)
    if (stored) await writer.addStored(name, key, stored.size)
    return stored !== null
  }
  const stored = await uploads.get(key)
  if (stored) writer.add(name, new Uint8Array(await stored.arrayBuffer()))
  return stored !== null
}

/** Returns a picture; undefined if it has been replaced. */
async function pictureIn({ uploads }: Runtime, { keys }: ExportedPicture): Promise<Uint8Array | undefined> {
  for (const key of keys) {
    const stored = await uploads.get(key)
    if (stored) return new Uint8Array(await stored.arrayBuffer())
  }
  return undefined
}

function presentUpload({ attachment, messages }: ExportedUpload): object {
  return {
    id: attachment.id,
    user_id: attachment.ownerId,
    name: attachment.name,
    path_id: attachment.path,
    content_type: attachment.contentType,
    size: attachment.size,
    create_time: attachment.createdAt,
    messages,
  }
}

function jsonOf(content: object): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(content, null, 1)}\n`)
}

interface ExportedMessage {
  readonly id: number
  readonly [field: string]: unknown
}

/**
 * Returns messages in the form of GET /messages, with the source as `content`, along with its HTML, and without `flags`, which belong to a
 * reader. Stops at the first message without a body of its version: it has been edited or deleted, or the bodies are too large to be held
 * together.
 */
function completeMessages(
  messages: readonly PresentedMessage[],
  bodies: ReadonlyMap<number, MessageBody>,
  historyPolicy: EditHistoryPolicy,
): ExportedMessage[] {
  const complete: ExportedMessage[] = []
  for (const message of messages) {
    const body = bodyOf(versionOf(message), bodies)
    if (!body) break
    const options = { applyMarkdown: false, allowEmptyTopic: true, historyPolicy }
    const { flags: _, ...shown } = completeMessage(message, body, options)
    complete.push({ ...shown, rendered_content: body.renderedContent })
  }
  return complete
}
