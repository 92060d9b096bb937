import type { Walks } from '../../core/command.ts'
import { type RealmView, StaleError } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { StoredDeleteMessageEvent } from '../../events/delete-message.ts'
import { type LoggedEvent, newestLogId, readEventsAfter } from '../../events/log.ts'
import type { StoredMessageEvent } from '../../events/message.ts'
import type { StoredUpdateMessageEvent } from '../../events/update-message.ts'
import { readMeta } from '../meta-rows.ts'
import { type ReceivedRange, receivedRanges } from '../subscriptions/period-rows.ts'
import {
  byNewest,
  type ListedTopic,
  newestReceived,
  type ReceivedInTopics,
  topicsNamed,
  topicsOfChannelAfter,
} from './channel-topic-rows.ts'
import { WorkBudget } from './narrow/work-budget.ts'
import { topicKey } from './topic-rows.ts'

/** Topics that one turn reads, some 1.5 µs each, and those that the turn of the answer reads again. */
const TOPICS_OF_ONE_TURN = 5_000
const MENDED_AT_ONCE = 500
/** Limits of the part of the log that the turn of the answer searches for changes. */
const CHECKED_LOG = { entries: 1_000, characters: 1_000_000 }

/** The topics of a channel, read in several turns if they are many, as they were at some entry of the log. */
export interface TopicsInTurns {
  /** The newest entry of the log then. */
  readonly seen: number
  /** The one with the newest message first. */
  readonly topics: readonly ListedTopic[]
}

/** Reads the topics of a channel for `load`. What has changed since is read again by `topicsNow`. */
export async function loadTopicsOfChannel(
  walks: Walks,
  { sql }: Pick<RealmView, 'sql'>,
  channelId: number,
): Promise<TopicsInTurns> {
  const seen = newestLogId(sql)
  // By id: one that has another name by then may be read twice.
  const found = new Map<number, ListedTopic>()
  for (let after: string | undefined; ; await walks.turn()) {
    const { topics, next } = topicsOfChannelAfter(sql, channelId, after, TOPICS_OF_ONE_TURN)
    for (const topic of topics) found.set(topic.id, topic)
    if (next === undefined) break
    after = next
  }
  const isLong = found.size >= TOPICS_OF_ONE_TURN
  if (isLong) await walks.turn()
  const topics = [...found.values()].sort(byNewest)
  // What applies this would otherwise be in the same turn.
  if (isLong) await walks.turn()
  return { seen, topics }
}

/**
 * Returns the topics as they are now: the few in which something has changed since are read again.
 * @throws StaleError where these are more than one turn reads
 */
export function topicsNow(
  sql: Sql,
  channelId: number,
  { seen, topics }: TopicsInTurns,
): { readonly topics: readonly ListedTopic[]; readonly changed: ReadonlySet<number> } {
  const keys = changedSince(sql, channelId, seen)
  if (keys.size === 0) return { topics, changed: new Set() }
  if (keys.size > MENDED_AT_ONCE) throw new StaleError()
  const again = topicsNamed(sql, channelId, [...keys])
  const changed = new Set(again.map(({ id }) => id))
  const others = topics.filter(({ id, name }) => !changed.has(id) && !keys.has(topicKey(name)))
  return { topics: [...again, ...others].sort(byNewest), changed }
}

/**
 * Returns the keys of the topics in which something has changed, as `topicKey` makes them: former names of moved topics too.
 * @throws StaleError where one turn cannot find out
 */
function changedSince(sql: Sql, channelId: number, seen: number): ReadonlySet<string> {
  if (newestLogId(sql) === seen) return new Set()
  if ((readMeta<number>(sql, 'trimmed') ?? 0) > seen) throw new StaleError()
  const { events, upTo } = readEventsAfter(sql, seen, CHECKED_LOG)
  if (upTo !== Number.POSITIVE_INFINITY) throw new StaleError()
  return new Set(events.flatMap((one) => namesIn(one, channelId)).map(topicKey))
}

/** Returns the topics of the channel that an event is about. */
function namesIn({ event }: Pick<LoggedEvent, 'event'>, channelId: number): string[] {
  switch (event.type) {
    case 'message': {
      const { stream_id, subject } = (event as StoredMessageEvent).message
      return stream_id === channelId ? [subject] : []
    }
    case 'update_message': {
      const { stream_id, orig_subject, new_stream_id, subject } = event as StoredUpdateMessageEvent
      if (orig_subject === undefined) return []
      const to = (new_stream_id ?? stream_id) === channelId ? [subject ?? orig_subject] : []
      return stream_id === channelId ? [orig_subject, ...to] : to
    }
    case 'delete_message': {
      const { stream_id, topic } = event as StoredDeleteMessageEvent
      return stream_id === channelId && topic !== undefined ? [topic] : []
    }
    default:
      return []
  }
}

/** Finds what a user has received of topics, for `load`: a statement for each whose newest message is none of theirs. */
export async function loadReceived(
  walks: Walks,
  { sql }: Pick<RealmView, 'sql'>,
  { userId, channelId }: { readonly userId: number; readonly channelId: number },
  { topics }: TopicsInTurns,
): Promise<ReceivedInTopics> {
  const ranges = receivedRanges(sql, userId, channelId)
  const newest = new Map<number, number>()
  let budget = new WorkBudget(sql, walks.budgets.rowsATurn)
  for (const topic of topics) {
    const found = newestReceived(sql, topic, ranges)
    if (found === topic.newestMessageId) continue
    newest.set(topic.id, found)
    if (!budget.isSpent) continue
    await walks.turn()
    budget = new WorkBudget(sql, walks.budgets.rowsATurn)
  }
  // What applies this would otherwise be in the same turn.
  if (budget.isWellUsed) await walks.turn()
  return { ranges, newest }
}

/**
 * Returns what was found of topics that have not changed since.
 * @throws StaleError where the user has others of the channel's messages by now
 */
export function receivedStill(
  found: ReceivedInTopics,
  ranges: readonly ReceivedRange[],
  changed: ReadonlySet<number>,
): (topicId: number) => number | undefined {
  const isSame =
    ranges.length === found.ranges.length &&
    ranges.every(
      ({ since, until }, at) => since === found.ranges[at]!.since && until === found.ranges[at]!.until,
    )
  if (!isSame) throw new StaleError()
  return (topicId) => (changed.has(topicId) ? undefined : found.newest.get(topicId))
}
