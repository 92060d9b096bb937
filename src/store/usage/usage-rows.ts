import { fromJson, type JsonText } from '../../core/json.ts'
import { addCounts, type Counts, isGauge } from '../../core/metrics.ts'
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

/** Returns the usage of the days from one to another, in UTC, the first first. */
export function usageOfDays(
  sql: Sql,
  first: string,
  last: string,
): { readonly period: string; readonly counts: Counts }[] {
  const query = `SELECT period, counts FROM usage WHERE period BETWEEN ? AND ? ORDER BY period`
  return sql
    .all<{ period: string; counts: JsonText<Counts> }>(query, first, last)
    .map(({ period, counts }) => ({ period, counts: fromJson(counts) }))
}

/** Adds to the usage of a day. The first of a day ends the oldest. */
export function addUsageOfDay(sql: WritableSql, day: string, counts: Readonly<Counts>): void {
  const isNewDay = sql.value(`SELECT 1 FROM usage WHERE period = ?`, day) === undefined
  const all = usageOf(sql, day)
  addCounts(all, counts)
  writeUsage(sql, day, all)
  if (!isNewDay) return
  sql.run(
    `DELETE FROM usage WHERE period = (SELECT MIN(period) FROM usage) AND (SELECT COUNT(*) FROM usage) > ?`,
    DAYS_KEPT + 1,
  )
}

/** Adds to the usage of all time, which also has the last state, and returns both. */
export function addUsageOfAllTime(
  sql: WritableSql,
  counts: Readonly<Counts>,
  state: Readonly<Counts>,
): Counts {
  const all = usageOf(sql, ALL_TIME)
  addCounts(all, counts)
  const noted = { ...withoutGauges(all), ...state }
  writeUsage(sql, ALL_TIME, noted)
  return noted
}

/** A gauge that is not noted again, such as the dead letters of a kind, has no value any more. */
function withoutGauges(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([name]) => !isGauge(name)))
}

function writeUsage(sql: WritableSql, period: string, counts: Counts): void {
  sql.run(
    `INSERT INTO usage (period, counts) VALUES (?1, ?2) ON CONFLICT (period) DO UPDATE SET counts = ?2`,
    period,
    JSON.stringify(counts),
  )
}
