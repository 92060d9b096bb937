import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { ImportTally } from '../../store/imports/import-report.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import {
  findImported,
  findImportedMessages,
  forgetImported,
  type ImportedMessage,
  type ImportedType,
  insertImported,
  isMadeBy,
  type KnownMessage,
  type NewImported,
} from '../../store/imports/imported-rows.ts'
import type { Author } from '../messages/send/markdown-lookups.ts'

/** What the writers of an import share in one commit. */
export interface ImportWork {
  readonly imported: RealmImport
  readonly sourceId: number
  readonly tally: ImportTally
  /** Whether the deployment lets organizations have channels that are read without an account. */
  readonly allowsWebPublic: boolean
  readonly found: FoundInCommit
}

/** What one commit has looked up, since messages name the same people and channels again and again; and what it has yet to note. */
export interface FoundInCommit {
  readonly targets: Map<string, number | undefined>
  readonly authors: Map<number, Author>
  readonly leftOut: Map<string, boolean>
  /** Messages of the commit that are here, and those that it has made. */
  readonly messages: Map<string, KnownMessage>
  /** Messages that are noted together, by `noteMessages`. */
  readonly made: NewImported[]
}

export function nothingFound(): FoundInCommit {
  return { targets: new Map(), authors: new Map(), leftOut: new Map(), messages: new Map(), made: [] }
}

/** Looks up which of these messages are here already: the others are new. */
export function findKnown(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { sourceId, found }: ImportWork,
  ids: readonly string[],
): void {
  for (const known of findImportedMessages(sql, sourceId, ids)) found.messages.set(known.id, known)
}

/** Returns the id here of a thing of the source; undefined for one that was not imported. */
export function targetOf(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { sourceId, found }: ImportWork,
  type: ImportedType,
  id: string,
): number | undefined {
  const key = keyOf(type, id)
  if (found.targets.has(key)) return found.targets.get(key)
  const target = findImported(sql, sourceId, type, id)
  found.targets.set(key, target)
  return target
}

function keyOf(type: ImportedType, id: string): string {
  return `${type}:${id}`
}

/** Forgets what a thing has become: a further import of the source finds it anew. */
export function forgetTarget(
  { sql }: RealmTransaction,
  { sourceId, found }: ImportWork,
  type: ImportedType,
  id: string,
): void {
  forgetImported(sql, sourceId, type, id)
  found.targets.delete(keyOf(type, id))
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

/** Notes the message that was made of one of the source, once `noteMessages` is called. */
export function noteMessage(
  { imported, sourceId, found, tally }: ImportWork,
  id: string,
  targetId: number,
  message: ImportedMessage,
  as: string,
): void {
  found.made.push({ sourceId, importId: imported.id, type: 'message', id, targetId, isMade: true, message })
  found.messages.set(id, { id, targetId, digest: message.digest, version: message.version })
  found.targets.set(keyOf('message', id), targetId)
  tally.count('written', as)
}

/** Notes the messages that the commit has made since the last call, all with one statement. */
export function noteMessages({ sql }: Pick<RealmTransaction, 'sql'>, { found }: ImportWork): void {
  insertImported(sql, found.made.splice(0))
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
  { imported, sourceId, found, tally }: ImportWork,
  thing: { type: ImportedType; id: string; targetId: number; isMade: boolean },
  as: string,
): void {
  insertImported(sql, [{ ...thing, sourceId, importId: imported.id }])
  found.targets.set(keyOf(thing.type, thing.id), thing.targetId)
  tally.count('written', as)
}
