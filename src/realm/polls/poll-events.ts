import type { RealmAnswer, RealmCall } from '../../core/call.ts'
import { ApiError, type WireError } from '../../core/errors.ts'
import { fairScheduler } from '../../core/fair-scheduler.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { findQueue } from '../../events/queue.ts'
import { type EventRepresentation, representationOf } from '../../events/representations.ts'
import {
  type GetEventsParams,
  positionOnQueue,
  type QueueCursor,
} from '../../features/events/event-queues.ts'
import { authenticate } from '../../model/users/login/authenticate.ts'
import { requireActiveRealm } from '../../store/realm/realm-setting-rows.ts'
import { type Peek, runCall } from '../calls/run-call.ts'
import { hearStream, openStream } from './event-stream.ts'
import { DeliverySlice, deliveryFactsAmong, type Look, lookForEvents } from './look-for-events.ts'
import {
  ANSWER_HEADER,
  type CallLimits,
  callIn,
  HOLD_HEADER,
  headerOf,
  type PollReply,
  type PollStanding,
  STREAM_PATH,
} from './poll-call.ts'
import type { PollRuntime } from './poll-runtime.ts'
import { frameOf, type HeldPoll, type PollPosition } from './poll-sockets.ts'
import { roundsOf } from './wake-polls.ts'

/** Progress of a poll. Without a frame or a refusal, it must wait on a socket from `position` on. */
interface Followed {
  readonly answer: RealmAnswer
  readonly frame?: string
  readonly position?: PollPosition
}

/** Handles a poll or an event stream that can get a socket to wait on. */
export async function pollEvents(runtime: PollRuntime, request: Request): Promise<Response> {
  const call = callIn(request)
  if (new URL(request.url).pathname === STREAM_PATH) return startStream(runtime, call)
  const { answer, frame, position } = await follow(runtime, call, Number(request.headers.get(HOLD_HEADER)))
  if (frame !== undefined) return withFrame(frame, answer)
  if (!position) return Response.json(answer)
  const { 0: client, 1: server } = new WebSocketPair()
  runtime.polls.hold(server, position)
  return withSocket(client, answer)
}

/** Handles a poll that comes as a call, which costs half. If it should sleep, it is asked to come with a socket. */
export async function callPoll(runtime: PollRuntime, call: RealmCall, holdMs: number): Promise<PollReply> {
  const { answer, frame } = await follow(runtime, call, holdMs)
  return { answer, frame }
}

async function startStream(runtime: PollRuntime, call: RealmCall): Promise<Response> {
  const answer = await runCall(runtime, call, undefined, peekFrom(runtime))
  if (!answer.outcome.ok) return Response.json(answer)
  const { queueId, cursor } = answer.outcome.value as QueueCursor
  return withSocket(openStream(runtime, { queueId, cursor }), standing(answer, queueId, false))
}

/**
 * Handles GET /events in the object: an answer at once, or a wait. While the queue is busy, the call itself is held; otherwise the poll
 * waits on a socket. The turn that begins either wait reads the log to its end, so that no wake-up falls in between. Source:
 * docs/decisions/design.md#polls-that-sleep; docs/interface/events.md#poll.
 */
async function follow(runtime: PollRuntime, call: RealmCall, holdMs: number): Promise<Followed> {
  const hold = new TimeLimit(holdMs)
  await roundsOf(runtime).end
  const answer = await runCall(runtime, call, undefined, peekFrom(runtime))
  if (!answer.outcome.ok) return { answer }
  const { queueId, cursor, block } = answer.outcome.value as QueueCursor
  const refused = (error: WireError): Followed => ({ answer: { ...answer, outcome: { ok: false, error } } })
  for (let wasHeld = false; ; wasHeld = true) {
    const quietMs = Math.abs(Date.now() - runtime.progress.deliveredAt(queueId))
    const busyMs = Math.max(runtime.busyQueueMs() - quietMs, 0)
    const limits = { time: new TimeLimit(Math.min(hold.left, busyMs)), call }
    let poll = block ? holdForRound(runtime, { queueId, cursor }, limits) : undefined
    if (!poll) {
      const look = await lookToTheEnd(runtime, call, { queueId, cursor })
      if ('error' in look) return refused(look.error)
      const { found, events, upTo: scanned } = look
      // Another request may have ended the queue since: handled as if it had come first.
      if (!found || !block || events.length > 0) {
        if (block) runtime.polls.end(queueId)
        if (events.length > 0) runtime.progress.noteDelivery(queueId, Date.now())
        runtime.polls.delivered.events += events.length
        return { answer: standing(answer, queueId, wasHeld), frame: frameOf(queueId, events) }
      }
      const position = { queueId, cursor, scanned }
      poll = runtime.polls.holdCall(position, limits)
      if (!poll) return { answer: standing(answer, queueId, wasHeld), position }
    }
    const frame = await poll.call.ended
    if (frame !== undefined) return { answer: standing(answer, queueId, true), frame }
    runtime.polls.letGo(poll)
    runtime.progress.noteScan(queueId, cursor, poll.scanned)
    const error = refusalSince(runtime, call)
    if (error) return refused(error)
  }
}

/** Holds a poll for the next round, so that polls which a round has answered come back together. Undefined without a pause between rounds. */
function holdForRound(
  runtime: PollRuntime,
  { queueId, cursor }: { readonly queueId: string; readonly cursor: number },
  limits: CallLimits,
): HeldPoll | undefined {
  const queue = roundsOf(runtime).pause > 0 ? findQueue(runtime.sql, queueId) : undefined
  if (!queue) return undefined
  const scanned = runtime.progress.scannedFrom(queueId, cursor)
  const poll = runtime.polls.holdCall({ queueId, cursor, scanned }, limits)
  if (!poll) return undefined
  runtime.progress.note(runtime.sql, queue, cursor, runtime.now())
  roundsOf(runtime).wake(runtime)
  return poll
}

/** Returns a `Peek`: a poll of an existing queue changes nothing. */
function peekFrom({ housekeeping, ids }: PollRuntime): Peek {
  return (sql, caller, params) =>
    positionOnQueue(sql, caller, params as GetEventsParams, {
      trimmed: housekeeping.trimmed(sql),
      newest: ids.last,
    })
}

/** Looks for events, and for the queue, in as many turns as needed. */
async function lookToTheEnd(
  runtime: PollRuntime,
  call: RealmCall,
  { queueId, cursor }: { queueId: string; cursor: number },
): Promise<{ error: WireError } | (Pick<Look, 'events' | 'upTo'> & { readonly found: boolean })> {
  for (;;) {
    const look = lookOnce(runtime, queueId, cursor)
    if (!look) return { found: false, events: [], upTo: cursor }
    if (isSettled(look)) return { found: true, ...look }
    await fairScheduler.nextSlice({ owner: queueId })
    const error = refusalSince(runtime, call)
    if (error) return { error }
  }
}

function withSocket(webSocket: WebSocket, soFar: RealmAnswer): Response {
  return new Response(null, { status: 101, webSocket, headers: { [ANSWER_HEADER]: headerOf(soFar) } })
}

function withFrame(frame: string, soFar: RealmAnswer): Response {
  return new Response(frame, { headers: { [ANSWER_HEADER]: headerOf(soFar) } })
}

/** Returns the refusal of a key that was withdrawn while others were served. */
function refusalSince({ sql, realm, now }: PollRuntime, { credentials }: RealmCall): WireError | undefined {
  try {
    requireActiveRealm(sql)
    authenticate(sql, realm, credentials, now())
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.toWire()
    throw error
  }
}

/** Handles a message over the socket of a poll or a stream. */
export async function hearSocket(
  runtime: PollRuntime,
  socket: WebSocket,
  message: string | ArrayBuffer,
): Promise<void> {
  const poll = runtime.polls.waitOf(socket)
  if (poll?.flow) hearStream(runtime, poll, message)
  else await beat(runtime, socket)
}

/**
 * Ends a poll that the Worker has held long enough. It gets any events after all, or a heartbeat with an id of its own, which shows the
 * client that the connection works. A heartbeat is sent only once everything before it has been looked at.
 */
async function beat(runtime: PollRuntime, socket: WebSocket): Promise<void> {
  for (;;) {
    const poll = runtime.polls.waitOf(socket)
    if (!poll) return
    const look = lookOnce(runtime, poll.queueId, poll.cursor, poll.scanned)
    if (!look || look.events.length > 0) return runtime.polls.answer(poll, look?.events ?? [])
    if (look.isOver) return runtime.polls.answer(poll, [heartbeat(runtime)])
    poll.scanned = look.upTo
    await fairScheduler.nextSlice({ owner: poll.queueId })
  }
}

/** Looks once; undefined if there is no such queue. A look without events is remembered for the next. */
function lookOnce(runtime: PollRuntime, queueId: string, cursor: number, scanned = cursor): Look | undefined {
  const { sql, progress, now } = runtime
  const queue = findQueue(sql, queueId)
  if (!queue) return undefined
  progress.note(sql, queue, cursor, now())
  const from = Math.max(scanned, progress.scannedFrom(queueId, cursor))
  const facts = deliveryFactsAmong(sql, [queue.userId])
  const look = lookForEvents(runtime, queue, { cursor, scanned: from }, facts, new DeliverySlice())
  if (look.events.length === 0) progress.noteScan(queueId, cursor, look.upTo)
  return look
}

function isSettled({ events, isOver }: Look): boolean {
  return events.length > 0 || isOver
}

function heartbeat({ ids, sql }: PollRuntime): EventRepresentation {
  return representationOf({ type: 'heartbeat', id: ids.nextEphemeral(sql) })
}

function standing(answer: RealmAnswer, queue_id: string, wasHeld: boolean): RealmAnswer {
  return { ...answer, outcome: { ok: true, value: { queue_id, wasHeld } satisfies PollStanding } }
}
