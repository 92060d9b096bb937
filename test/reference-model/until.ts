/** Waiting for what a server does in its own time: until a condition holds, or a deadline is over. */

const BETWEEN_LOOKS_MS = 20
const DEADLINE_MS = 20_000

/** Throws when the condition does not hold within twenty seconds. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('It did not happen in twenty seconds')
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS))
  }
}
