import { ENTRIES_AT_ONCE } from '../../../core/budgets.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import { defineReader, type Steps } from '../../../core/reader.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { type LoggedEvent, newestLogId, readEventsAfter } from '../../../events/log.ts'
import type {
  StoredDeleteMessageEvent,
  StoredUpdateMessageEvent,
  StoredUpdateMessageFlagsEvent,
} from '../../../events/message-changes.ts'
import { MessageIdSet } from '../../../store/messages/flags/message-id-set.ts'
import { ReadSet } from '../../../store/messages/flags/read-rows.ts'
import { type IndexedMessage, newestMessageId } from '../../../store/messages/message-rows.ts'
import { recentMessages } from '../../../store/messages/recent-message-rows.ts'
import { type Topic, topicsById } from '../../../store/messages/topic-rows.ts'
import { readMeta } from '../../../store/meta-rows.ts'
import { findUser, type User } from '../../../store/users/user-rows.ts'
import { isRead } from './message-flags.ts'
import { groupUnread, type ListedUnread, regrouped } from './unread-groups.ts'
import { MAX_UNREAD_MESSAGES, recordTest, scopeAmong, scopeAtHand, unreadAbove } from './unread-messages.ts'

/** The unread messages of a user at some entry of the log. */
interface FoundUnread {
  /** The newest entry of the log at that time. */
  readonly seen: number
  /** The newest message when the search began; later ones are read separately. */
  readonly upTo: number
  /** The floor of the user's read set. */
  readonly floor: number
  /** All unread messages, in any channel or conversation. */
  readonly ids: MessageIdSet
  /** All messages from this id on that a snapshot may list, ascending. */
  readonly from: number
  readonly messages: readonly IndexedMessage[]
}

/** The same with what a snapshot lists of them. */
interface UnreadOfUser extends FoundUnread {
  readonly listed: ListedUnread
}

/** Numbers of ids, and of topics, that are looked up at a time. */
const LOOKED_UP_AT_A_TIME = 4_000
const TOPICS_AT_A_TIME = 500
/** Messages that are grouped in the time of reading a row. */
const GROUPED_FOR_A_ROW = 4
const RANGE = 4_096
/** Limits of the part of the log that is searched for changes at a time. */
const CHECKED_LOG = { entries: 1_000, characters: 2_000_000 }
/** Work of looking at a channel or conversation for a range of ids, in rows. */
const ROWS_A_RANGE = 5
/** Number of newest messages that are kept, more than are listed: older ones replace those that are read meanwhile. */
const KEPT = MAX_UNREAD_MESSAGES + 5_000

/** The unread messages of a user. After a search of several turns, the changes since its beginning are read. */
export const unreadOfUser = defineReader<Pick<User, 'id' | 'readFloor'>, UnreadOfUser>({
  name: 'unread messages',
  largeState: true,
  // Another registration may raise the floor without an event.
  key: ({ id, readFloor }) => `${id} ${readFloor}`,
  *read({ sql }, { id }) {
    const found = yield* followed(sql, id, yield* findUnread(sql, findUser(sql, id)!))
    const messages = listedOf(found)
    const topics = yield* readTopics(sql, messages)
    yield messages.length / GROUPED_FOR_A_ROW
    return { ...found, listed: { groups: groupUnread(sql, findUser(sql, id)!, messages), topics } }
  },
  patch(sql, { id }, before) {
    const user = findUser(sql, id)!
    const changes = changesSince(sql, id, before)
    if (!changes?.isAll || changes.ids.length > ENTRIES_AT_ONCE) return undefined
    const found = mended(sql, id, { ...before, ids: before.ids.copy() }, changes.ids)
    if (!isEnough(found)) return undefined
    const newer = newerThan(sql, user, found)
    const touched = new Set([...changes.ids, ...newer.map((message) => message.id)])
    if (touched.size === 0) return before
    const now = listedOf({ messages: [...found.messages, ...newer] })
    return {
      ...found,
      listed: regrouped(sql, user, before.listed, { before: listedOf(before), now, touched }),
    }
  },
})

function* findUnread(sql: Sql, user: User): Steps<FoundUnread> {
  const [seen, upTo] = [newestLogId(sql), newestMessageId(sql)]
  const scope = scopeAtHand(sql, user)
  const read = new ReadSet(sql, user).loadAll()
  const isRecorded = recordTest(sql, user.id, scope)
  const ids = new MessageIdSet()
  let [messages, from]: [IndexedMessage[], number] = [[], 0]
  const keepNewest = (limit: number) => {
    if (messages.length <= limit) return
    messages = messages.slice(-KEPT)
    from = messages[0]!.id
  }
  const keep = (found: readonly IndexedMessage[], isListed: (message: IndexedMessage) => boolean) => {
    for (const message of found) {
      ids.add(message.id)
      if (isListed(message)) messages.push(message)
    }
    keepNewest(2 * KEPT)
  }
  for (const below of read.unreadInParts()) {
    yield below.length
    const found = recentMessages(sql).find(sql, below)
    const unread = found.filter((message) => !isRead(message, user, read))
    keep(unread, (message) => scope.isAtHand(message) && isRecorded(message))
  }
  for (let above = read.floor; above < upTo; above += RANGE) {
    yield ROWS_A_RANGE * (scope.ranges.length + scope.conversations.size)
    const range = { above, upTo: Math.min(above + RANGE, upTo) }
    keep(unreadAbove(sql, user, read, scope, range, upTo), scope.isAtHand)
  }
  keepNewest(KEPT)
  return { seen, upTo, floor: user.readFloor, ids, from, messages }
}

/**
 * Follows the log to its end: there may be more changes than the one turn of a patch can take. Where the search must begin again, it
 * returns how far it came, since the engine does that.
 */
function* followed(sql: Sql, userId: number, first: FoundUnread): Steps<FoundUnread> {
  for (let found = first; ; ) {
    const changes = changesSince(sql, userId, found)
    if (!changes) return found
    for (const ids of inParts(changes.ids, LOOKED_UP_AT_A_TIME)) {
      found = mended(sql, userId, found, ids)
      yield ids.length
    }
    found = { ...found, seen: changes.seen }
    if (changes.isAll || !isEnough(found)) return found
    yield
  }
}

/** The messages that a snapshot lists. */
function listedOf({ messages }: Pick<FoundUnread, 'messages'>): readonly IndexedMessage[] {
  return messages.slice(-MAX_UNREAD_MESSAGES)
}

/** Whether the kept messages include all that a snapshot lists. */
function isEnough({ from, messages }: FoundUnread): boolean {
  return from === 0 || messages.length >= MAX_UNREAD_MESSAGES
}

/** Reads the topics of messages; there may be thousands. */
function* readTopics(sql: Sql, messages: readonly IndexedMessage[]): Steps<Map<number, Topic>> {
  const topics = new Map<number, Topic>()
  const ids = [...new Set(messages.map(({ topicId }) => topicId))]
  for (const part of inParts(ids, TOPICS_AT_A_TIME)) {
    for (const [id, topic] of topicsById(sql, part)) topics.set(id, topic)
    yield part.length
  }
  return topics
}

/** Returns the unread messages of a user that a snapshot lists, ascending. */
export function unreadIdsOf(tx: RealmReads, user: Pick<User, 'id' | 'readFloor'>): number[] {
  return listedOf(tx.use(unreadOfUser, user)).map((message) => message.id)
}

/** Number of newer messages up to which only their own channels are looked at. */
const FEW_NEWER = 100

/** Returns the unread messages that have come since the search. */
function newerThan(sql: Sql, user: User, { upTo }: FoundUnread): IndexedMessage[] {
  const newest = newestMessageId(sql)
  if (newest === upTo) return []
  const read = new ReadSet(sql, user)
  const recipients = () =>
    recentMessages(sql)
      .between(sql, upTo, newest)
      .map(({ recipientId }) => recipientId)
  const scope =
    newest - upTo > FEW_NEWER ? scopeAtHand(sql, user) : scopeAmong(sql, user, new Set(recipients()))
  return unreadAbove(sql, user, read, scope, { above: upTo, upTo: newest }, newest).filter(scope.isAtHand)
}

interface Changes {
  /** The entry of the log up to which these are all the changes. */
  readonly seen: number
  /** Whether that is its end. */
  readonly isAll: boolean
  /** Messages that may have changed, or may now be unread, ascending. */
  readonly ids: readonly number[]
}

/** Reads changes from the log, as many as one turn does. Undefined when the search must begin again. */
function changesSince(
  sql: Sql,
  userId: number,
  { seen, upTo, floor, ids }: FoundUnread,
): Changes | undefined {
  if (findUser(sql, userId)!.readFloor !== floor) return undefined
  const newest = newestLogId(sql)
  if (newest === seen) return { seen, isAll: true, ids: [] }
  if ((readMeta<number>(sql, 'trimmed') ?? 0) > seen) return undefined
  const { events, upTo: read } = readEventsAfter(sql, seen, CHECKED_LOG)
  const changed = new Set<number>()
  for (const one of events) {
    const some = changedBy(one, userId, (messageId) => ids.has(messageId))
    if (!some) return undefined
    for (const id of some) if (id <= upTo) changed.add(id)
  }
  const isAll = read === Number.POSITIVE_INFINITY
  return { seen: isAll ? newest : read, isAll, ids: [...changed].sort((a, b) => a - b) }
}

/** Returns the messages that an event changes or makes unread; undefined when it may be any. */
function changedBy(
  { event, audience }: Pick<LoggedEvent, 'event' | 'audience'>,
  userId: number,
  isFound: (messageId: number) => boolean,
): readonly number[] | undefined {
  const mayBeOwn = audience.users === undefined || audience.users.includes(userId)
  switch (event.type) {
    case 'update_message': {
      const { message_ids, new_stream_id } = event as StoredUpdateMessageEvent
      return new_stream_id === undefined ? message_ids.filter(isFound) : message_ids
    }
    case 'delete_message':
      return (event as StoredDeleteMessageEvent).message_ids.filter(isFound)
    case 'update_message_flags': {
      const { messages, all } = event as StoredUpdateMessageFlagsEvent
      if (!mayBeOwn) return []
      return all ? undefined : messages
    }
    case 'subscription':
      return mayBeOwn && event.op !== 'peer_add' && event.op !== 'peer_remove' ? undefined : []
    case 'stream':
      return mayBeOwn && event.op === 'delete' ? undefined : []
    default:
      return []
  }
}

/** Returns what was found, with these messages (ascending) as they are now. */
function mended(sql: Sql, userId: number, found: FoundUnread, changed: readonly number[]): FoundUnread {
  if (changed.length === 0) return found
  const user = findUser(sql, userId)!
  const scope = scopeAtHand(sql, user)
  const read = new ReadSet(sql, user).loadAll()
  const isRecorded = recordTest(sql, userId, scope)
  const unread = recentMessages(sql)
    .find(sql, changed)
    .filter((message) => !isRead(message, user, read))
    .filter((message) => message.id <= found.floor || isRecorded(message))
  for (const id of changed) found.ids.delete(id)
  for (const { id } of unread) found.ids.add(id)
  const isChanged = new Set(changed)
  const others = found.messages.filter(({ id }) => !isChanged.has(id))
  const listed = unread.filter(
    (message) => message.id >= found.from && scope.isAtHand(message) && isRecorded(message),
  )
  return { ...found, messages: [...others, ...listed].sort((a, b) => a.id - b.id) }
}
