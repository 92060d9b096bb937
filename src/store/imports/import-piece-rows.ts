import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { NeutralType } from '../../imports/neutral.ts'
import { Rows } from '../select-rows.ts'
import type { ImportProblem } from './import-report.ts'

/** The parts of an import under way. This file owns the tables `realm_import_piece`, `realm_import_note` and `realm_import_problem`. */

/** Units, messages, or other records of one type. */
export type PieceKind = 'units' | 'messages' | ThingType

/** The types of records that are written before the messages, or after them. */
export type ThingType = Exclude<NeutralType, 'parley-import' | 'message' | 'problem'>

/** An object in R2 with a part of what was read. */
export interface ImportPiece {
  readonly position: number
  readonly kind: PieceKind
  readonly key: string
  readonly size: number
  readonly records: number
  /** Time of its first message in milliseconds; null for the others. */
  readonly firstTime: number | null
}

const PIECES = new Rows<ImportPiece>('realm_import_piece', 'position kind key size records first_time')

export function insertPieces(sql: WritableSql, importId: number, pieces: readonly ImportPiece[]): void {
  for (const piece of pieces) PIECES.insert(sql, piece, { import_id: importId })
}

/** Lists the pieces of one kind, in order. */
export function listPieces(sql: Sql, importId: number, kind: PieceKind): ImportPiece[] {
  return PIECES.list(sql, `WHERE import_id = ? AND kind = ? ORDER BY position`, importId, kind)
}

/** Deletes some of an import's pieces and notes; false when nothing was left. */
export function deleteSomePieces(sql: WritableSql, importId: number, limit: number): boolean {
  const some = [
    `DELETE FROM realm_import_piece WHERE import_id = ?1 AND position IN
       (SELECT position FROM realm_import_piece WHERE import_id = ?1 LIMIT ?2)`,
    `DELETE FROM realm_import_note WHERE import_id = ?1 AND (key, unit) IN
       (SELECT key, unit FROM realm_import_note WHERE import_id = ?1 LIMIT ?2)`,
  ]
  return some.some((statement) => sql.run(statement, importId, limit) > 0)
}

/** Returns the writer's note under this key. */
export function findNote(sql: Sql, importId: number, key: string): string | undefined {
  return sql.value<string>(
    `SELECT value FROM realm_import_note WHERE import_id = ? AND key = ? AND unit = 0`,
    importId,
    key,
  )
}

export function putNotes(sql: WritableSql, importId: number, notes: ReadonlyMap<string, string>): void {
  putReaderNotes(sql, importId, { unit: 0, run: 0 }, notes)
}

/** Returns a reader's last note: from a unit before the first one of its run, or from the run. */
export function findReaderNote(
  sql: Sql,
  importId: number,
  key: string,
  { before, run }: { readonly before: number; readonly run: number },
): string | undefined {
  return sql.value<string>(
    `SELECT value FROM realm_import_note WHERE import_id = ? AND key = ? AND (unit < ? OR run = ?)
     ORDER BY unit DESC LIMIT 1`,
    importId,
    key,
    before,
    run,
  )
}

export function putReaderNotes(
  sql: WritableSql,
  importId: number,
  { unit, run }: { readonly unit: number; readonly run: number },
  notes: ReadonlyMap<string, string>,
): void {
  if (notes.size === 0) return
  sql.run(
    `INSERT INTO realm_import_note (import_id, key, unit, run, value)
     SELECT ?1, value ->> 0, ?2, ?3, value ->> 1 FROM json_each(?4) WHERE true
     ON CONFLICT (import_id, key, unit) DO UPDATE SET value = excluded.value, run = excluded.run`,
    importId,
    unit,
    run,
    [...notes],
  )
}

export function deleteNote(sql: WritableSql, importId: number, key: string): void {
  sql.run(`DELETE FROM realm_import_note WHERE import_id = ? AND key = ?`, importId, key)
}

/** Adds problems to the list. `first`: the position of the first of them. */
export function insertProblems(
  sql: WritableSql,
  importId: number,
  first: number,
  problems: readonly ImportProblem[],
): void {
  problems.forEach((problem, at) => {
    sql.run(
      `INSERT INTO realm_import_problem (import_id, position, problem) VALUES (?, ?, ?)`,
      importId,
      first + at,
      JSON.stringify(problem),
    )
  })
}

export function listProblems(sql: Sql, importId: number): ImportProblem[] {
  return sql
    .all<{ problem: JsonText<ImportProblem> }>(
      `SELECT problem FROM realm_import_problem WHERE import_id = ? ORDER BY position`,
      importId,
    )
    .map(({ problem }) => fromJson(problem))
}
