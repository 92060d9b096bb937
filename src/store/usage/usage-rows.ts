import { fromJson, type JsonText } from '../../core/json.ts'
import { addCounts, type Counts } from '../../core/metrics.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** The period of all that was ever counted. */
export const ALL_TIME = 'all'

/** Days that are kept: this month and the twelve before. */
const DAYS_KEPT = 400

/** Returns the usage of a day, or of all time. The table `usage` is owned by this file. */
export function usageOf(sql: Sql, period: string): Counts {
  const counts = sql.value<JsonText<Counts>>(`SELECT counts FROM usage WHERE period = ?`, period)
  return counts === undefined ? {} : fromJson(counts)
}

/** Adds to a day, and to all time. The first of a day ends the oldest. */
export function addUsage(sql: WritableSql, day: string, counts: Readonly<Counts>): void {
  const isNewDay = sql.value(`SELECT 1 FROM usage WHERE period = ?`, day) === undefined
  for (const period of [day, ALL_TIME]) {
    const all = usageOf(sql, period)
    addCounts(all, counts)
    sql.run(
      `INSERT INTO usage (period, counts) VALUES (?1, ?2) ON CONFLICT (period) DO UPDATE SET counts = ?2`,
      period,
      JSON.stringify(all),
    )
  }
  if (!isNewDay) return
  sql.run(
    `DELETE FROM usage WHERE period = (SELECT MIN(period) FROM usage) AND (SELECT COUNT(*) FROM usage) > ?`,
    DAYS_KEPT + 1,
  )
}
