import type { Sql, WritableSql } from '../../core/sql.ts'
import { type IndexedMessage, MESSAGES } from '../messages/message-rows.ts'
import { Rows } from '../select-rows.ts'
import { attachmentsLinkedFrom } from '../uploads/attachment-rows.ts'
import { findUnfinishedExport } from './export-rows.ts'

/** A chunk of an unfinished archive. This file owns the table `realm_export_chunk`. */
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

const CHUNKS = new Rows<ExportChunk>(
  'realm_export_chunk',
  'position start length key size name first_message_id last_message_id',
)

export function insertChunks(sql: WritableSql, exportId: number, chunks: readonly ExportChunk[]): void {
  if (chunks.length === 0) return
  sql.run(
    `INSERT INTO realm_export_chunk (export_id, position, start, length, key, size, name, first_message_id, last_message_id)
     SELECT ?1, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7
     FROM json_each(?2)`,
    exportId,
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
  )
}

/** Lists the chunks with bytes from `from` up to `to`, in order. */
export function listChunksWithin(sql: Sql, exportId: number, from: number, to: number): ExportChunk[] {
  return CHUNKS.list(
    sql,
    `WHERE export_id = ? AND start < ? AND start + length > ? ORDER BY position`,
    exportId,
    to,
    from,
  )
}

/** Finds the first chunk with messages of this id or later. */
export function findChunkWithMessages(sql: Sql, exportId: number, from: number): ExportChunk | undefined {
  return CHUNKS.find(
    sql,
    `WHERE export_id = ? AND last_message_id >= ?
     ORDER BY position LIMIT 1`,
    exportId,
    from,
  )
}

/** Deletes an export's chunks from this position on; all of them by default. */
export function deleteChunks(sql: WritableSql, exportId: number, from = 0): void {
  sql.run(`DELETE FROM realm_export_chunk WHERE export_id = ? AND position >= ?`, exportId, from)
}

/** Things that were deleted while archives were being made. The table `realm_export_gone` is owned by this file. */

/** Records messages about to be deleted, which an unfinished archive must not contain. Called before their links are deleted. */
export function noteGoneMessages(sql: WritableSql, messageIds: readonly number[]): void {
  if (!findUnfinishedExport(sql)) return
  insertGone(sql, messageIds, attachmentsLinkedFrom(sql, messageIds).length > 0)
}

/** Records that a file's owner deletes it; the messages that link to it stay. */
export function noteGoneFile(sql: WritableSql): void {
  if (findUnfinishedExport(sql)) insertGone(sql, [0], true)
}

/** Records deleted messages for each unfinished archive. `hasFiles`: whether any links to uploads. */
function insertGone(sql: WritableSql, messageIds: readonly number[], hasFiles: boolean): void {
  sql.run(
    `INSERT INTO realm_export_gone (export_id, message_id, has_files)
     SELECT e.id, m.value, ?2 FROM realm_export e, json_each(?1) m
     WHERE e.progress->>'stage' IN ('collect', 'assemble') AND m.value <= e.newest_message_id
     ON CONFLICT (export_id, message_id) DO UPDATE SET has_files = has_files | ?2`,
    messageIds,
    hasFiles ? 1 : 0,
  )
}

export function hasGone(sql: Sql, exportId: number): boolean {
  return sql.finds(`SELECT 1 FROM realm_export_gone WHERE export_id = ? LIMIT 1`, exportId)
}

export function hasGoneFiles(sql: Sql, exportId: number): boolean {
  return sql.finds(`SELECT 1 FROM realm_export_gone WHERE export_id = ? AND has_files = 1 LIMIT 1`, exportId)
}

/** Forgets deleted files when the uploads are collected from the beginning, without them. */
export function forgetGoneFiles(sql: WritableSql, exportId: number): void {
  sql.run(`UPDATE realm_export_gone SET has_files = 0 WHERE export_id = ? AND has_files = 1`, exportId)
}

/** Returns the deleted messages, from `first` on, ascending. */
export function goneMessages(
  sql: Sql,
  exportId: number,
  first = 0,
  last = Number.MAX_SAFE_INTEGER,
): number[] {
  return sql.values(
    `SELECT message_id FROM realm_export_gone WHERE export_id = ? AND message_id BETWEEN ? AND ?
       ORDER BY message_id LIMIT ${GONE_AT_ONCE}`,
    exportId,
    first,
    last,
  )
}

const GONE_AT_ONCE = 10_000

export function deleteGone(
  sql: WritableSql,
  exportId: number,
  first = 0,
  last = Number.MAX_SAFE_INTEGER,
): void {
  sql.run(
    `DELETE FROM realm_export_gone WHERE export_id = ? AND message_id BETWEEN ? AND ?`,
    exportId,
    first,
    last,
  )
}

/** Pages in which exports read everything, by rising ids: finished pages stay finished. */

const PAGED = { user: 'user', channel: 'channel', attachment: 'attachment' } as const

/** Returns ids above `after`, ascending. */
export function idsAfter(sql: Sql, table: keyof typeof PAGED, after: number, limit: number): number[] {
  return sql.values(`SELECT id FROM ${PAGED[table]} WHERE id > ? ORDER BY id LIMIT ?`, after, limit)
}

/** Returns messages above `after`, up to `newest`, ascending. */
export function messagesAfter(sql: Sql, after: number, newest: number, limit: number): IndexedMessage[] {
  return MESSAGES.list(sql, `WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`, after, newest, limit)
}
