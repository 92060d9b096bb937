import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { hasFinishedBackup } from '../../store/backups/backup-rows.ts'
import { unlistErasures } from '../../store/erasure/erasure-rows.ts'
import { readMetaJson, writeMeta } from '../../store/meta-rows.ts'

/** With which key the files in the stores are sealed. */
interface FilesKey {
  /** The mark of the key (core/sealed-backup.ts). */
  readonly mark: string
  /** Whether all of them are; if not, a backup is still sealing those of before anew. */
  readonly isWhole: boolean
}

/**
 * Notes the key with which a backup seals files, before the first one. Names of files do not follow from the key, unlike those of chunks:
 * after `SECRETS_KEY` was replaced each file is stored again, and so are the lists of erased people.
 */
export function beginFiles(tx: RealmTransaction, mark: string): void {
  const before = readMetaJson<FilesKey>(tx.sql, 'backup_key')
  if (before?.mark === mark) return
  // Before there was such a note, nobody knew.
  const isWhole = before === undefined && !hasFinishedBackup(tx.sql)
  note(tx.sql, { mark, isWhole })
  if (isWhole) return
  unlistErasures(tx.sql)
  tx.schedule({ kind: 'list-erasures', key: '', dueAt: tx.now })
}

/** Whether this key opens all files in the stores. */
export function isSealedAlike(sql: Sql, mark: string): boolean {
  const key = readMetaJson<FilesKey>(sql, 'backup_key')
  return key?.mark === mark && key.isWhole
}

/** Notes that all files are sealed with the key that was noted before the first one. */
export function endFiles(sql: WritableSql, mark: string): void {
  const key = readMetaJson<FilesKey>(sql, 'backup_key')
  if (key?.mark === mark && !key.isWhole) note(sql, { mark, isWhole: true })
}

function note(sql: WritableSql, key: FilesKey): void {
  writeMeta(sql, 'backup_key', JSON.stringify(key))
}
