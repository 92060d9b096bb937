import type { RealmAnswer, RealmCall } from '../core/call.ts'
import { type Environment, realmObject } from './environment.ts'

const ATTEMPTS = 3

/**
 * One call to the realm object. It is tried again on a fresh stub when the object was reset (a deploy,
 * a crash) and the platform says that trying again is safe, or the operation changes nothing twice.
 */
export async function callRealm(env: Environment, realmId: number, call: RealmCall): Promise<RealmAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await realmObject(env, realmId).run(call)) as RealmAnswer
    } catch (error) {
      if (attempt >= ATTEMPTS || !mayTryAgain(error)) throw error
      await scheduler.wait(attempt * 50)
    }
  }
}

/** `retryable`: the request never reached the object. Anything else may have been carried out. */
function mayTryAgain(error: unknown): boolean {
  const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean }
  return retryable === true && overloaded !== true
}
