import type { Block, BlocksOfSubjects } from '../../core/blocks.ts'
import type { Versions } from './family-of-blocks.ts'

/** A block that the Worker does not hold in this version. `position`: in `blocks` of the answer. */
export interface LackingBlock {
  readonly position: number
  readonly block: Block
  readonly version: number
  /** Whether no version was stored: this one is with the block. */
  readonly isNew: boolean
}

/** Blocks of rows (`BlockRows`) that lack: of one family. */
interface LackingOfRows {
  readonly family: BlocksOfSubjects
  /** The rows whose blocks lack. */
  readonly rows: readonly number[]
  /** Of all rows. */
  readonly numbers: readonly number[]
  readonly versions: Float64Array
  /** Which versions were stored. */
  readonly stored: Versions['stored']
  /** The position of the block of the first row, and how far it is to that of the next. */
  readonly first: number
  readonly width: number
}

interface Some {
  readonly count: number
  at(index: number): LackingBlock
}

/** The blocks that a Worker lacks: those of rows without an object for each, since they may be thousands of which a few are sent. */
export class LackingBlocks {
  readonly #all: Some[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  add(block: LackingBlock): void {
    this.#add({ count: 1, at: () => block })
  }

  addRows({ family, rows, numbers, versions, stored, first, width }: LackingOfRows): void {
    const at = (index: number): LackingBlock => {
      const row = rows[index]!
      const number = numbers[row]!
      return {
        position: first + width * row,
        block: { kind: family.kind, number, family: family.family, make: () => family.make(number) },
        version: versions[row]!,
        isNew: !stored.has(number),
      }
    }
    if (rows.length > 0) this.#add({ count: rows.length, at })
  }

  at(index: number): LackingBlock {
    let left = index
    for (const some of this.#all) {
      if (left < some.count) return some.at(left)
      left -= some.count
    }
    throw new RangeError('No more blocks lack')
  }

  #add(some: Some): void {
    this.#all.push(some)
    this.#count += some.count
  }
}
