import type { RealmAnswer, RealmCall } from '../core/call.ts'
import { type Environment, realmObject } from './environment.ts'

const ATTEMPTS = 3
const FIRST_WAIT_MS = 50

/** One call to the realm object. */
export function callRealm(env: Environment, realmId: number, call: RealmCall): Promise<RealmAnswer> {
  return whenReachable(async () => (await realmObject(env, realmId).run(call)) as RealmAnswer)
}

/**
 * Tries again, a few times, when the platform says that the object was not reached (a deploy, a move).
 * Any other failure may have come after the change was made: only the client knows whether to repeat it.
 * `reach` must take a fresh stub each time.
 */
export async function whenReachable<R>(reach: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await reach()
    } catch (error) {
      const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean }
      if (attempt >= ATTEMPTS || retryable !== true || overloaded === true) throw error
      await scheduler.wait(attempt * FIRST_WAIT_MS)
    }
  }
}
