import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * A chunk of an unfinished archive. This file owns the table `realm_export_chunk`.
 */
export interface ExportChunk {
  readonly position: number
  /** Bytes of the archive before it. */
  readonly start: number
  /** Its bytes in the archive. */
  readonly length: number
  /** Key of the object in R2, which has `size` bytes. */
  readonly key: string
  readonly size: number
  /** Name of the file whose content the object is; null when it is a part of the archive as it is. */
  readonly name: string | null
  /** First and last id of the messages in it; null without any. */
  readonly firstMessageId: number | null
  readonly lastMessageId: number | null
}

export function insertChunks(sql: WritableSql, exportId: number, chunks: readonly ExportChunk[]): void {
  if (chunks.length === 0) return
  sql.run(
    `INSERT INTO realm_export_chunk (export_id, position, start, length, key, size, name, first_message_id, last_message_id)
     SELECT ?1, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7
     FROM json_each(?2)`,
    exportId,
    JSON.stringify(
      chunks.map(({ position, start, length, key, size, name, firstMessageId, lastMessageId }) => [
        position,
        start,
        length,
        key,
        size,
        name,
        firstMessageId,
        lastMessageId,
      ]),
    ),
  )
}

/** Lists the chunks with bytes from `from` up to `to`, in order. */
export function listChunksWithin(sql: Sql, exportId: number, from: number, to: number): ExportChunk[] {
  return sql.all<ExportChunk & Record<string, string | number | null>>(
    `SELECT ${COLUMNS} FROM realm_export_chunk
     WHERE export_id = ? AND start < ? AND start + length > ? ORDER BY position`,
    exportId,
    to,
    from,
  )
}

/** Finds the first chunk with messages of this id or later. */
export function findChunkWithMessages(sql: Sql, exportId: number, from: number): ExportChunk | undefined {
  return sql.first<ExportChunk & Record<string, string | number | null>>(
    `SELECT ${COLUMNS} FROM realm_export_chunk WHERE export_id = ? AND last_message_id >= ?
     ORDER BY position LIMIT 1`,
    exportId,
    from,
  )
}

const COLUMNS = `position, start, length, key, size, name,
  first_message_id AS firstMessageId, last_message_id AS lastMessageId`

/** Deletes an export's chunks from this position on; all of them by default. */
export function deleteChunks(sql: WritableSql, exportId: number, from = 0): void {
  sql.run(`DELETE FROM realm_export_chunk WHERE export_id = ? AND position >= ?`, exportId, from)
}
