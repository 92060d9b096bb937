import { HELD_CALLS } from '../../core/budgets.ts'
import type { RealmAnswer, RealmCall } from '../../core/call.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { TimeLimit } from '../../core/within-time.ts'

/** How polls cross from the Worker to the object and back. */

/** The header in which a poll's call crosses to the object (`headerOf`). */
export const CALL_HEADER = 'x-parley-call'

export function callIn({ headers }: Request): RealmCall {
  return fromJson(headers.get(CALL_HEADER) as JsonText<RealmCall>)
}

/** The header with the INTERFACE_VERSION of the Worker. */
export const VERSION_HEADER = 'x-parley-interface'

export function versionIn({ headers }: Request): number {
  return Number(headers.get(VERSION_HEADER))
}

/** The header with the milliseconds for which the Worker holds the poll. */
export const HOLD_HEADER = 'x-parley-hold'
/**
 * The header with the answer so far, whose value is a `PollStanding`: along with a socket to wait on, or a body that is a frame (`frameOf`).
 * Without it the body is the answer.
 */
export const ANSWER_HEADER = 'x-parley-answer'

/** Returns the answer so far, if the object sent one along with a socket or a frame. */
export function answerIn({ headers }: Response): RealmAnswer | undefined {
  const text = headers.get(ANSWER_HEADER) as JsonText<RealmAnswer> | null
  return text === null ? undefined : fromJson(text)
}

/** Paths of the Worker's requests for a poll and for a stream. */
export const POLL_PATH = '/poll'
export const STREAM_PATH = '/stream'

/** The reply to a poll that comes as a call. There is no frame if it is refused, or must come again with a socket. */
export interface PollReply {
  readonly answer: RealmAnswer
  readonly frame?: string
}

/** A reply on its way to the Worker: one text, which costs less than objects. The answer is one line of JSON, and a frame may follow. */
export type PollReplyText = string & { readonly [IS_REPLY]: true }
declare const IS_REPLY: unique symbol

export function replyText({ answer, frame }: PollReply): PollReplyText {
  const line = JSON.stringify(answer)
  return (frame === undefined ? line : `${line}\n${frame}`) as PollReplyText
}

export function replyIn(text: PollReplyText): PollReply {
  const end = text.indexOf('\n')
  const line = (end < 0 ? text : text.slice(0, end)) as JsonText<RealmAnswer>
  return end < 0 ? { answer: fromJson(line) } : { answer: fromJson(line), frame: text.slice(end + 1) }
}

export interface PollStanding {
  readonly queue_id: string
  /** Whether the poll has already waited for an event. */
  readonly wasHeld: boolean
}

/** Characters that a header cannot contain. */
const NOT_ASCII = /[\u007f-\uffff]/g

/** Returns JSON in a form that a header can contain. */
export function headerOf(value: unknown): string {
  return JSON.stringify(value).replace(
    NOT_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The call of a poll that waits for the events of a busy queue. */
export interface HeldCall {
  answer(frame: string): void
  /** The frame; undefined if no event came before the end, after which the poll goes to sleep. */
  readonly ended: Promise<string | undefined>
}

export interface CallLimits {
  readonly time: TimeLimit
  /** The part of the call that stays in memory. */
  readonly call: Pick<RealmCall, 'parameters'>
}

interface Held extends HeldCall {
  readonly time: TimeLimit
  rest(): void
}

/** Milliseconds within which calls that are due to end are ended together. */
const TOGETHER_MS = 250

/**
 * Polls of busy queues, which are answered soon. Each is held as the RPC that it arrived as, which saves the work of a socket. The object
 * cannot sleep meanwhile, so a poll is held for a few seconds only, and their number is limited.
 */
export class HeldCalls {
  readonly #held = new Set<Held>()
  #characters = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Holds a call. Returns undefined if its time is over, or too much is held already. */
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
