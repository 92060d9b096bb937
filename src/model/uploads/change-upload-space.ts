import type { WritableSql } from '../../core/sql.ts'
import { writeMeta } from '../../store/meta-rows.ts'
import { uploadSpaceUsed } from './upload-space.ts'

export function changeUploadSpaceUsed(sql: WritableSql, bytes: number): void {
  writeMeta(sql, 'upload_space_used', uploadSpaceUsed(sql) + bytes)
}
