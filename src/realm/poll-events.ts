import type { RealmAnswer, RealmCall } from '../core/call.ts'
import type { QueueCursor } from '../domain/events/get-events.ts'
import { findQueue } from '../events/queue.ts'
import { runCall } from './run-call.ts'
import type { Runtime } from './runtime.ts'
import { pendingEvents } from './wake-polls.ts'

/** The header in which a poll's call crosses to the object, as encoded JSON. */
export const CALL_HEADER = 'x-parley-call'
/** The header in which the rate limit's state comes back with the socket. */
export const ANSWER_HEADER = 'x-parley-answer'

/**
 * GET /events in the object: an answer at once, or a socket to wait on. Whether there is anything to
 * give is looked at after the socket is held, in one turn, so that no wake-up falls between.
 * Source: DESIGN 5; behaviour 4.5.
 */
export async function pollEvents(runtime: Runtime, request: Request): Promise<Response> {
  const call = JSON.parse(decodeURIComponent(request.headers.get(CALL_HEADER) ?? '{}')) as RealmCall
  const answer = await runCall(runtime, call)
  if (!answer.outcome.ok) return Response.json(answer)
  const { queueId, cursor, block } = answer.outcome.value as QueueCursor
  const queue = findQueue(runtime.sql, queueId)
  if (!queue) throw new Error('A queue vanished between two lines')
  runtime.progress.note(runtime.sql, queue, cursor, runtime.now())
  const events = pendingEvents(runtime, queue, cursor)
  if (events.length > 0 || !block) {
    if (block) runtime.polls.end(queueId)
    return Response.json(withValue(answer, { events, queue_id: queueId }))
  }
  const { 0: client, 1: server } = new WebSocketPair()
  runtime.polls.hold(server, queueId, cursor)
  return new Response(null, {
    status: 101,
    webSocket: client,
    headers: {
      [ANSWER_HEADER]: encodeURIComponent(JSON.stringify(withValue(answer, { queue_id: queueId }))),
    },
  })
}

/**
 * The Worker has held a poll long enough: it gets what is there after all, else a heartbeat with an id
 * of its own, so that the client sees the connection live.
 */
export function beat(runtime: Runtime, socket: WebSocket): void {
  const wait = runtime.polls.waitOf(socket)
  if (!wait) return
  const queue = findQueue(runtime.sql, wait.queueId)
  const pending = queue ? pendingEvents(runtime, queue, wait.cursor) : []
  const events =
    pending.length > 0 || !queue
      ? pending
      : [{ type: 'heartbeat', id: runtime.ids.nextEphemeral(runtime.sql) }]
  runtime.polls.answer(socket, wait.queueId, events)
}

function withValue(answer: RealmAnswer, value: unknown): RealmAnswer {
  return { ...answer, outcome: { ok: true, value } }
}
