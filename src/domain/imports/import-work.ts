import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { ImportTally } from './import-report.ts'
import type { RealmImport } from './import-rows.ts'
import { findImported, type ImportedType, insertImported } from './imported-rows.ts'

/** What the writers of an import share in one commit. */
export interface ImportWork {
  readonly imported: RealmImport
  readonly sourceId: number
  readonly tally: ImportTally
}

/** Returns the id here of a thing of the source; undefined for one that was not imported. */
export function targetOf(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { sourceId }: ImportWork,
  type: ImportedType,
  id: string,
): number | undefined {
  return findImported(sql, sourceId, type, id)
}

/** Notes what a thing of the source has become. `as`: the name under which it is counted. */
export function noteTarget(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { sourceId, tally }: ImportWork,
  type: ImportedType,
  id: string,
  targetId: number,
  as: string = type,
): void {
  insertImported(sql, sourceId, type, id, targetId)
  tally.count('written', as)
}
