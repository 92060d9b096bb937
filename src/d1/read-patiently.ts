/** Between one try and the next, in milliseconds: D1 fails for a moment now and then, and seldom twice. */
const PAUSES_MS = [20, 100, 400]

/** Tries a read again that fails; rejects when D1 has failed it every time. Reading twice harms nothing. */
export async function readPatiently<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  for (const pause of PAUSES_MS) {
    try {
      return await read()
    } catch (error) {
      console.warn('D1 could not be read, next try at once', error)
      await scheduler.wait(pause)
    }
  }
  return read()
}
