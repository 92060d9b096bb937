/** Rounds of deliveries, and polls that are held as calls, which no client sees. */
import { TimeLimit } from '../../src/core/within-time.ts'
import { HeldCalls } from '../../src/realm/polls/poll-call.ts'

export { replyIn } from '../../src/realm/polls/poll-call.ts'
export { roundsOf } from '../../src/realm/polls/wake-polls.ts'

/** Returns the parameters of a poll that is held as a call. */
export function heldFor(milliseconds: number, value = '') {
  return { time: new TimeLimit(milliseconds), call: { parameters: { ok: true, value } } } as const
}

/** Holds one call, and returns its result. */
export function holdOneCall(milliseconds: number): Promise<unknown> {
  return new HeldCalls().hold(heldFor(milliseconds))!.ended
}
