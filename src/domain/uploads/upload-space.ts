import type { Sql, WritableSql } from '../../core/sql.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'
import { bytesUnderWay } from './resumable-upload-rows.ts'

/** Bytes of all uploads of the organization: kept as a number, since adding them up reads every row. */
export function uploadSpaceUsed(sql: Sql): number {
  return readMeta<number>(sql, 'upload_space_used') ?? 0
}

export function changeUploadSpaceUsed(sql: WritableSql, bytes: number): void {
  writeMeta(sql, 'upload_space_used', uploadSpaceUsed(sql) + bytes)
}

/** Bytes that count to the quota. What is under way counts like what is there, else the quota would hold nobody. */
export function uploadSpaceTaken(sql: Sql): number {
  return uploadSpaceUsed(sql) + bytesUnderWay(sql)
}
