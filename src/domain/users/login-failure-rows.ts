import type { Sql } from '../../core/sql.ts'

/** Old rows that one more attempt clears away, whoever they are of. */
const SWEPT = 20

/** Times (UNIX seconds, ascending) of the attempts since then that have not been known to succeed. */
export function attemptsSince(sql: Sql, username: string, since: number): number[] {
  return sql
    .all<{ at: number }>(
      `SELECT at FROM login_failure WHERE username = ? AND at > ? ORDER BY at`,
      username,
      Math.floor(since),
    )
    .map(({ at }) => at)
}

export function insertAttempt(sql: Sql, username: string, at: number): void {
  sql.run(`INSERT INTO login_failure (username, at) VALUES (?, ?)`, username, Math.floor(at))
}

/** The account has been entered: what went wrong before is forgotten. */
export function forgetAttempts(sql: Sql, username: string): void {
  sql.run(`DELETE FROM login_failure WHERE username = ?`, username)
}

/** Rows are in the order of time: the oldest are looked at, so that made-up names do not pile up. */
export function sweepAttempts(sql: Sql, before: number): void {
  sql.run(
    `DELETE FROM login_failure WHERE at <= ?2
     AND rowid IN (SELECT rowid FROM login_failure ORDER BY rowid LIMIT ?1)`,
    SWEPT,
    Math.floor(before),
  )
}
