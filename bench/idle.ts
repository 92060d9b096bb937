/**
 * `npm run bench -- --idle --clients 1000 --rounds 3`: counts the requests of idle clients, and how often the object wakes for them. A
 * poll is held for a second instead of fifty, so that an hour is 72 rounds.
 */

import { encodeFields } from '../scripts/api-client.ts'
import { fromJson } from '../scripts/json.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { seededEmail } from '../scripts/seed-organization.ts'
import type { RowCounts } from '../src/core/sql.ts'
import { type RequestRows, ROWS_HEADER } from '../src/dev/count-rows.ts'
import { endAll, type OpenQueue, registerAll } from './fan-out.ts'
import { Connections } from './http-load.ts'
import { buildLarge } from './large.ts'
import { processorMs } from './processor-time.ts'

/** Seconds for which a poll is held in the bench, and on average in production. */
export const IDLE_HOLD_SECONDS = 1
const HELD_SECONDS = 50
export const ROUNDS_OF_AN_HOUR = 3_600 / HELD_SECONDS

export interface Idle {
  readonly clients: number
  readonly rounds: number
  /** Requests to the Worker, and those from it to the object, which wakes for each. */
  readonly polls: number
  /** The object wakes again for each poll that ends with a heartbeat: for a message, and for the end of its socket. */
  readonly heartbeats: number
  readonly rows: RowCounts
  /** Processor time in ms of the whole runtime, Worker and object, on this machine. */
  readonly processorMs: number
}

/** The server must have been started with POLL_HOLD_SECONDS = IDLE_HOLD_SECONDS. */
export async function measureIdle(server: LocalServer, clients: number, rounds: number): Promise<Idle> {
  const { owner, seeded } = await buildLarge(server, {
    users: Math.min(clients, 1_000),
    channels: 2,
    messages: 100,
  })
  const people: { id: number; authorization: Record<string, string> }[] = []
  for (let person = 0; person < Math.min(clients, 1_000); person += 1) {
    const one = await owner.logIn(seededEmail(person))
    people.push({ id: seeded.firstUserId + person, authorization: one.authorization() })
  }
  const connections = new Connections()
  const listeners = Array.from({ length: clients }, (_, at) => people[at % people.length]!)
  const queues = await registerAll(connections, owner.url, listeners)
  const found = { polls: 0, heartbeats: 0, rows: { read: 0, written: 0 } }
  const round = async (queue: OpenQueue) => {
    const fields = encodeFields({ queue_id: queue.id, last_event_id: queue.lastEventId })
    const headers = { ...queue.headers, [ROWS_HEADER]: 'count' }
    const url = `${owner.url}/api/v1/events?${fields}`
    const reply = await connections.ask({ method: 'GET', url, headers })
    const { events } = fromJson<{ events: { id: number; type: string }[] }>(reply.text)
    const { object } = fromJson<RequestRows>(String(reply.headers[ROWS_HEADER]))
    found.polls += 1
    found.heartbeats += events.filter(({ type }) => type === 'heartbeat').length
    found.rows.read += object.read
    found.rows.written += object.written
    queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId
  }
  const before = processorMs(server.runtimePid())
  await Promise.all(
    queues.map(async (queue) => {
      for (let at = 0; at < rounds; at += 1) await round(queue)
    }),
  )
  const spent = processorMs(server.runtimePid()) - before
  await endAll(connections, owner.url, queues)
  connections.close()
  return { clients, rounds, ...found, processorMs: spent }
}
