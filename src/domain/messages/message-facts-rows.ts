import { RECENT_MESSAGES } from '../../core/budgets.ts'
import type { Sql } from '../../core/sql.ts'

/** What decides for whom a message is unread, and where it is counted. */
export interface MessageFacts {
  readonly id: number
  readonly recipientId: number
  /** 0 in direct conversations. */
  readonly topicId: number
  /** The message's spelling of its topic; null if it is the topic's own (topic-of-message.ts). */
  readonly topicSpelling: string | null
  readonly senderId: number
  /** UNIX seconds. */
  readonly sentAt: number
  readonly bits: number
  /** The last of its moves, in message_move. */
  readonly moveId: number | null
}

export interface FactsRow {
  id: number
  recipient_id: number
  topic_id: number
  topic_spelling: string | null
  sender_id: number
  sent_at: number
  bits: number
  move_id: number | null
}

/** Messages of one block of ids, ascending, complete up to an id. */
interface Block {
  messages: MessageFacts[]
  upTo: number
}

const { ids: IDS, blocks: BLOCKS } = RECENT_MESSAGES
/** Part of a block from which on all of it is read, instead of single messages, which cost three rows each. */
const WORTH_READING = IDS / 4

/**
 * The facts of the newest messages, which everybody's unread messages are among: each is read once for all
 * readers. A new message comes at the end, since ids only rise; a change of bits is made here too; after a move or a
 * deletion all are read anew (realm/calls/kept-reads.ts).
 */
class RecentMessages {
  readonly #blocks = new Map<number, Block>()

  /** Returns all messages above an id, up to another. `newest`: the highest id in use. */
  between(sql: Sql, above: number, upTo: number, newest: number): MessageFacts[] {
    const found: MessageFacts[] = []
    for (let number = blockOf(above + 1); number <= blockOf(Math.min(upTo, newest)); number += 1) {
      for (const message of this.#block(sql, number, newest)) {
        if (message.id > above && message.id <= upTo) found.push(message)
      }
    }
    return found
  }

  /** Yields the newest messages, newest first, as long as they are in memory. */
  *newestInMemory(sql: Sql, newest: number, limit: number): Generator<MessageFacts, void> {
    let left = limit
    for (let number = blockOf(newest); this.#blocks.has(number); number -= 1) {
      const messages = this.#block(sql, number, newest)
      for (let at = messages.length - 1; at >= 0; at -= 1) {
        if (left === 0) return
        left -= 1
        yield messages[at]!
      }
    }
  }

  /**
   * Returns an id above which `between` has to read one block at most: a registration after the object woke
   * reads no more than that for others, and the next ones find more of it.
   */
  reach(above: number, newest: number): number {
    let hasRead = false
    for (let number = blockOf(newest); number >= blockOf(above + 1); number -= 1) {
      if (this.#blocks.has(number)) continue
      if (hasRead) return (number + 1) * IDS - 1
      hasRead = true
    }
    return above
  }

  /** Finds messages by id. `ids` ascending; unknown ones are left out. */
  find(sql: Sql, ids: readonly number[], newest: number): MessageFacts[] {
    const found: MessageFacts[] = []
    const others: number[] = []
    for (const { number, from, to } of rangesOfBlocks(ids)) {
      if (this.#blocks.has(number) || to - from >= WORTH_READING) {
        const messages = this.#block(sql, number, newest)
        for (let [at, next] = [from, 0]; at < to && next < messages.length; ) {
          const message = messages[next]!
          if (message.id === ids[at]) found.push(message)
          if (message.id <= ids[at]!) next += 1
          else at += 1
        }
      } else for (let at = from; at < to; at += 1) others.push(ids[at]!)
    }
    if (others.length === 0) return found
    const looked = findFacts(sql, others)
    return found.length === 0 ? looked : [...found, ...looked].sort((a, b) => a.id - b.id)
  }

  /** Returns how many of these messages would have to be read. `ids` ascending. */
  countLacking(ids: readonly number[]): number {
    let lacking = 0
    for (const { number, from, to } of rangesOfBlocks(ids))
      if (!this.#blocks.has(number)) lacking += to - from
    return lacking
  }

  noteBits(id: number, bits: number): void {
    const messages = this.#blocks.get(blockOf(id))?.messages ?? []
    const at = messages.findIndex((message) => message.id === id)
    if (at >= 0) messages[at] = { ...messages[at]!, bits }
  }

  #block(sql: Sql, number: number, newest: number): readonly MessageFacts[] {
    const block = this.#blocks.get(number) ?? { messages: [], upTo: number * IDS - 1 }
    const end = Math.min((number + 1) * IDS - 1, newest)
    if (block.upTo < end) {
      for (const message of readFacts(sql, block.upTo, end)) block.messages.push(message)
      block.upTo = end
      this.#keep(number, block, newest)
    }
    return block.messages
  }

  #keep(number: number, block: Block, newest: number): void {
    const oldest = blockOf(newest) - BLOCKS
    if (this.#blocks.size >= BLOCKS) {
      for (const kept of this.#blocks.keys()) if (kept <= oldest) this.#blocks.delete(kept)
    }
    if (number > oldest) this.#blocks.set(number, block)
  }
}

export function recentMessages(sql: Sql): RecentMessages {
  return sql.kept(
    'recent',
    () => ({ value: new RecentMessages(), size: IDS * BLOCKS * RECENT_MESSAGES.bytesOfOne }),
    'messages',
  )
}

const FACTS = 'id, recipient_id, topic_id, topic_spelling, sender_id, sent_at, bits, move_id'

function readFacts(sql: Sql, above: number, upTo: number): MessageFacts[] {
  return sql
    .all<FactsRow>(`SELECT ${FACTS} FROM message_index WHERE id > ? AND id <= ? ORDER BY id`, above, upTo)
    .map(factsOf)
}

function findFacts(sql: Sql, ids: readonly number[]): MessageFacts[] {
  return sql
    .all<FactsRow>(
      `SELECT ${FACTS} FROM message_index WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      JSON.stringify(ids),
    )
    .map(factsOf)
}

export function factsOf(row: FactsRow): MessageFacts {
  return {
    id: row.id,
    recipientId: row.recipient_id,
    topicId: row.topic_id,
    topicSpelling: row.topic_spelling,
    senderId: row.sender_id,
    sentAt: row.sent_at,
    bits: row.bits,
    moveId: row.move_id,
  }
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

function blockOf(id: number): number {
  return Math.floor(id / IDS)
}
