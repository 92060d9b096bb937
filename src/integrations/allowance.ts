/** Limit of the items that are read of a list, or of the entries of an object, of a post. */
export const MAX_ITEMS = 500
/** Characters that are read of a post: twenty times what a message shows, and twice what its most messages show together. */
const CHARACTERS = 200_000
/** What an item costs besides its texts, in characters. */
const ITEM = 10

/** What may still be read of one post, in UTF-16 units. All its values share it, and read as absent once it is spent. */
export class Allowance {
  #left = CHARACTERS

  /** Returns how many of so many characters may be read, which are then spent. */
  characters(wanted: number): number {
    const given = Math.min(wanted, this.#left)
    this.#left -= given
    return given
  }

  /** Returns how many of so many items may be read, which are then spent. */
  items(wanted: number): number {
    const given = Math.min(wanted, Math.floor(this.#left / ITEM))
    this.#left -= given * ITEM
    return given
  }

  get isSpent(): boolean {
    return this.#left < ITEM
  }
}
