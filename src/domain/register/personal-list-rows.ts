import type { FollowedTable, Sql } from '../../core/sql.ts'
import { listDrafts } from '../drafts/draft-rows.ts'
import { messagesWithFlag } from '../messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../messages/flags/message-bits.ts'
import { listMutedUsers } from '../muted-users/muted-user-rows.ts'
import { listRemindersOf } from '../reminders/reminder-rows.ts'
import { listSavedSnippets } from '../saved-snippets/saved-snippet-rows.ts'
import { listScheduledMessagesOf } from '../scheduled-messages/scheduled-message-rows.ts'

/** The rows of each list of which most people have none: its table, and which of them belong to somebody. */
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
} as const satisfies Readonly<Record<string, { readonly table: FollowedTable; readonly where: string }>>

export type PersonalList = keyof typeof ROWS

export const PERSONAL_LISTS = Object.keys(ROWS) as readonly PersonalList[]

/** 1 for each list that has something, else 0. */
export type ListsInUse = Readonly<Record<PersonalList, 0 | 1>>

const QUERY = `SELECT ${Object.entries(ROWS)
  .map(([list, { table, where }]) => `EXISTS (SELECT 1 FROM ${table} WHERE ${where}) AS ${list}`)
  .join(', ')}`

/** Returns which lists of a user have something, in one statement: reading an empty one takes as long as reading a few rows. */
export function listsInUse(sql: Sql, userId: number): ListsInUse {
  return sql.first<ListsInUse>(QUERY, userId)!
}

/** Returns the number of changes so far to anybody's list of this sort. */
export function changesOfList(sql: Sql, list: PersonalList): number {
  return sql.changesOf(ROWS[list].table)
}

/** Limit of drafts, the newest ones (docs/interface/conventions.md#limits). */
const MAX_DRAFTS = 1_000

/** The lists that may be long, as the snapshot has them, in parts of one turn each. */
export const LONG_LISTS = {
  drafts: inOnePart((sql, userId) => listDrafts(sql, userId, MAX_DRAFTS)),
  /** Ids of starred messages, ascending. */
  flags: (sql: Sql, userId: number) => messagesWithFlag(sql, userId, FLAG_BIT.starred),
  mutedUsers: inOnePart(listMutedUsers),
  reminders: inOnePart(listRemindersOf),
  savedSnippets: inOnePart(listSavedSnippets),
  scheduledMessages: inOnePart(listScheduledMessagesOf),
}

function inOnePart<Row>(read: (sql: Sql, userId: number) => Row[]) {
  return (sql: Sql, userId: number): Iterable<Row[]> => [read(sql, userId)]
}

export type LongList = keyof typeof LONG_LISTS

export type RowsOf<List extends LongList> =
  ReturnType<(typeof LONG_LISTS)[List]> extends Iterable<infer Rows> ? Rows : never

/** Lists of somebody that were read in turns before that of the snapshot, where nobody's have changed since. */
export interface ListsAhead {
  /** Changes to anybody's lists of each sort when these were read. */
  readonly changes: Readonly<Record<PersonalList, number>>
  /** Undefined where not all types are asked for: then each of the lists is read. */
  readonly inUse: ListsInUse | undefined
  readonly rows: { readonly [List in LongList]?: RowsOf<List> }
}
