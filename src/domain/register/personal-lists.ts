import type { RealmReads } from '../../core/realm-transaction.ts'
import type { User } from '../users/user-rows.ts'
import {
  changesOfList,
  type ListsInUse,
  LONG_LISTS,
  type LongList,
  listsInUse,
  type PersonalList,
  type RowsOf,
} from './personal-list-rows.ts'
import type { SnapshotOptions } from './snapshot.ts'

/** The lists in use of one snapshot, which asks for several of them. */
const found = new WeakMap<SnapshotOptions, ListsInUse>()

/** Whether the list may have something. For a snapshot of all types, it is known of all lists together. */
export function hasAny(
  list: PersonalList,
  { sql }: Pick<RealmReads, 'sql'>,
  { id }: Pick<User, 'id'>,
  options: SnapshotOptions,
): boolean {
  if (options.types !== null) return true
  if (options.lists) {
    const { changes, inUse } = options.lists
    return changes[list] !== changesOfList(sql, list) || inUse?.[list] !== 0
  }
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

/** Returns the rows of a list that may be long: those that were read before, if nobody's have changed since. */
export function rowsOfLong<List extends LongList>(
  list: List,
  tx: Pick<RealmReads, 'sql'>,
  user: Pick<User, 'id'>,
  options: SnapshotOptions,
): RowsOf<List> {
  const { lists } = options
  const ahead = lists?.rows[list] as RowsOf<List> | undefined
  if (ahead && lists!.changes[list] === changesOfList(tx.sql, list)) return ahead
  const parts = hasAny(list, tx, user, options) ? [...LONG_LISTS[list](tx.sql, user.id)] : []
  return parts.flat() as unknown[] as RowsOf<List>
}
