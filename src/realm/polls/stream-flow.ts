/**
 * The characters that the reader of an event stream may be sent without acknowledging them. Beyond `STREAM_BEHIND` the stream is closed,
 * and the reader comes back with its cursor. While it catches up, it gets more only after an acknowledgement from `STREAM_CATCHING_UP` on.
 */
const STREAM_BEHIND = 1_000_000
const STREAM_CATCHING_UP = 200_000

/** The part of a stream that lasts while the object sleeps. */
export interface KeptFlow {
  /** The client has acknowledged all events up to this id. */
  readonly acked: number
  /** Characters that were sent and are not acknowledged. */
  readonly behind: number
  /** Time of the last acknowledgement, or of the beginning (UNIX seconds). */
  readonly ackedAt: number
}

/** A sent frame, whose events end with this id. */
interface SentFrame {
  readonly upTo: number
  readonly characters: number
}

/**
 * Events that a stream's reader was sent and has not acknowledged. A reader that has just come back gets missed events as fast as it
 * acknowledges; one that is up to date may fall behind only so far.
 */
export class StreamFlow {
  #acked: number
  #ackedAt: number
  #behind = 0
  readonly #sent: SentFrame[] = []
  /** Whether it has not been sent everything since it connected. */
  #isCatchingUp = true

  constructor({ acked, behind, ackedAt }: KeptFlow, cursor: number) {
    this.#acked = acked
    this.#ackedAt = ackedAt
    if (behind > 0) this.sent({ upTo: cursor, characters: behind })
  }

  get kept(): KeptFlow {
    return { acked: this.#acked, behind: this.#behind, ackedAt: this.#ackedAt }
  }

  get acked(): number {
    return this.#acked
  }

  /** Whether the last acknowledgement came at least this number of seconds before `now` (UNIX seconds). */
  isQuiet(now: number, seconds: number): boolean {
    return now - this.#ackedAt >= seconds
  }

  sent(frame: SentFrame): void {
    this.#sent.push(frame)
    this.#behind += frame.characters
  }

  /** `now` in UNIX seconds. */
  acknowledge(upTo: number, now: number): void {
    this.#ackedAt = now
    this.#acked = Math.max(this.#acked, upTo)
    while (this.#sent.length > 0 && this.#sent[0]!.upTo <= upTo)
      this.#behind -= this.#sent.shift()!.characters
  }

  caughtUp(): void {
    this.#isCatchingUp = false
  }

  /** Whether it gets more only after an acknowledgement. */
  get isPaused(): boolean {
    return this.#isCatchingUp && this.#behind >= STREAM_CATCHING_UP
  }

  /** Whether it must come back and catch up. */
  get isTooFarBehind(): boolean {
    return !this.#isCatchingUp && this.#behind >= STREAM_BEHIND
  }
}

/** The ping of a stream's client, and the platform's answer to it, without the object. */
export const PING = 'ping'
export const PONG = 'pong'

/** Codes with which an event stream closes, and what its client does then (docs/event-stream.md). */
export const CLOSE = {
  /** "Try again later", of the registered codes: connect again with the cursor, at once. */
  comeBack: 1013,
  /** The client broke the rules: it sent too much, too often, or something other than acknowledgements. */
  refused: 1008,
  /** The queue, the key or the session may have ended: connecting again, or a poll, tells which. */
  askAgain: 4000,
  /** The next events are too long for a socket: get them by a poll, then connect again. */
  poll: 4001,
  /** Another client waits on this queue now, by a stream or a poll. */
  replaced: 4002,
} as const
