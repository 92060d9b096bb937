import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { ImportTally } from '../../store/imports/import-report.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import {
  findImported,
  type ImportedType,
  insertImported,
  isMadeBy,
} from '../../store/imports/imported-rows.ts'
import type { MadeMessages } from './made-messages.ts'

/** Returns the prefix of the keys in R2 of what an import has read. */
export function importPrefix(realmId: number, { secret }: { readonly secret: string }): string {
  return `imports/${realmId}/${secret}/`
}

/** The state that the writers of an import share in one commit. */
export interface ImportWork {
  readonly imported: RealmImport
  readonly sourceId: number
  readonly tally: ImportTally
  /** Whether the deployment lets organizations have channels that are read without an account. */
  readonly allowsWebPublic: boolean
  readonly known: KnownThings
  /** The messages of a commit that writes some. */
  readonly messages?: MadeMessages
}

/** What was looked up already of things that stay as they are while messages are written: each occurs in many messages. */
export interface KnownThings {
  readonly targets: Map<string, number>
  readonly leftOut: Map<string, boolean>
}

export function noKnownThings(): KnownThings {
  return { targets: new Map(), leftOut: new Map() }
}

/** Files may be deleted meanwhile, and messages are too many. */
const LOOKED_UP_EACH_TIME: ReadonlySet<ImportedType> = new Set(['file', 'message'])

/** Returns the id here of a thing of the source; undefined for one that was not imported. */
export function targetOf(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { sourceId, known: { targets }, messages }: ImportWork,
  type: ImportedType,
  id: string,
): number | undefined {
  const made = type === 'message' ? messages?.find(id) : undefined
  if (made) return made.targetId
  if (LOOKED_UP_EACH_TIME.has(type)) return findImported(sql, sourceId, type, id)
  const key = `${type} ${id}`
  const known = targets.get(key) ?? findImported(sql, sourceId, type, id)
  if (known !== undefined) targets.set(key, known)
  return known
}

/** Whether this import has made what a thing of the source has become. */
export function wasMade(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { imported, sourceId }: ImportWork,
  type: ImportedType,
  id: string,
): boolean {
  return isMadeBy(sql, imported.id, { sourceId, type, id })
}

/** Whether an account has what the source had for it: one that this import has made, and that of the owner whose organization moves. */
export function takesPersonal(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  id: string,
  userId: number,
): boolean {
  const { mapping, actingUserId } = work.imported
  return wasMade(tx, work, 'user', id) || (mapping.settings && userId === actingUserId)
}

/** Notes what was made of a thing of the source: to undo the import deletes it. `as`: the name under which it is counted. */
export function noteTarget(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  type: ImportedType,
  id: string,
  targetId: number,
  as: string = type,
): void {
  note(tx, work, { type, id, targetId, isMade: true }, as)
}

/** Notes what was here already for a thing of the source: it stays when the import is undone. */
export function noteFound(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  type: ImportedType,
  id: string,
  targetId: number,
  as: string,
): void {
  note(tx, work, { type, id, targetId, isMade: false }, as)
}

function note(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { imported, sourceId, tally }: ImportWork,
  thing: { type: ImportedType; id: string; targetId: number; isMade: boolean },
  as: string,
): void {
  insertImported(sql, { ...thing, sourceId, importId: imported.id })
  tally.count('written', as)
}
