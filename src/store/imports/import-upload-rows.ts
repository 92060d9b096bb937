import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const UPLOADS = new Rows<ImportUpload>(
  'import_upload',
  'id owner_id name metadata length part_size received multipart_id is_complete:flag expires_at',
)

/**
 * An archive for imports, which comes in parts of one size. The tables `import_upload*` are owned by this file; the bytes are in R2, as a
 * multipart upload until an import needs them together.
 */
export interface ImportUpload {
  /** An id that nobody can guess; also that of the file in R2. */
  readonly id: string
  /** The owner who has begun it. Any owner may continue it. */
  readonly ownerId: number
  /** Its name on the owner's device. */
  readonly name: string
  /** The header `Upload-Metadata` with which it began. */
  readonly metadata: string
  /** Bytes of the whole archive. */
  readonly length: number
  /** Bytes of each part but the last. */
  readonly partSize: number
  /** Stored bytes, from the beginning: these are acknowledged. */
  readonly received: number
  /** The id of the upload at R2; null before the first part. */
  readonly multipartId: string | null
  /** Whether R2 has put the parts together. */
  readonly isComplete: boolean
  /** Time after which it is deleted, in UNIX seconds. */
  readonly expiresAt: number
}

type NewImportUpload = Omit<ImportUpload, 'received' | 'multipartId' | 'isComplete'>

/** A stored part: its number at R2, which rises from part to part, and its tag there. */
export interface ImportUploadPart {
  readonly number: number
  readonly etag: string
}

export function insertImportUpload(sql: WritableSql, made: NewImportUpload): void {
  UPLOADS.insert(sql, made)
}

export function findImportUpload(sql: Sql, id: string): ImportUpload | undefined {
  return UPLOADS.find(sql, `WHERE id = ?`, id)
}

/** Finds the archive that is there, or on its way: there is one at most. */
export function findPresentImportUpload(sql: Sql, now: number): ImportUpload | undefined {
  return UPLOADS.find(sql, `WHERE expires_at > ? ORDER BY id LIMIT 1`, now)
}

/** Takes the number of the next part at R2. */
export function takePartNumber(sql: WritableSql, id: string): number {
  return sql.runForValue(
    `UPDATE import_upload SET next_part = next_part + 1 WHERE id = ? RETURNING next_part - 1 AS number`,
    id,
  )!
}

/** Enters a stored part after the others. */
export function insertPart(
  sql: WritableSql,
  { id }: Pick<ImportUpload, 'id'>,
  { number, etag }: ImportUploadPart,
  { received, multipartId }: Pick<ImportUpload, 'received'> & { readonly multipartId: string },
): void {
  sql.run(`INSERT INTO import_upload_part (upload_id, number, etag) VALUES (?, ?, ?)`, id, number, etag)
  sql.run(
    `UPDATE import_upload SET received = ?2, multipart_id = ?3 WHERE id = ?1`,
    id,
    received,
    multipartId,
  )
}

/** Lists the parts in the order of the archive. */
export function listParts(sql: Sql, id: string): ImportUploadPart[] {
  return sql.all<ImportUploadPart & object>(
    `SELECT number, etag FROM import_upload_part WHERE upload_id = ? ORDER BY number`,
    id,
  )
}

export function markComplete(sql: WritableSql, id: string): void {
  sql.run(`UPDATE import_upload SET is_complete = 1 WHERE id = ?`, id)
}

export function changeExpiry(sql: WritableSql, id: string, expiresAt: number): void {
  sql.run(`UPDATE import_upload SET expires_at = ? WHERE id = ?`, expiresAt, id)
}

export function deleteImportUpload(sql: WritableSql, id: string): void {
  sql.run(`DELETE FROM import_upload_part WHERE upload_id = ?`, id)
  sql.run(`DELETE FROM import_upload WHERE id = ?`, id)
}
