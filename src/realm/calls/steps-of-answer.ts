import { alternating, STEP, STEP_LENGTH } from '../../core/blocks.ts'

/** Numbers for which there is room at first. */
const ROOM = 1_024

/** Parts of rows: see `PartsOfRows`. */
interface RowsOfParts {
  /** The position of the first of all blocks. */
  readonly first: number
  readonly rows: readonly number[]
  readonly parts: readonly number[]
}

/** The steps of an answer (`AnswerInBlocks.steps`), as they are added. */
export class Steps {
  #steps = new Uint32Array(ROOM)
  #length = 0
  /** The parts of the last run. */
  #even = 0
  #odd = 0

  get all(): Uint32Array<ArrayBuffer> {
    return this.#steps.slice(0, this.#length)
  }

  /** Adds a step. Returns where it is. */
  add(kind: number, one = 0, two = 0, three = 0): number {
    const at = this.#length
    if (at === this.#steps.length) this.#grow()
    const steps = this.#steps
    steps[at] = kind
    steps[at + 1] = one
    steps[at + 2] = two
    steps[at + 3] = three
    this.#length = at + STEP_LENGTH
    return at
  }

  /** Enters the length of a text that is written later. `at`: where its step is. */
  setLength(at: number, length: number): void {
    this.#steps[at + 1] = length
  }

  /** Adds a part to the run that is the last step, if it continues it; else it begins one. */
  addPart(position: number, part: number): void {
    const steps = this.#steps
    const at = this.#length - STEP_LENGTH
    const count = steps[at + 2]!
    if (steps[at] === STEP.run && steps[at + 1]! + count === position) {
      if (count === 1) this.#odd = part
      if (part === (count % 2 === 0 ? this.#even : this.#odd)) {
        steps[at + 2] = count + 1
        steps[at + 3] = alternating(this.#even, this.#odd)
        return
      }
    }
    this.#addRun(position, 1, part, 0)
  }

  /** Adds the parts of each row. */
  addRows({ first, rows, parts }: RowsOfParts): void {
    const width = parts.length
    for (const { from, count } of rangesOf(rows)) {
      this.#addRun(first + width * from, width * count, parts[0]!, parts.at(-1)!)
    }
  }

  /** Adds two parts of each row, with a text between them. */
  addRowsWithTexts({ first, rows, parts }: RowsOfParts, between: readonly string[]): void {
    const [opening, end] = parts as [number, number]
    // A run has the end of one row and the opening of the next.
    let isOpen = false
    const both = alternating(end, opening)
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!
      const position = first + 2 * row
      if (!isOpen) this.addPart(position, opening)
      this.add(STEP.text, between[at]!.length)
      isOpen = rows[at + 1] === row + 1
      if (isOpen) this.add(STEP.run, position + 1, 2, both)
      else this.addPart(position + 1, end)
    }
  }

  #addRun(position: number, count: number, even: number, odd: number): void {
    this.#even = even
    this.#odd = odd
    this.add(STEP.run, position, count, alternating(even, odd))
  }

  #grow(): void {
    const steps = new Uint32Array(2 * this.#steps.length)
    steps.set(this.#steps)
    this.#steps = steps
  }
}

/** Yields the ranges of rows that follow each other. */
function* rangesOf(rows: readonly number[]): Generator<{ readonly from: number; readonly count: number }> {
  for (let at = 0; at < rows.length; ) {
    const from = rows[at]!
    const begun = at
    // Mostly all of them do.
    if (rows.at(-1)! - from === rows.length - 1 - begun) at = rows.length
    else
      do at += 1
      while (rows[at] === from + at - begun)
    yield { from, count: at - begun }
  }
}
