import type { Sql } from '../../core/sql.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'

/** Bytes of all uploads of the organization: kept as a number, since adding them up reads every row. */
export function uploadSpaceUsed(sql: Sql): number {
  return readMeta<number>(sql, 'upload_space_used') ?? 0
}

export function changeUploadSpaceUsed(sql: Sql, bytes: number): void {
  writeMeta(sql, 'upload_space_used', uploadSpaceUsed(sql) + bytes)
}
