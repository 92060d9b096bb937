import { fromJson, type JsonText } from '../../../core/json.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import type { Sql, SqlValue, WritableSql } from '../../../core/sql.ts'
import { muteReader } from '../../muted-users/muted-user-rows.ts'
import { changeUser, type User } from '../../users/user-rows.ts'
import { UNREAD_BIT } from './message-bits.ts'
import { bitOf, blockOf, byteOf, IDS_PER_BLOCK, type MessageIdSet } from './message-id-set.ts'
import { isUnreadNotice } from './unread-message-rows.ts'

/** Number of ids whose exceptions are read together. */
const EXCEPTIONS_READ_AT_ONCE = 256

/**
 * The messages that a user has read: everything up to a floor, except for ids in a stored block, whose bits
 * alone decide (docs/decisions/design.md#no-row-for-each-recipient). So an old message that is marked as
 * unread costs one row, however far below the floor. Bits of ids that the user never received do not matter.
 * `save` writes changes.
 */
export class ReadSet {
  readonly #sql: Sql
  readonly #userId: number
  readonly #hadMuted: ReturnType<typeof muteReader>
  #floor: number
  /** Blocks by number; null: looked for, and not stored. */
  readonly #blocks = new Map<number, Uint8Array | null>()
  readonly #changed = new Set<number>()
  #floorChanged = false
  #isComplete = false
  /** The last ones that were read, since neighbours are asked for next. */
  #exceptions: { readonly first: number; readonly ids: ReadonlySet<number> } | undefined

  constructor(sql: Sql, user: Pick<User, 'id' | 'readFloor'>) {
    this.#sql = sql
    this.#userId = user.id
    this.#hadMuted = muteReader(sql, user.id)
    this.#floor = user.readFloor
  }

  /** Everything up to this id is read, except `unreadInParts`. */
  get floor(): number {
    return this.#floor
  }

  /** Yields ids up to the floor that were marked as unread again, ascending, in lists of at most IDS_PER_BLOCK. */
  *unreadInParts(): Generator<number[], void> {
    this.loadAll()
    for (const number of [...this.#blocks.keys()].sort((a, b) => a - b)) {
      const block = this.#blocks.get(number)
      const ids = block ? unreadIn(number, block, this.#floor) : []
      if (ids.length > 0) yield ids
    }
  }

  /** Returns the unread ids beyond `from`, up to `limit`, nearest first. */
  unreadBeyond(from: number, direction: 1 | -1, limit: number): number[] {
    this.loadAll()
    const found: number[] = []
    const numbers = [...this.#blocks.keys()].sort((a, b) => (a - b) * direction)
    for (const number of numbers) {
      const block = this.#blocks.get(number)
      if (!block || (number - blockOf(from)) * direction < 0) continue
      const ids = unreadIn(number, block, this.#floor).filter((id) => (id - from) * direction > 0)
      found.push(...(direction === 1 ? ids : ids.reverse()))
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  has(id: number): boolean {
    const block = this.#stored(blockOf(id))
    return block ? (block[byteOf(id)]! & bitOf(id)) !== 0 : id <= this.#floor
  }

  /** Whether the user had muted the message's sender when it was sent. */
  hadMutedSender({ id, senderId }: { readonly id: number; readonly senderId: number }): boolean {
    return this.#hadMuted(senderId, id)
  }

  /** Whether a notice about a resolved topic, which arrived read for others, did not for this user. */
  isUnreadNotice(id: number): boolean {
    return isUnreadNotice(this.#sql, id, this.#userId)
  }

  /** Whether a message that arrived read is unread for this user after all. */
  isUnreadException(id: number): boolean {
    const first = id - (id % EXCEPTIONS_READ_AT_ONCE)
    if (this.#exceptions?.first !== first) {
      const last = first + EXCEPTIONS_READ_AT_ONCE - 1
      this.#exceptions = { first, ids: unreadExceptions(this.#sql, this.#userId, first, last) }
    }
    return this.#exceptions.ids.has(id)
  }

  add(id: number): void {
    if (!this.has(id)) this.#set(id, true)
  }

  delete(id: number): void {
    if (this.has(id)) this.#set(id, false)
  }

  /** Reads all blocks together, for callers with many ids. */
  loadAll(): this {
    if (this.#isComplete) return this
    for (const { block, ids } of this.#sql.all<{ block: number; ids: ArrayBuffer }>(
      `SELECT block, ids FROM read_block WHERE user_id = ?`,
      this.#userId,
    )) {
      if (!this.#changed.has(block)) this.#blocks.set(block, new Uint8Array(ids.slice(0)))
    }
    this.#isComplete = true
    return this
  }

  /** Takes stored blocks that were read together with other things. */
  know(
    numbers: Iterable<number>,
    stored: readonly { readonly block: number; readonly ids: ArrayBuffer }[],
  ): void {
    for (const number of numbers) this.#blocks.set(number, null)
    for (const { block, ids } of stored) this.#blocks.set(block, new Uint8Array(ids.slice(0)))
  }

  /** Returns the blocks that `save` would write, for a caller who writes them in its place. */
  takeChanged(): { readonly block: number; readonly bits: Uint8Array }[] {
    const changed = [...this.#changed].map((block) => ({ block, bits: this.#blocks.get(block)! }))
    this.#changed.clear()
    return changed
  }

  /** Marks everything up to `id` as read; blocks below are no longer needed. */
  raiseFloor(sql: WritableSql, id: number): void {
    const last = blockOf(id + 1)
    sql.run(`DELETE FROM read_block WHERE user_id = ? AND block < ?`, this.#userId, last)
    for (const number of this.#blocks.keys()) {
      if (number >= last) continue
      this.#blocks.set(number, null)
      this.#changed.delete(number)
    }
    if (this.#stored(last)) {
      for (let read = last * IDS_PER_BLOCK; read <= id; read += 1) this.add(read)
    }
    if (id <= this.#floor) return
    this.#floor = id
    this.#floorChanged = true
  }

  lacking(ids: MessageIdSet): MessageIdSet {
    return ids.except((number) => this.#stored(number) ?? this.#asFloorSays(number))
  }

  /** Marks everything up to `id`, the newest there is, as read except these. Equal blocks are not written again. */
  settle(sql: WritableSql, id: number, { blocks: exceptions }: MessageIdSet): void {
    this.loadAll()
    const needless = [...this.#blocks].flatMap(([number, block]) =>
      block && !exceptions.has(number) ? number : [],
    )
    for (const number of needless) {
      sql.run(`DELETE FROM read_block WHERE user_id = ? AND block = ?`, this.#userId, number)
      this.#blocks.set(number, null)
      this.#changed.delete(number)
    }
    this.#floor = id
    this.#floorChanged = true
    for (const [number, unread] of exceptions) {
      const before = this.#blocks.get(number)
      const block = this.#asFloorSays(number).map((byte, at) => byte & ~unread[at]!)
      this.#blocks.set(number, block)
      if (!before?.every((byte, at) => byte === block[at])) this.#changed.add(number)
    }
  }

  save(sql: WritableSql): void {
    if (this.#floorChanged) changeUser(sql, this.#userId, { readFloor: this.#floor })
    for (const block of this.#changed) {
      sql.run(
        `INSERT OR REPLACE INTO read_block (user_id, block, ids) VALUES (?, ?, ?)`,
        this.#userId,
        block,
        this.#blocks.get(block)!,
      )
    }
    this.#changed.clear()
    this.#floorChanged = false
  }

  #set(id: number, value: boolean): void {
    const number = blockOf(id)
    const block = this.#stored(number) ?? this.#newBlock(number)
    if (value) block[byteOf(id)]! |= bitOf(id)
    else block[byteOf(id)]! &= ~bitOf(id)
    this.#changed.add(number)
  }

  #stored(number: number): Uint8Array | null {
    const known = this.#blocks.get(number)
    if (known !== undefined) return known
    const query = `SELECT ids FROM read_block WHERE user_id = ? AND block = ?`
    const ids = this.#isComplete ? undefined : this.#sql.value<ArrayBuffer>(query, this.#userId, number)
    const block = ids ? new Uint8Array(ids.slice(0)) : null
    this.#blocks.set(number, block)
    return block
  }

  #newBlock(number: number): Uint8Array {
    const block = this.#asFloorSays(number)
    this.#blocks.set(number, block)
    return block
  }

  /** Returns a block in which each id is as the floor says. */
  #asFloorSays(number: number): Uint8Array {
    const block = new Uint8Array(IDS_PER_BLOCK / 8)
    const start = number * IDS_PER_BLOCK
    const read = Math.min(Math.max(this.#floor - start + 1, 0), IDS_PER_BLOCK)
    block.fill(0xff, 0, read >> 3)
    if (read % 8 > 0) block[read >> 3] = (1 << (read % 8)) - 1
    return block
  }
}

/** Returns the messages between two ids that the user marked as unread although they had arrived read. */
function unreadExceptions(sql: Sql, userId: number, first: number, last: number): Set<number> {
  const ids = sql.list(
    `SELECT json_group_array(message_id) AS ids FROM message_flag
     WHERE user_id = ? AND message_id BETWEEN ? AND ? AND (bits & ${UNREAD_BIT}) != 0`,
    userId,
    first,
    last,
  )
  return new Set(ids)
}

/** Returns those of the users whose set has the message: one query, and one row, for messages with thousands of receivers. */
export function usersWhoseSetHas(sql: Sql, messageId: number, userIds: readonly number[]): number[] {
  const bit = bitOf(messageId)
  return sql.list(
    `SELECT json_group_array(u.id) AS ids FROM json_each(?1) j JOIN user u ON u.id = j.value
     LEFT JOIN read_block b ON b.user_id = u.id AND b.block = ?2
     WHERE CASE WHEN b.ids IS NULL THEN u.read_floor >= ?3
       ELSE instr(?4, substr(hex(substr(b.ids, ?5, 1)), ?6, 1)) > 0 END`,
    userIds,
    blockOf(messageId),
    messageId,
    hexDigitsWith(bit > 0xf ? bit >> 4 : bit),
    byteOf(messageId) + 1,
    bit > 0xf ? 1 : 2,
  )
}

/** Returns the hexadecimal digits that have the bit: SQLite has no function for the bits of a byte. */
function hexDigitsWith(bit: number): string {
  return [...'0123456789ABCDEF'].filter((_, digit) => (digit & bit) !== 0).join('')
}

/** Returns those of the users who have read everything from one message to another, as their floors say without any stored block. */
export function usersWhoHaveRead(
  sql: Sql,
  userIds: readonly number[],
  first: number,
  last: number,
): Set<number> {
  if (userIds.length === 0) return new Set()
  const ids = sql.list(
    `SELECT json_group_array(u.id) AS ids FROM json_each(?1) j JOIN user u ON u.id = j.value
     WHERE u.read_floor >= ?2 AND NOT EXISTS (
       SELECT 1 FROM read_block b WHERE b.user_id = u.id AND b.block BETWEEN ?3 AND ?4
     )`,
    userIds,
    last,
    blockOf(first),
    blockOf(last),
  )
  return new Set(ids)
}

/** Returns the ids up to `last` that the block does not have, ascending. */
function unreadIn(number: number, block: Uint8Array, last: number): number[] {
  const found: number[] = []
  const start = number * IDS_PER_BLOCK
  for (let byte = 0; byte < block.length && start + byte * 8 <= last; byte += 1) {
    const bits = block[byte]!
    for (let bit = 0; bits !== 0xff && bit < 8; bit += 1) {
      const id = start + byte * 8 + bit
      if ((bits & (1 << bit)) === 0 && id <= last) found.push(id)
    }
  }
  return found
}

/** Users whose sets one statement writes: the platform allows 100 parameters. */
const WRITTEN_TOGETHER = 30

/** Users whose sets are in memory at a time: half a kilobyte for each block. */
const CHANGED_TOGETHER = 500

/**
 * Adds messages (ascending ids) to the sets of users, of whom there may be thousands, in a few statements: what `ReadSet` does for one
 * user takes two for each. `idsOf` may return the same list for many. Returns the number of blocks read or written.
 */
export function readByMany(
  sql: WritableSql,
  userIds: readonly number[],
  ids: readonly number[],
  idsOf: (userId: number) => readonly number[],
): number {
  let blocks = 0
  for (const some of inParts(userIds, CHANGED_TOGETHER)) {
    const changed = setsOf(sql, some, ids).flatMap(({ userId, set, stored }) => {
      for (const id of idsOf(userId)) set.add(id)
      const own = set.takeChanged()
      blocks += Math.max(own.length, stored)
      return own.map(({ block, bits }) => [userId, block, bits] as const)
    })
    for (const rows of inParts(changed, WRITTEN_TOGETHER)) writeBlocks(sql, rows)
  }
  return blocks
}

function writeBlocks(sql: WritableSql, rows: readonly (readonly SqlValue[])[]): void {
  sql.run(
    `INSERT OR REPLACE INTO read_block (user_id, block, ids) VALUES ${rows.map(() => '(?, ?, ?)').join(', ')}`,
    ...rows.flat(),
  )
}

interface SetOfUser {
  readonly userId: number
  readonly set: ReadSet
  /** Number of blocks that were stored. */
  readonly stored: number
}

function setsOf(sql: Sql, userIds: readonly number[], ids: readonly number[]): SetOfUser[] {
  const floors = sql.list<[id: number, floor: number]>(
    `SELECT json_group_array(json_array(u.id, u.read_floor)) AS floors
     FROM json_each(?) j CROSS JOIN user u ON u.id = j.value`,
    userIds,
  )
  const numbers = [...new Set(ids.map(blockOf))]
  const rows = sql.all<{ user_id: number; block: number; ids: ArrayBuffer }>(
    `SELECT b.user_id, b.block, b.ids FROM json_each(?) j
     CROSS JOIN read_block b ON b.user_id = j.value AND b.block IN (SELECT value FROM json_each(?))`,
    userIds,
    numbers,
  )
  const stored = Map.groupBy(rows, ({ user_id }) => user_id)
  return floors.map(([userId, readFloor]) => {
    const set = new ReadSet(sql, { id: userId, readFloor })
    const own = stored.get(userId) ?? []
    set.know(numbers, own)
    return { userId, set, stored: own.length }
  })
}

/** Returns which of these messages each user has rows of flags for, by user. */
export function flaggedByMany(
  sql: Sql,
  userIds: readonly number[],
  messageIds: readonly number[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const rows = sql.all<{ user_id: number; ids: JsonText<number[]> }>(
    `SELECT f.user_id, json_group_array(f.message_id) AS ids FROM json_each(?1) j
     CROSS JOIN message_flag f ON f.user_id = j.value AND f.message_id BETWEEN ?2 AND ?3
     WHERE +f.message_id IN (SELECT value FROM json_each(?4)) GROUP BY f.user_id`,
    userIds,
    messageIds[0]!,
    messageIds.at(-1)!,
    messageIds,
  )
  return new Map(rows.map(({ user_id, ids }) => [user_id, new Set(fromJson(ids))]))
}
