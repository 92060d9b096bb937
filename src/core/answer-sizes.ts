const MOST_KNOWN = 2_000
/** The share by which the size reckoned shrinks with each answer: after a large one, some more are reckoned as large. */
const SHRINK = 0.9

/** The sizes of an operation's latest answers, in bytes: what the next one is expected to take. */
export class AnswerSizes {
  readonly #sizes = new Map<string, number>()

  expected(kind: string, unknown: number): number {
    return this.#sizes.get(kind) ?? unknown
  }

  note(kind: string, bytes: number): void {
    const before = this.#sizes.get(kind) ?? 0
    this.#sizes.delete(kind)
    this.#sizes.set(kind, Math.max(bytes, before * SHRINK))
    const oldest = this.#sizes.size > MOST_KNOWN ? this.#sizes.keys().next().value : undefined
    if (oldest !== undefined) this.#sizes.delete(oldest)
  }
}
