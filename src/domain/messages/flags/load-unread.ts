import type { Walks } from '../../../core/command.ts'
import { type RealmView, StaleError } from '../../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../../core/sql.ts'
import type { StoredDeleteMessageEvent } from '../../../events/delete-message.ts'
import { type LoggedEvent, newestLogId, readEventsAfter } from '../../../events/log.ts'
import type { StoredUpdateMessageEvent } from '../../../events/update-message.ts'
import { readMeta } from '../../meta-rows.ts'
import { findUser, type User } from '../../users/user-rows.ts'
import { type IndexedMessage, newestMessageId } from '../message-rows.ts'
import { WorkBudget } from '../narrow/work-budget.ts'
import { recentMessages } from '../recent-message-rows.ts'
import { type Topic, topicsById } from '../topic-rows.ts'
import { isRead } from './message-flags.ts'
import { MessageIdSet } from './message-id-set.ts'
import type { ListedUnread } from './present-unread-messages.ts'
import { ReadSet } from './read-rows.ts'
import { isWorthSettling, settleReadSet } from './settle-read-set.ts'
import { groupUnread, withNewer } from './unread-groups.ts'
import {
  MAX_UNREAD_MESSAGES,
  recordTest,
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

/** The unread messages of a user, found in several turns. */
interface LoadedUnread {
  /** The newest entry of the log when the first of these turns began. */
  readonly seen: number
  /** The newest message at that time. */
  readonly upTo: number
  /** The floor of the user's read set at that time. */
  readonly floor: number
  /** All unread messages, in any channel or conversation. */
  readonly ids: MessageIdSet
  /** Those that a snapshot lists, ascending. */
  readonly messages: readonly IndexedMessage[]
  readonly listed: ListedUnread
  readonly tries: number
}

/** Thrown by `apply` when the messages are too many to check in one turn, or have changed since they were loaded. */
class TooMuchUnreadError extends StaleError {
  readonly tries: number

  constructor(tries: number) {
    super()
    this.tries = tries
  }
}

/** Number of tries after which all messages are checked in one turn, however long that takes. */
const MAX_TRIES = 4
/** Number of ids that are looked up together, which takes 20 ms. */
const LOOKED_UP_AT_ONCE = 4_000
const RANGE = 4_096
/** Limits of the part of the log that is searched for changes to loaded messages. */
const CHECKED_LOG = { entries: 1_000, characters: 2_000_000 }

/** Finds a user's unread messages in several turns, if `apply` has thrown that they are too many for one (`stale`). */
export async function loadUnread(
  walks: Walks,
  { sql }: RealmView,
  { id }: Pick<User, 'id'>,
  stale: StaleError | undefined,
): Promise<UnreadAtHand> {
  if (!(stale instanceof TooMuchUnreadError)) return { atOnce: walks.budgets.rowsAtOnce }
  const { tries } = stale
  if (tries > MAX_TRIES) return { atOnce: Number.POSITIVE_INFINITY }
  await walks.turn()
  const user = findUser(sql, id)!
  const [seen, upTo] = [newestLogId(sql), newestMessageId(sql)]
  const scope = scopeAtHand(sql, user)
  const read = new ReadSet(sql, user).loadAll()
  const isRecorded = recordTest(sql, id, scope)
  const ids = new MessageIdSet()
  let messages: IndexedMessage[] = []
  const keep = (found: readonly IndexedMessage[], isListed: (message: IndexedMessage) => boolean) => {
    for (const message of found) {
      ids.add(message.id)
      if (isListed(message)) messages.push(message)
    }
    if (messages.length > 2 * MAX_UNREAD_MESSAGES) messages = messages.slice(-MAX_UNREAD_MESSAGES)
  }
  let budget = new WorkBudget(sql, walks.budgets.rowsATurn)
  const rest = async () => {
    if (!budget.isSpent) return
    await walks.turn()
    budget = new WorkBudget(sql, walks.budgets.rowsATurn)
  }
  const below = read.unreadBelowFloor()
  for (let at = 0; at < below.length; at += LOOKED_UP_AT_ONCE) {
    await rest()
    const found = recentMessages(sql).find(sql, below.slice(at, at + LOOKED_UP_AT_ONCE), upTo)
    const unread = found.filter((message) => !isRead(message, user, read))
    keep(unread, (message) => scope.isAtHand(message) && isRecorded(message))
  }
  for (let above = read.floor; above < upTo; above += RANGE) {
    await rest()
    for (let one = 0; one < scope.ranges.length + scope.conversations.size; one += 1) budget.countStatement()
    const range = { above, upTo: Math.min(above + RANGE, upTo) }
    keep(unreadAbove(sql, user, read, scope, range, upTo), scope.isAtHand)
  }
  messages = messages.slice(-MAX_UNREAD_MESSAGES)
  const topics = await loadTopics(walks, sql, messages)
  await walks.turn()
  const listed = { groups: groupUnread(sql, user, messages), topics }
  // What applies this would otherwise be in the same turn.
  await walks.turn()
  return { atOnce: 0, loaded: { seen, upTo, floor: user.readFloor, ids, messages, listed, tries } }
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
 * Settles the read set and returns the unread messages that a snapshot lists, ascending.
 * @throws TooMuchUnreadError when `load` must find them first.
 */
export function settledUnread(
  sql: WritableSql,
  { id }: Pick<User, 'id'>,
  { atOnce, loaded }: UnreadAtHand,
): ListedUnread {
  // Another registration may have raised the floor, for which there is no event.
  const user = findUser(sql, id)!
  if (!loaded) {
    const [read, newest] = [new ReadSet(sql, user), newestMessageId(sql)]
    if (areTooMany(sql, user, { read, newest }, atOnce)) throw new TooMuchUnreadError(1)
    const messages = isWorthSettling(newest, user)
      ? unreadMessages(sql, settleReadSet(sql, user))
      : unreadMessages(sql, user, MAX_UNREAD_MESSAGES, read, newest)
    return { groups: groupUnread(sql, user, messages), topics: new Map() }
  }
  if (!isStillSo(sql, user, loaded)) throw new TooMuchUnreadError(loaded.tries + 1)
  const read = new ReadSet(sql, user)
  if (isWorthSettling(loaded.upTo, user)) {
    // A move that is about to be made marks messages as read without an event.
    read.loadAll()
    read.settle(sql, loaded.upTo, read.lacking(loaded.ids))
    read.save(sql)
  }
  const scope = scopeAtHand(sql, user)
  const newest = newestMessageId(sql)
  const range = { above: loaded.upTo, upTo: newest }
  const newer = unreadAbove(sql, user, read, scope, range, newest).filter(scope.isAtHand)
  const { groups, topics } = loaded.listed
  return { groups: withNewer(sql, user, groups, loaded.messages, newer), topics }
}

/** Whether more messages have to be read than one turn may. */
function areTooMany(
  sql: Sql,
  user: User,
  { read, newest }: { readonly read: ReadSet; readonly newest: number },
  atOnce: number,
): boolean {
  if (newest - user.readFloor > 2 * atOnce) return true
  return recentMessages(sql).countLacking(read.unreadBelowFloor()) > atOnce
}

/** Whether the loaded messages are unchanged. Messages that have come since are read separately. */
function isStillSo(sql: Sql, user: User, { seen, floor, ids }: LoadedUnread): boolean {
  if (user.readFloor !== floor || (readMeta<number>(sql, 'trimmed') ?? 0) > seen) return false
  const { events, upTo } = readEventsAfter(sql, seen, CHECKED_LOG)
  if (upTo !== Number.POSITIVE_INFINITY) return false
  const isLoaded = (messageId: number) => ids.has(messageId)
  return events.every((one) => !isChange(one, user.id, isLoaded))
}

/** Whether the event changes a loaded message, or which of the older messages are unread. */
function isChange(
  { event, audience }: Pick<LoggedEvent, 'event' | 'audience'>,
  userId: number,
  isLoaded: (messageId: number) => boolean,
): boolean {
  const mayBeOwn = audience.users === undefined || audience.users.includes(userId)
  switch (event.type) {
    case 'update_message': {
      const { message_ids, new_stream_id } = event as StoredUpdateMessageEvent
      return new_stream_id !== undefined || message_ids.some(isLoaded)
    }
    case 'delete_message':
      return (event as StoredDeleteMessageEvent).message_ids.some(isLoaded)
    case 'update_message_flags':
      return mayBeOwn
    case 'subscription':
      return mayBeOwn && event.op !== 'peer_add' && event.op !== 'peer_remove'
    case 'stream':
      return mayBeOwn && event.op === 'delete'
    default:
      return false
  }
}
