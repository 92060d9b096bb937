import type { JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** The answer to a request with a key. The tables `first_answer` and `first_answer_total` are owned by this file. */
export interface FirstAnswer {
  /** Digest of the request. */
  readonly request: string
  /** Digest of the uploaded files, if it was known only at the end of the upload. */
  readonly files: string | null
  /** The answer as JSON. */
  readonly answer: JsonText<object>
}

export interface NewFirstAnswer extends FirstAnswer {
  /** Digest of user and key. */
  readonly key: string
  readonly userId: number
  /** UNIX seconds. */
  readonly at: number
  readonly day: number
}

/** Number of stored answers, and their length together. */
export interface KeptAmount {
  readonly answers: number
  readonly bytes: number
}

const NONE: KeptAmount = { answers: 0, bytes: 0 }

/** Finds the answer under this key after `since` (UNIX seconds). */
export function findFirstAnswer(sql: Sql, key: string, since: number): FirstAnswer | undefined {
  return sql.first<FirstAnswer & object>(
    `SELECT request, files, answer FROM first_answer WHERE key = ? AND at > ? ORDER BY at DESC LIMIT 1`,
    key,
    since,
  )
}

export function keptForUser(sql: Sql, day: number, userId: number): KeptAmount {
  const newest = sql.first<{ nth: number; bytes: number }>(
    `SELECT nth, bytes FROM first_answer WHERE day = ? AND user_id = ? ORDER BY nth DESC LIMIT 1`,
    day,
    userId,
  )
  return newest ? { answers: newest.nth, bytes: newest.bytes } : NONE
}

export function keptForAll(sql: Sql, day: number): KeptAmount {
  return (
    sql.first<KeptAmount & object>(`SELECT answers, bytes FROM first_answer_total WHERE day = ?`, day) ?? NONE
  )
}

/** Inserts an answer. `own`: the amount that is stored already for the user on the same day. */
export function insertFirstAnswer(sql: WritableSql, first: NewFirstAnswer, own: KeptAmount): void {
  const { day, userId, key, request, files, answer, at } = first
  sql.run(
    `INSERT INTO first_answer (day, user_id, nth, bytes, key, request, files, answer, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[day, userId, own.answers + 1, own.bytes + answer.length, key, request, files, answer, at],
  )
  sql.run(
    `INSERT INTO first_answer_total (day, answers, bytes) VALUES (?1, 1, ?2)
     ON CONFLICT (day) DO UPDATE SET answers = answers + 1, bytes = bytes + ?2`,
    day,
    answer.length,
  )
}

/** Adds the digest of a request's files to its answer, which was stored before they had been read. */
export function addFilesToFirstAnswer(
  sql: WritableSql,
  { key, request, files }: Pick<NewFirstAnswer, 'key' | 'request'> & { readonly files: string },
): void {
  sql.run(
    `UPDATE first_answer SET files = ? WHERE key = ? AND request = ? AND files IS NULL`,
    files,
    key,
    request,
  )
}

/** Deletes at most `limit` answers of days before `day`. True when none is left. */
export function deleteFirstAnswersBefore(sql: WritableSql, day: number, limit: number): boolean {
  const deleted = sql.runForAll(
    `DELETE FROM first_answer WHERE (day, user_id, nth) IN
       (SELECT day, user_id, nth FROM first_answer WHERE day < ? LIMIT ?) RETURNING nth`,
    day,
    limit,
  )
  if (deleted.length === limit) return false
  sql.run(`DELETE FROM first_answer_total WHERE day < ?`, day)
  return true
}

export function oldestDayOfAnswers(sql: Sql): number | undefined {
  return sql.value(`SELECT day FROM first_answer_total ORDER BY day LIMIT 1`)
}
