import type { Sql, WritableSql } from '../../core/sql.ts'

/** Returns the hints that a user has seen. The table `onboarding_step` is owned by this file. */
export function listSeenSteps(sql: Sql, userId: number): Set<string> {
  const rows = sql.all<{ step: string }>(`SELECT step FROM onboarding_step WHERE user_id = ?`, userId)
  return new Set(rows.map(({ step }) => step))
}

export function insertSeenStep(sql: WritableSql, userId: number, step: string): void {
  sql.run(`INSERT OR IGNORE INTO onboarding_step (user_id, step) VALUES (?, ?)`, userId, step)
}
