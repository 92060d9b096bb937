import type { Walks } from '../../../core/command.ts'
import type { Sql } from '../../../core/sql.ts'
import { listUsersAbove, type User } from '../user-rows.ts'

/** Users whom one turn looks at: some 10 µs each. */
const USERS_OF_ONE_TURN = 1_000

/** Goes through everybody by id, closed accounts and bots too, in several turns if they are many: for `load`. */
export async function usersInTurns<Item>(
  walks: Walks,
  sql: Sql,
  present: (users: readonly User[]) => readonly Item[],
): Promise<Item[]> {
  const items: Item[] = []
  for (let above = 0; ; await walks.turn()) {
    const users = listUsersAbove(sql, above, USERS_OF_ONE_TURN)
    items.push(...present(users))
    if (users.length < USERS_OF_ONE_TURN) return items
    above = users.at(-1)!.id
  }
}
