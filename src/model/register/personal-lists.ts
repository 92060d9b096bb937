import { defineReader, type Reader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { listDrafts } from '../../store/drafts/draft-rows.ts'
import { messagesWithFlag } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../../store/messages/flags/message-bits.ts'
import { listMutedUsers } from '../../store/muted-users/muted-user-rows.ts'
import {
  type ListsInUse,
  listSavedSnippets,
  listsInUse,
  type PersonalList,
} from '../../store/personal/personal-rows.ts'
import { listRemindersOf } from '../../store/reminders/reminder-rows.ts'
import { listScheduledMessagesOf } from '../../store/scheduled-messages/scheduled-message-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
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
  read: () => readonly Row[],
): readonly Row[] {
  return hasAny(list, tx, user, options) ? read() : []
}

/** Limit of drafts, the newest ones (docs/interface/conventions.md#limits). */
const MAX_DRAFTS = 1_000
/** Rows that would take as long to read as one with a text of thousands of characters. */
const WORK_OF_A_TEXT = 10

/** The lists of a user that may be long, as the snapshot has them. Together they may have ten megabytes. */
const LONG_LISTS = {
  drafts: listOfTexts('drafts', (sql, userId) => listDrafts(sql, userId, MAX_DRAFTS)),
  /** Ids of starred messages, ascending. */
  flags: longList('starred messages', 0, (sql, userId) => messagesWithFlag(sql, userId, FLAG_BIT.starred)),
  mutedUsers: longList('muted users', 0, (sql, userId) => [listMutedUsers(sql, userId)]),
  reminders: listOfTexts('reminders', listRemindersOf),
  savedSnippets: listOfTexts('saved snippets', listSavedSnippets),
  scheduledMessages: listOfTexts('scheduled messages', listScheduledMessagesOf),
}

type LongList = keyof typeof LONG_LISTS
type RowsOf<List extends LongList> =
  (typeof LONG_LISTS)[List] extends Reader<number, infer Rows> ? Rows : never

function listOfTexts<Row>(name: string, read: (sql: Sql, userId: number) => readonly Row[]) {
  return longList(name, WORK_OF_A_TEXT, (sql, userId) => [read(sql, userId)])
}

function longList<Row>(
  name: string,
  workOfARow: number,
  read: (sql: Sql, userId: number) => Iterable<readonly Row[]>,
) {
  return defineReader({
    name,
    key: (userId: number) => `${userId}`,
    *read({ sql }, userId): Generator<number, readonly Row[]> {
      const parts: (readonly Row[])[] = []
      for (const part of read(sql, userId)) {
        parts.push(part)
        yield workOfARow * part.length
      }
      return parts.flat()
    },
  })
}

/** Returns the rows of a list that may be long. */
export function rowsOfLong<List extends LongList>(
  list: List,
  tx: RealmReads,
  user: Pick<User, 'id'>,
  options: SnapshotOptions,
): RowsOf<List> {
  const reader = LONG_LISTS[list] as Reader<number, readonly unknown[]>
  return rowsIfAny(list, tx, user, options, () => tx.use(reader, user.id)) as RowsOf<List>
}
