import type { RealmAnswer, RealmCall } from '../core/call.ts'
import { ApiError, type WireError } from '../core/errors.ts'
import { deliveryFactsAmong } from '../domain/events/delivery-facts.ts'
import type { QueueCursor } from '../domain/events/get-events.ts'
import { requireActiveRealm } from '../domain/realm/realm-setting-rows.ts'
import { authenticate } from '../domain/users/authenticate.ts'
import { findQueue } from '../events/queue.ts'
import type { DeliveredEvent } from '../events/read-queue.ts'
import { hearStream, openStream } from './event-stream.ts'
import { DeliveryTurn, type Look, lookForEvents } from './look-for-events.ts'
import { runCall } from './run-call.ts'
import type { Runtime } from './runtime.ts'

/** The header in which a poll's call crosses to the object, as encoded JSON. */
export const CALL_HEADER = 'x-parley-call'
/** The header in which the answer so far comes back beside the socket, as encoded JSON. */
export const ANSWER_HEADER = 'x-parley-answer'

/** Where the Worker asks for a poll, and for a stream. */
export const POLL_PATH = '/poll'
export const STREAM_PATH = '/stream'

/**
 * GET /events in the object: an answer at once, or a socket to wait on. Whether there is anything to
 * give is looked at, to the end, in the turn in which the socket is held, so that no wake-up falls between.
 * Source: DESIGN 5; behaviour 4.5.
 */
export async function pollEvents(runtime: Runtime, request: Request): Promise<Response> {
  const call = JSON.parse(decodeURIComponent(request.headers.get(CALL_HEADER)!)) as RealmCall
  const answer = await runCall(runtime, call)
  if (!answer.outcome.ok) return Response.json(answer)
  const { queueId, cursor, block } = answer.outcome.value as QueueCursor
  if (new URL(request.url).pathname === STREAM_PATH) {
    return withSocket(openStream(runtime, { queueId, cursor }), withValue(answer, { queue_id: queueId }))
  }
  let look = lookOnce(runtime, queueId, cursor)
  while (look && !isSettled(look)) {
    await nextTurn()
    const error = refusalSince(runtime, call)
    if (error) return Response.json({ ...answer, outcome: { ok: false, error } } satisfies RealmAnswer)
    look = lookOnce(runtime, queueId, cursor)
  }
  // Another request may have ended the queue since: as if it had been first.
  const events = look?.events ?? []
  if (!look || !block || events.length > 0) {
    if (block) runtime.polls.end(queueId)
    return Response.json(withValue(answer, { events, queue_id: queueId }))
  }
  const { 0: client, 1: server } = new WebSocketPair()
  runtime.polls.hold(server, { queueId, cursor, scanned: look.upTo })
  return withSocket(client, withValue(answer, { queue_id: queueId }))
}

function withSocket(webSocket: WebSocket, soFar: RealmAnswer): Response {
  const headers = { [ANSWER_HEADER]: encodeURIComponent(JSON.stringify(soFar)) }
  return new Response(null, { status: 101, webSocket, headers })
}

/** Others were served meanwhile: is the key still good? */
function refusalSince({ sql, realm, now }: Runtime, { credentials }: RealmCall): WireError | undefined {
  try {
    requireActiveRealm(sql)
    authenticate(sql, realm, credentials, now())
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.toWire()
    throw error
  }
}

/** What comes over the socket of a poll or of a stream. */
export async function hearSocket(
  runtime: Runtime,
  socket: WebSocket,
  message: string | ArrayBuffer,
): Promise<void> {
  const poll = runtime.polls.waitOf(socket)
  if (poll?.flow) hearStream(runtime, poll, message)
  else await beat(runtime, socket)
}

/**
 * The Worker has held a poll long enough: it gets what is there after all, else a heartbeat with an id
 * of its own, so that the client sees the connection live. A heartbeat goes out only when all before it has been looked at.
 */
async function beat(runtime: Runtime, socket: WebSocket): Promise<void> {
  for (;;) {
    const poll = runtime.polls.waitOf(socket)
    if (!poll) return
    const look = lookOnce(runtime, poll.queueId, poll.cursor, poll.scanned)
    if (!look || look.events.length > 0) return runtime.polls.answer(poll, look?.events ?? [])
    if (look.isOver) return runtime.polls.answer(poll, [heartbeat(runtime)])
    poll.scanned = look.upTo
    await nextTurn()
  }
}

/** One turn's look; undefined when there is no such queue. Where it ends empty is remembered for the next. */
function lookOnce(
  { sql, progress, buffer, ids, now }: Runtime,
  queueId: string,
  cursor: number,
  scanned = cursor,
): Look | undefined {
  const queue = findQueue(sql, queueId)
  if (!queue) return undefined
  progress.note(sql, queue, cursor, now())
  const from = Math.max(scanned, progress.scannedFrom(queueId, cursor))
  const facts = deliveryFactsAmong(sql, [queue.userId])
  const turn = new DeliveryTurn()
  const look = lookForEvents({ sql, buffer, ids, now }, queue, { cursor, scanned: from }, facts, turn)
  if (look.events.length === 0) progress.noteScan(queueId, cursor, look.upTo)
  return look
}

function isSettled({ events, isOver }: Look): boolean {
  return events.length > 0 || isOver
}

/** Others are served meanwhile. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

function heartbeat({ ids, sql }: Runtime): DeliveredEvent {
  return { type: 'heartbeat', id: ids.nextEphemeral(sql) }
}

function withValue(answer: RealmAnswer, value: unknown): RealmAnswer {
  return { ...answer, outcome: { ok: true, value } }
}
