import { LONGEST_SOCKET_MESSAGE, QUEUE_OPTIONS_KEPT } from '../core/budgets.ts'
import { log } from '../core/log.ts'
import type { Sql } from '../core/sql.ts'
import { type EventQueue, type FoundQueue, findQueue } from '../events/queue.ts'
import type { DeliveredEvent } from '../events/read-queue.ts'

/** What a waiting poll's socket remembers while the object sleeps. Null once it has been answered. */
interface Attachment {
  readonly queueId: string
  /** The client has all events up to this id. */
  readonly cursor: number
  /** As the socket was accepted. Left out by an older build. */
  readonly scanned?: number
}

/** A poll that waits, with its socket. */
export interface WaitingPoll {
  readonly socket: WebSocket
  readonly queueId: string
  readonly cursor: number
  /** Nothing up to this event is for the queue, above the client's cursor. */
  scanned: number
  /** Left out until it is first looked at, and when too much is remembered. */
  queue?: FoundQueue
}

/** "Try again later", of the registered codes: by a call, at once. */
const ASK_AGAIN = 1013

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
  /** Characters of the options of the queues that are remembered. */
  #optionsKept = 0

  constructor(context: DurableObjectState) {
    this.#context = context
    for (const socket of context.getWebSockets()) {
      const attachment = attachmentOf(socket)
      if (attachment)
        this.#byQueue.set(attachment.queueId, { socket, scanned: attachment.cursor, ...attachment })
    }
  }

  /** Accepts the object's end of a poll; whoever waited on this queue before is sent away empty. */
  hold(socket: WebSocket, place: Required<Attachment>): void {
    this.end(place.queueId)
    this.#context.acceptWebSocket(socket, [place.queueId])
    socket.serializeAttachment(place)
    this.#byQueue.set(place.queueId, { socket, ...place })
  }

  /** All that wait. */
  waiting(): WaitingPoll[] {
    return [...this.#byQueue.values()]
  }

  /** Has it not been answered? */
  isHeld(poll: WaitingPoll): boolean {
    return this.#byQueue.get(poll.queueId) === poll
  }

  /** The queue that a poll waits on, which is remembered while it waits. Undefined when it has ended. */
  queueOf(sql: Sql, poll: WaitingPoll): EventQueue | undefined {
    if (poll.queue) return poll.queue
    const queue = findQueue(sql, poll.queueId)
    if (queue && this.#optionsKept + queue.optionsSize <= QUEUE_OPTIONS_KEPT) {
      poll.queue = queue
      this.#optionsKept += queue.optionsSize
    }
    return queue
  }

  isWaiting(queueId: string): boolean {
    return this.#byQueue.has(queueId)
  }

  /** Undefined when this socket's poll has been answered. */
  waitOf(socket: WebSocket): WaitingPoll | undefined {
    const attachment = attachmentOf(socket)
    return attachment ? this.#byQueue.get(attachment.queueId) : undefined
  }

  /**
   * Gives a poll its events, and closes. What does not go over a socket stays where it is: the Worker, which sees the socket
   * close without an answer, asks again with the same cursor, and gets it as the answer of that call.
   */
  answer(poll: WaitingPoll, events: readonly DeliveredEvent[]): void {
    const { socket, queueId } = poll
    this.#drop(poll)
    socket.serializeAttachment(null)
    const text = JSON.stringify({ events, queue_id: queueId } satisfies PollAnswer)
    try {
      if (text.length <= LONGEST_SOCKET_MESSAGE) {
        socket.send(text)
        socket.close(1000, 'answered')
        return
      }
    } catch (error) {
      log('warn', 'A poll could not be answered over its socket', { error })
    }
    try {
      socket.close(ASK_AGAIN, 'ask again')
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
    if (poll) this.#drop(poll)
    socket.serializeAttachment(null)
    try {
      socket.close()
    } catch {
      // closed already
    }
  }

  #drop(poll: WaitingPoll): void {
    if (!this.isHeld(poll)) return
    this.#byQueue.delete(poll.queueId)
    this.#optionsKept -= poll.queue?.optionsSize ?? 0
  }
}

function attachmentOf(socket: WebSocket): Attachment | null {
  return socket.deserializeAttachment() as Attachment | null
}
