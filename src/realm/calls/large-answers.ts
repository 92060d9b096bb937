import { FREE_OF_SHARE, LARGE_ANSWERS } from '../../core/budgets.ts'
import { comeAgain } from '../../core/errors.ts'
import { AnswerSizes } from '../../core/sections.ts'

/** Milliseconds of pause between two of them, in which other calls are served. */
const REST_MS = 3

/** Counts the large answers that the object holds: above the limit, further ones wait. */
export class LargeAnswers {
  readonly #sizes = new AnswerSizes()
  readonly #waiting: { readonly bytes: number; begin(): void }[] = []
  #held = 0
  /** Whether there is a pause between two large answers, in which other calls are served. */
  #isResting = false

  /**
   * Makes an answer when there is room for it; it counts until `made` resolves, and what it says has been `sent`. `unknown`: the expected
   * bytes before the first answer of the operation.
   * @throws ServiceUnavailableError (503) when too many wait.
   */
  async make<Answer>(
    operation: string,
    unknown: number,
    made: () => Promise<{ answer: Answer; bytes: number; sent?: Promise<void> | undefined }>,
  ): Promise<Answer> {
    const expected = Math.min(this.#sizes.expected(operation, unknown), LARGE_ANSWERS.bytes)
    await this.#enter(expected)
    let sent: Promise<void> | undefined
    try {
      const { answer, bytes, ...rest } = await made()
      sent = rest.sent
      this.#sizes.note(operation, bytes)
      return answer
    } finally {
      if (sent) void sent.then(() => this.#leave(expected))
      else this.#leave(expected)
    }
  }

  async #enter(bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#mayBegin(bytes)) return this.#begin(bytes)
    if (this.#waiting.length >= LARGE_ANSWERS.waiting) throw comeAgain()
    await new Promise<void>((begin) => this.#waiting.push({ bytes, begin }))
  }

  #leave(bytes: number): void {
    this.#held -= bytes
    this.#beginNext()
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#mayBegin(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#begin(next.bytes)
      next.begin()
    }
  }

  #mayBegin(bytes: number): boolean {
    return this.#fits(bytes) && !(this.#isResting && bytes >= FREE_OF_SHARE.answer)
  }

  #begin(bytes: number): void {
    this.#held += bytes
    if (bytes < FREE_OF_SHARE.answer) return
    this.#isResting = true
    setTimeout(() => {
      this.#isResting = false
      this.#beginNext()
    }, REST_MS)
  }

  #fits(bytes: number): boolean {
    return this.#held + bytes <= LARGE_ANSWERS.bytes
  }
}
