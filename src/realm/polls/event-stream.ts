import { tryParseJson } from '../../core/json.ts'
import { findQueue } from '../../events/queue.ts'
import type { PollRuntime } from './poll-runtime.ts'
import type { WaitingPoll } from './poll-sockets.ts'
import { CLOSE } from './stream-flow.ts'
import { roundsOf } from './wake-polls.ts'

/** Characters of a client's message: acknowledgements are shorter. */
const LONGEST_MESSAGE = 100

/**
 * Opens an event stream: GET /events over a WebSocket that stays open. It delivers the events of polls in the same order under the same
 * ids, and the client acknowledges them as they come. The object may sleep meanwhile. Returns the client's end. Source:
 * docs/event-stream.md.
 */
export function openStream(runtime: PollRuntime, position: { queueId: string; cursor: number }): WebSocket {
  const { 0: client, 1: server } = new WebSocketPair()
  const { queueId, cursor } = position
  const poll = runtime.polls.hold(server, {
    queueId,
    cursor,
    scanned: runtime.progress.scannedFrom(queueId, cursor),
    flow: { acked: cursor, behind: 0, ackedAt: runtime.now() },
    heardAt: Date.now(),
  })
  // Shows the client that it is connected, and on which queue.
  runtime.polls.answer(poll, [])
  const queue = findQueue(runtime.sql, poll.queueId)
  if (queue) runtime.progress.note(runtime.sql, queue, cursor, runtime.now())
  roundsOf(runtime).add(runtime, poll)
  return client
}

/** Reads an acknowledgement of a stream's client. Any other message ends the stream. */
export function hearStream(runtime: PollRuntime, poll: WaitingPoll, message: string | ArrayBuffer): void {
  const { polls, sql, progress } = runtime
  const now = Date.now()
  const queue = findQueue(sql, poll.queueId)
  const upTo = queue && polls.maySay(queue.userId, now) ? acknowledgedIn(message) : undefined
  if (!queue || upTo === undefined || upTo > poll.cursor) {
    polls.close(poll, queue ? CLOSE.refused : CLOSE.askAgain)
    return
  }
  poll.heardAt = now
  const wasPaused = poll.flow?.isPaused
  polls.acknowledge(poll, upTo, runtime.now())
  progress.note(sql, queue, upTo, runtime.now())
  if (wasPaused) roundsOf(runtime).add(runtime, poll)
}

/** Returns the id that a message acknowledges; undefined when it is no acknowledgement. */
function acknowledgedIn(message: string | ArrayBuffer): number | undefined {
  if (typeof message !== 'string' || message.length > LONGEST_MESSAGE) return undefined
  const { last_event_id: id } = (tryParseJson(message) ?? {}) as { last_event_id?: unknown }
  return Number.isSafeInteger(id) ? (id as number) : undefined
}
