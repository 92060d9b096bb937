/** Ids of one block: 512 bytes of bits. */
export const IDS_PER_BLOCK = 4_096

export function blockOf(id: number): number {
  return Math.floor(id / IDS_PER_BLOCK)
}

export function byteOf(id: number): number {
  return (id % IDS_PER_BLOCK) >> 3
}

export function bitOf(id: number): number {
  return 1 << (id % 8)
}

/** A set of ids, of messages or of users, as bits in the blocks of a read set: a million are 125 kB, and compared block by block. */
export class MessageIdSet {
  readonly #blocks = new Map<number, Uint8Array>()

  static of(ids: Iterable<number>): MessageIdSet {
    const set = new MessageIdSet()
    for (const id of ids) set.add(id)
    return set
  }

  copy(): MessageIdSet {
    const copy = new MessageIdSet()
    for (const [number, block] of this.#blocks) copy.#blocks.set(number, block.slice())
    return copy
  }

  /** Blocks by number, each with something in it. */
  get blocks(): ReadonlyMap<number, Uint8Array> {
    return this.#blocks
  }

  add(id: number): void {
    const number = blockOf(id)
    let block = this.#blocks.get(number)
    if (!block) {
      block = new Uint8Array(IDS_PER_BLOCK / 8)
      this.#blocks.set(number, block)
    }
    block[byteOf(id)]! |= bitOf(id)
  }

  delete(id: number): void {
    const number = blockOf(id)
    const block = this.#blocks.get(number)
    if (!block) return
    block[byteOf(id)]! &= ~bitOf(id)
    if (block.every((byte) => byte === 0)) this.#blocks.delete(number)
  }

  has(id: number): boolean {
    return ((this.#blocks.get(blockOf(id))?.[byteOf(id)] ?? 0) & bitOf(id)) !== 0
  }

  /** Returns the others than those of `without`, which has a bit for each id of a block that is left out. */
  except(without: (number: number) => Uint8Array): MessageIdSet {
    const rest = new MessageIdSet()
    for (const [number, block] of this.#blocks) {
      const left = without(number)
      const kept = block.map((byte, at) => byte & ~left[at]!)
      if (kept.some((byte) => byte !== 0)) rest.#blocks.set(number, kept)
    }
    return rest
  }
}
