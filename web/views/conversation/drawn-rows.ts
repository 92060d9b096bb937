import type { Row } from './row.ts'

/** Pixels of a row, at least: of a message with its sender, and of what has one line. */
const MESSAGE_HEIGHT = 40
const LINE_HEIGHT = 20
/** Pixels of the window without rows: the bar, the head and the box. */
const SURROUNDINGS_HEIGHT = 150
/** Fraction of a screen that is drawn above the row to open at. */
const ABOVE_GOAL = 0.35
/** Rows that are added to each side in a frame: at most, and at least on a slow or busy machine. */
const STEP = 40
const SMALL_STEP = 4
/** Milliseconds. A step that took longer is halved, one that took less is doubled. */
const LONG_STEP_MS = 24
const SHORT_STEP_MS = 8
/** The number of rows at a side that are drawn at once, so that a new message does not wait for another frame. */
const AT_ONCE = 5

/**
 * The rows of a list that are in the document: those around where it opens at first, and more with each frame
 * until all are. So the screen does not wait for rows outside it, and no frame has to draw a hundred rows, or all those of an answer.
 */
export class DrawnRows {
  /** Keys of the first and the last message. */
  #first: string | undefined
  #last: string | undefined
  from = 0
  to = 0
  isWhole = false
  #step = STEP
  #isFrame = false

  /** Whether a row is in the document; -1: the end. */
  has(row: number, count: number): boolean {
    return row === -1 ? this.to === count : row >= this.from && row < this.to
  }

  /** Begins anew. */
  reset(): void {
    this.#first = undefined
    this.#last = undefined
  }

  /** Records that a frame has begun in which rows may be added. */
  beginFrame(): void {
    this.#isFrame = true
  }

  /** Notes the milliseconds that the last frame's rows have taken, with their layout. */
  noteCost(ms: number): void {
    if (ms > LONG_STEP_MS) this.#step = Math.max(SMALL_STEP, this.#step >> 1)
    else if (ms < SHORT_STEP_MS) this.#step = Math.min(STEP, this.#step * 2)
  }

  /** Takes the next step, if a frame has begun; `goal` is the row to open at, -1: the end. */
  advance(rows: readonly Row[], goal: number): void {
    const first = this.#first === undefined ? -1 : rows.findIndex(({ key }) => key === this.#first)
    const last = this.#last === undefined ? -1 : rows.findLastIndex(({ key }) => key === this.#last)
    if (first === -1 && last === -1) this.#openAt(rows, goal)
    else {
      const step = this.#isFrame ? this.#step : 0
      // If the outermost row is gone, everything on its side was in the document.
      const [before, end] = [first === -1 ? 0 : first, last === -1 ? rows.length : last + 1]
      this.from = before <= AT_ONCE ? 0 : before - Math.min(step, before)
      this.to = rows.length - end <= AT_ONCE ? rows.length : Math.min(rows.length, end + step)
    }
    this.#isFrame = false
    // A day's line belongs to the message below it.
    while (this.from > 0 && !isMessage(rows[this.from - 1]!)) this.from -= 1
    while (this.to > this.from + 1 && this.to < rows.length && !isMessage(rows[this.to - 1]!)) this.to -= 1
    this.isWhole = this.from === 0 && this.to === rows.length
    const drawn = rows.slice(this.from, this.to).filter(isMessage)
    this.#first = drawn[0]?.key
    this.#last = drawn.at(-1)?.key
  }

  /** Begins with rows that surely fill the screen. The row to open at is in its upper part (message-list.tsx). */
  #openAt(rows: readonly Row[], goal: number): void {
    let left = globalThis.innerHeight - SURROUNDINGS_HEIGHT
    const above = left * ABOVE_GOAL
    this.from = goal === -1 ? rows.length : goal
    this.to = this.from
    for (; left > above && this.to < rows.length; this.to += 1) left -= heightOf(rows[this.to]!)
    for (; left > 0 && this.from > 0; this.from -= 1) left -= heightOf(rows[this.from - 1]!)
  }
}

function heightOf(row: Row): number {
  return 'begins' in row && row.begins ? MESSAGE_HEIGHT : LINE_HEIGHT
}

function isMessage({ kind }: Row): boolean {
  return kind === 'message' || kind === 'outgoing'
}
