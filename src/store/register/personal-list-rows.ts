import type { Sql } from '../../core/sql.ts'

/** The rows of each list of which most people have none: its table, and which of them belong to a user. */
const ROWS = {
  alertWords: { table: 'alert_word', where: 'user_id = ?1' },
  bots: { table: 'user', where: 'bot_owner_id = ?1 AND bot_type IS NOT NULL' },
  clientDevices: { table: 'client_device', where: 'user_id = ?1' },
  drafts: { table: 'draft', where: 'user_id = ?1' },
  flags: { table: 'message_flag', where: 'user_id = ?1' },
  mutedUsers: { table: 'muted_user', where: 'user_id = ?1' },
  navigationViews: { table: 'navigation_view', where: 'user_id = ?1' },
  pausedAddresses: { table: 'paused_address', where: 'user_id = ?1' },
  reminders: { table: 'reminder', where: 'user_id = ?1' },
  savedSnippets: { table: 'saved_snippet', where: 'user_id = ?1' },
  scheduledMessages: { table: 'scheduled_message', where: `user_id = ?1 AND state <> 'sent'` },
} as const satisfies Readonly<Record<string, { readonly table: string; readonly where: string }>>

export type PersonalList = keyof typeof ROWS

/** 1 for each list that has something, else 0. */
export type ListsInUse = Readonly<Record<PersonalList, 0 | 1>>

const QUERY = `SELECT ${Object.entries(ROWS)
  .map(([list, { table, where }]) => `EXISTS (SELECT 1 FROM ${table} WHERE ${where}) AS ${list}`)
  .join(', ')}`

/** Returns which lists of a user have something, in one statement: reading an empty one takes as long as reading a few rows. */
export function listsInUse(sql: Sql, userId: number): ListsInUse {
  return sql.first<ListsInUse>(QUERY, userId)!
}
