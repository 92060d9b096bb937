import type { DeliveredEvent } from '../events/read-queue.ts'

/** What a waiting poll's socket remembers while the object sleeps. Null once it has been answered. */
interface Attachment {
  readonly queueId: string
  readonly cursor: number
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

  constructor(context: DurableObjectState) {
    this.#context = context
  }

  /** Accepts the object's end of a poll; whoever waited on this queue before is sent away empty. */
  hold(socket: WebSocket, queueId: string, cursor: number): void {
    this.end(queueId)
    this.#context.acceptWebSocket(socket, [queueId])
    socket.serializeAttachment({ queueId, cursor } satisfies Attachment)
  }

  /** Polls that still wait. */
  waiting(): { socket: WebSocket; queueId: string; cursor: number }[] {
    return this.#context.getWebSockets().flatMap((socket) => {
      const attachment = socket.deserializeAttachment() as Attachment | null
      return attachment ? [{ socket, ...attachment }] : []
    })
  }

  isWaiting(queueId: string): boolean {
    return this.#context
      .getWebSockets(queueId)
      .some((socket) => (socket.deserializeAttachment() as Attachment | null) !== null)
  }

  waitOf(socket: WebSocket): { queueId: string; cursor: number } | undefined {
    return (socket.deserializeAttachment() as Attachment | null) ?? undefined
  }

  answer(socket: WebSocket, queueId: string, events: readonly DeliveredEvent[]): void {
    socket.serializeAttachment(null)
    try {
      socket.send(JSON.stringify({ events, queue_id: queueId } satisfies PollAnswer))
      socket.close(1000, 'answered')
    } catch {
      // The other end is gone: its client polls again with the cursor it has.
    }
  }

  /** Ends a wait with no events: another poll took over, or the queue is gone. */
  end(queueId: string): void {
    for (const socket of this.#context.getWebSockets(queueId)) {
      if (this.waitOf(socket)) this.answer(socket, queueId, [])
    }
  }
}
