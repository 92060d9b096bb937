import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { RowLine } from './backup-form.ts'
import type { BackupReader } from './backup-reader.ts'

/** Returns what the organization of a backup was founded with, and the host that it had. */
export async function identityInBackup(reader: BackupReader): Promise<RealmIdentity | undefined> {
  const meta = reader.manifest.tables.find(({ name }) => name === 'meta')
  for (const chunk of meta?.chunks ?? []) {
    for (const row of await reader.lines<RowLine>(chunk)) {
      if (row[meta!.columns.indexOf('key')] !== 'identity') continue
      return fromJson(row[meta!.columns.indexOf('value')] as JsonText<RealmIdentity>)
    }
  }
  return undefined
}
