import type { Sql, WritableSql } from '../../core/sql.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'
import { bytesUnderWay } from './resumable-upload-rows.ts'

/** The bytes of all uploads of the organization: kept as a number, since adding them up reads every row. */
export function uploadSpaceUsed(sql: Sql): number {
  return readMeta<number>(sql, 'upload_space_used') ?? 0
}

export function changeUploadSpaceUsed(sql: WritableSql, bytes: number): void {
  writeMeta(sql, 'upload_space_used', uploadSpaceUsed(sql) + bytes)
}

/** The bytes that count to the quota. A file that is under way counts like one that is there, else the quota would hold nobody. */
export function uploadSpaceTaken(sql: Sql): number {
  return uploadSpaceUsed(sql) + bytesUnderWay(sql)
}
