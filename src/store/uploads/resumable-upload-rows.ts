import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/**
 * A file that is uploaded in chunks. The tables `resumable_upload*` are owned by this file; the bytes are in
 * R2, in chunks until all are there.
 */
export interface ResumableUpload {
  /** An id that nobody can guess. */
  readonly id: string
  readonly ownerId: number
  /** The metadata that its sender has given: the header `Upload-Metadata`. */
  readonly metadata: string
  /** Bytes of the whole file. */
  readonly length: number
  /** Stored bytes, from the beginning: these are acknowledged. */
  readonly received: number
  /** Time after which an incomplete file is removed, and the upload is no longer known, in UNIX seconds. */
  readonly expiresAt: number
  /** The attachment made from it; null while it is incomplete. */
  readonly attachmentId: number | null
}

/** A stored chunk. */
export interface UploadChunk {
  /** Bytes before it. */
  readonly start: number
  /** Bytes. */
  readonly size: number
  /** Its directory (upload-file.ts, `uploadKey`). */
  readonly directory: string
}

const UPLOADS = new Rows<ResumableUpload>(
  'resumable_upload',
  'id owner_id metadata length received expires_at attachment_id',
)

export function insertResumableUpload(sql: WritableSql, upload: ResumableUpload): void {
  UPLOADS.insert(sql, upload)
}

export function findResumableUpload(sql: Sql, id: string): ResumableUpload | undefined {
  return UPLOADS.find(sql, `WHERE id = ?`, id)
}

/** Returns the bytes of all incomplete files. */
export function bytesUnderWay(sql: Sql): number {
  return sql.value(
    `SELECT COALESCE(SUM(received), 0) AS bytes FROM resumable_upload WHERE attachment_id IS NULL`,
  )!
}

/** Adds a chunk after the others. */
export function insertChunk(sql: WritableSql, id: string, { start, size, directory }: UploadChunk): void {
  sql.run(
    `INSERT INTO resumable_upload_chunk (upload_id, start, size, directory) VALUES (?, ?, ?, ?)`,
    id,
    start,
    size,
    directory,
  )
  sql.run(`UPDATE resumable_upload SET received = ? WHERE id = ?`, start + size, id)
}

/** Lists the chunks in the order of the file. */
export function listChunks(sql: Sql, id: string): UploadChunk[] {
  return sql.all<UploadChunk>(
    `SELECT start, size, directory FROM resumable_upload_chunk WHERE upload_id = ? ORDER BY start`,
    id,
  )
}

/** Deletes the chunks from there on; returns their directories. */
export function deleteChunks(sql: WritableSql, id: string, from = 0): string[] {
  return sql.runForValues<string>(
    `DELETE FROM resumable_upload_chunk WHERE upload_id = ? AND start >= ? RETURNING directory`,
    id,
    from,
  )
}

export function completeResumableUpload(sql: WritableSql, id: string, attachmentId: number): void {
  sql.run(`UPDATE resumable_upload SET received = length, attachment_id = ? WHERE id = ?`, attachmentId, id)
}

/** Deletes a resumable upload, whose chunks are deleted before. */
export function deleteResumableUpload(sql: WritableSql, id: string): void {
  sql.run(`DELETE FROM resumable_upload WHERE id = ?`, id)
}
