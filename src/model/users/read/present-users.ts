import { inParts } from '../../../core/in-parts.ts'
import type { ReadStore, Steps } from '../../../core/reader.ts'
import type { Sql } from '../../../core/sql.ts'
import { listUsersAbove, listUsersAmong, type Profile } from '../../../store/users/user-rows.ts'

const USERS_AT_A_TIME = 200
/** Rows that would take as long to read as it takes to present a user. */
const WORK_OF_A_USER = 4

/** Presents users by id, for a reader: everybody, or those with these ids; closed accounts and bots too, but no system bots. */
export function* presentUsers<Item>(
  { sql }: ReadStore,
  ids: Iterable<number> | undefined,
  present: (user: Profile) => Item,
): Steps<Item[]> {
  const items: Item[] = []
  for (const users of ids ? usersNamed(sql, ids) : everybody(sql)) {
    for (const user of users) items.push(present(user))
    yield WORK_OF_A_USER * users.length
  }
  return items
}

function* usersNamed(sql: Sql, ids: Iterable<number>): Generator<readonly Profile[], void> {
  const ascending = [...new Set(ids)].sort((a, b) => a - b)
  for (const part of inParts(ascending, USERS_AT_A_TIME)) yield listUsersAmong(sql, part)
}

function* everybody(sql: Sql): Generator<readonly Profile[], void> {
  let above: number | undefined = 0
  while (above !== undefined) {
    const users = listUsersAbove(sql, above, USERS_AT_A_TIME)
    yield users
    above = users.at(-1)?.id
  }
}
