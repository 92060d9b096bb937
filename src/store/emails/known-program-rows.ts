import type { WritableSql } from '../../core/sql.ts'

/** Number of known programs of one account; a new one replaces the one that was used longest ago. */
const MAX_KNOWN = 50

/**
 * Records with which program someone logged in, in words: `Firefox Linux`. True when it is new to the account.
 * The table `known_program` is owned by this file.
 */
export function noteProgram(sql: WritableSql, userId: number, program: string, now: number): boolean {
  const known = sql.first<{ at: number }>(
    `SELECT at FROM known_program WHERE user_id = ? AND program = ?`,
    userId,
    program,
  )
  if (known === undefined) {
    sql.run(
      `DELETE FROM known_program WHERE user_id = ?1 AND program IN (
         SELECT program FROM known_program WHERE user_id = ?1 ORDER BY at DESC, program LIMIT -1 OFFSET ?2)`,
      userId,
      MAX_KNOWN - 1,
    )
  }
  sql.run(
    `INSERT INTO known_program (user_id, program, at) VALUES (?1, ?2, ?3)
     ON CONFLICT (user_id, program) DO UPDATE SET at = ?3`,
    userId,
    program,
    Math.floor(now),
  )
  return known === undefined
}

/** Forgets the programs of an account. */
export function deleteKnownProgramsOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM known_program WHERE user_id = ?`, userId)
}
