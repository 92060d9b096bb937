import type { MadeInTurns, RealmView } from './realm-transaction.ts'

/** Number of times that a value is made again since something of it has changed meanwhile. */
const TRIES = 3

/**
 * Makes a value for `remember` in several turns, for `load`. Undefined if it is remembered already, or if it changes faster than it
 * can be made: then it is made in one turn.
 */
export async function madeInTurns<Value>(
  { remembered }: RealmView,
  key: string,
  make: () => Promise<Value>,
): Promise<MadeInTurns<Value> | undefined> {
  for (let tries = 0; tries < TRIES && !remembered.has(key); tries += 1) {
    const { epoch } = remembered
    const value = await make()
    if (remembered.epoch === epoch) return { epoch, value }
  }
  return undefined
}
