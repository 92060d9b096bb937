import type { PausedReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { newestMessageId } from '../messages/message-rows.ts'
import { recentMessages } from '../messages/recent-message-rows.ts'
import { listPeriods } from '../subscriptions/period-rows.ts'
import {
  listSubscriptionsOfUser,
  subscriptionsByChannel,
} from '../subscriptions/subscriptions-of-user-rows.ts'
import { listUserTopics, policiesByTopic } from '../user-topics/user-topic-rows.ts'
import type { User } from '../users/user-rows.ts'
import { blockVersions } from './block-rows.ts'
import {
  changesOfList,
  type ListsAhead,
  LONG_LISTS,
  type LongList,
  listsInUse,
  PERSONAL_LISTS,
  type PersonalList,
  type RowsOf,
} from './personal-list-rows.ts'
import { sharedLists } from './shared-snapshots.ts'
import { isFetched, type SnapshotOptions } from './snapshot.ts'
import { UNREAD_FLAGS } from './unread-messages.ts'

/** Fetch types whose parts list all topics with a setting of the caller's. */
const LIST_TOPIC_SETTINGS = ['user_topic', 'muted_topics']

/** Rows of a read from which on what follows has a turn of its own: some 1 ms. */
const WORTH_A_TURN = 1_000

/** Reads the settings of topics, as a list and by topic, each in a turn of its own where they are thousands. They stay kept until one changes. */
export async function readTopicSettingsAhead(
  { sql, pause }: PausedReads,
  { id }: Pick<User, 'id'>,
  options: Pick<SnapshotOptions, 'types'>,
): Promise<void> {
  const reads = [
    { types: LIST_TOPIC_SETTINGS, read: () => listUserTopics(sql, id) },
    { types: [UNREAD_FLAGS], read: () => policiesByTopic(sql, id) },
  ]
  for (const { types, read } of reads) {
    if (!types.some((type) => isFetched(options, type))) continue
    const before = sql.counts.read
    read()
    if (sql.counts.read - before > WORTH_A_TURN) await pause()
  }
}

/** Reads the long lists of the organization in the same way: they too stay kept. */
export async function readSharedListsAhead(
  { sql, pause }: PausedReads,
  options: Pick<SnapshotOptions, 'types'>,
): Promise<void> {
  for (const read of sharedLists(sql, options)) {
    const before = sql.counts.read
    read()
    if (sql.counts.read - before >= WORTH_A_TURN) await pause()
  }
}

/** Messages of one part, some 5 ms, and parts. */
const MESSAGES_TOGETHER = 1_024
const PARTS_OF_MESSAGES = 5

/** Number of somebody's channels from which on what is read of them has turns of its own. */
const MANY_CHANNELS = 500

/**
 * Reads what a snapshot needs of channels, each in a turn of its own where they are thousands, or somebody is in thousands. It stays kept
 * until it changes: then the snapshot itself reads it.
 */
export async function readChannelsAhead(
  { sql, pause }: PausedReads,
  { id }: Pick<User, 'id'>,
): Promise<void> {
  const reads: (() => unknown)[] = [
    () => blockVersions(sql, 'channel'),
    () => blockVersions(sql, 'subscribers'),
    ...(listSubscriptionsOfUser(sql, id).length > MANY_CHANNELS ? readsOfMember(sql, id) : []),
  ]
  for (const read of reads) {
    const before = sql.counts.read
    read()
    if (sql.counts.read - before >= WORTH_A_TURN) await pause()
  }
}

/** Returns what reads when somebody was in thousands of channels, and the newest messages: most of them are in one of the channels. */
function readsOfMember(sql: Sql, id: number): (() => unknown)[] {
  const newest = newestMessageId(sql)
  const messages = Array.from({ length: PARTS_OF_MESSAGES }, (_, at) => () => {
    const upTo = newest - at * MESSAGES_TOGETHER
    return recentMessages(sql).between(sql, Math.max(upTo - MESSAGES_TOGETHER, 0), upTo, newest)
  })
  return [() => subscriptionsByChannel(sql, id), () => listPeriods(sql, id), ...messages]
}

/** Fetch types whose parts have the long lists. */
const TYPE_OF_LIST: Readonly<Record<LongList, string>> = {
  drafts: 'drafts',
  flags: 'starred_messages',
  mutedUsers: 'muted_users',
  reminders: 'reminders',
  savedSnippets: 'saved_snippets',
  scheduledMessages: 'scheduled_messages',
}

/** Number of items of a list from which on what follows has a turn of its own: of texts of thousands of characters, and of others. */
const LONG_LIST: Readonly<Record<LongList, number>> = {
  drafts: 100,
  flags: 1_000,
  mutedUsers: 1_000,
  reminders: 100,
  savedSnippets: 100,
  scheduledMessages: 100,
}

/**
 * Reads the lists of the types asked for. Each that is long has a turn of its own: together they may have ten megabytes. `before`: what was
 * read by an earlier try.
 */
export async function readListsAhead(
  { sql, pause }: PausedReads,
  { id }: Pick<User, 'id'>,
  options: Pick<SnapshotOptions, 'types'>,
  before: ListsAhead | undefined,
): Promise<ListsAhead> {
  const inUse = options.types === null ? listsInUse(sql, id) : undefined
  const changes = Object.fromEntries(
    PERSONAL_LISTS.map((list) => [list, changesOfList(sql, list)]),
  ) as Record<PersonalList, number>
  const rows: { [List in LongList]?: RowsOf<List> } = {}
  const read = async <List extends LongList>(list: List) => {
    changes[list] = changesOfList(sql, list)
    const parts: unknown[][] = []
    for (const part of LONG_LISTS[list](sql, id)) {
      parts.push(part)
      if (part.length >= LONG_LIST[list]) await pause()
    }
    rows[list] = parts.flat() as (typeof rows)[List]
  }
  for (const list of Object.keys(LONG_LISTS) as LongList[]) {
    if (!isFetched(options, TYPE_OF_LIST[list]) || inUse?.[list] === 0) continue
    const known = before?.changes[list] === changesOfList(sql, list) ? before.rows[list] : undefined
    if (known) Object.assign(rows, { [list]: known })
    else await read(list)
  }
  return { changes, inUse, rows }
}
