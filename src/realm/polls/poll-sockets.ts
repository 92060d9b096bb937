import { ENTRIES_AT_ONCE, TEXT_OF_SLICE } from '../../core/budgets.ts'
import { log } from '../../core/log.ts'
import type { EventRepresentation } from '../../events/representations.ts'
import { type CallLimits, type HeldCall, HeldCalls } from './poll-call.ts'
import { CLOSE, type KeptFlow, PING, PONG, StreamFlow } from './stream-flow.ts'

/** Seconds of silence after which a stream counts as without a reader: clients send a ping each minute. */
const STREAM_SILENCE = 600

/** Seconds after which a quiet stream gets a heartbeat to acknowledge: its queue must not keep the log for ever. */
const STREAM_QUIET_SECONDS = 86_400

/** Messages of one account, on all its streams, in a number of seconds (docs/event-stream.md#when-it-closes). */
const STREAM_MESSAGES = { count: 1_200, seconds: 60 } as const

/** How far a waiting client is in its queue. */
export interface PollPosition {
  readonly queueId: string
  /** The client has been sent all events up to this id. */
  readonly cursor: number
  /** No event up to this id, above the client's cursor, is for the queue. */
  readonly scanned: number
}

/** State that a socket keeps while the object sleeps; null once its poll is answered, or its stream closed. */
interface Attachment extends PollPosition {
  /** Present only for streams, like the next field. */
  readonly flow?: KeptFlow
  /** Time at which the client last sent anything but a ping, in ms of the clock. */
  readonly heardAt?: number
}

/** A client that waits for the events of its queue: with a poll, which is answered once, or on a stream. */
export interface WaitingPoll {
  /** Absent for a poll that is held as a call. */
  readonly socket?: WebSocket
  readonly call?: HeldCall
  readonly queueId: string
  /** The client has been sent all events up to this id. */
  cursor: number
  /** No event up to this id, above the client's cursor, is for the queue. */
  scanned: number
  /** The flow of a stream, only present for streams. */
  readonly flow?: StreamFlow
  /** Time at which the client last sent anything but a ping, in ms of the clock. */
  heardAt: number
  /** Whether the client gets a heartbeat after the next look. */
  needsHeartbeat?: boolean
}

export type HeldPoll = WaitingPoll & { readonly call: HeldCall }

/**
 * The waiting clients (docs/decisions/design.md#polls-that-sleep), at most one on a queue. The sockets hibernate with the object, which
 * reads this state from them when it wakes: the truth is the client's cursor.
 */
export class PollSockets {
  readonly #context: DurableObjectState
  readonly #realmId: number
  readonly #byQueue = new Map<string, WaitingPoll>()
  readonly #bySocket = new WeakMap<WebSocket, WaitingPoll>()
  readonly #calls = new HeldCalls()
  /** Numbers of answered polls, of frames that streams were sent, and of events in both and in answers at once. */
  readonly delivered = { polls: 0, frames: 0, events: 0 }
  /** Number of messages that each account's streams have sent in this window, and its beginning (ms of the clock). */
  #said = { since: 0, counts: new Map<number, number>() }

  constructor(context: DurableObjectState, realmId: number) {
    this.#context = context
    this.#realmId = realmId
    // The platform answers pings without waking the object.
    context.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG))
    for (const socket of context.getWebSockets()) {
      const attachment = attachmentOf(socket)
      if (attachment) this.#add(socket, attachment)
    }
  }

  /** Accepts the object's end of a poll or a stream. Another client that waits on this queue is sent away without events. */
  hold(socket: WebSocket, position: Attachment): WaitingPoll {
    this.#replace(position.queueId)
    this.#context.acceptWebSocket(socket, [position.queueId])
    socket.serializeAttachment(position)
    return this.#add(socket, position)
  }

  #add(socket: WebSocket, attachment: Attachment): WaitingPoll {
    const poll = waitingOn(socket, attachment)
    this.#byQueue.set(attachment.queueId, poll)
    this.#bySocket.set(socket, poll)
    return poll
  }

  /** Holds a poll as a call, in place of another on this queue. Undefined if it should sleep (`HeldCalls.hold`). */
  holdCall(position: PollPosition, limits: CallLimits): HeldPoll | undefined {
    const call = this.#calls.hold(limits)
    if (!call) return undefined
    this.#replace(position.queueId)
    const poll = { ...position, call, heardAt: Date.now() }
    this.#byQueue.set(position.queueId, poll)
    return poll
  }

  /** Stops holding a call that was held long enough. */
  letGo(poll: WaitingPoll): void {
    this.#drop(poll)
  }

  #replace(queueId: string): void {
    const before = this.#byQueue.get(queueId)
    if (before?.flow) this.close(before, CLOSE.replaced)
    else this.end(queueId)
  }

  get count(): number {
    return this.#byQueue.size
  }

  waiting(): WaitingPoll[] {
    return [...this.#byQueue.values()]
  }

  /** Whether the client still waits: its poll is not answered, nor its stream closed. */
  isHeld(poll: WaitingPoll): boolean {
    return this.#byQueue.get(poll.queueId) === poll
  }

  isWaiting(queueId: string): boolean {
    return this.#byQueue.has(queueId)
  }

  /** Returns the waiting client of a socket; undefined if its poll is answered, or its stream closed. */
  waitOf(socket: WebSocket): WaitingPoll | undefined {
    const poll = this.#bySocket.get(socket)
    return poll && this.isHeld(poll) ? poll : undefined
  }

  /**
   * Gives a client its events, which ends a poll and not a stream. If they do not fit through a socket, the same cursor comes again by a
   * call: from the Worker, whose socket closes without an answer, or from the stream's client.
   */
  answer(poll: WaitingPoll, events: readonly EventRepresentation[]): void {
    if (poll.flow) {
      this.#push(poll, poll.flow, events)
      return
    }
    const { socket, call, queueId } = poll
    this.#drop(poll)
    this.delivered.polls += 1
    this.delivered.events += events.length
    const text = frameOf(queueId, events)
    call?.answer(text)
    if (!socket) return
    socket.serializeAttachment(null)
    try {
      if (text.length <= TEXT_OF_SLICE) {
        socket.send(text)
        socket.close(1000, 'answered')
        return
      }
    } catch (error) {
      log('warn', 'A poll could not be answered over its socket', { realm_id: this.#realmId, error })
    }
    closeQuietly(socket, CLOSE.comeBack)
  }

  /** Ends a wait without events, since the queue, or its key, is gone. */
  end(queueId: string): void {
    const poll = this.#byQueue.get(queueId)
    if (poll?.flow) this.close(poll, CLOSE.askAgain)
    else if (poll) this.answer(poll, [])
  }

  /** Ends a stream, with a code that says what its client should do. */
  close(poll: WaitingPoll, code: number): void {
    this.#drop(poll)
    poll.socket?.serializeAttachment(null)
    if (poll.socket) closeQuietly(poll.socket, code)
  }

  /** Records that a stream's client has all events up to this id. `now` in UNIX seconds. */
  acknowledge(poll: WaitingPoll, upTo: number, now: number): void {
    poll.flow?.acknowledge(upTo, now)
    this.#keep(poll)
  }

  /** Counts a message over a stream. False above the limit for all of its account's streams, in this life of the object. `now` in ms. */
  maySay(userId: number, now: number): boolean {
    const { count, seconds } = STREAM_MESSAGES
    if (Math.abs(now - this.#said.since) > seconds * 1_000) this.#said = { since: now, counts: new Map() }
    const said = (this.#said.counts.get(userId) ?? 0) + 1
    this.#said.counts.set(userId, said)
    return said <= count
  }

  /** Ends streams whose clients have long sent nothing, not even a ping. `now` in ms of the clock. */
  endSilentStreams(now: number): void {
    for (const poll of this.#byQueue.values()) {
      if (!poll.flow || !poll.socket) continue
      const pingedAt = this.#context.getWebSocketAutoResponseTimestamp(poll.socket)?.getTime() ?? 0
      if (now - Math.max(pingedAt, poll.heardAt) > STREAM_SILENCE * 1_000) this.close(poll, CLOSE.comeBack)
    }
  }

  /** Marks some of the streams whose clients have long acknowledged nothing for a heartbeat, and returns them. `now` in UNIX seconds. */
  markQuietStreams(now: number): readonly WaitingPoll[] {
    const marked: WaitingPoll[] = []
    for (const poll of this.#byQueue.values()) {
      if (!poll.flow?.isQuiet(now, STREAM_QUIET_SECONDS)) continue
      poll.needsHeartbeat = true
      marked.push(poll)
      if (marked.length === ENTRIES_AT_ONCE) break
    }
    return marked
  }

  /** Follows the close of the other end. */
  forget(socket: WebSocket): void {
    const poll = this.waitOf(socket)
    if (poll) this.#drop(poll)
    socket.serializeAttachment(null)
    closeQuietly(socket)
  }

  #push(poll: WaitingPoll, flow: StreamFlow, events: readonly EventRepresentation[]): void {
    const text = frameOf(poll.queueId, events)
    const upTo = events.at(-1)?.id ?? poll.cursor
    flow.sent({ upTo, characters: text.length })
    const isTooLong = text.length > TEXT_OF_SLICE
    if (isTooLong || flow.isTooFarBehind || !(poll.socket && isSent(poll.socket, text, this.#realmId))) {
      this.close(poll, isTooLong ? CLOSE.poll : CLOSE.comeBack)
      return
    }
    this.delivered.frames += 1
    this.delivered.events += events.length
    poll.cursor = upTo
    poll.scanned = Math.max(poll.scanned, upTo)
    this.#keep(poll)
  }

  #keep({ socket, queueId, cursor, scanned, flow, heardAt }: WaitingPoll): void {
    const kept = flow && ({ queueId, cursor, scanned, flow: flow.kept, heardAt } satisfies Attachment)
    if (kept) socket?.serializeAttachment(kept)
  }

  #drop(poll: WaitingPoll): void {
    if (this.isHeld(poll)) this.#byQueue.delete(poll.queueId)
  }
}

function waitingOn(socket: WebSocket, attachment: Attachment): WaitingPoll {
  const { queueId, cursor, scanned, flow, heardAt = Date.now() } = attachment
  const waiting = { socket, queueId, cursor, scanned, heardAt }
  return flow ? { ...waiting, flow: new StreamFlow(flow, cursor) } : waiting
}

/** Returns a message of the object: the fields of a poll's answer, after which its socket closes, or a frame of a stream. */
export function frameOf(queueId: string, events: readonly EventRepresentation[]): string {
  return `{"events":[${events.map(({ text }) => text).join(',')}],"queue_id":${JSON.stringify(queueId)}}`
}

function isSent(socket: WebSocket, text: string, realmId: number): boolean {
  try {
    socket.send(text)
    return true
  } catch (error) {
    log('warn', 'A stream could not be written to', { realm_id: realmId, error })
    return false
  }
}

function attachmentOf(socket: WebSocket): Attachment | null {
  return socket.deserializeAttachment() as Attachment | null
}

function closeQuietly(socket: WebSocket, code?: number): void {
  try {
    socket.close(code)
  } catch {
    // The other end is gone; its client comes again with its cursor.
  }
}
