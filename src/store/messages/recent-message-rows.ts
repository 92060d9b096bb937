import { RECENT_MESSAGES } from '../../core/budgets.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { META_VALUE, type MetaKey, writeMeta } from '../meta-rows.ts'
import { discountMessages, recountMessages } from './message-count.ts'
import { postBits } from './message-posting-rows.ts'
import { findMessages, type IndexedMessage, MESSAGES, newestMessageId } from './message-rows.ts'
import { type CommonKey, RecentBlock } from './recent-block.ts'

const { ids: IDS, blocks: BLOCKS } = RECENT_MESSAGES
/** Number of messages that are checked in memory for each wanted one, before the index is read. */
const LOOKED_AT_FOR_ONE = 16
/** Part of a block from which on all of it is read, instead of single messages, which cost three rows each. */
const WORTH_READING = IDS / 4

/** Messages that are looked for in memory. */
export interface LookedFor {
  readonly passes: (message: IndexedMessage) => boolean
  /** A fact that all of them have in common; undefined if there is none by which they could be found. */
  readonly common?: { readonly by: CommonKey; readonly key: number }
}

/** A page of messages that were found in memory. */
interface RememberedPage {
  /** Newest first. */
  readonly messages: readonly IndexedMessage[]
  /** All from this id on have been looked at. */
  readonly from: number
}

/**
 * The newest messages, which everybody's unread messages are among, and most pages: each is read once for all
 * readers. A new message comes at the end, since ids only rise; an edit, a change of bits and a deletion are made here too; those that
 * were moved are read anew, with their neighbours. After any other change of the table all are (`Sql.following`).
 */
class RecentMessages {
  readonly #blocks = new Map<number, RecentBlock<IndexedMessage>>()
  /** The highest id in the index, or of a message that was in it, once it has been asked for. */
  #highest: number | undefined

  /** Returns all messages above an id, up to another. */
  between(sql: Sql, above: number, upTo: number): IndexedMessage[] {
    const found: IndexedMessage[] = []
    const last = blockOf(Math.min(upTo, this.#newest(sql)))
    for (let number = blockOf(above + 1); number <= last; number += 1) {
      for (const message of this.#block(sql, number).messages) {
        if (message.id > above && message.id <= upTo) found.push(message)
      }
    }
    return found
  }

  /** Yields the newest messages, newest first, as long as they are in memory. */
  *newestInMemory(sql: Sql, limit: number): Generator<IndexedMessage, void> {
    let left = limit
    for (let number = blockOf(this.#newest(sql)); this.#blocks.has(number); number -= 1) {
      const { messages } = this.#block(sql, number)
      for (let at = messages.length - 1; at >= 0; at -= 1) {
        if (left === 0) return
        left -= 1
        yield messages[at]!
      }
    }
  }

  /**
   * Finds the newest of the messages between two ids that pass, as far as they are in memory. Those of a channel or topic are found without
   * looking at others, in as many blocks as messages are wanted: a narrow may look for few messages of thousands of channels.
   */
  newestBetween(
    sql: Sql,
    above: number,
    upTo: number,
    limit: number,
    { passes, common }: LookedFor,
  ): RememberedPage {
    const messages: IndexedMessage[] = []
    let from = Math.min(upTo, this.#newest(sql)) + 1
    let left = limit * LOOKED_AT_FOR_ONE
    let blocksLeft = common ? limit : Number.POSITIVE_INFINITY
    for (let number = blockOf(from - 1); from > above + 1 && this.#blocks.has(number); number -= 1) {
      if (blocksLeft === 0) break
      blocksLeft -= 1
      const block = this.#block(sql, number)
      const candidates = common ? block.newestOf(common.by, common.key) : block.messages.toReversed()
      for (const message of candidates) {
        if (message.id >= from) continue
        if (message.id <= above) break
        if (left === 0 || messages.length === limit) return { messages, from }
        left -= 1
        from = message.id
        if (passes(message)) messages.push(message)
      }
      from = Math.max(number * IDS, above + 1)
    }
    return { messages, from }
  }

  /**
   * Returns an id above which `between` has to read one block at most: a registration after the object woke
   * reads no more than that for others, and the next ones find more of it.
   */
  reach(sql: Sql, above: number): number {
    let hasRead = false
    for (let number = blockOf(this.#newest(sql)); number >= blockOf(above + 1); number -= 1) {
      if (this.#blocks.has(number)) continue
      if (hasRead) return (number + 1) * IDS - 1
      hasRead = true
    }
    return above
  }

  /** Finds messages by id. `ids` ascending; unknown ones are left out. */
  find(sql: Sql, ids: readonly number[]): IndexedMessage[] {
    const found: IndexedMessage[] = []
    const others: number[] = []
    for (const { number, from, to } of rangesOfBlocks(ids)) {
      if (this.#blocks.has(number) || to - from >= WORTH_READING) {
        const { messages } = this.#block(sql, number)
        for (let [at, next] = [from, 0]; at < to && next < messages.length; ) {
          const message = messages[next]!
          if (message.id === ids[at]) found.push(message)
          if (message.id <= ids[at]!) next += 1
          else at += 1
        }
      } else for (let at = from; at < to; at += 1) others.push(ids[at]!)
    }
    if (others.length === 0) return found
    const looked = findMessages(sql, others)
    return found.length === 0 ? looked : [...found, ...looked].sort((a, b) => a.id - b.id)
  }

  /** Adds a message that was just stored: to a block whose other messages are all in memory, or as the first of one. */
  noteNew(message: IndexedMessage): void {
    const { id } = message
    const number = blockOf(id)
    const block = this.#blocks.get(number) ?? emptyBlock(number)
    this.#highest = id
    if (block.upTo !== id - 1) return
    block.add([message], id)
    this.#keep(number, block, id)
  }

  noteChange(id: number, change: Partial<Pick<IndexedMessage, 'bits' | 'version' | 'editedAt'>>): void {
    this.#blocks.get(blockOf(id))?.change(id, change)
  }

  noteGone(ids: readonly number[]): void {
    const gone = new Set(ids)
    for (const number of new Set(ids.map(blockOf))) this.#blocks.get(number)?.remove(gone)
  }

  noteMoved(ids: readonly number[]): void {
    for (const id of ids) this.#blocks.delete(blockOf(id))
  }

  #newest(sql: Sql): number {
    this.#highest ??= highestId(sql)
    return this.#highest
  }

  #block(sql: Sql, number: number): RecentBlock<IndexedMessage> {
    const newest = this.#newest(sql)
    const block = this.#blocks.get(number) ?? emptyBlock(number)
    const end = Math.min(endOfBlock(number), newest)
    if (block.upTo < end) {
      block.add(readBlock(sql, block.upTo, end), end)
      this.#keep(number, block, newest)
    }
    return block
  }

  #keep(number: number, block: RecentBlock<IndexedMessage>, newest: number): void {
    const oldest = blockOf(newest) - BLOCKS
    if (this.#blocks.size >= BLOCKS) {
      for (const kept of this.#blocks.keys()) if (kept <= oldest) this.#blocks.delete(kept)
    }
    if (number > oldest) this.#blocks.set(number, block)
  }
}

export function recentMessages(sql: Sql): RecentMessages {
  return sql.following('message_index', () => new RecentMessages())
}

/** Runs a change of the index that its caller makes in `recentMessages` too. */
export function followed<Result>(sql: WritableSql, change: () => Result): Result {
  return sql.changing('message_index', [], change)
}

function highestId(sql: Sql): number {
  return sql.value(`SELECT MAX(id) AS id FROM message_index`) ?? 0
}

function readBlock(sql: Sql, above: number, upTo: number): IndexedMessage[] {
  return MESSAGES.list(sql, `WHERE id > ? AND id <= ? ORDER BY id LIMIT ${IDS}`, above, upTo)
}

/** Yields where the ids of each block begin and end in `ids`. */
function* rangesOfBlocks(ids: readonly number[]): Generator<{ number: number; from: number; to: number }> {
  for (let from = 0; from < ids.length; ) {
    const number = blockOf(ids[from]!)
    const end = (number + 1) * IDS
    let to = from + 1
    while (to < ids.length && ids[to]! < end) to += 1
    yield { number, from, to }
    from = to
  }
}

/** Returns a block without messages. The ids of the first begin with 1. */
function emptyBlock(number: number): RecentBlock<IndexedMessage> {
  return new RecentBlock(Math.max(number * IDS - 1, 0))
}

/** Returns the highest id of a block. */
function endOfBlock(number: number): number {
  return (number + 1) * IDS - 1
}

function blockOf(id: number): number {
  return Math.floor(id / IDS)
}

/** The index columns of a new message. */
export type NewMessage = Pick<
  IndexedMessage,
  'recipientId' | 'topicId' | 'topicSpelling' | 'senderId' | 'clientId' | 'sentAt' | 'bits'
>

/** Returns the id that the message gets: the next after the highest ever given (`newestMessageId`). */
export function insertMessage(sql: WritableSql, message: NewMessage, sendKey: string | null): number {
  const insert = () =>
    sql.runForValue(
      `INSERT INTO message_index (id, recipient_id, topic_id, topic_spelling, sender_id, client_id, sent_at, bits, send_key)
     VALUES (
       max(ifnull((SELECT MAX(id) FROM message_index), 0), ifnull(${META_VALUE}, 0)) + 1,
       ?, ?, ?, ?, ?, ?, ?, ?
     ) RETURNING id`,
      'message_id_floor' satisfies MetaKey,
      message.recipientId,
      message.topicId,
      message.topicSpelling,
      message.senderId,
      message.clientId,
      message.sentAt,
      message.bits,
      sendKey,
    )!
  const id = followed(sql, insert)
  noteNew(sql, id, message)
  return id
}

/** Rows of one statement, which may have a hundred parameters. */
const ROWS_OF_A_STATEMENT = 12

/** Inserts messages with the ids that follow the highest ever given: one statement takes less time than one for each. */
export function insertMessages(
  sql: WritableSql,
  messages: readonly (NewMessage & { readonly id: number })[],
): void {
  for (const some of inParts(messages, ROWS_OF_A_STATEMENT)) {
    const rows = some.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join()
    const values = some.flatMap((message) => [
      message.id,
      message.recipientId,
      message.topicId,
      message.topicSpelling,
      message.senderId,
      message.clientId,
      message.sentAt,
      message.bits,
    ])
    const statement = `INSERT INTO message_index (id, recipient_id, topic_id, topic_spelling, sender_id, client_id, sent_at, bits) VALUES ${rows}`
    followed(sql, () => sql.run(statement, ...values))
  }
  for (const message of messages) noteNew(sql, message.id, message)
}

function noteNew(sql: Sql, id: number, message: NewMessage): void {
  recentMessages(sql).noteNew({
    id,
    recipientId: message.recipientId,
    topicId: message.topicId,
    topicSpelling: message.topicSpelling,
    senderId: message.senderId,
    clientId: message.clientId,
    sentAt: message.sentAt,
    bits: message.bits,
    version: 0,
    editedAt: null,
    movedAt: null,
    moveId: null,
  })
}

/** Inserts messages that were deleted, with the ids that they had. The messages in memory are read anew. */
export function insertFormerMessages(
  sql: WritableSql,
  messages: readonly Omit<IndexedMessage, 'moveId' | 'movedAt'>[],
): void {
  for (const message of messages)
    sql.run(
      `INSERT INTO message_index
         (id, recipient_id, topic_id, topic_spelling, sender_id, client_id, sent_at, bits, version, edited_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      message.id,
      message.recipientId,
      message.topicId,
      message.topicSpelling,
      message.senderId,
      message.clientId,
      message.sentAt,
      message.bits,
      message.version,
      message.editedAt,
    )
  recountMessages(
    sql,
    messages.map(({ id }) => id),
  )
}

export function changeMessageBits(sql: WritableSql, id: number, bits: number): void {
  followed(sql, () => sql.run(`UPDATE message_index SET bits = ? WHERE id = ?`, bits, id))
  recentMessages(sql).noteChange(id, { bits })
  postBits(sql, id, bits)
}

/** Deletes messages from the index. Their ids must never be given again, even when one was the newest. */
export function deleteMessageRows(sql: WritableSql, ids: readonly number[]): void {
  const newest = newestMessageId(sql)
  if (ids.includes(newest)) writeMeta(sql, 'message_id_floor', newest)
  discountMessages(sql, ids)
  const statement = `DELETE FROM message_index WHERE id IN (SELECT value FROM json_each(?))`
  followed(sql, () => sql.run(statement, ids))
  recentMessages(sql).noteGone(ids)
}
