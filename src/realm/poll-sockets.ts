import type { EventQueue } from '../events/queue.ts'
import type { DeliveredEvent } from '../events/read-queue.ts'

/** What a waiting poll's socket remembers while the object sleeps. Null once it has been answered. */
interface Attachment {
  readonly queueId: string
  /** The client has all events up to this id. */
  readonly cursor: number
}

/** What is remembered of a waiting poll while the object is awake, so that each event is looked at once. */
export interface Scan {
  readonly queue: EventQueue
  /** Nothing up to this event is for the queue, above the client's cursor. */
  upTo: number
}

/** A poll that waits, with its socket. */
export interface WaitingPoll extends Attachment {
  readonly socket: WebSocket
  /** Left out until it is first looked at. */
  scan?: Scan
}

/** What the object sends over a poll's socket: once, and then it closes. */
export interface PollAnswer {
  readonly events: readonly DeliveredEvent[]
  readonly queue_id: string
}

/**
 * The waiting polls (DESIGN 5), at most one on a queue. The sockets hibernate with the object, and what is
 * kept here is read from them when it wakes: the client's cursor is the truth.
 */
export class PollSockets {
  readonly #context: DurableObjectState
  readonly #byQueue = new Map<string, WaitingPoll>()

  constructor(context: DurableObjectState) {
    this.#context = context
    for (const socket of context.getWebSockets()) {
      const attachment = attachmentOf(socket)
      if (attachment) this.#byQueue.set(attachment.queueId, { socket, ...attachment })
    }
  }

  /** Accepts the object's end of a poll; whoever waited on this queue before is sent away empty. */
  hold(socket: WebSocket, queueId: string, cursor: number): void {
    this.end(queueId)
    this.#context.acceptWebSocket(socket, [queueId])
    socket.serializeAttachment({ queueId, cursor } satisfies Attachment)
    this.#byQueue.set(queueId, { socket, queueId, cursor })
  }

  /** All that wait. */
  waiting(): WaitingPoll[] {
    return [...this.#byQueue.values()]
  }

  isWaiting(queueId: string): boolean {
    return this.#byQueue.has(queueId)
  }

  /** Undefined when this socket's poll has been answered. */
  waitOf(socket: WebSocket): WaitingPoll | undefined {
    const attachment = attachmentOf(socket)
    return attachment ? this.#byQueue.get(attachment.queueId) : undefined
  }

  answer({ socket, queueId }: WaitingPoll, events: readonly DeliveredEvent[]): void {
    this.#byQueue.delete(queueId)
    socket.serializeAttachment(null)
    try {
      socket.send(JSON.stringify({ events, queue_id: queueId } satisfies PollAnswer))
      socket.close(1000, 'answered')
    } catch {
      // The other end is gone: its client polls again with the cursor it has.
    }
  }

  /** Ends a wait with no events: another poll took over, or the queue has ended. */
  end(queueId: string): void {
    const poll = this.#byQueue.get(queueId)
    if (poll) this.answer(poll, [])
  }

  /** The other end has closed. */
  forget(socket: WebSocket): void {
    const poll = this.waitOf(socket)
    if (poll) this.#byQueue.delete(poll.queueId)
    socket.serializeAttachment(null)
    try {
      socket.close()
    } catch {
      // closed already
    }
  }
}

function attachmentOf(socket: WebSocket): Attachment | null {
  return socket.deserializeAttachment() as Attachment | null
}
