import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import type { Keyed } from '../key-pages.ts'

/** Tables that no backup has, each with the reason. test/features/backups/backups.test.ts compares the list with the schema. */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  schema_step: 'the manifest has the number of the step',
  sqlite_sequence: 'the counters are in the manifest',
  log: 'clients of a restored organization register again',
  tail_block: 'texts are copied as D1 has them, or will have them',
  refused_entry: 'likewise',
  body_database: 'where a deployment keeps texts',
  queue: 'clients of a restored organization register again',
  browser_session: 'sessions end with a restore',
  login_ticket: 'likewise',
  pending_api_key: 'a log-in of minutes',
  spent_challenge: 'likewise',
  first_answer: 'answers for requests that are repeated within two days',
  first_answer_total: 'likewise',
  login_failure: 'counts for some minutes or hours',
  code_failure: 'likewise',
  mail_request: 'likewise',
  quota_use: 'counted anew',
  push_registration: 'likewise',
  email: 'what was on its way is not sent twice',
  missed_mail: 'likewise',
  missed_wave: 'likewise',
  pending_push: 'likewise',
  push_shown: 'likewise',
  webhook_call: 'likewise',
  preview_request: 'likewise',
  seen_website: 'fetched anew',
  realm_export: 'archives are no part of a backup',
  realm_export_chunk: 'likewise',
  realm_export_gone: 'likewise',
  import_upload: 'archives of imports are no part of a backup',
  import_upload_part: 'likewise',
  realm_import_piece: 'what an import has read and not yet written',
  resumable_upload: 'uploads that have not ended',
  resumable_upload_chunk: 'likewise',
  file_removal: 'a backup has the files that its rows name',
  backup: 'the list of backups is in their store',
  backup_chunk: 'likewise',
  backup_mark: 'of the backup that is being made',
  backup_reading: 'readings of other backups',
  backup_finding: 'likewise',
  backup_difference: 'likewise',
}

/** Tables that backups have and that are no part of the digest of an organization, each with the reason. */
const NOT_DIGESTED: Readonly<Record<string, string>> = {
  meta: 'single values: how far the object, D1 and the clock are, and its own secrets',
  job: 'what is left to do',
  audit_entry: 'a restore adds to it',
  usage: 'stays as it is in a restore',
  hold: 'likewise',
  erasure: 'likewise',
  moved_and_deleted: 'goes with the backups',
}

/** A table that backups have: with its columns, and those of its key. */
export interface CopiedTable extends Keyed {
  readonly columns: readonly string[]
}

interface TableColumns {
  readonly name: string
  readonly columns: JsonText<string[]>
  readonly keys: JsonText<string[]>
}

const TABLES = `SELECT m.name, json_group_array(c.name ORDER BY c.cid) AS columns,
    json_group_array(c.name ORDER BY c.pk) FILTER (WHERE c.pk > 0) AS keys
  FROM sqlite_master m JOIN pragma_table_info(m.name) c
  WHERE m.type = 'table' AND substr(m.name, 1, 4) <> '_cf_' GROUP BY m.name ORDER BY m.name`

/** Lists the tables that backups have, by their names. */
export function copiedTables(storage: SqlStorage): readonly CopiedTable[] {
  return copiedAmong(
    storage.exec<{ name: string; columns: JsonText<string[]>; keys: JsonText<string[]> }>(TABLES).toArray(),
  )
}

/** Lists the tables that backups have and that a restore brings back row by row. */
export function digestedTables(sql: Sql): readonly CopiedTable[] {
  return copiedAmong(sql.all<TableColumns>(TABLES)).filter(({ table }) => !Object.hasOwn(NOT_DIGESTED, table))
}

function copiedAmong(tables: readonly TableColumns[]): readonly CopiedTable[] {
  return tables
    .filter(({ name }) => !Object.hasOwn(NOT_COPIED, name))
    .map(({ name, columns, keys }) => {
      // A row without a key has its number in its line, by which it is found again.
      const key = fromJson(keys)
      return key.length > 0
        ? { table: name, columns: fromJson(columns), keys: key }
        : { table: name, columns: ['rowid', ...fromJson(columns)], keys: ['rowid'] }
    })
}

/** Returns the counters of ids that are never used again: table and number. */
export function counterRows(sql: Sql): readonly (readonly [string, number])[] {
  return sql
    .all<{ name: string; seq: number }>(`SELECT name, seq FROM sqlite_sequence ORDER BY name`)
    .filter(({ name }) => !Object.hasOwn(NOT_COPIED, name))
    .map(({ name, seq }) => [name, seq])
}
