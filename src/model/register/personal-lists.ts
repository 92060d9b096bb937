import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { remember } from '../../core/remember.ts'
import type { Sql } from '../../core/sql.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { messagesWithFlag } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../../store/messages/flags/message-bits.ts'
import { type MessageRecipient, recipientsOfMessages } from '../../store/messages/message-rows.ts'
import { listMutedUsers } from '../../store/muted-users/muted-user-rows.ts'
import {
  type ListsInUse,
  listSavedSnippets,
  listsInUse,
  type PersonalList,
} from '../../store/personal/personal-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { listDrafts, listRemindersOf, listScheduledMessagesOf } from '../../store/unsent/unsent-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import type { Viewer } from '../messages/read/message-access.ts'
import type { SnapshotOptions } from './snapshot.ts'

/** The lists in use, by the options of a snapshot, which asks for several of them. */
const found = new WeakMap<SnapshotOptions, ListsInUse>()

/** Whether the list may have something: a snapshot of all types checks all lists by one statement. */
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

/** Returns the rows of the list, without reading an empty one. */
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
/** Number of rows that take as long to read as one with a text of thousands of characters. */
const WORK_OF_A_TEXT = 10

/** Functions that return a user's lists, which may be long: together they may have ten megabytes. */
export const LONG_LISTS = {
  drafts: listOfTexts('drafts', (sql, userId) => listDrafts(sql, userId, MAX_DRAFTS)),
  mutedUsers: longList('mutedUsers', 0, (sql, userId) => [listMutedUsers(sql, userId)]),
  reminders: listOfTexts('reminders', listRemindersOf),
  savedSnippets: listOfTexts('savedSnippets', listSavedSnippets),
  scheduledMessages: listOfTexts('scheduledMessages', listScheduledMessagesOf),
  /** Ids, ascending, each with the message's recipient. */
  starredMessages: longList('flags', 0, starsOf),
}

/** Number of stars that are read together, each with the message's row. */
const STARS_AT_ONCE = 1_000

/** Yields the messages that a user has starred, also those that the user can no longer read. */
function* starsOf(sql: Sql, userId: number): Generator<readonly MessageRecipient[], void> {
  for (const ids of messagesWithFlag(sql, userId, FLAG_BIT.starred, STARS_AT_ONCE)) {
    yield recipientsOfMessages(sql, ids)
  }
}

/** Returns the ids of the starred messages that their user can read: stars stay on others, and count again when the user can read them again. */
export function readableStars(
  tx: RealmReads,
  { user, actor }: Viewer,
  options: SnapshotOptions,
): readonly number[] {
  const isReadable = remember((id: number) => {
    const recipient = recipientOf(id)
    if (recipient.kind !== 'channel') return true
    const channel = findChannel(tx.sql, recipient.id)
    // A message with a star has a record, which is enough where the history is protected.
    return (
      channel !== undefined &&
      mayAccessChannelContent(actor, channel, isSubscribed(tx.sql, channel.id, user.id))
    )
  })
  return LONG_LISTS.starredMessages(tx, user, options)
    .filter(({ id, recipientId }) => id > user.recordsSince && isReadable(recipientId))
    .map(({ id }) => id)
}

function listOfTexts<Row>(list: PersonalList, read: (sql: Sql, userId: number) => readonly Row[]) {
  return longList(list, WORK_OF_A_TEXT, (sql, userId) => [read(sql, userId)])
}

function longList<Row>(
  list: PersonalList,
  workOfARow: number,
  read: (sql: Sql, userId: number) => Iterable<readonly Row[]>,
) {
  const reader = defineReader({
    name: `personal list ${list}`,
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
  return (tx: RealmReads, user: Pick<User, 'id'>, options: SnapshotOptions) =>
    rowsIfAny(list, tx, user, options, () => tx.use(reader, user.id))
}
