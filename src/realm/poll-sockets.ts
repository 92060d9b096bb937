import type { EventQueue } from '../events/queue.ts'
import type { DeliveredEvent } from '../events/read-queue.ts'

/** What a waiting poll's socket remembers while the object sleeps. Null once it has been answered. */
interface Attachment {
  readonly queueId: string
  /** The client has all events up to this id. */
  readonly cursor: number
}

/** A poll that waits, with its socket. */
export interface WaitingPoll extends Attachment {
  readonly socket: WebSocket
}

/** What is remembered of a waiting poll while the object is awake, so that each event is looked at once. */
export interface Scan {
  readonly cursor: number
  readonly queue: EventQueue
  /** Nothing up to this event is for the queue, above the client's cursor. */
  upTo: number
}

/** What the object sends over a poll's socket: once, and then it closes. */
export interface PollAnswer {
  readonly events: readonly DeliveredEvent[]
  readonly queue_id: string
}

/**
 * The waiting polls (DESIGN 5). The sockets hibernate with the object: nothing here has to survive, the
 * client's cursor is the truth. At most one poll waits on a queue.
 */
export class PollSockets {
  readonly #context: DurableObjectState
  /** By queue. A hint, to be built again at any time. */
  readonly #scans = new Map<string, Scan>()

  constructor(context: DurableObjectState) {
    this.#context = context
  }

  /** Accepts the object's end of a poll; whoever waited on this queue before is sent away empty. */
  hold(socket: WebSocket, queueId: string, cursor: number): void {
    this.end(queueId)
    this.#context.acceptWebSocket(socket, [queueId])
    socket.serializeAttachment({ queueId, cursor } satisfies Attachment)
  }

  /** All that wait, or those on one queue. */
  waiting(queueId?: string): WaitingPoll[] {
    return this.#context.getWebSockets(queueId).flatMap((socket) => this.waitOf(socket) ?? [])
  }

  isWaiting(queueId: string): boolean {
    return this.waiting(queueId).length > 0
  }

  /** Undefined when this socket's poll has been answered. */
  waitOf(socket: WebSocket): WaitingPoll | undefined {
    const attachment = socket.deserializeAttachment() as Attachment | null
    return attachment ? { socket, ...attachment } : undefined
  }

  /** Undefined when there is no such queue any more. */
  scanOf({ queueId, cursor }: WaitingPoll, find: () => EventQueue | undefined): Scan | undefined {
    const known = this.#scans.get(queueId)
    if (known?.cursor === cursor) return known
    const queue = find()
    if (!queue) return undefined
    const scan = { cursor, queue, upTo: cursor }
    this.#scans.set(queueId, scan)
    return scan
  }

  answer({ socket, queueId }: WaitingPoll, events: readonly DeliveredEvent[]): void {
    this.#scans.delete(queueId)
    socket.serializeAttachment(null)
    try {
      socket.send(JSON.stringify({ events, queue_id: queueId } satisfies PollAnswer))
      socket.close(1000, 'answered')
    } catch {
      // The other end is gone: its client polls again with the cursor it has.
    }
  }

  /** Ends a wait with no events: another poll took over. */
  end(queueId: string): void {
    for (const poll of this.waiting(queueId)) this.answer(poll, [])
  }

  /** The other end has closed. */
  forget(socket: WebSocket): void {
    const poll = this.waitOf(socket)
    if (poll) this.#scans.delete(poll.queueId)
    socket.serializeAttachment(null)
    try {
      socket.close()
    } catch {
      // closed already
    }
  }
}
