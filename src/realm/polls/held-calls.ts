import { HELD_CALLS } from '../../core/budgets.ts'
import type { RealmCall } from '../../core/call.ts'
import type { TimeLimit } from '../../core/within-time.ts'

/** The call of a poll that waits for the events of a busy queue. */
export interface HeldCall {
  /** Ends the call with a frame of events. */
  answer(frame: string): void
  /** The frame; undefined when the queue was quiet until the end: then the poll goes to sleep. */
  readonly ended: Promise<string | undefined>
}

export interface CallLimits {
  readonly time: TimeLimit
  /** The part of the call that stays in memory meanwhile. */
  readonly call: Pick<RealmCall, 'parameters'>
}

interface Held extends HeldCall {
  readonly time: TimeLimit
  rest(): void
}

/** Milliseconds within which calls that are due to end are ended together. */
const TOGETHER_MS = 250

/**
 * Polls of busy queues, which are answered soon: held as the calls that they came as, without the work of a
 * socket. The object cannot sleep meanwhile, so each is held only for some seconds, and their number is
 * limited.
 */
export class HeldCalls {
  readonly #held = new Set<Held>()
  #characters = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Holds a call; undefined when its time is over already, or too much is held. */
  hold({ time, call }: CallLimits): HeldCall | undefined {
    if (time.isOver || this.#held.size >= HELD_CALLS.count) return undefined
    const characters = JSON.stringify(call.parameters).length
    if (this.#characters + characters > HELD_CALLS.characters) return undefined
    const { promise: ended, resolve } = Promise.withResolvers<string | undefined>()
    const end = (frame: string | undefined) => {
      if (this.#held.delete(held)) this.#characters -= characters
      if (this.#held.size === 0) this.#stopTimer()
      resolve(frame)
    }
    const held: Held = { time, ended, answer: end, rest: () => end(undefined) }
    this.#held.add(held)
    this.#characters += characters
    this.#timer ??= setTimeout(() => this.#endQuiet(), Math.max(time.left, TOGETHER_MS))
    return held
  }

  /** Number of held calls. */
  get size(): number {
    return this.#held.size
  }

  #endQuiet(): void {
    this.#timer = undefined
    let next = Number.POSITIVE_INFINITY
    for (const held of this.#held) {
      if (held.time.isOver) held.rest()
      else next = Math.min(next, held.time.left)
    }
    if (this.#held.size > 0) {
      this.#timer = setTimeout(() => this.#endQuiet(), Math.max(next, TOGETHER_MS))
    }
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
