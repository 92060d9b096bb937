import { workGate } from '../core/work-gate.ts'

/** Limit of pixels that are worked on in one turn: some 5 ms, since a request of somebody else takes several turns to be answered. */
const PIXELS_IN_A_TURN = 150_000

/** Divides the work on a picture into turns, between which other requests are served. */
export class Turns {
  #pixels = 0

  /** Ends the turn if enough work is done. `pixels`: the file's pixels that were worked on since the last call. */
  async after(pixels: number): Promise<void> {
    this.#pixels += pixels
    if (this.#pixels < PIXELS_IN_A_TURN) return
    this.#pixels = 0
    await workGate.nextTurn()
  }
}
