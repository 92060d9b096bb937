import type { WritableSql } from '../../core/sql.ts'
import { changeErasure, findErasure } from '../../store/erasure/erasure-rows.ts'
import type { Removed } from '../../store/erasure/personal-rows.ts'

/** Adds what was removed to the certificate. */
export function noteRemoved(sql: WritableSql, erasureId: number, removed: Removed): void {
  const found = Object.entries(removed).filter(([, count]) => count > 0)
  if (found.length === 0) return
  const sums = { ...findErasure(sql, erasureId)!.removed }
  for (const [what, count] of found) sums[what] = (sums[what] ?? 0) + count
  changeErasure(sql, erasureId, { removed: sums })
}
