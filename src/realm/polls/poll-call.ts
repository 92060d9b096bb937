import type { RealmAnswer, RealmCall } from '../../core/call.ts'
import { fromJson, type JsonText } from '../../core/json.ts'

/** How polls cross from the Worker to the object and back. */

/** The header in which a poll's call crosses to the object (`headerOf`). */
export const CALL_HEADER = 'x-parley-call'

/** Returns the call of a poll, which the Worker has written. */
export function callIn({ headers }: Request): RealmCall {
  return fromJson(headers.get(CALL_HEADER) as JsonText<RealmCall>)
}

/** The header with the INTERFACE_VERSION of the Worker. */
export const VERSION_HEADER = 'x-parley-interface'

export function versionIn({ headers }: Request): number {
  return Number(headers.get(VERSION_HEADER))
}

/** The header with the ms for which the Worker holds the poll. */
export const HOLD_HEADER = 'x-parley-hold'
/**
 * The header in which the answer so far comes back, whose value is a `PollStanding`: beside a socket to wait
 * on, or a body that is a frame (`frameOf`). Without it the body is the answer.
 */
export const ANSWER_HEADER = 'x-parley-answer'

/** Returns the answer so far, if the object has sent one beside a socket or a frame. */
export function answerIn({ headers }: Response): RealmAnswer | undefined {
  const text = headers.get(ANSWER_HEADER) as JsonText<RealmAnswer> | null
  return text === null ? undefined : fromJson(text)
}

/** Paths at which the Worker asks for a poll, and for a stream. */
export const POLL_PATH = '/poll'
export const STREAM_PATH = '/stream'

/**
 * The reply to a poll that comes as a call: a frame; or none, where it is refused or must be opened again
 * with a socket.
 */
export interface PollReply {
  readonly answer: RealmAnswer
  readonly frame?: string
}

/**
 * A reply as it crosses to the Worker: one text, which costs less than objects. The answer in one line of
 * JSON, and the frame, if there is one, after it.
 */
export type PollReplyText = string & { readonly [IS_REPLY]: true }
declare const IS_REPLY: unique symbol

export function replyText({ answer, frame }: PollReply): PollReplyText {
  const line = JSON.stringify(answer)
  return (frame === undefined ? line : `${line}\n${frame}`) as PollReplyText
}

/** Reads a reply. */
export function replyIn(text: PollReplyText): PollReply {
  const end = text.indexOf('\n')
  const line = (end < 0 ? text : text.slice(0, end)) as JsonText<RealmAnswer>
  return end < 0 ? { answer: fromJson(line) } : { answer: fromJson(line), frame: text.slice(end + 1) }
}

export interface PollStanding {
  readonly queue_id: string
  /** Whether it has waited for something to happen already. */
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
