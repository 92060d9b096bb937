/** Which blocks of a family an answer names (answer-in-blocks.ts), and which of them the Worker holds. */

/** Versions of one kind of block, by number. */
export interface Versions {
  readonly stored: ReadonlyMap<number, number>
  /** Versions of blocks that had none. */
  readonly drawn: Map<number, number>
}

/** The blocks of one family that an answer names. */
export class Family {
  readonly name: string
  readonly position: number
  readonly held: HeldOfFamily
  readonly versions: Versions
  /** Positions of the blocks that were entered, by number. */
  readonly #positions = new Map<number, number>()
  /** The highest number that was entered: thousands are mostly entered in ascending order, and not looked up for that. */
  #highest = -1

  constructor(name: string, position: number, held: HeldOfFamily, versions: Versions) {
    this.name = name
    this.position = position
    this.held = held
    this.versions = versions
  }

  positionOf(number: number): number | undefined {
    return number > this.#highest ? undefined : this.#positions.get(number)
  }

  enter(number: number, position: number): void {
    this.#positions.set(number, position)
    this.#highest = Math.max(this.#highest, number)
  }
}

/**
 * What the Worker holds of a family: number and version of each block, one after the other. It got them in the order in which answers name
 * them, so the next is mostly the one that is asked for: otherwise thousands would be put into a map for each answer.
 */
export class HeldOfFamily {
  readonly #held: Float64Array
  #next = 0
  /** Where each is, once one was elsewhere. */
  #places: Map<number, number> | undefined

  constructor(held: Float64Array = new Float64Array()) {
    this.#held = held
  }

  has(number: number, version: number): boolean {
    const at = this.#isAt(this.#next, number, version) ? this.#next : this.#find(number)
    if (at === undefined) return false
    this.#next = at + 2
    return this.#held[at + 1] === version
  }

  /** Returns those of these blocks that are not held, as indexes. `versions`: of each. */
  lackingOf(numbers: readonly number[], versions: Float64Array): number[] {
    const held = this.#held
    if (held.length === 0) return [...numbers.keys()]
    const lacking: number[] = []
    // As `has` does, which is not called for each of thousands.
    let next = this.#next
    for (let at = 0; at < numbers.length; at += 1) {
      if (held[next] === numbers[at] && held[next + 1] === versions[at]) {
        next += 2
        continue
      }
      this.#next = next
      if (!this.has(numbers[at]!, versions[at]!)) lacking.push(at)
      next = this.#next
    }
    this.#next = next
    return lacking
  }

  #isAt(at: number, number: number, version: number): boolean {
    return at < this.#held.length && this.#held[at] === number && this.#held[at + 1] === version
  }

  #find(number: number): number | undefined {
    if (!this.#places) {
      this.#places = new Map()
      for (let at = 0; at < this.#held.length; at += 2) this.#places.set(this.#held[at]!, at)
    }
    return this.#places.get(number)
  }
}
