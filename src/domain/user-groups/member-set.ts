/** Some accounts, a bit for each by its id: sets of thousands are joined thousands of times in a turn. */
export class MemberSet {
  readonly #words: Uint32Array

  constructor(highestId: number) {
    this.#words = new Uint32Array((highestId >>> 5) + 1)
  }

  add(ids: readonly number[]): void {
    const own = this.#words
    for (const id of ids) own[id >>> 5]! |= 1 << (id & 31)
  }

  /** Adds those of a set that was made for the same highest id, or for a lower one. */
  addAll(set: MemberSet): void {
    const [own, others] = [this.#words, set.#words]
    for (let at = 0; at < others.length; at += 1) own[at]! |= others[at]!
  }

  /** Returns the number of those who are not in another set for the same highest id. */
  countExcept(except: MemberSet): number {
    const [own, others] = [this.#words, except.#words]
    let count = 0
    for (let at = 0; at < own.length; at += 1) count += bitsIn(own[at]! & ~others[at]!)
    return count
  }

  /** Returns those who are not in another set, ascending, and adds them to it. */
  moveTo(set: MemberSet): number[] {
    const found: number[] = []
    const [own, others] = [this.#words, set.#words]
    for (let at = 0; at < own.length; at += 1) {
      let rest = own[at]! & ~others[at]!
      others[at]! |= rest
      while (rest !== 0) {
        found.push(32 * at + 31 - Math.clz32(rest & -rest))
        rest &= rest - 1
      }
    }
    return found
  }
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
