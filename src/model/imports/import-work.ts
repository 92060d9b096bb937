import { ApiError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { firstPoints } from '../../core/text-length.ts'
import { isOwner } from '../../rules/roles.ts'
import type { ImportTally } from '../../store/imports/import-report.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import {
  type Added,
  type Facts,
  findImported,
  type ImportedType,
  insertImported,
  isFoundBy,
  isMadeBy,
  noteAdded,
} from '../../store/imports/imported-rows.ts'
import { findUser, findUsers, type User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { renderDescription } from '../messages/text/render-text.ts'
import type { MadeMessages } from './made-messages.ts'

/** The client by which imported messages were sent. */
export const IMPORT_CLIENT = 'Import'
/** Names that are tried if others have the first. */
const NAMES_TRIED = 100

/** Returns the prefix of an import's keys in R2. */
export function importPrefix(realmId: number, { secret }: { readonly secret: string }): string {
  return `imports/${realmId}/${secret}/`
}

/** Whether the user in whose name an import writes is still an owner. It gives out roles and rights, which others may not. */
export function isByOwner(
  { sql }: Pick<RealmReads, 'sql'>,
  { actingUserId }: Pick<RealmImport, 'actingUserId'>,
): boolean {
  const user = findUser(sql, actingUserId)
  return user?.isActive === true && isOwner(user)
}

/** The state that the writers of an import share in one commit. */
export interface ImportWork {
  readonly imported: RealmImport
  readonly sourceId: number
  readonly tally: ImportTally
  /** Whether the deployment allows channels that are read without an account. */
  readonly allowsWebPublic: boolean
  /** The owner who imports, with the rights of this commit. */
  readonly owner: Author
  /** Whether things are the import's own, by type and id, and why the owner may not write in channels: as of this commit. */
  readonly own: Map<string, boolean>
  readonly refusals: Map<number, string | undefined>
  readonly known: KnownThings
  /** The messages of a commit that writes some. */
  readonly messages?: MadeMessages
}

/** A cache of things that do not change while messages are written: each occurs in many messages. */
export interface KnownThings {
  readonly targets: Map<string, number>
  readonly leftOut: Map<string, boolean>
}

export function noKnownThings(): KnownThings {
  return { targets: new Map(), leftOut: new Map() }
}

/** Files may be deleted meanwhile, and there are too many messages. */
const LOOKED_UP_EACH_TIME: ReadonlySet<ImportedType> = new Set(['file', 'message'])

/** Returns the id here of a thing of the source; undefined if it was not imported. */
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

/** Whether this import has made the thing here, rather than found it. */
export function wasMade(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { imported, sourceId }: ImportWork,
  type: ImportedType,
  id: string,
): boolean {
  return isMadeBy(sql, imported.id, { sourceId, type, id })
}

/** Whether this import has found the thing here. */
export function wasFound(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { imported, sourceId }: ImportWork,
  type: ImportedType,
  id: string,
): boolean {
  return isFoundBy(sql, imported.id, { sourceId, type, id })
}

/** Whether an account gets its personal data of the source: one that this import has made, or that of the owner whose organization moves. */
export function takesPersonal(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  id: string,
  userId: number,
): boolean {
  const { mapping, actingUserId } = work.imported
  return wasMade(tx, work, 'user', id) || (mapping.settings && userId === actingUserId)
}

/** Notes a thing that was made for one of the source: undoing the import deletes it. `as`: the name under which it is counted; `facts`: what to know of it. */
export function noteTarget(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  type: ImportedType,
  id: string,
  targetId: number,
  as: string = type,
  facts: Partial<Facts> = {},
): void {
  note(tx, work, { type, id, targetId, isMade: true }, as, facts)
}

/** Notes a thing that was here already for one of the source: it stays when the import is undone. */
export function noteFound(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  type: ImportedType,
  id: string,
  targetId: number,
  as: string,
  facts: Partial<Facts> = {},
): void {
  note(tx, work, { type, id, targetId, isMade: false }, as, facts)
}

/** Notes what was added to an account for itself, unless the import has made it: undoing the import takes it away. */
export function notePersonal(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  { type, user }: { readonly type: ImportedType; readonly user: string },
  added: Added,
): void {
  if (wasMade(tx, work, 'user', user)) return
  noteAdded(tx.sql, { id: work.imported.id, sourceId: work.sourceId }, type, [added])
}

function note(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { imported, sourceId, tally }: ImportWork,
  thing: { type: ImportedType; id: string; targetId: number; isMade: boolean },
  as: string,
  facts: Partial<Facts>,
): void {
  insertImported(sql, { ...thing, sourceId, importId: imported.id }, facts)
  tally.count('written', as)
}

/** Makes something that may be refused. A refusal is listed under `kind`, with its reason. */
export function unlessRefused<Made>(
  { tally }: ImportWork,
  kind: string,
  name: string,
  make: () => Made,
): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    tally.problem(kind, `${name}: ${error.message}`)
    return undefined
  }
}

/** Returns a name that is not taken, with a number if necessary; undefined if there is none. */
export function freeName(
  name: string,
  longest: number,
  isTaken: (name: string) => boolean,
): string | undefined {
  if (!isTaken(name)) return name
  for (let number = 2; number <= NAMES_TRIED; number += 1) {
    const suffix = ` (${number})`
    const tried = firstPoints(name, longest - suffix.length) + suffix
    if (!isTaken(tried)) return tried
  }
  return undefined
}

export function authorFor({ sql, now }: Pick<RealmTransaction, 'sql' | 'now'>, user: User): Author {
  return { user, actor: actorOf(sql, user, now) }
}

/** Returns the HTML of a description, written by the owner who imports. */
export function descriptionHtml(tx: RealmTransaction, { owner }: ImportWork, description: string): string {
  return renderDescription(tx, owner, description, tx.origin)
}

/** Returns the people of a direct conversation, as a destination has them. */
export function participantsOf({ sql }: Pick<RealmTransaction, 'sql'>, ids: ReadonlySet<number>): User[] {
  return [...findUsers(sql, [...ids]).values()].sort((a, b) => a.id - b.id)
}
