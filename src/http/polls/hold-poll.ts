import { HELD_CALLS } from '../../core/budgets.ts'
import { INTERFACE_VERSION, type RealmAnswer, type RealmCall } from '../../core/call.ts'
import { DailyLimitError, dailyLimitOf } from '../../core/daily-limits.ts'
import { jsonText } from '../../core/json.ts'
import { log } from '../../core/log.ts'
import { countCostOfRequest, farTrip, noteOfRequest } from '../../core/request-record.ts'
import { TimeLimit } from '../../core/within-time.ts'
import {
  answerIn,
  CALL_HEADER,
  HOLD_HEADER,
  headerOf,
  POLL_PATH,
  type PollStanding,
  replyIn,
  STREAM_PATH,
  VERSION_HEADER,
} from '../../realm/polls/poll-call.ts'
import type { RealmAddress } from '../../store/d1/realms.ts'
import { explainRefusal, noteProvenKey, requireRealmAlive, whenReachable } from '../request/call-realm.ts'
import { withCounts } from '../request/count-requests.ts'
import { type Environment, realmObject } from '../request/environment.ts'
import { remember } from '../request/requests-of-networks.ts'
import { respondError, respondWithFields } from '../request/respond.ts'

/** Seconds after which heartbeats come: 45 to 55 (docs/interface/events.md#poll). */
const HOLD_SECONDS = 45
const HOLD_SPREAD_SECONDS = 10
/** The longest that can be configured: with the spread and the wait for a heartbeat less than the 90 that clients allow. */
const MOST_HOLD_SECONDS = 70
/** Milliseconds before the first reconnection, doubled each time that the object is unreachable, up to the longest. */
const RECONNECT_MS = 100
const MAX_RECONNECT_MS = 5_000

interface PollRequest {
  readonly env: Environment
  readonly realm: RealmAddress
  readonly call: RealmCall
  /** Names for `ignored_parameters_unsupported`. */
  readonly ignored: readonly string[]
  /** Fires when the client is known to be gone, which often goes unnoticed. */
  readonly signal: AbortSignal
}

interface OpenedPoll {
  readonly answer: RealmAnswer
  /** The socket to wait on. An answer without socket, frame and refusal means that the poll must be opened again with a socket. */
  readonly socket?: WebSocket
  /** The fields of the answer, as JSON. */
  readonly frame?: string
}

/**
 * Holds a client's GET /events: the object answers it, holds it for some seconds while the queue is busy, or returns a socket to wait on,
 * so that the object may sleep meanwhile (docs/decisions/design.md#polls-that-sleep). If the socket breaks (deploy, crash, move) it
 * reconnects with the same cursor: nothing is lost, because the cursor is the client's. The hold ends by its own timer, whether or not
 * the client is still there.
 */
export async function holdPoll({ env, realm, call, ignored, signal }: PollRequest): Promise<Response> {
  const hold = new TimeLimit(holdSeconds(env) * 1_000)
  const began = Date.now()
  const ask = (call: RealmCall) => openPoll(env, realm, call, { hold, asCall: isLikelyHeld(call) })
  let opened: OpenedPoll | undefined = await whenReachable(true, () => ask(call)).catch(async (error) => {
    // Refused at once, clients would come again at once.
    if (error instanceof DailyLimitError && waits(call))
      await scheduler.wait(hold.left, { signal }).catch(() => {})
    throw error
  })
  const { rateLimit, language } = opened.answer
  let reconnectMs = RECONNECT_MS
  for (;;) {
    if (opened) {
      const { outcome } = opened.answer
      if (!outcome.ok) {
        return respondError(await explainRefusal(env, realm.id, call, outcome.error), { rateLimit, language })
      }
      const { queue_id, wasHeld } = outcome.value as PollStanding
      const { socket } = opened
      const frame: string | undefined = socket ? await waitOnSocket(socket, hold.left, signal) : opened.frame
      if (socket || wasHeld) noteOfRequest({ heldMs: Date.now() - began })
      if (frame !== undefined) {
        noteAnswer(queue_id, frame)
        return respondWithFields(frame, { rateLimit, ignored })
      }
      // A reconnection waits on the queue that the first call may have made.
      call = resumedCall(call, queue_id)
      if (!socket) {
        // The poll was sent as a call, but the object wants it on a socket.
        noteQuiet(queue_id)
        opened = await reopenPoll(realm.id, hold, () => ask(call))
        if (opened) continue
      }
    }
    if (hold.isOver || signal.aborted) {
      const nothing = JSON.stringify({ events: [], queue_id: queueIdOf(call) })
      return respondWithFields(nothing, { rateLimit, ignored })
    }
    await scheduler.wait(Math.min(reconnectMs, hold.left))
    opened = await reopenPoll(realm.id, hold, () => ask(call))
    reconnectMs = opened ? RECONNECT_MS : Math.min(reconnectMs * 2, MAX_RECONNECT_MS)
  }
}

interface Wanted {
  /** The path of the call, from realm/polls/poll-call.ts. */
  readonly path?: string
  /** How long a poll is held. */
  readonly hold?: TimeLimit
  /** Whether to poll by a call: a busy queue needs no socket, which costs twice as much. */
  readonly asCall?: boolean
}

/** Asks the object for a poll, or for a stream. */
async function openPoll(
  env: Environment,
  realm: RealmAddress,
  call: RealmCall,
  wanted: Wanted,
): Promise<OpenedPoll> {
  const open = wanted.asCall ? callPoll : askForSocket
  const opened = await withCounts(call, (counted) => open(env, realm, counted, wanted))
  countCostOfRequest(opened.answer)
  requireRealmAlive(opened.answer)
  noteProvenKey(call, opened.answer)
  return opened
}

/** Polls by a call. An answer without socket, frame and refusal means that the poll must be opened again with a socket. */
async function callPoll(
  env: Environment,
  realm: RealmAddress,
  call: RealmCall,
  wanted: Wanted,
): Promise<OpenedPoll> {
  return replyIn(
    await realmObject(env, realm).poll(INTERFACE_VERSION, jsonText(call), wanted.hold?.left ?? 0),
  )
}

async function askForSocket(
  env: Environment,
  realm: RealmAddress,
  call: RealmCall,
  { path = POLL_PATH, hold }: Wanted,
): Promise<OpenedPoll> {
  const holdMs = String(hold?.left ?? 0)
  const response = await realmObject(env, realm).fetch(`https://realm${path}`, {
    headers: {
      Upgrade: 'websocket',
      [VERSION_HEADER]: String(INTERFACE_VERSION),
      [CALL_HEADER]: headerOf(call),
      [HOLD_HEADER]: holdMs,
    },
  })
  const answer = answerIn(response)
  if (!answer) return { answer: (await response.json()) as RealmAnswer }
  return response.webSocket
    ? { answer, socket: response.webSocket }
    : { answer, frame: await response.text() }
}

/** Reopens a poll; undefined while the object is unreachable, and after the hold where that lasts until midnight. */
async function reopenPoll(
  realmId: number,
  hold: TimeLimit,
  open: () => Promise<OpenedPoll>,
): Promise<OpenedPoll | undefined> {
  try {
    return await farTrip(open)
  } catch (error) {
    log('warn', 'A poll could not reach its realm again', { realm_id: realmId, error })
    if (dailyLimitOf(error)) await scheduler.wait(hold.left)
    return undefined
  }
}

function resumedCall(call: RealmCall, queueId: string): RealmCall {
  const value = call.parameters.ok ? (call.parameters.value as object) : {}
  return { ...call, counted: true, parameters: { ok: true, value: { ...value, queue_id: queueId } } }
}

/** Whether the poll waits for events, probably not for long. */
function isLikelyHeld(call: RealmCall): boolean {
  return waits(call) && isKnownBusy(queueIdOf(call))
}

function waits({ parameters }: RealmCall): boolean {
  return parameters.ok && (parameters.value as { dont_block?: boolean }).dont_block === false
}

function queueIdOf({ parameters }: RealmCall): unknown {
  return parameters.ok ? (parameters.value as { queue_id?: string }).queue_id : undefined
}

/** Returns the seconds of a hold, randomized so that clients that started together do not all return together. */
function holdSeconds({ POLL_HOLD_SECONDS }: Environment): number {
  const configured = Number(POLL_HOLD_SECONDS)
  const minimum = configured > 0 ? Math.min(configured, MOST_HOLD_SECONDS) : HOLD_SECONDS
  return minimum + Math.random() * Math.min(HOLD_SPREAD_SECONDS, minimum / 4)
}

/** Milliseconds that the object has for the heartbeat before the Worker answers alone. */
const BEAT_MS = 5_000

/**
 * Waits for the single message on a poll's socket. After `wait` milliseconds it asks the object for a heartbeat. Undefined if the socket
 * broke, the client left, or not even the heartbeat came. In any case the socket and timers are released.
 */
function waitOnSocket(socket: WebSocket, wait: number, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timers = [
      setTimeout(() => socket.send('beat'), wait),
      setTimeout(() => end(undefined), wait + BEAT_MS),
    ]
    const leave = () => end(undefined)
    const end = (answer: string | undefined) => {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      try {
        socket.close(1000, 'done')
      } catch {
        // closed already
      }
      resolve(answer)
    }
    socket.addEventListener('message', ({ data }) => end(data as string))
    socket.addEventListener('close', leave)
    socket.addEventListener('error', leave)
    signal.addEventListener('abort', leave)
    socket.accept()
    if (signal.aborted) leave()
  })
}

/** Number of remembered queues; the one whose last poll with events is oldest goes first. */
const REMEMBERED = 5_000

/** Until when queues count as busy, by the queue's id: since their polls last returned events, oldest first. */
const given = new Map<string, TimeLimit>()

/** Matches answers without events, or with only a heartbeat (`frameOf`). */
const NOTHING = /^\{"events":\[(?:\]|\{"type":"heartbeat")/

/** Records the frame that answered a poll of the queue. */
function noteAnswer(queueId: string, frame: string): void {
  if (NOTHING.test(frame)) noteQuiet(queueId)
  else remember(given, queueId, new TimeLimit(HELD_CALLS.busyMs), REMEMBERED)
}

/** Records that the object refuses to hold a call for the queue. */
function noteQuiet(queueId: string): void {
  given.delete(queueId)
}

/** Whether a poll of the queue has just got events, as far as this isolate knows. The next is probably held as a call; the object decides. */
function isKnownBusy(queueId: unknown): boolean {
  const time = typeof queueId === 'string' ? given.get(queueId) : undefined
  return time !== undefined && !time.isOver
}

/** Whether the client wants its events over a WebSocket. */
export function wantsSocket({ headers }: Request): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket'
}

/** GET /events as an event stream: the client's socket ends in the object, which can sleep meanwhile (docs/event-stream.md). */
export async function openStream(env: Environment, realm: RealmAddress, call: RealmCall): Promise<Response> {
  const { answer, socket } = await whenReachable(true, () =>
    openPoll(env, realm, call, { path: STREAM_PATH }),
  )
  if (socket) return new Response(null, { status: 101, webSocket: socket })
  const { outcome, rateLimit, language } = answer
  if (outcome.ok) throw new Error('The object has opened no stream')
  return respondError(await explainRefusal(env, realm.id, call, outcome.error), { rateLimit, language })
}
