import type { RealmReads } from '../../core/realm-transaction.ts'
import type { User } from '../users/user-rows.ts'
import { type ListsInUse, listsInUse, type PersonalList } from './personal-list-rows.ts'
import type { SnapshotOptions } from './snapshot.ts'

/** The lists in use of one snapshot, which asks for several of them. */
const found = new WeakMap<SnapshotOptions, ListsInUse>()

/** Whether the list may have something. For a snapshot of all types, it is known of all lists together. */
export function hasAny(
  list: PersonalList,
  { sql }: RealmReads,
  { id }: Pick<User, 'id'>,
  options: SnapshotOptions,
): boolean {
  if (options.types !== null) return true
  const inUse = found.get(options) ?? listsInUse(sql, id)
  found.set(options, inUse)
  return inUse[list] === 1
}

/** Returns the rows of the list, which are not read where there are none. */
export function rowsIfAny<Row>(
  list: PersonalList,
  tx: RealmReads,
  user: Pick<User, 'id'>,
  options: SnapshotOptions,
  read: () => Row[],
): Row[] {
  return hasAny(list, tx, user, options) ? read() : []
}
