import type { Sql, WritableSql } from '../../core/sql.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'
import { MESSAGE_BIT } from './flags/message-bits.ts'

/**
 * Postings: the ids of a user's messages, and of those that have a link or the like, which narrows ask for
 * and no index of SQLite has. Postings name every message that belongs to them and may name others: deleted
 * ones, or ones that have lost their link. So every result is tested.
 */

/** Ids of one posting, written once all of them are in use. */
export const IDS_PER_POSTING = 4_096

/** Bits for narrows with `has`. */
const POSTED_BITS: readonly number[] = [
  MESSAGE_BIT.hasLink,
  MESSAGE_BIT.hasImage,
  MESSAGE_BIT.hasAttachment,
  MESSAGE_BIT.hasReaction,
]

/** Returns the key under which messages are posted, in its stored form: the sender's id, or a bit of the message. */
export function postingKey(what: { readonly senderId: number } | { readonly bit: number }): number {
  return 'bit' in what ? -what.bit : what.senderId
}

/** Returns the id below which messages are posted. */
export function postedBelow(sql: Sql): number {
  return readMeta<number>(sql, 'posted_below') ?? 0
}

/** Posts the next block. False when it is not full: `newest` is the highest id in use. */
export function postNextBlock(sql: WritableSql, newest: number): boolean {
  const start = postedBelow(sql)
  if (newest < start + IDS_PER_POSTING - 1) return false
  putPostings(sql, start / IDS_PER_POSTING, postingsOf(sql, start))
  writeMeta(sql, 'posted_below', start + IDS_PER_POSTING)
  return true
}

/** Returns the number of postings of the block from this id on that lack messages which belong to them. `repair`: adds these. */
export function repostBlock(sql: WritableSql, start: number, repair: boolean): number {
  const block = Math.floor(start / IDS_PER_POSTING)
  let wrong = 0
  for (const [key, ids] of postingsOf(sql, block * IDS_PER_POSTING)) {
    const row = sql.first<PostingRow>(
      `SELECT block, ids FROM message_posting WHERE key = ? AND block = ?`,
      key,
      block,
    )
    const posted = new Set(row && row.ids.byteLength % Uint16Array.BYTES_PER_ELEMENT === 0 ? idsOf(row) : [])
    if (ids.every((id) => posted.has(id))) continue
    wrong += 1
    if (repair) putPosting(sql, key, block, ids)
  }
  return wrong
}

/** Returns the postings of the block from this id on, by key. */
function postingsOf(sql: Sql, start: number): Map<number, number[]> {
  const postings = new Map<number, number[]>()
  const post = (key: number, id: number) => {
    const ids = postings.get(key)
    if (ids) ids.push(id)
    else postings.set(key, [id])
  }
  for (const { id, sender_id, bits } of sql.all<{ id: number; sender_id: number; bits: number }>(
    `SELECT id, sender_id, bits FROM message_index WHERE id >= ? AND id < ? ORDER BY id`,
    start,
    start + IDS_PER_POSTING,
  )) {
    post(postingKey({ senderId: sender_id }), id)
    for (const bit of POSTED_BITS) if ((bits & bit) !== 0) post(postingKey({ bit }), id)
  }
  return postings
}

/** Takes over the changed bits of a posted message. */
export function postBits(sql: WritableSql, id: number, bits: number): void {
  if ((bits & POSTED_BITS.reduce((all, bit) => all | bit)) === 0 || id >= postedBelow(sql)) return
  const block = Math.floor(id / IDS_PER_POSTING)
  for (const bit of POSTED_BITS) {
    if ((bits & bit) === 0) continue
    const key = postingKey({ bit })
    const row = sql.first<PostingRow>(
      `SELECT block, ids FROM message_posting WHERE key = ? AND block = ?`,
      key,
      block,
    )
    const ids = row ? idsOf(row) : []
    if (!ids.includes(id)) {
      putPosting(
        sql,
        key,
        block,
        [...ids, id].sort((a, b) => a - b),
      )
    }
  }
}

/** Returns the messages that are posted under the key, ascending; undefined when they are more than the limit. */
export function postedIds(sql: Sql, key: number, limit: number): number[] | undefined {
  const rows = sql.all<PostingRow>(`SELECT block, ids FROM message_posting WHERE key = ? ORDER BY block`, key)
  const count = rows.reduce((sum, { ids }) => sum + ids.byteLength / Uint16Array.BYTES_PER_ELEMENT, 0)
  return count > limit ? undefined : rows.flatMap(idsOf)
}

/**
 * Returns the ids of the first block with messages under the key that ends above an id, and the last id of that block; undefined after the
 * last block.
 */
export function postedIdsAbove(
  sql: Sql,
  key: number,
  above: number,
): { readonly ids: number[]; readonly upTo: number } | undefined {
  const row = sql.first<PostingRow>(
    `SELECT block, ids FROM message_posting WHERE key = ? AND block >= ? ORDER BY block LIMIT 1`,
    key,
    Math.floor((above + 1) / IDS_PER_POSTING),
  )
  return row && { ids: idsOf(row), upTo: (row.block + 1) * IDS_PER_POSTING - 1 }
}

interface PostingRow {
  block: number
  /** Distances from the block's first id, 16 bits each. */
  ids: ArrayBuffer
}

function idsOf({ block, ids }: PostingRow): number[] {
  return Array.from(new Uint16Array(ids.slice(0)), (distance) => block * IDS_PER_POSTING + distance)
}

/** Writes all postings of a block together: in a large organization it has thousands of senders. */
function putPostings(
  sql: WritableSql,
  block: number,
  postings: ReadonlyMap<number, readonly number[]>,
): void {
  const rows = [...postings].map(([key, ids]) => [key, Buffer.from(distancesOf(block, ids)).toString('hex')])
  sql.run(
    `INSERT OR REPLACE INTO message_posting (key, block, ids)
     SELECT value->>0, ?1, unhex(value->>1) FROM json_each(?2)`,
    block,
    rows,
  )
}

function putPosting(sql: WritableSql, key: number, block: number, ids: readonly number[]): void {
  sql.run(
    `INSERT OR REPLACE INTO message_posting (key, block, ids) VALUES (?, ?, ?)`,
    key,
    block,
    distancesOf(block, ids),
  )
}

function distancesOf(block: number, ids: readonly number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Uint16Array.from(ids, (id) => id - block * IDS_PER_POSTING).buffer)
}
