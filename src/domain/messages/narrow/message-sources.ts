import { recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import {
  findMessages,
  type IndexedMessage,
  MESSAGE_COLUMNS,
  type MessageRow,
  messageOf,
} from '../message-rows.ts'
import type { NarrowPlan, RowFilter } from './narrow-plan.ts'
import { postedMessages } from './posted-messages.ts'
import type { Place, Universe } from './universe.ts'

/** More topics than this are not walked one by one. */
const MOST_TOPICS = 2_000

/** 1: towards newer messages; -1: towards older ones. */
export type Direction = 1 | -1

/** Something whose messages can be read in order of their ids, a few at a time. */
export interface MessageSource {
  /** Up to `limit` messages beyond `from` (itself left out), nearest first. */
  read(from: number, direction: Direction, limit: number): IndexedMessage[]
}

/**
 * Where the messages of a narrow can be: as few and as short stretches of the index as its terms allow,
 * so that a topic's messages are found without looking at any other (DESIGN 4).
 */
export function sourcesOf(sql: Sql, plan: NarrowPlan, universe: Universe, userId: number): MessageSource[] {
  if (plan.ids) return [listedSource(sql, plan.ids)]
  const asked = universe.places.filter(({ recipientId }) => {
    const recipient = recipientOf(recipientId)
    if (plan.isChannelOnly && recipient.kind !== 'channel') return false
    return plan.recipientTests.every((passes) => passes(recipient))
  })
  const { since, besides } = (plan.since === 0 ? postedMessages(sql, plan, asked) : undefined) ?? plan
  const places = asked.map((place) => ({ ...place, since: Math.max(place.since, since) }))
  const found =
    topicSources(sql, places, plan) ??
    places.map((place) => indexSource(sql, 'recipient_id', place.recipientId, place, plan.filter))
  // A conversation's messages are all received: sparse rows add nothing to them.
  if (universe.includesSparse && !plan.isDirectOnly) found.push(sparseSource(sql, userId, since))
  if (besides.length > 0) found.push(listedSource(sql, besides))
  return found
}

/** Undefined when no topics are named, or so many that their channels are read faster as a whole. */
function topicSources(sql: Sql, places: readonly Place[], plan: NarrowPlan): MessageSource[] | undefined {
  const channelIds = [...new Set(places.map(({ recipientId }) => recipientOf(recipientId).id))]
  const topics = plan.topics?.(channelIds)
  if (!topics || topics.length > MOST_TOPICS) return undefined
  const placesOf = Map.groupBy(places, ({ recipientId }) => recipientOf(recipientId).id)
  return topics.flatMap(([channelId, topicId]) =>
    (placesOf.get(channelId) ?? []).map((place) => indexSource(sql, 'topic_id', topicId, place, plan.filter)),
  )
}

/** A topic's messages, from the first to the last. */
export function topicSource(sql: Sql, topicId: number): MessageSource {
  return indexSource(
    sql,
    'topic_id',
    topicId,
    { since: 0, until: Number.MAX_SAFE_INTEGER },
    { senderId: undefined, bits: 0 },
  )
}

function indexSource(
  sql: Sql,
  column: 'recipient_id' | 'topic_id',
  key: number,
  { since, until }: Pick<Place, 'since' | 'until'>,
  { senderId, bits }: RowFilter,
): MessageSource {
  // The index of topics is a partial one: only a query that repeats its condition may use it.
  const where = column === 'topic_id' ? 'topic_id = ?1 AND topic_id > 0' : 'recipient_id = ?1'
  return {
    read(from, direction, limit) {
      const [low, high] =
        direction === 1 ? [Math.max(since, from), until] : [since, Math.min(until, from - 1)]
      return sql
        .all<MessageRow>(
          `SELECT ${MESSAGE_COLUMNS} FROM message_index m 
           WHERE ${where} AND id > ?2 AND id <= ?3
             AND (?4 IS NULL OR sender_id = ?4) AND (bits & ?5) = ?5
           ORDER BY id ${direction === 1 ? 'ASC' : 'DESC'} LIMIT ?6`,
          key,
          low,
          high,
          senderId ?? null,
          bits,
          limit,
        )
        .map(messageOf)
    },
  }
}

/** Messages that the user has a row of its own for. */
function sparseSource(sql: Sql, userId: number, since: number): MessageSource {
  return {
    read: (from, direction, limit) =>
      sql
        .all<MessageRow>(
          `SELECT ${MESSAGE_COLUMNS} FROM message_flag f CROSS JOIN message_index m ON m.id = f.message_id
           WHERE f.user_id = ? AND f.message_id > ? AND f.message_id < ?
           ORDER BY f.message_id ${direction === 1 ? 'ASC' : 'DESC'} LIMIT ?`,
          userId,
          direction === 1 ? Math.max(since, from) : since,
          direction === 1 ? Number.MAX_SAFE_INTEGER : from,
          limit,
        )
        .map(messageOf),
  }
}

/** `ids` ascending. Those of messages that are gone give nothing. */
export function listedSource(sql: Sql, ids: readonly number[]): MessageSource {
  return {
    read(from, direction, limit) {
      const found: IndexedMessage[] = []
      let at = placeAmong(ids, direction === 1 ? from + 1 : from)
      while (found.length < limit && (direction === 1 ? at < ids.length : at > 0)) {
        const [start, end] = direction === 1 ? [at, at + limit] : [Math.max(at - limit, 0), at]
        const part = findMessages(sql, ids.slice(start, end))
        found.push(...(direction === 1 ? part : part.reverse()))
        at = direction === 1 ? end : start
      }
      return found.slice(0, limit)
    },
  }
}

/** How many of the ids are below this one. */
function placeAmong(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}
