import type { RealmCall } from '../../core/call.ts'
import { STREAM_PATH } from '../../realm/polls/poll-call.ts'
import type { RealmAddress } from '../../store/d1/realms.ts'
import { whenReachable } from '../call-realm.ts'
import type { Environment } from '../environment.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { respondError } from '../respond.ts'
import { openPoll } from './hold-poll.ts'

/** Whether the client wants its events over a WebSocket. */
export function wantsSocket({ headers }: Request): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket'
}

/**
 * GET /events as an event stream: the client's socket ends at the realm object itself, which holds it while
 * it sleeps. Refusals are those of a poll. Source: docs/event-stream.md.
 */
export async function openStream(env: Environment, realm: RealmAddress, call: RealmCall): Promise<Response> {
  const { answer, socket } = await whenReachable(true, () =>
    openPoll(env, realm, call, { path: STREAM_PATH }),
  )
  if (socket) return new Response(null, { status: 101, webSocket: socket })
  const { outcome, rateLimit } = answer
  if (outcome.ok) throw new Error('The object has opened no stream')
  return respondError(await explainRefusal(env, realm.id, call, outcome.error), { rateLimit })
}
