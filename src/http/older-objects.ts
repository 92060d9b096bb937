import type { RealmAnswer, RealmCall } from '../core/call.ts'
import type { JsonText } from '../core/json.ts'
import { TimeLimit } from '../core/time-limit.ts'

/**
 * Objects that still run a build of before 23 November 2026, which does not know calls in text. During a deploy the Worker is newer for some
 * moments, or for hours where versions are deployed gradually. This file, and its uses, may go once nobody deploys over such a build.
 */

/** Number of organizations that are remembered; the one noted longest ago is forgotten first. */
const REMEMBERED = 1_000
/** Milliseconds after which a call in text is tried again. */
const VALID = 10_000

/** For how long objects count as older, by the organization's id. */
const noted = new Map<number, TimeLimit>()

export function isKnownOlder(realmId: number): boolean {
  const time = noted.get(realmId)
  return time !== undefined && !time.isOver
}

/**
 * Whether a call that crossed as text was answered by an older object, which has done nothing: it has refused an operation without a name.
 * Objects that understand answer in text, or with bytes or blocks.
 */
export function isOfOlderObject(
  text: JsonText<RealmCall> | RealmCall,
  reply: JsonText<RealmAnswer> | RealmAnswer,
): boolean {
  return typeof text === 'string' && typeof reply !== 'string' && !reply.outcome.ok
}

export function noteOlder(realmId: number): void {
  noted.delete(realmId)
  noted.set(realmId, new TimeLimit(VALID))
  const [first] = noted.keys()
  if (noted.size > REMEMBERED && first !== undefined) noted.delete(first)
}
