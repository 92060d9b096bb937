import type { AnswerInBlocks } from '../../core/blocks.ts'
import { BLOCKS_KEPT, PART_OF_ONE_ORGANIZATION } from '../../core/worker-budgets.ts'

/** A block as it was in one version: its parts, JSON in UTF-8. */
export interface KeptBlock {
  readonly version: number
  readonly parts: readonly Uint8Array[]
}

/** Bytes of a block besides its parts. */
const BESIDES = 200
const BESIDES_A_PART = 100

interface Entry {
  readonly key: BlockKey
  readonly block: KeptBlock
  /** Whether it was used since it came to the end of the order. */
  isUsed: boolean
}

/** An organization's blocks by family and number. */
type Families = Map<string, Map<number, Entry>>

interface KeptRealm {
  readonly families: Families
  /** In how many blocks the same parts are. */
  readonly holders: Map<KeptBlock['parts'], number>
  readonly order: Set<Entry>
  /** Estimated bytes. */
  size: number
  /** What `held` returns, until a block comes or goes. */
  held: HeldFamilies | undefined
}

/** Number and version of each block, one after the other, by family. */
type HeldFamilies = Readonly<Record<string, Float64Array>>

export interface BlockKey {
  readonly realmId: number
  readonly family: string
  readonly number: number
}

/**
 * Blocks as realm objects have sent them, up to a limit of bytes. The oldest are dropped; one that was used becomes the newest
 * when it would be dropped, and not at each use, since an answer uses a thousand. An organization that has most of them drops its
 * own, so that those of others stay. Classes of viewers mostly see the same: blocks of one number and version whose bytes are equal
 * hold them once. A caller gets a block only if the object has said, in the answer to that caller, that this version belongs to it.
 */
export class BlockCache {
  readonly #limit: number
  readonly #realms = new Map<number, KeptRealm>()
  /** All blocks, from the oldest to the newest. */
  readonly #order = new Set<Entry>()
  #size = 0

  constructor(limit = BLOCKS_KEPT) {
    this.#limit = limit
  }

  /** Estimated bytes of all blocks. */
  get size(): number {
    return this.#size
  }

  has(realmId: number): boolean {
    return this.#realms.has(realmId)
  }

  /** Returns the blocks of an organization. */
  held(realmId: number): HeldFamilies {
    const realm = this.#realms.get(realmId)
    if (!realm) return {}
    realm.held ??= heldFamilies(realm.families)
    return realm.held
  }

  /** Returns a look-up of one family's blocks by number and version. */
  finder(realmId: number, family: string): (number: number, version: number) => KeptBlock | undefined {
    const blocks = this.#realms.get(realmId)?.families.get(family)
    return (number, version) => {
      const entry = blocks?.get(number)
      if (entry?.block.version !== version) return undefined
      entry.isUsed = true
      return entry.block
    }
  }

  /** Keeps a block, unless it is too large. Returns it, with the bytes of an equal one if there is one. */
  put(key: BlockKey, came: KeptBlock): KeptBlock {
    if (sizeOf(came.parts) > this.#limit) return came
    const realm: KeptRealm = this.#realms.get(key.realmId) ?? {
      families: new Map(),
      holders: new Map(),
      order: new Set(),
      size: 0,
      held: undefined,
    }
    const blocks = realm.families.get(key.family) ?? new Map<number, Entry>()
    const before = blocks.get(key.number)
    if (before) this.#forget(before)
    const block = equalTo(came, key.number, realm.families)
    const holders = realm.holders.get(block.parts) ?? 0
    // Held before others are dropped, which then no longer give its bytes back.
    realm.holders.set(block.parts, holders + 1)
    const size = holders === 0 ? sizeOf(block.parts) : BESIDES
    const hasMost = realm.size + size > this.#limit * PART_OF_ONE_ORGANIZATION
    if (hasMost) this.#makeRoom(size, realm.order)
    this.#makeRoom(size, this.#order)
    // The dropped block may have been the organization's last.
    this.#realms.set(key.realmId, realm)
    realm.families.set(key.family, blocks)
    const entry = { key, block, isUsed: false }
    blocks.set(key.number, entry)
    realm.order.add(entry)
    realm.size += size
    realm.held = undefined
    this.#order.add(entry)
    this.#size += size
    return block
  }

  clear(): void {
    this.#realms.clear()
    this.#order.clear()
    this.#size = 0
  }

  #makeRoom(size: number, among: ReadonlySet<Entry>): void {
    for (const entry of among) {
      if (this.#size + size <= this.#limit) return
      if (entry.isUsed) this.#moveToEnd(entry)
      else this.#forget(entry)
    }
  }

  #moveToEnd(entry: Entry): void {
    entry.isUsed = false
    for (const order of [this.#order, this.#realms.get(entry.key.realmId)!.order]) {
      order.delete(entry)
      order.add(entry)
    }
  }

  #forget(entry: Entry): void {
    const { key, block } = entry
    const realm = this.#realms.get(key.realmId)!
    const others = realm.holders.get(block.parts)! - 1
    if (others > 0) realm.holders.set(block.parts, others)
    else realm.holders.delete(block.parts)
    const size = others > 0 ? BESIDES : sizeOf(block.parts)
    this.#order.delete(entry)
    this.#size -= size
    realm.order.delete(entry)
    realm.size -= size
    realm.held = undefined
    const blocks = realm.families.get(key.family)!
    blocks.delete(key.number)
    if (blocks.size === 0) realm.families.delete(key.family)
    if (realm.families.size === 0) this.#realms.delete(key.realmId)
  }
}

function heldFamilies(families: Families): HeldFamilies {
  const held: Record<string, Float64Array> = {}
  for (const [family, blocks] of families) {
    const pairs = new Float64Array(2 * blocks.size)
    let at = 0
    for (const [number, { block }] of blocks) {
      pairs[at] = number
      pairs[at + 1] = block.version
      at += 2
    }
    held[family] = pairs
  }
  return held
}

/** Returns the block of another family with the same bytes, or else the block itself. */
function equalTo(block: KeptBlock, number: number, families: Families): KeptBlock {
  for (const blocks of families.values()) {
    const other = blocks.get(number)?.block
    if (other?.version === block.version && haveSameBytes(other.parts, block.parts)) return other
  }
  return block
}

function haveSameBytes(some: KeptBlock['parts'], others: KeptBlock['parts']): boolean {
  return some.length === others.length && some.every((part, at) => Buffer.compare(part, others[at]!) === 0)
}

/** Returns estimated bytes of a block that shares its parts with no other. */
function sizeOf(parts: KeptBlock['parts']): number {
  return parts.reduce((sum, { length }) => sum + length + BESIDES_A_PART, BESIDES)
}

/** Yields the blocks that came with an answer, with their positions in its `blocks`. */
export function* sentBlocks({ blocks, sent }: AnswerInBlocks): Generator<[number, KeptBlock]> {
  let at = 0
  for (const [index, key] of sent.positions.entries()) {
    const parts = sent.lengths[index]!.map((length) => {
      at += length
      // A copy, since a view would keep all the others in memory.
      return sent.bytes.slice(at - length, at)
    })
    yield [key, { version: blocks[3 * key + 2]!, parts }]
  }
}

/** The blocks of this isolate. */
export const blockCache = new BlockCache()
