import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { insertAuditEntry } from '../../store/audit-log/audit-entry-rows.ts'
import { insertChanges } from '../../store/imports/import-change-rows.ts'
import { type Facts, findThing, type KnownThing, putFacts } from '../../store/imports/imported-rows.ts'
import { changeUser, findUser, type User } from '../../store/users/user-rows.ts'
import { closeWithBots } from '../accounts/close-account.ts'
import { digestOf } from './digest.ts'
import { isNobodys } from './import-rights.ts'
import type { ImportWork } from './import-work.ts'

/** Returns what to remember of a person: the name there, the name here, and whether the account is closed there. */
export function factsOfPerson(
  { full_name, deactivated }: RecordOf<'user'>,
  nameHere: string,
): Pick<Facts, 'digest' | 'place' | 'marks'> {
  return { digest: digestOf(full_name), place: digestOf(nameHere), marks: deactivated ? 1 : 0 }
}

/**
 * Brings the account of a person up to the archive. A new name comes where nobody uses the account, and the name is the one that an import has
 * given. Who is gone there is closed here, where an import has made the account and nobody has logged in to it, and listed otherwise.
 */
export function updatePerson(
  tx: RealmTransaction,
  work: ImportWork,
  person: RecordOf<'user'>,
  nameOf: (name: string) => string,
): void {
  const { imported, sourceId, tally } = work
  const { sql } = tx
  const thing = { sourceId, type: 'user', id: person.id } as const
  const known = findThing(sql, thing)
  const user = known && findUser(sql, known.targetId)
  if (!user || known.importId === imported.id || imported.report.isOlder) return
  const before = { ...known }
  const name = newName(tx, work, person, { known, user }, nameOf)
  if (name !== undefined) {
    changeUser(sql, user.id, { fullName: name })
    insertChanges(sql, imported.id, [{ kind: 'user name', id: user.id, from: user.fullName, to: name }])
    tally.count('written', 'people with a new name')
  }
  const wasGone = known.marks === 1
  if (person.deactivated && !wasGone && user.isActive && user.botType === null)
    close(tx, work, { ...user, fullName: name ?? user.fullName }, known)
  else if (!person.deactivated && wasGone && !user.isActive)
    tally.problem('person who is back at the source, and closed here', user.fullName)
  const place = name === undefined ? known.place : digestOf(name)
  const facts = { ...before, digest: digestOf(person.full_name), place, marks: person.deactivated ? 1 : 0 }
  if (facts.digest === before.digest && facts.marks === before.marks) return
  putFacts(sql, thing, facts)
  const { digest, version, reactions, marks } = before
  const earlier = { digest, version, reactions, place: before.place, marks }
  insertChanges(sql, imported.id, [{ kind: 'facts', type: 'user', id: person.id, facts: earlier }])
}

/** Returns the new name of a person; undefined if it is the same there, was changed here, or the account is somebody's. */
function newName(
  tx: RealmTransaction,
  work: ImportWork,
  person: RecordOf<'user'>,
  { known, user }: { readonly known: KnownThing; readonly user: User },
  nameOf: (name: string) => string,
): string | undefined {
  const isNewThere = known.digest !== null && known.digest !== digestOf(person.full_name)
  if (!isNewThere || digestOf(user.fullName) !== known.place) return undefined
  if (!isNobodys(tx, work, person.id, user.id)) {
    work.tally.count('written', 'people who keep the name that they have here')
    return undefined
  }
  const name = nameOf(person.full_name)
  return name === user.fullName ? undefined : name
}

/** Closes the account of a person who is gone there, or lists it. */
function close(
  tx: RealmTransaction,
  { imported, owner, tally }: ImportWork,
  user: User,
  known: KnownThing,
): void {
  if (!known.isMade || !user.awaitsLogin || user.id === owner.user.id) {
    tally.problem('person who is gone at the source, and open here', user.fullName)
    return
  }
  closeWithBots(tx, user)
  insertChanges(tx.sql, imported.id, [{ kind: 'account closed', id: user.id }])
  insertAuditEntry(tx.sql, {
    at: tx.now,
    action: 'import_changed',
    actorId: owner.user.id,
    address: null,
    details: { import_id: imported.id, user_id: user.id },
  })
  tally.count('written', 'people closed')
}
