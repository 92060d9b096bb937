import type { AnswerInBlocks } from '../../core/blocks.ts'
import { BLOCKS_KEPT, PART_OF_ONE_ORGANIZATION } from '../../core/budgets.ts'

/** A block as it was in one version: its parts, JSON in UTF-8. */
export interface KeptBlock {
  readonly version: number
  readonly parts: readonly Uint8Array[]
}

/** Bytes of a block besides its parts. */
const BESIDES = 200
const BESIDES_A_PART = 100

/** An organization's blocks by family and number. */
type Families = Map<string, Map<number, KeptBlock>>

interface KeptRealm {
  readonly families: Families
  /** The blocks, the last used one at the end. */
  readonly order: Set<KeptBlock>
  /** Estimated bytes. */
  size: number
}

export interface BlockKey {
  readonly realmId: number
  readonly family: string
  readonly number: number
}

/**
 * Blocks as realm objects have sent them, up to a limit of bytes; the least recently used are dropped. An
 * organization that has most of them drops its own, so that those of others stay. A caller gets a block only
 * if the object has said, in the answer to that caller, that this version belongs to it.
 */
export class BlockCache {
  readonly #limit: number
  readonly #realms = new Map<number, KeptRealm>()
  /** All blocks, the last used one at the end. */
  readonly #keys = new Map<KeptBlock, BlockKey>()
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

  /** Returns the blocks of an organization by family: number and version of each, one after the other. */
  held(realmId: number): Record<string, Float64Array> {
    const held: Record<string, Float64Array> = {}
    for (const [family, blocks] of this.#realms.get(realmId)?.families ?? []) {
      const pairs = new Float64Array(2 * blocks.size)
      let at = 0
      for (const [number, { version }] of blocks) {
        pairs[at] = number
        pairs[at + 1] = version
        at += 2
      }
      held[family] = pairs
    }
    return held
  }

  get({ realmId, family, number }: BlockKey, version: number): KeptBlock | undefined {
    const realm = this.#realms.get(realmId)
    const block = realm?.families.get(family)?.get(number)
    if (!realm || block?.version !== version) return undefined
    const key = this.#keys.get(block)!
    this.#keys.delete(block)
    this.#keys.set(block, key)
    realm.order.delete(block)
    realm.order.add(block)
    return block
  }

  put(key: BlockKey, block: KeptBlock): void {
    const size = sizeOf(block)
    if (size > this.#limit) return
    const realm = this.#realms.get(key.realmId) ?? { families: new Map(), order: new Set(), size: 0 }
    const blocks = realm.families.get(key.family) ?? new Map<number, KeptBlock>()
    const before = blocks.get(key.number)
    if (before) this.#forget(before)
    const hasMost = realm.size + size > this.#limit * PART_OF_ONE_ORGANIZATION
    if (hasMost) this.#makeRoom(size, realm.order)
    this.#makeRoom(size, this.#keys.keys())
    // The dropped block may have been the organization's last.
    this.#realms.set(key.realmId, realm)
    realm.families.set(key.family, blocks)
    blocks.set(key.number, block)
    realm.order.add(block)
    realm.size += size
    this.#keys.set(block, key)
    this.#size += size
  }

  clear(): void {
    this.#realms.clear()
    this.#keys.clear()
    this.#size = 0
  }

  #makeRoom(size: number, among: Iterable<KeptBlock>): void {
    for (const block of among) {
      if (this.#size + size <= this.#limit) return
      this.#forget(block)
    }
  }

  #forget(block: KeptBlock): void {
    const key = this.#keys.get(block)
    if (!key) return
    const size = sizeOf(block)
    this.#keys.delete(block)
    this.#size -= size
    const realm = this.#realms.get(key.realmId)!
    realm.order.delete(block)
    realm.size -= size
    const blocks = realm.families.get(key.family)!
    blocks.delete(key.number)
    if (blocks.size === 0) realm.families.delete(key.family)
    if (realm.families.size === 0) this.#realms.delete(key.realmId)
  }
}

function sizeOf({ parts }: KeptBlock): number {
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
