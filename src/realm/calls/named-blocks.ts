/** Blocks for which there is room at first. */
const ROOM = 256
/** Numbers of each. */
const LENGTH = 3

/** The blocks that an answer names, as they cross (`AnswerInBlocks.blocks`). */
export class NamedBlocks {
  #blocks = new Float64Array(LENGTH * ROOM)
  #count = 0

  get count(): number {
    return this.#count
  }

  get all(): Float64Array<ArrayBuffer> {
    return this.#blocks.slice(0, LENGTH * this.#count)
  }

  isAt(position: number, family: number, number: number): boolean {
    const at = LENGTH * position
    return position < this.#count && this.#blocks[at] === family && this.#blocks[at + 1] === number
  }

  /** Returns the position of the block. */
  add(family: number, number: number, version: number): number {
    const position = this.reserve(1)
    const at = LENGTH * position
    this.#blocks[at] = family
    this.#blocks[at + 1] = number
    this.#blocks[at + 2] = version
    return position
  }

  /** Makes room for blocks that are entered with `enterEach`. Returns the position of the first. */
  reserve(count: number): number {
    const position = this.#count
    this.#count += count
    if (LENGTH * this.#count > this.#blocks.length) {
      const blocks = new Float64Array(2 * LENGTH * this.#count)
      blocks.set(this.#blocks)
      this.#blocks = blocks
    }
    return position
  }

  /** Enters blocks of one family with their versions, at each `width`th position from the first on. */
  enterEach(
    family: number,
    numbers: readonly number[],
    versions: Float64Array,
    { first, width }: { readonly first: number; readonly width: number },
  ): void {
    const blocks = this.#blocks
    let at = LENGTH * first
    for (let one = 0; one < numbers.length; one += 1) {
      blocks[at] = family
      blocks[at + 1] = numbers[one]!
      blocks[at + 2] = versions[one]!
      at += LENGTH * width
    }
  }
}
