/** Thrown for a call that has not been answered in time. It may still be carried out. */
export class NoAnswerError extends Error {}

/**
 * Waits for an answer for a limited time.
 * @throws NoAnswerError; whatever the call throws
 */
export async function withinTime<Value>(ms: number, asked: Promise<Value>): Promise<Value> {
  const timeUp = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeUp.reject(new NoAnswerError(`No answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([asked, timeUp.promise])
  } finally {
    clearTimeout(timer)
  }
}
