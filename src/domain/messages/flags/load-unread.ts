import { RECENT_MESSAGES } from '../../../core/budgets.ts'
import type { Walks } from '../../../core/command.ts'
import { type RealmView, StaleError } from '../../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../../core/sql.ts'
import type { StoredDeleteMessageEvent } from '../../../events/delete-message.ts'
import { type LoggedEvent, newestLogId, readEventsAfter } from '../../../events/log.ts'
import type { StoredUpdateMessageEvent } from '../../../events/update-message.ts'
import type { StoredUpdateMessageFlagsEvent } from '../../../events/update-message-flags.ts'
import { readMeta } from '../../meta-rows.ts'
import { listSubscriptionsOfUser } from '../../subscriptions/subscriptions-of-user-rows.ts'
import { topicAttention } from '../../user-topics/topic-attention.ts'
import { findUser, type User } from '../../users/user-rows.ts'
import { type IndexedMessage, newestMessageId } from '../message-rows.ts'
import { WorkBudget } from '../narrow/work-budget.ts'
import { recentMessages } from '../recent-message-rows.ts'
import { type Topic, topicsById } from '../topic-rows.ts'
import { isRead } from './message-flags.ts'
import { MessageIdSet } from './message-id-set.ts'
import { ReadSet } from './read-rows.ts'
import { isWorthSettling, settleReadSet } from './settle-read-set.ts'
import { groupUnread, type ListedUnread, regrouped } from './unread-groups.ts'
import {
  MAX_UNREAD_MESSAGES,
  recordTest,
  scopeAmong,
  scopeAtHand,
  unreadAbove,
  unreadMessages,
} from './unread-messages.ts'

/** The facts that `load` hands over to a registration. */
export interface UnreadAtHand {
  /** Number of messages that this turn may read. */
  readonly atOnce: number
  readonly loaded?: LoadedUnread | undefined
}

/** The unread messages of a user, found in several turns, as they were at some entry of the log. */
interface FoundUnread {
  /** The newest entry of the log then. What has changed since is read again. */
  readonly seen: number
  /** The newest message when the first of these turns began; later ones are read separately. */
  readonly upTo: number
  /** The floor of the user's read set. */
  readonly floor: number
  /** All unread messages, in any channel or conversation. */
  readonly ids: MessageIdSet
  /** Those that a snapshot may list, ascending: all from this id on. */
  readonly from: number
  readonly messages: readonly IndexedMessage[]
}

interface LoadedUnread extends FoundUnread {
  readonly listed: ListedUnread
}

/** Number of ids that are looked up together, which takes 20 ms. */
const LOOKED_UP_AT_ONCE = 4_000
const RANGE = 4_096
/** Limits of the part of the log that one turn searches for changes to found messages. */
const CHECKED_LOG = { entries: 1_000, characters: 2_000_000 }
/** Changed messages that are read again in the turn of the answer. */
const MENDED_AT_ONCE = 1_000
/** Cost of looking at a channel or conversation for each range of ids, in rows. */
const ROWS_A_RANGE = 5
/** The newest messages that are kept, more than are listed: older ones take the place of those that are read meanwhile. */
const KEPT = MAX_UNREAD_MESSAGES + 5_000

/**
 * Finds a user's unread messages in several turns, once `apply` could not answer without (`stale`). Nothing is found where all of them have
 * changed meanwhile.
 */
export async function loadUnread(
  walks: Walks,
  { sql }: RealmView,
  { id }: Pick<User, 'id'>,
  stale: StaleError | undefined,
): Promise<UnreadAtHand> {
  const atOnce = walks.budgets.rowsAtOnce
  if (!stale) return { atOnce }
  await walks.turn()
  const found = await followed(walks, sql, id, await findUnread(walks, sql, findUser(sql, id)!))
  if (!found) return { atOnce }
  const messages = listedOf(found)
  const topics = await loadTopics(walks, sql, messages)
  // The settings of topics are kept for the turn of the answer.
  topicAttention(sql, id)
  await walks.turn()
  const listed = { groups: groupUnread(sql, findUser(sql, id)!, messages), topics }
  // What applies this would otherwise be in the same turn.
  await walks.turn()
  return { atOnce, loaded: { ...found, listed } }
}

async function findUnread(walks: Walks, sql: Sql, user: User): Promise<FoundUnread> {
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
  let budget = new WorkBudget(sql, walks.budgets.rowsATurn)
  const rest = async () => {
    if (!budget.isSpent) return
    await walks.turn()
    budget = new WorkBudget(sql, walks.budgets.rowsATurn)
  }
  for (const below of read.unreadInParts()) {
    await rest()
    const found = recentMessages(sql).find(sql, below, upTo)
    const unread = found.filter((message) => !isRead(message, user, read))
    keep(unread, (message) => scope.isAtHand(message) && isRecorded(message))
  }
  for (let above = read.floor; above < upTo; above += RANGE) {
    await rest()
    budget.countRemembered(ROWS_A_RANGE * (scope.ranges.length + scope.conversations.size))
    const range = { above, upTo: Math.min(above + RANGE, upTo) }
    keep(unreadAbove(sql, user, read, scope, range, upTo), scope.isAtHand)
  }
  keepNewest(KEPT)
  return { seen, upTo, floor: user.readFloor, ids, from, messages }
}

/** Follows the log to its end, in several turns. Undefined when all messages have to be found anew. */
async function followed(
  walks: Walks,
  sql: Sql,
  userId: number,
  first: FoundUnread,
): Promise<FoundUnread | undefined> {
  for (let found = first; ; ) {
    await walks.turn()
    const changes = changesSince(sql, userId, found)
    if (!changes) return undefined
    for (let at = 0; at < changes.ids.length; at += LOOKED_UP_AT_ONCE) {
      if (at > 0) await walks.turn()
      found = mended(sql, userId, found, changes.ids.slice(at, at + LOOKED_UP_AT_ONCE))
    }
    found = { ...found, seen: changes.seen }
    if (!isEnough(found)) return undefined
    if (changes.isAll) return found
  }
}

/** Those that a snapshot lists. */
function listedOf({ messages }: Pick<FoundUnread, 'messages'>): readonly IndexedMessage[] {
  return messages.slice(-MAX_UNREAD_MESSAGES)
}

/** Whether the messages that are kept are those that a snapshot lists, and not too few of them. */
function isEnough({ from, messages }: FoundUnread): boolean {
  return from === 0 || messages.length >= MAX_UNREAD_MESSAGES
}

/** Reads the topics of messages; there may be thousands. */
async function loadTopics(
  walks: Walks,
  sql: Sql,
  messages: readonly IndexedMessage[],
): Promise<Map<number, Topic>> {
  const ids = [...new Set(messages.map(({ topicId }) => topicId))]
  const topics = new Map<number, Topic>()
  for (let at = 0; at < ids.length; at += LOOKED_UP_AT_ONCE) {
    await walks.turn()
    for (const [id, topic] of topicsById(sql, ids.slice(at, at + LOOKED_UP_AT_ONCE))) topics.set(id, topic)
  }
  return topics
}

/**
 * Settles the read set and returns the unread messages that a snapshot lists, ascending; undefined, before anything is changed, where
 * `load` must find them first, or anew.
 * @throws StaleError where `load` must read their topics
 */
export function settledUnread(
  sql: WritableSql,
  { id }: Pick<User, 'id'>,
  { atOnce, loaded }: UnreadAtHand,
): ListedUnread | undefined {
  // Another registration may have raised the floor, for which there is no event.
  const user = findUser(sql, id)!
  if (!loaded) {
    const [read, newest] = [new ReadSet(sql, user), newestMessageId(sql)]
    if (areTooMany(sql, user, { read, newest }, atOnce)) return undefined
    const messages = isWorthSettling(newest, user)
      ? unreadMessages(sql, settleReadSet(sql, user))
      : unreadMessages(sql, user, MAX_UNREAD_MESSAGES, read, newest)
    const groups = groupUnread(sql, user, messages)
    // Their topics are read for the answer.
    if (groups.byTopic.size > atOnce) throw new StaleError()
    return { groups, topics: new Map() }
  }
  const changes = changesSince(sql, id, loaded)
  if (!changes?.isAll || changes.ids.length > MENDED_AT_ONCE) return undefined
  const found = mended(sql, id, loaded, changes.ids)
  if (!isEnough(found)) return undefined
  const read = new ReadSet(sql, user)
  if (isWorthSettling(found.upTo, user)) {
    // A move that is about to be made marks messages as read without an event.
    read.loadAll()
    read.settle(sql, found.upTo, read.lacking(found.ids))
    read.save(sql)
  }
  const newer = newerThan(sql, user, read, found)
  const touched = new Set([...changes.ids, ...newer.map((message) => message.id)])
  if (touched.size === 0) return loaded.listed
  return regrouped(sql, user, loaded.listed, {
    before: listedOf(loaded),
    now: listedOf({ messages: [...found.messages, ...newer] }),
    touched,
  })
}

/** Number of messages up to which only the channels are looked at in which they are. */
const FEW_NEWER = 100

function recipientsOf(messages: readonly IndexedMessage[]): ReadonlySet<number> {
  return new Set(messages.map((message) => message.recipientId))
}

/** Returns the unread messages that have come since others were found. */
function newerThan(sql: Sql, user: User, read: ReadSet, { upTo }: FoundUnread): IndexedMessage[] {
  const newest = newestMessageId(sql)
  if (newest === upTo) return []
  const scope =
    newest - upTo > FEW_NEWER
      ? scopeAtHand(sql, user)
      : scopeAmong(sql, user, recipientsOf(recentMessages(sql).between(sql, upTo, newest, newest)))
  return unreadAbove(sql, user, read, scope, { above: upTo, upTo: newest }, newest).filter(scope.isAtHand)
}

/** Cost of each of a user's channels, in messages: of somebody who is in thousands the messages are found in turns before that of the answer. */
const COST_OF_A_CHANNEL = 4

/** Whether more messages have to be read than one turn may. */
function areTooMany(
  sql: Sql,
  user: User,
  { read, newest }: { readonly read: ReadSet; readonly newest: number },
  atOnce: number,
): boolean {
  const channels = listSubscriptionsOfUser(sql, user.id).length
  if (newest - user.readFloor + COST_OF_A_CHANNEL * channels > 2 * atOnce) return true
  // The messages in memory are no more than these.
  if (read.hasMoreUnreadThan(RECENT_MESSAGES.ids * RECENT_MESSAGES.blocks + atOnce)) return true
  return recentMessages(sql).countLacking(read.unreadBelowFloor()) > atOnce
}

/** What has changed since messages were found. */
interface Changes {
  /** The entry of the log up to which these are all changes. */
  readonly seen: number
  /** Whether that is its end. */
  readonly isAll: boolean
  /** Messages that may have changed, or may be unread now, ascending. */
  readonly ids: readonly number[]
}

/** Reads what has changed from the log, as much of it as one turn does. Undefined when all messages have to be found anew. */
function changesSince(
  sql: Sql,
  userId: number,
  { seen, upTo, floor, ids }: FoundUnread,
): Changes | undefined {
  if (findUser(sql, userId)!.readFloor !== floor) return undefined
  if ((readMeta<number>(sql, 'trimmed') ?? 0) > seen) return undefined
  const { events, upTo: read } = readEventsAfter(sql, seen, CHECKED_LOG)
  const changed = new Set<number>()
  for (const one of events) {
    const some = changedBy(one, userId, (messageId) => ids.has(messageId))
    if (!some) return undefined
    for (const id of some) if (id <= upTo) changed.add(id)
  }
  const isAll = read === Number.POSITIVE_INFINITY
  return { seen: isAll ? newestLogId(sql) : read, isAll, ids: [...changed].sort((a, b) => a - b) }
}

/** Returns the messages that an event changes, or makes unread; undefined when it may be any. */
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

/** Returns what was found, with these messages, ascending, as they are now. */
function mended(sql: Sql, userId: number, found: FoundUnread, changed: readonly number[]): FoundUnread {
  if (changed.length === 0) return found
  const user = findUser(sql, userId)!
  const scope = scopeAtHand(sql, user)
  const read = new ReadSet(sql, user).loadAll()
  const isRecorded = recordTest(sql, userId, scope)
  const unread = recentMessages(sql)
    .find(sql, changed, newestMessageId(sql))
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
