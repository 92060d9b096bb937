const MAX_KNOWN = 2_000
/**
 * Factor by which the expected size shrinks with each answer: after a large answer, the next few are still
 * expected to be large.
 */
const SHRINK = 0.9

/** Bytes expected of an answer that fills a Worker with sections, before the first has been seen. */
export const UNKNOWN_ANSWER_WITH_SECTIONS = 1_000_000

/** Bytes expected of an answer in sections before the first has been seen: its content beside them. */
export const UNKNOWN_ANSWER_IN_SECTIONS = 100_000

/** Sizes of an operation's latest answers, in bytes, from which the size of the next one is estimated. */
export class AnswerSizes {
  readonly #sizes = new Map<string, number>()

  expected(kind: string, unknown: number): number {
    return this.#sizes.get(kind) ?? unknown
  }

  note(kind: string, bytes: number): void {
    const before = this.#sizes.get(kind) ?? 0
    this.#sizes.delete(kind)
    this.#sizes.set(kind, Math.max(bytes, before * SHRINK))
    const oldest = this.#sizes.size > MAX_KNOWN ? this.#sizes.keys().next().value : undefined
    if (oldest !== undefined) this.#sizes.delete(oldest)
  }
}
