import type { Sql, WritableSql } from '../../core/sql.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { bytesUnderWay } from '../../store/uploads/resumable-upload-rows.ts'

/** Returns the bytes of all uploads of the organization, a stored number: adding them up would read every row. */
export function uploadSpaceUsed(sql: Sql): number {
  return readMeta<number>(sql, 'upload_space_used') ?? 0
}

/** Returns the bytes that count against the quota, with those of unfinished uploads. */
export function uploadSpaceTaken(sql: Sql): number {
  return uploadSpaceUsed(sql) + bytesUnderWay(sql)
}

export function changeUploadSpaceUsed(sql: WritableSql, bytes: number): void {
  writeMeta(sql, 'upload_space_used', uploadSpaceUsed(sql) + bytes)
}
