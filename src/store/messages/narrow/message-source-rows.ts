import type { Sql } from '../../../core/sql.ts'
import { merged } from '../../subscriptions/moved-ranges.ts'
import { MESSAGE_BIT } from '../flags/message-bits.ts'
import type { ReadSet } from '../flags/read-rows.ts'
import { findMessages, type IndexedMessage, MESSAGES } from '../message-rows.ts'
import { type LookedFor, recentMessages } from '../recent-message-rows.ts'

/** 1: towards newer messages; -1: towards older ones. */
export type Direction = 1 | -1

/** A source of messages in the order of their ids, read a few at a time. */
export interface MessageSource {
  /** Reads up to `limit` rows beyond `from` (itself left out), nearest first. */
  read(from: number, direction: Direction, limit: number): SourcePage
}

interface SourcePage {
  readonly messages: readonly IndexedMessage[]
  /** Everything up to this id has been read; null: everything. */
  readonly reached: number | null
  /** How many of the messages cost what no row shows: they were in memory, or SQLite numbered them and then gave them out. */
  readonly uncounted?: number
}

const NO_FILTER: RowFilter = { senderId: undefined, bits: 0 }

/** Returns the messages of a channel, conversation or topic. */
export function indexSource(
  sql: Sql,
  column: 'recipient_id' | 'topic_id',
  key: number,
  range: Pick<MessageRange, 'since' | 'until'>,
  filter: RowFilter = NO_FILTER,
): MessageSource {
  // The index of topics is a partial one: only a query that repeats its condition may use it.
  const where = column === 'topic_id' ? 'topic_id = ?3 AND topic_id > 0' : 'recipient_id = ?3'
  const by = column === 'topic_id' ? 'topicId' : 'recipientId'
  const remembered = {
    passes: (message: IndexedMessage) => message[by] === key,
    common: { by, key },
  } as const
  return rangeSource(sql, { where: `AND ${where}`, keys: [key], remembered }, range, filter)
}

/** Returns the messages of a channel, conversation or topic in all of these ranges. Many users have one range, and some have thousands. */
export function rangesSource(
  sql: Sql,
  column: 'recipient_id' | 'topic_id',
  key: number,
  ranges: readonly Pick<MessageRange, 'since' | 'until'>[],
  filter: RowFilter,
): MessageSource {
  if (ranges.length === 1) return indexSource(sql, column, key, ranges[0]!, filter)
  let ascending: readonly Pick<MessageRange, 'since' | 'until'>[] | undefined
  return {
    read(from, direction, limit) {
      ascending ??= merged(ranges)
      // The first that ends above `from`, or the last that begins below.
      const at =
        direction === 1
          ? countWhere(ascending, ({ until }) => until <= from)
          : countWhere(ascending, ({ since }) => since < from - 1) - 1
      const range = ascending[at]
      if (!range) return { messages: [], reached: null }
      const page = indexSource(sql, column, key, range, filter).read(from, direction, limit)
      if (page.reached !== null || !ascending[at + direction]) return page
      return { ...page, reached: direction === 1 ? range.until : range.since + 1 }
    },
  }
}

/**
 * The messages of a channel or conversation in its ranges. Statements and filters are made when it is read, since someone may be in tens of
 * thousands of conversations, whose sources are made in one turn.
 */
export class RecipientSource implements MessageSource {
  readonly #sql: Sql
  readonly #recipientId: number
  readonly #ranges: readonly MessageRange[]
  readonly #filter: RowFilter
  /** Made when it is read a second time: of thousands most are not. */
  #source: MessageSource | undefined
  #isRead = false

  constructor(sql: Sql, recipientId: number, ranges: readonly MessageRange[], filter: RowFilter) {
    this.#sql = sql
    this.#recipientId = recipientId
    this.#ranges = ranges
    this.#filter = filter
  }

  read(from: number, direction: Direction, limit: number): SourcePage {
    const source = this.#source ?? this.#make()
    if (this.#isRead) this.#source = source
    this.#isRead = true
    return source.read(from, direction, limit)
  }

  #make(): MessageSource {
    return rangesSource(this.#sql, 'recipient_id', this.#recipientId, this.#ranges, this.#filter)
  }
}

/** Returns all messages of the organization above `since`, for narrows that match most of them. */
export function everySource(sql: Sql, since: number, filter: RowFilter): MessageSource {
  return rangeSource(
    sql,
    { where: '', keys: [], remembered: { passes: () => true } },
    { since, until: Number.MAX_SAFE_INTEGER },
    filter,
  )
}

/** Returns messages that mention everybody in their channel, which have an index of their own. */
export function wildcardSource(sql: Sql, since: number): MessageSource {
  const range = { since, until: Number.MAX_SAFE_INTEGER }
  const passes = ({ bits }: IndexedMessage) => (bits & MESSAGE_BIT.channelWildcard) !== 0
  return rangeSource(
    sql,
    { where: 'AND (bits & 32) != 0', keys: [], remembered: { passes } },
    range,
    NO_FILTER,
  )
}

/** A condition of messages, in SQL and for those in memory. */
interface Condition {
  readonly where: string
  /** Values of `where`, from ?3 on. */
  readonly keys: readonly number[]
  readonly remembered: LookedFor
}

/** Returns the messages of a condition: the newest from memory, and then rows. */
function rangeSource(
  sql: Sql,
  condition: Condition,
  { since, until }: Pick<MessageRange, 'since' | 'until'>,
  filter: RowFilter,
): MessageSource {
  const isFiltered = filter.senderId !== undefined || filter.bits !== 0
  return {
    read(from, direction, limit) {
      const [above, upTo] =
        direction === 1 ? [Math.max(since, from), until] : [since, Math.min(until, from - 1)]
      const asked = { above, upTo, direction, limit }
      if (isFiltered) return readFiltered(sql, condition, asked, filter)
      const known =
        direction === -1
          ? recentMessages(sql).newestBetween(sql, above, upTo, limit, condition.remembered)
          : NOTHING_KNOWN
      const uncounted = known.messages.length
      const rest = { ...asked, upTo: Math.min(upTo, known.from - 1), limit: limit - uncounted }
      const messages = [...known.messages, ...readRows(sql, condition, rest)]
      return { messages, reached: messages.length < limit ? null : messages.at(-1)!.id, uncounted }
    },
  }
}

const NOTHING_KNOWN = { messages: [], from: Number.MAX_SAFE_INTEGER }

/** Rows that are asked for: the first `limit` between two ids, beginning with the oldest (1) or the newest. */
interface AskedRows {
  readonly above: number
  readonly upTo: number
  readonly direction: Direction
  readonly limit: number
}

function readRows(
  sql: Sql,
  { where, keys }: Condition,
  { above, upTo, direction, limit }: AskedRows,
): IndexedMessage[] {
  if (limit === 0 || upTo <= above) return []
  return MESSAGES.list(
    sql,
    `WHERE id > ?1 AND id <= ?2 ${where} ORDER BY id ${orderOf(direction)} LIMIT ?${keys.length + 3}`,
    above,
    upTo,
    ...keys,
    limit,
  )
}

function orderOf(direction: Direction): 'ASC' | 'DESC' {
  return direction === 1 ? 'ASC' : 'DESC'
}

/**
 * Reads the rows that pass a filter, which runs inside SQLite and so costs a tenth. The last row that was read is returned whether it
 * passes or not, as it shows how far that was. To give a row out costs as much again as to read it.
 */
function readFiltered(
  sql: Sql,
  { where, keys }: Condition,
  { above, upTo, direction, limit }: AskedRows,
  filter: RowFilter,
): SourcePage {
  const order = orderOf(direction)
  const [sender, set] = [`?${keys.length + 3}`, `?${keys.length + 4}`]
  const rows = sql
    .all<IndexedMessage & { position: number }>(
      `SELECT * FROM (
         SELECT *, row_number() OVER (ORDER BY id ${order}) AS position FROM (
           SELECT ${MESSAGES.columns} FROM message_index m
           WHERE id > ?1 AND id <= ?2 ${where} ORDER BY id ${order} LIMIT ${limit}
         )
       )
       WHERE position = ${limit} OR ((${sender} IS NULL OR senderId = ${sender}) AND (bits & ${set}) = ${set})`,
      above,
      upTo,
      ...keys,
      filter.senderId ?? null,
      filter.bits,
    )
    .sort((a, b) => a.position - b.position)
  const last = rows.at(-1)
  return {
    messages: rows.map(({ position: _, ...message }) => message).filter((message) => passes(message, filter)),
    reached: last?.position === limit ? last.id : null,
    uncounted: rows.length,
  }
}

function passes({ senderId, bits }: IndexedMessage, filter: RowFilter): boolean {
  return (
    (filter.senderId === undefined || senderId === filter.senderId) && (bits & filter.bits) === filter.bits
  )
}

/** Returns messages for which the user has a row of flags, with any of the bits; with bits 0: whatever the row says. */
export function sparseSource(sql: Sql, userId: number, since: number, bits = 0): MessageSource {
  return {
    read(from, direction, limit) {
      const rows = sql.all<{ message_id: number; bits: number }>(
        `SELECT message_id, bits FROM message_flag WHERE user_id = ? AND message_id > ? AND message_id < ?
         ORDER BY message_id ${direction === 1 ? 'ASC' : 'DESC'} LIMIT ?`,
        userId,
        direction === 1 ? Math.max(since, from) : since,
        direction === 1 ? Number.MAX_SAFE_INTEGER : from,
        limit,
      )
      const wanted = rows.filter((row) => bits === 0 || (row.bits & bits) !== 0)
      const messages = findMessages(
        sql,
        wanted.map(({ message_id }) => message_id),
      )
      return {
        messages: direction === 1 ? messages : messages.reverse(),
        reached: rows.length < limit ? null : rows.at(-1)!.message_id,
      }
    },
  }
}

/** Returns the listed messages. `ids` ascending; deleted messages are left out. */
export function listedSource(sql: Sql, ids: readonly number[]): MessageSource {
  return {
    read(from, direction, limit) {
      const at = positionAmong(ids, direction === 1 ? from + 1 : from)
      const part = direction === 1 ? ids.slice(at, at + limit) : ids.slice(Math.max(at - limit, 0), at)
      const messages = findMessages(sql, part)
      return direction === 1
        ? { messages, reached: at + limit < ids.length ? part.at(-1)! : null }
        : { messages: messages.reverse(), reached: at > limit ? part[0]! : null }
    },
  }
}

/** Returns messages that are unread although the floor of the user's read set is above them. */
export function unreadBelowFloorSource(sql: Sql, read: ReadSet): MessageSource {
  return {
    read(from, direction, limit) {
      const ids = read.unreadBeyond(from, direction, limit)
      const messages = findMessages(sql, ids)
      return {
        messages: direction === 1 ? messages : messages.reverse(),
        reached: ids.length < limit ? null : ids.at(-1)!,
      }
    },
  }
}

/** Returns the number of ids below this one. */
function positionAmong(ids: readonly number[], id: number): number {
  return countWhere(ids, (one) => one < id)
}

/** Returns how many of the values pass, which come before all others. */
function countWhere<Value>(values: readonly Value[], passes: (value: Value) => boolean): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(values[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}

/** A range of one conversation or channel: ids above `since`, up to `until`. */
export interface MessageRange {
  readonly recipientId: number
  readonly since: number
  readonly until: number
}

/** Tests that SQLite makes itself while it reads the index: a message that fails costs a tenth there. */
export interface RowFilter {
  readonly senderId: number | undefined
  /** Bits that must be set. */
  readonly bits: number
}
