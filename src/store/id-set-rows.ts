import { IdSet } from '../core/id-set.ts'
import type { Sql, WritableSql } from '../core/sql.ts'

/**
 * The sets of accounts that are stored next to the rows they are made of, so that each is one row to read: closed accounts are among the
 * subscribers of a channel, the direct members of a group, and those who have a role; system bots have a set of their own besides.
 */
export type SetName = `${'subscribers' | 'members' | 'role'} ${number}` | 'closed' | 'bots' | 'system bots'

export function storedSet(sql: Sql, name: SetName): IdSet {
  return sql.kept(`set of ${name}`, () => {
    const row = sql.about('id_set', name, () =>
      sql.first<{ ids: ArrayBuffer }>(`SELECT ids FROM id_set WHERE name = ?`, name),
    )
    return row ? IdSet.fromBytes(row.ids) : IdSet.none
  })
}

export function addToSet(sql: WritableSql, name: SetName, ids: Iterable<number>): void {
  changeSet(sql, name, (set) => set.or(IdSet.of(ids)))
}

export function removeFromSet(sql: WritableSql, name: SetName, ids: Iterable<number>): void {
  changeSet(sql, name, (set) => set.andNot(IdSet.of(ids)))
}

function changeSet(sql: WritableSql, name: SetName, change: (set: IdSet) => IdSet): void {
  const before = storedSet(sql, name)
  const after = change(before)
  if (after.size !== before.size) storeSet(sql, name, after)
}

function storeSet(sql: WritableSql, name: SetName, set: IdSet): void {
  sql.changing('id_set', [name], () =>
    sql.run(`INSERT OR REPLACE INTO id_set (name, ids) VALUES (?, ?)`, name, set.toBytes()),
  )
}

/** The statement that finds a set's ids in the rows, by the first word of a set's name; `?`: the number in it. */
const ROWS_OF_SET: Readonly<Record<string, string>> = {
  subscribers: `SELECT user_id AS id FROM subscription WHERE channel_id = ? AND is_active = 1`,
  members: `SELECT user_id AS id FROM user_group_member WHERE group_id = ?`,
  role: `SELECT id FROM user WHERE role = ?`,
  closed: `SELECT id FROM user WHERE is_active = 0`,
  bots: `SELECT id FROM user WHERE bot_type IS NOT NULL AND is_system_bot = 0`,
  system: `SELECT id FROM user WHERE is_system_bot = 1`,
}

/** Compares a set with its rows, and returns whether it was right. If not, `repair` stores the right one. */
export function checkSet(sql: WritableSql, name: SetName, repair: boolean): boolean {
  const [kind, number] = name.split(' ')
  const ids = sql.list(
    `SELECT json_group_array(id) AS ids FROM (${ROWS_OF_SET[kind!]!})`,
    ...(Number.isNaN(Number(number)) ? [] : [Number(number)]),
  )
  const [stored, real] = [storedSet(sql, name), IdSet.of(ids)]
  const isRight = stored.size === real.size && stored.andNot(real).size === 0
  if (!isRight && repair) storeSet(sql, name, real)
  return isRight
}

/** Lists the sets that the organization has, or stores, by name: `limit` of them after so many. */
export function namesOfSets(sql: Sql, after: number, limit: number): SetName[] {
  return sql.values<SetName>(
    `SELECT name FROM (
         SELECT 'subscribers ' || id AS name FROM channel
         UNION SELECT 'members ' || id FROM user_group
         UNION SELECT 'role ' || role FROM user
         UNION SELECT name FROM id_set
         UNION VALUES ('closed'), ('bots'), ('system bots'))
       ORDER BY name LIMIT ? OFFSET ?`,
    limit,
    after,
  )
}
