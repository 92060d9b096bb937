/** Thrown if a call is not answered in time. It may still take effect. */
export class NoAnswerError extends Error {}

/** Waits for an answer for a limited time. @throws NoAnswerError; whatever the call throws */
export async function withinTime<Value>(
  ms: number,
  asked: Promise<Value>,
  problem = `No answer within ${ms} ms`,
): Promise<Value> {
  const timeUp = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeUp.reject(new NoAnswerError(problem)), ms)
  try {
    return await Promise.race([asked, timeUp.promise])
  } finally {
    clearTimeout(timer)
  }
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A limited time from now on. It also ends if the clock is set back, which would otherwise prolong it. */
export class TimeLimit {
  readonly #began = Date.now()
  readonly #ms: number

  constructor(ms: number) {
    this.#ms = ms
  }

  /** Milliseconds left; 0 when it is over. */
  get left(): number {
    return Math.max(this.#ms - Math.abs(Date.now() - this.#began), 0)
  }

  get isOver(): boolean {
    return this.left === 0
  }
}
