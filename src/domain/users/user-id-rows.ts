import { thoseAmong } from '../../core/ascending-ids.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import { MANY_IDS } from './active-user-rows.ts'
import { CLOSED_ACCOUNTS } from './user-subjects.ts'

/** Lists the ids of all people, closed accounts included; no bots. */
export function peopleIds(sql: Sql): number[] {
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS ids FROM user WHERE bot_type IS NULL AND is_system_bot = 0`,
  )!
  return fromJson(ids)
}

/** Lists the ids of all people with open accounts, ascending; no bots. */
export function openPeopleIds(sql: Sql): number[] {
  return allIds(sql, 'is_active = 1 AND is_system_bot = 0 AND bot_type IS NULL')
}

/** Lists the ids of all bots, ascending, closed ones included; not the system bots. */
export function botIds(sql: Sql): number[] {
  return allIds(sql, 'bot_type IS NOT NULL AND is_system_bot = 0')
}

/** Lists the ids of all closed accounts, bots included. */
export function closedUserIds(sql: Sql): number[] {
  const rows = sql.about('user', CLOSED_ACCOUNTS, () =>
    sql.all<{ id: number }>(`SELECT id FROM user WHERE is_active = 0`),
  )
  return rows.map(({ id }) => id)
}

/** Returns those of the accounts, each once, who are not guests. */
export function nonGuestsAmong(sql: Sql, ids: readonly number[]): number[] {
  return idsAmong(sql, ids, 'role <> 600')
}

/** Returns those of the ids that are accounts, ascending. There may be thousands, so nothing else of them is read. */
export function userIdsAmong(sql: Sql, ids: readonly number[]): number[] {
  return idsAmong(sql, ids, 'true')
}

/** Returns those of the ids that are open accounts, ascending; not the system bots. */
export function activeUserIdsAmong(sql: Sql, ids: readonly number[]): number[] {
  return idsAmong(sql, ids, 'is_active = 1 AND is_system_bot = 0')
}

/** Number of ids that are looked up one by one, since most of them are in memory. */
const FEW = 8

/** Returns those of the ids, all of accounts, that are of open ones, the system bots too: ascending. */
export function openAccountIdsAmong(sql: Sql, ids: readonly number[]): number[] {
  return sql.about('user', CLOSED_ACCOUNTS, () =>
    ids.length <= FEW
      ? ids.filter((id) => isOpenAccount(sql, id)).sort((a, b) => a - b)
      : idsAmong(sql, ids, 'is_active = 1'),
  )
}

function isOpenAccount(sql: Sql, id: number): boolean {
  // Nobody is read in full for this: a list of all channels asks for thousands.
  return sql.kept(`open ${id}`, () => {
    const row = sql.first<{ is_active: number }>(`SELECT is_active FROM user WHERE id = ?`, id)
    return row?.is_active === 1
  })
}

function idsAmong(sql: Sql, ids: readonly number[], condition: string): number[] {
  if (ids.length >= MANY_IDS) return thoseAmong(allIds(sql, condition), ids)
  // In one row, since there may be thousands.
  const { found } = sql.first<{ found: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS found FROM user
     WHERE id IN (SELECT value FROM json_each(?)) AND ${condition}`,
    JSON.stringify(ids),
  )!
  return fromJson(found).sort((a, b) => a - b)
}

/** Lists accounts, ascending. */
function allIds(sql: Sql, condition: string): number[] {
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS ids FROM (SELECT id FROM user WHERE ${condition} ORDER BY id)`,
  )!
  return fromJson(ids)
}

/** Returns those of the ids that are open accounts whose setting, which is on for whoever has not changed it, is on: ascending. */
export function activeUsersWithSettingOn(sql: Sql, ids: readonly number[], setting: string): number[] {
  // In one row, since there may be ten thousand.
  const { found } = sql.first<{ found: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS found FROM user
     WHERE id IN (SELECT value FROM json_each(?1)) AND is_active = 1
       AND (instr(settings, ?2) = 0 OR json_extract(settings, '$.' || ?2) <> 0)`,
    JSON.stringify(ids),
    setting,
  )!
  return fromJson(found).sort((a, b) => a - b)
}
