import { UploadQuotaError } from '../../core/errors.ts'
import type {
  FileBucket,
  FileContent,
  FileFacts,
  FileList,
  FileListOptions,
  FileRange,
  FileUpload,
  UploadedPart,
} from '../../core/file-bucket.ts'
import { MIB, MIB_IN_D1 } from '../../core/files.ts'
import { WEEK } from '../../core/time.ts'

/** Bytes of a piece: D1 allows rows of 2 MB, and base64 takes a third more. */
const PIECE = 750_000

/** Bytes that all organizations may have together. */
const SPACE_OF_ALL = 150 * MIB

/** Files that a list has at most, as R2's. */
const LISTED = 1_000

interface FileRow {
  readonly id: string
  readonly key: string
  readonly size: number
  readonly stored_at: number
}

interface PieceRow {
  readonly at: number
  readonly content: string
}

/** The store of files in D1. Each of its calls is one query, or one batch, and a file exists from the last of them on. */
export function filesInD1(db: D1Database): FileBucket {
  const begin = (key: string, uploadId: string): FileUpload => ({
    uploadId,
    uploadPart: (number, content) => keepPart(db, { key, uploadId, number }, content),
    abort: async () => {
      await db.prepare(`DELETE FROM stored_file WHERE upload = ?`).bind(uploadId).run()
    },
    complete: (parts) => complete(db, key, uploadId, parts),
  })
  const bucket: FileBucket = {
    async head(key) {
      const row = await db
        .prepare(`SELECT id, key, size, stored_at FROM stored_file WHERE key = ? AND upload IS NULL`)
        .bind(key)
        .first<FileRow>()
      return row && factsOf(row)
    },
    get: (key, { range } = {}) => read(db, key, range),
    async put(key, content) {
      const upload = begin(key, newUploadId())
      try {
        const part = await upload.uploadPart(1, content)
        await upload.complete([part])
      } catch (error) {
        await upload.abort().catch(() => {})
        throw error
      }
    },
    async delete(keys) {
      await db
        .prepare(`DELETE FROM stored_file WHERE upload IS NULL AND key IN (SELECT value FROM json_each(?))`)
        .bind(JSON.stringify([keys].flat()))
        .run()
    },
    list: (options) => list(db, options),
    createMultipartUpload: async (key) => begin(key, newUploadId()),
    resumeMultipartUpload: begin,
  }
  return bucket
}

/** Begins the ids of uploads, by which they are told from those of R2. */
const UPLOAD_OF_D1 = 'd1-'

function newUploadId(): string {
  return `${UPLOAD_OF_D1}${crypto.randomUUID()}`
}

export function isUploadOfD1(uploadId: string): boolean {
  return uploadId.startsWith(UPLOAD_OF_D1)
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}

function factsOf({ key, size, stored_at }: FileRow): FileFacts {
  return { key, size, uploaded: new Date(stored_at * 1_000) }
}

/** Returns the organization of a key: keys are FOLDER/ORGANIZATION/…, and only those of no organization count as 0. */
function realmOf(key: string): number {
  return Number(key.split('/')[1]) || 0
}

interface Part {
  readonly key: string
  readonly uploadId: string
  readonly number: number
}

/** @throws UploadQuotaError when there is no room for it */
async function keepPart(
  db: D1Database,
  { key, uploadId, number }: Part,
  content: ReadableStream | Uint8Array,
): Promise<UploadedPart> {
  const id = crypto.randomUUID()
  const realmId = realmOf(key)
  await db.batch([
    db.prepare(`DELETE FROM stored_file WHERE upload = ? AND number = ?`).bind(uploadId, number),
    db
      .prepare(`INSERT INTO stored_file VALUES (?, ?, ?, 0, ?, ?, ?)`)
      .bind(id, realmId, key, nowInSeconds(), uploadId, number),
  ])
  let at = 0
  for await (const piece of piecesOf(content)) {
    // Where there is no room, the file does not grow, and no piece is written.
    const [grown] = await db.batch([
      db
        .prepare(
          `UPDATE stored_file SET size = ?1 + ?2 WHERE id = ?3 AND size = ?1
             AND (SELECT bytes FROM stored_space WHERE realm_id = ?4) + ?2 <= ?5
             AND (SELECT bytes FROM stored_space WHERE realm_id = 0) + ?2 <= ?6`,
        )
        .bind(at, piece.length, id, realmId, MIB_IN_D1.organization * MIB, SPACE_OF_ALL),
      db
        .prepare(
          `INSERT INTO stored_piece SELECT id, ?2, ?3 FROM stored_file WHERE id = ?1 AND size = ?2 + ?4`,
        )
        .bind(id, at, Buffer.from(piece.buffer, 0, piece.length).toString('base64'), piece.length),
    ])
    if (grown?.meta.changes === 0) throw new UploadQuotaError()
    at += piece.length
  }
  return { partNumber: number, etag: id }
}

async function* piecesOf(content: ReadableStream | Uint8Array): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(PIECE)
  let filled = 0
  for await (const chunk of content instanceof Uint8Array
    ? [content]
    : (content as ReadableStream<Uint8Array>)) {
    for (let from = 0; from < chunk.length; ) {
      const some = chunk.subarray(from, from + PIECE - filled)
      buffer.set(some, filled)
      from += some.length
      filled += some.length
      if (filled < PIECE) continue
      yield buffer
      filled = 0
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}

/** Makes the first part the file, with the pieces of all, in place of an earlier file. */
async function complete(
  db: D1Database,
  key: string,
  uploadId: string,
  parts: readonly UploadedPart[],
): Promise<void> {
  const ids = parts.map(({ etag }) => etag)
  const [first = '', ...others] = ids
  const { results } = await db
    .prepare(`SELECT id, size FROM stored_file WHERE upload = ?`)
    .bind(uploadId)
    .all<Pick<FileRow, 'id' | 'size'>>()
  const sizes = new Map(results.map(({ id, size }) => [id, size]))
  if (ids.some((id) => !sizes.has(id))) throw new Error('A part of the file is missing')
  let size = sizes.get(first)!
  const moves = others.map((id) => {
    const move = db
      .prepare(`UPDATE stored_piece SET file_id = ?, at = at + ? WHERE file_id = ?`)
      .bind(first, size, id)
    size += sizes.get(id)!
    return move
  })
  await db.batch([
    db.prepare(`DELETE FROM stored_file WHERE key = ? AND upload IS NULL`).bind(key),
    ...moves,
    db.prepare(`DELETE FROM stored_file WHERE upload = ? AND id <> ?`).bind(uploadId, first),
    db
      .prepare(`UPDATE stored_file SET size = ?, stored_at = ?, upload = NULL, number = NULL WHERE id = ?`)
      .bind(size, nowInSeconds(), first),
  ])
}

/** Reads piece by piece. A file that is deleted meanwhile ends with an error. */
async function read(db: D1Database, key: string, range?: FileRange): Promise<FileContent | null> {
  const offset = range?.offset ?? 0
  const row = await db
    .prepare(
      `SELECT id, key, size, stored_at, at, content FROM stored_file
       LEFT JOIN stored_piece ON file_id = id
         AND at = (SELECT max(at) FROM stored_piece WHERE file_id = id AND at <= ?2)
       WHERE key = ?1 AND upload IS NULL`,
    )
    .bind(key, offset)
    .first<FileRow & PieceRow>()
  if (!row) return null
  const end = range ? Math.min(offset + range.length, row.size) : row.size
  let at = offset
  let next: PieceRow | null = row
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (at >= end) return controller.close()
        next ??= await pieceAt(db, row.id, at)
        if (!next) throw new Error('The file was deleted while it was read')
        const bytes = new Uint8Array(Buffer.from(next.content, 'base64')).subarray(
          at - next.at,
          end - next.at,
        )
        next = null
        at += bytes.length
        controller.enqueue(bytes)
      },
    },
    { highWaterMark: 0 },
  )
  return { ...factsOf(row), body, arrayBuffer: () => new Response(body).arrayBuffer() }
}

function pieceAt(db: D1Database, fileId: string, at: number): Promise<PieceRow | null> {
  return db
    .prepare(`SELECT at, content FROM stored_piece WHERE file_id = ? AND at <= ? ORDER BY at DESC LIMIT 1`)
    .bind(fileId, at)
    .first<PieceRow>()
}

async function list(
  db: D1Database,
  { prefix, limit = LISTED, cursor, startAfter = '' }: FileListOptions,
): Promise<FileList> {
  const { results } = await db
    .prepare(
      `SELECT id, key, size, stored_at FROM stored_file
       WHERE upload IS NULL AND key >= ?1 AND key < ?1 || char(0x10FFFF) AND key > ?2 ORDER BY key LIMIT ?3`,
    )
    .bind(prefix, cursor ?? startAfter, limit + 1)
    .all<FileRow>()
  const objects = results.slice(0, limit).map(factsOf)
  return results.length > limit
    ? { objects, truncated: true, cursor: objects.at(-1)!.key }
    : { objects, truncated: false }
}

/** Deletes parts of files that were begun and never finished, as R2 does after a week. `now`: UNIX seconds. */
export async function deleteUnfinishedFiles(db: D1Database, now: number): Promise<void> {
  await db
    .prepare(`DELETE FROM stored_file WHERE upload IS NOT NULL AND stored_at < ?`)
    .bind(now - WEEK)
    .run()
}

export interface MovedFiles {
  /** Calls that it made of D1 and the bucket. */
  readonly calls: number
  readonly files: number
  readonly isOver: boolean
}

/**
 * Moves files to a bucket, about as many as this number of calls suffices for. It may end anywhere: a file leaves D1 once the bucket has it, and
 * until then is read from here.
 */
export async function moveFiles(db: D1Database, bucket: R2Bucket, maxCalls: number): Promise<MovedFiles> {
  const inD1 = filesInD1(db)
  const { objects, truncated } = await inD1.list({ prefix: '', limit: Math.ceil(maxCalls / CALLS_OF_A_FILE) })
  let calls = 1
  let files = 0
  for (const { key, size } of objects) {
    if (calls >= maxCalls) return { calls, files, isOver: false }
    calls += CALLS_OF_A_FILE + Math.floor(size / PIECE)
    await moveFile(db, inD1, bucket, key)
    files += 1
  }
  return { calls, files, isOver: !truncated }
}

/** Those for a small file: to read it, to write it, and to delete it here. */
const CALLS_OF_A_FILE = 3

async function moveFile(db: D1Database, inD1: FileBucket, bucket: R2Bucket, key: string): Promise<void> {
  const file = await inD1.get(key)
  if (!file) return
  const { readable, writable } = new FixedLengthStream(file.size)
  const read = file.body.pipeTo(writable)
  read.catch(() => {})
  // The bucket may have a newer one.
  const isMoved = await bucket.put(key, readable, { onlyIf: new Headers({ 'If-None-Match': '*' }) })
  const { results } = await db
    .prepare(`DELETE FROM stored_file WHERE key = ? AND upload IS NULL RETURNING id`)
    .bind(key)
    .all()
  // It was deleted while it moved.
  if (isMoved && results.length === 0) await bucket.delete(key)
}
