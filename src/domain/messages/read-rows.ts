import type { Sql } from '../../core/sql.ts'
import type { User } from '../users/user-rows.ts'
import { changeUser } from '../users/user-rows.ts'

/** Ids in one block: 512 bytes of bits. */
const IDS_PER_BLOCK = 4_096

/**
 * What a user has read: everything up to a floor, and single ids above it (DESIGN 4). Ids the user never
 * received do not matter, whichever way their bit stands. Changes are written by `save`.
 */
export class ReadSet {
  readonly #sql: Sql
  readonly #userId: number
  #floor: number
  readonly #blocks = new Map<number, Uint8Array>()
  readonly #changed = new Set<number>()
  #floorChanged = false

  constructor(sql: Sql, user: Pick<User, 'id' | 'readFloor'>) {
    this.#sql = sql
    this.#userId = user.id
    this.#floor = user.readFloor
  }

  get floor(): number {
    return this.#floor
  }

  has(id: number): boolean {
    if (id <= this.#floor) return true
    const block = this.#block(blockOf(id))
    return (block[byteOf(id)]! & bitOf(id)) !== 0
  }

  add(id: number): void {
    if (this.has(id)) return
    this.#set(id, true)
  }

  delete(id: number): void {
    if (!this.has(id)) return
    this.#lowerFloor(id - 1)
    this.#set(id, false)
  }

  /** Reads all blocks at once, for those who ask about many ids. */
  loadAll(): this {
    for (const { block, ids } of this.#sql.all<{ block: number; ids: ArrayBuffer }>(
      `SELECT block, ids FROM read_block WHERE user_id = ?`,
      this.#userId,
    )) {
      if (!this.#blocks.has(block)) this.#blocks.set(block, new Uint8Array(ids.slice(0)))
    }
    return this
  }

  /** Everything up to `id` is read; the blocks below are not needed any more. */
  raiseFloor(id: number): void {
    if (id <= this.#floor) return
    this.#floor = id
    this.#floorChanged = true
    this.#sql.run(`DELETE FROM read_block WHERE user_id = ? AND block < ?`, this.#userId, blockOf(id + 1))
    for (const block of this.#blocks.keys()) {
      if (block < blockOf(id + 1)) {
        this.#blocks.delete(block)
        this.#changed.delete(block)
      }
    }
  }

  save(): void {
    if (this.#floorChanged) changeUser(this.#sql, this.#userId, { readFloor: this.#floor })
    for (const block of this.#changed) {
      this.#sql.run(
        `INSERT OR REPLACE INTO read_block (user_id, block, ids) VALUES (?, ?, ?)`,
        this.#userId,
        block,
        this.#blocks.get(block)!,
      )
    }
    this.#changed.clear()
    this.#floorChanged = false
  }

  /** What the floor covered stays read, bit by bit. */
  #lowerFloor(floor: number): void {
    if (floor >= this.#floor) return
    const was = this.#floor
    this.#floor = floor
    this.#floorChanged = true
    for (let id = floor + 1; id <= was; id += 1) this.#set(id, true)
  }

  #set(id: number, value: boolean): void {
    const number = blockOf(id)
    const block = this.#block(number)
    if (value) block[byteOf(id)]! |= bitOf(id)
    else block[byteOf(id)]! &= ~bitOf(id)
    this.#changed.add(number)
  }

  #block(number: number): Uint8Array {
    let block = this.#blocks.get(number)
    if (!block) {
      const row = this.#sql.first<{ ids: ArrayBuffer }>(
        `SELECT ids FROM read_block WHERE user_id = ? AND block = ?`,
        this.#userId,
        number,
      )
      block = row ? new Uint8Array(row.ids.slice(0)) : new Uint8Array(IDS_PER_BLOCK / 8)
      this.#blocks.set(number, block)
    }
    return block
  }
}

function blockOf(id: number): number {
  return Math.floor(id / IDS_PER_BLOCK)
}

function byteOf(id: number): number {
  return (id % IDS_PER_BLOCK) >> 3
}

function bitOf(id: number): number {
  return 1 << (id % 8)
}
