import type { RealmAnswer, RealmCall } from '../core/call.ts'
import { ApiError } from '../core/errors.ts'
import { ANSWER_HEADER, CALL_HEADER } from '../realm/poll-events.ts'
import type { PollAnswer } from '../realm/poll-sockets.ts'
import { type Environment, realmObject } from './environment.ts'
import { respondError, respondSuccess } from './respond.ts'

/** Heartbeats come after 45 to 55 seconds (behaviour 4.5). */
const HOLD_SECONDS = 45
const HOLD_SPREAD_SECONDS = 10
/** How long the object may take to answer the heartbeat before the Worker answers alone. */
const BEAT_SECONDS = 5
const RECONNECT_MS = 100

export interface PollRequest {
  readonly env: Environment
  readonly realmId: number
  readonly call: RealmCall
  readonly ignored: readonly string[]
  /** Fires when the client is known to have gone; often it is not known. */
  readonly signal: AbortSignal
}

/**
 * Holds a client's GET /events over an inner socket, while the object may sleep (DESIGN 5). When the
 * socket breaks (deploy, eviction, crash) it connects again with the same cursor: nothing is lost,
 * because the cursor is the client's. The hold ends by its own timer, whatever became of the client.
 */
export async function holdPoll({ env, realmId, call, ignored, signal }: PollRequest): Promise<Response> {
  const holdMs = holdSeconds(env) * 1_000
  const deadline = Date.now() + holdMs
  let waitedOn: string | undefined
  for (let resumed = false; ; resumed = true) {
    const opened = await openPoll(env, realmId, resumed ? resumeCall(call, waitedOn) : call)
    if (opened === undefined) {
      if (Date.now() > deadline || signal.aborted) return emptyAnswer(waitedOn, ignored)
      await scheduler.wait(RECONNECT_MS)
      continue
    }
    const { answer, socket } = opened
    const { rateLimit, outcome } = answer
    if (!outcome.ok) return respondError(ApiError.fromWire(outcome.error), { rateLimit })
    if (!socket) return respondSuccess(outcome.value as PollAnswer, { rateLimit, ignored })
    waitedOn = (outcome.value as { queue_id: string }).queue_id
    const received = await waitOn(socket, deadline - Date.now(), signal)
    if (received !== undefined) return respondSuccess(received, { rateLimit, ignored })
    if (Date.now() > deadline || signal.aborted) return emptyAnswer(waitedOn, ignored)
  }
}

/** Undefined when the object could not be reached just now. */
async function openPoll(
  env: Environment,
  realmId: number,
  call: RealmCall,
): Promise<{ answer: RealmAnswer; socket?: WebSocket } | undefined> {
  let response: Response
  try {
    response = await realmObject(env, realmId).fetch('https://realm/poll', {
      headers: { Upgrade: 'websocket', [CALL_HEADER]: encodeURIComponent(JSON.stringify(call)) },
    })
  } catch (error) {
    console.warn('Poll could not reach its realm', error)
    return undefined
  }
  if (!response.webSocket) return { answer: (await response.json()) as RealmAnswer }
  response.webSocket.accept()
  const answer = JSON.parse(decodeURIComponent(response.headers.get(ANSWER_HEADER)!)) as RealmAnswer
  return { answer, socket: response.webSocket }
}

/** The object's answer; undefined when the socket broke, or nothing came within the hold and the beat. */
function waitOn(socket: WebSocket, holdMs: number, signal: AbortSignal): Promise<PollAnswer | undefined> {
  return new Promise((resolve) => {
    const timers = [
      setTimeout(() => socket.send('beat'), Math.max(holdMs, 0)),
      setTimeout(() => end(undefined), Math.max(holdMs, 0) + BEAT_SECONDS * 1_000),
    ]
    const leave = () => end(undefined)
    const end = (answer: PollAnswer | undefined) => {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      try {
        socket.close(1000, 'done')
      } catch {
        // closed already
      }
      resolve(answer)
    }
    socket.addEventListener('message', ({ data }) => end(JSON.parse(data as string) as PollAnswer))
    socket.addEventListener('close', leave)
    socket.addEventListener('error', leave)
    signal.addEventListener('abort', leave)
  })
}

/** A reconnection waits on the queue that the first call may have registered. */
function resumeCall(call: RealmCall, queueId: string | undefined): RealmCall {
  if (queueId === undefined || !call.parameters.ok) return { ...call, resumed: true }
  const value = { ...(call.parameters.value as object), queue_id: queueId }
  return { ...call, resumed: true, parameters: { ok: true, value } }
}

/** Clients take it as "nothing new" and ask again. */
function emptyAnswer(queueId: string | undefined, ignored: readonly string[]): Response {
  return respondSuccess({ events: [], ...(queueId === undefined ? {} : { queue_id: queueId }) }, { ignored })
}

function holdSeconds({ POLL_HOLD_SECONDS }: Environment): number {
  const configured = Number(POLL_HOLD_SECONDS)
  const least = Number.isFinite(configured) && configured > 0 ? configured : HOLD_SECONDS
  return (
    least +
    Math.random() * (configured > 0 ? Math.min(HOLD_SPREAD_SECONDS, configured / 4) : HOLD_SPREAD_SECONDS)
  )
}
