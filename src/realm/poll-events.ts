import type { RealmAnswer, RealmCall } from '../core/call.ts'
import type { QueueCursor } from '../domain/events/get-events.ts'
import { findQueue } from '../events/queue.ts'
import type { DeliveredEvent } from '../events/read-queue.ts'
import { runCall } from './run-call.ts'
import type { Runtime } from './runtime.ts'
import { pendingEvents } from './wake-polls.ts'

/** The header in which a poll's call crosses to the object, as encoded JSON. */
export const CALL_HEADER = 'x-parley-call'
/** The header in which the answer so far comes back beside the socket, as encoded JSON. */
export const ANSWER_HEADER = 'x-parley-answer'

/**
 * GET /events in the object: an answer at once, or a socket to wait on. Whether there is anything to
 * give is looked at in the turn in which the socket is held, so that no wake-up falls between.
 * Source: DESIGN 5; behaviour 4.5.
 */
export async function pollEvents(runtime: Runtime, request: Request): Promise<Response> {
  const call = JSON.parse(decodeURIComponent(request.headers.get(CALL_HEADER)!)) as RealmCall
  const answer = await runCall(runtime, call)
  if (!answer.outcome.ok) return Response.json(answer)
  const { queueId, cursor, block } = answer.outcome.value as QueueCursor
  const queue = findQueue(runtime.sql, queueId)
  // Another request may have ended it since: as if it had been first.
  const events = queue ? pendingEvents(runtime, queue, cursor) : []
  if (queue) runtime.progress.note(runtime.sql, queue, cursor, runtime.now())
  if (!queue || !block || events.length > 0) {
    if (block) runtime.polls.end(queueId)
    return Response.json(withValue(answer, { events, queue_id: queueId }))
  }
  const { 0: client, 1: server } = new WebSocketPair()
  runtime.polls.hold(server, queueId, cursor)
  const soFar = encodeURIComponent(JSON.stringify(withValue(answer, { queue_id: queueId })))
  return new Response(null, { status: 101, webSocket: client, headers: { [ANSWER_HEADER]: soFar } })
}

/**
 * The Worker has held a poll long enough: it gets what is there after all, else a heartbeat with an id
 * of its own, so that the client sees the connection live.
 */
export function beat(runtime: Runtime, socket: WebSocket): void {
  const poll = runtime.polls.waitOf(socket)
  if (!poll) return
  const queue = findQueue(runtime.sql, poll.queueId)
  const pending = queue ? pendingEvents(runtime, queue, poll.cursor) : []
  if (queue) runtime.progress.note(runtime.sql, queue, poll.cursor, runtime.now())
  const events = pending.length > 0 || !queue ? pending : [heartbeat(runtime)]
  runtime.polls.answer(poll, events)
}

function heartbeat({ ids, sql }: Runtime): DeliveredEvent {
  return { type: 'heartbeat', id: ids.nextEphemeral(sql) }
}

function withValue(answer: RealmAnswer, value: unknown): RealmAnswer {
  return { ...answer, outcome: { ok: true, value } }
}
