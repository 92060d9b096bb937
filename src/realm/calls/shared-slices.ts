import { SHARED_SLICE } from '../../core/budgets.ts'

/**
 * Runs commands that wait at the same time in one turn of the object, one after the other. The platform commits once a turn, whatever
 * number of transactions it has: with sixteen senders, writing and syncing the file for each command would take as long as the commands.
 * Each command has its own transaction, which is rolled back alone, and no answer leaves before the commit of its turn is safe.
 */
export class SharedSlices {
  readonly #rows: () => number
  readonly #ownStream = new OwnStream()
  readonly #waiting: { readonly run: () => void; readonly characters: number }[] = []
  /** Characters of the calls of the commands that wait. */
  #characters = 0
  /** Whether a turn is pending, in which the waiting commands will run. */
  #isBusy = false
  /** Whether the first command waits for others too, since many senders might each find the object idle; not during long calls. */
  #gathers = false

  /** @param rows returns the rows that the object has read and written so far. */
  constructor(rows: () => number) {
    this.#rows = rows
  }

  /**
   * Runs a command together with those that have arrived by its turn. It runs alone if too much waits, or if the object was idle and few
   * shared the last turn. `run` has made the whole change when it returns.
   * @param characters of the call: processing its texts takes time in proportion.
   */
  async take<Answer>(characters: number, run: () => Promise<Answer>): Promise<Answer> {
    const isFirst = !this.#isBusy
    if (isFirst) this.#beginTurn()
    if ((isFirst && !this.#gathers) || this.#characters + characters > SHARED_SLICE.waiting) {
      await beforeChange()
      return run()
    }
    this.#characters += characters
    return new Promise((resolve) => this.#waiting.push({ run: () => resolve(run()), characters }))
  }

  #beginTurn(): void {
    this.#isBusy = true
    const began = Date.now()
    const run = () => this.#runTurn(Date.now() - began)
    void this.#ownStream.afterWhatHasArrived().then(run, run)
  }

  async #runTurn(waitedMs: number): Promise<void> {
    await beforeChange()
    const limit = this.#rows() + SHARED_SLICE.rows
    let [count, characters] = [0, 0]
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (count > 0 && characters + next.characters > SHARED_SLICE.characters) break
      if (count >= SHARED_SLICE.commands || this.#rows() >= limit) break
      count += 1
      characters += next.characters
      this.#characters -= next.characters
      this.#waiting.shift()
      next.run()
    }
    const { gathering } = SHARED_SLICE
    this.#gathers = count >= gathering.commands && waitedMs <= gathering.milliseconds
    this.#isBusy = false
    if (this.#waiting.length > 0) this.#beginTurn()
  }
}

/** Lets the platform's part of a call or stream end before a change: a crash within it would leave the storage locked. */
export async function beforeChange(): Promise<void> {}

const BYTE = new Uint8Array(1)

/** A stream of the object to itself, whose bytes wait behind what has arrived before them. */
class OwnStream {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  constructor() {
    const { readable, writable } = new IdentityTransformStream()
    this.#writer = writable.getWriter()
    this.#reader = readable.getReader()
  }

  /**
   * Resolves when the object has received what has already arrived; one call at a time. A timer would also wait for what arrives meanwhile,
   * without end while others keep reading.
   */
  async afterWhatHasArrived(): Promise<void> {
    void this.#writer.write(BYTE)
    await this.#reader.read()
  }
}
