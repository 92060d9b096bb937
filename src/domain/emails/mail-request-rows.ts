import type { Sql } from '../../core/sql.ts'

/** Requests that cause mail, by whose they are. The table `mail_request` is owned by this file. */

/** Old rows that one more request clears away, whoever they are of. */
const SWEPT = 20

/** Times (UNIX seconds, ascending) of the requests since then. */
export function mailRequestsSince(sql: Sql, bucket: string, since: number): number[] {
  return sql
    .all<{ at: number }>(
      `SELECT at FROM mail_request WHERE bucket = ? AND at > ? ORDER BY at`,
      bucket,
      Math.floor(since),
    )
    .map(({ at }) => at)
}

export function insertMailRequest(sql: Sql, bucket: string, at: number): void {
  sql.run(`INSERT INTO mail_request (bucket, at) VALUES (?, ?)`, bucket, Math.floor(at))
}

/** Rows are in the order of time: the oldest are looked at. */
export function sweepMailRequests(sql: Sql, before: number): void {
  sql.run(
    `DELETE FROM mail_request WHERE at <= ?2
     AND rowid IN (SELECT rowid FROM mail_request ORDER BY rowid LIMIT ?1)`,
    SWEPT,
    Math.floor(before),
  )
}
