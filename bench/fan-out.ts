/** Measures how soon the first, the median and the last of many waiting polls are answered after one event. */

import { encodeFields } from '../scripts/api-client.ts'
import { fromJson } from '../scripts/json.ts'
import { Connections } from './http-load.ts'
import type { BenchOrganization } from './organization.ts'

/** Times of answers, in ms after the request that caused the event was sent. */
export interface FanOut {
  readonly first: number
  readonly median: number
  readonly last: number
}

const ROUNDS = 5
/** The number of warm-up rounds, which do not count. */
const WARM_UP_ROUNDS = 4
/** Time in which all polls arrive and are held, besides `SETTLE_MS`. */
const SETTLE_MS_PER_POLL = 0.8
const SETTLE_MS = 300

/** Returns the medians of several rounds. `open` resolves when the poll with this index is answered. */
async function rounds(
  count: number,
  open: (index: number) => Promise<unknown>,
  trigger: () => Promise<unknown>,
): Promise<FanOut> {
  const found: FanOut[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const arrivals: number[] = []
    const polls = Array.from({ length: count }, (_, index) =>
      open(index).then(() => arrivals.push(performance.now())),
    )
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS + count * SETTLE_MS_PER_POLL))
    if (arrivals.length > 0) throw new Error(`${arrivals.length} polls were answered before the event`)
    const began = performance.now()
    await Promise.all([trigger(), ...polls])
    const times = arrivals.map((at) => at - began).sort((a, b) => a - b)
    if (round < WARM_UP_ROUNDS) continue
    found.push({
      first: times[0] ?? 0,
      median: times[Math.floor(times.length / 2)] ?? 0,
      last: times.at(-1) ?? 0,
    })
  }
  const middle = (pick: (one: FanOut) => number) =>
    found.map(pick).sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0
  return {
    first: middle((one) => one.first),
    median: middle((one) => one.median),
    last: middle((one) => one.last),
  }
}

/** Measures the bare platform, which holds `count` requests as calls or over sockets. */
export async function bareFanOut(url: string, count: number, way: 'call' | 'socket'): Promise<FanOut> {
  const connections = new Connections()
  const ask = (path: string) => connections.ask({ method: 'GET', url: `${url}${path}` })
  const times = await rounds(
    count,
    () => ask(`/hold-${way}`),
    () => ask('/release'),
  )
  connections.close()
  return times
}

/** Measures a message to a channel whose `count` subscribers, except the sender, each have a waiting poll. */
export async function parleyFanOut(organization: BenchOrganization, count: 100 | 1000): Promise<FanOut> {
  const { url, people, speaker, channels } = organization
  const connections = new Connections()
  // The sender is subscribed too, but has no queue.
  const listeners = people.slice(0, count - 1)
  const queues = await registerAll(connections, url, listeners)
  const times = await rounds(
    queues.length,
    (index) => poll(connections, url, queues[index]!),
    () =>
      connections.ask({
        method: 'POST',
        url: `${url}/api/v1/messages`,
        form: encodeFields({ type: 'channel', to: channels[count], topic: 'fan-out', content: 'to all' }),
        headers: speaker.authorization,
      }),
  )
  await endAll(connections, url, queues)
  connections.close()
  return times
}

export interface OpenQueue {
  readonly id: string
  readonly headers: Record<string, string>
  lastEventId: number
}

export async function registerAll(
  connections: Connections,
  url: string,
  people: BenchOrganization['people'],
): Promise<OpenQueue[]> {
  const form = encodeFields({ event_types: ['message'], fetch_event_types: [] })
  const queues: OpenQueue[] = []
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let index = lane; index < people.length; index += 8) {
      const headers = people[index]!.authorization
      const reply = await connections.ask({ method: 'POST', url: `${url}/api/v1/register`, form, headers })
      const { queue_id } = fromJson<{ queue_id: string }>(reply.text)
      queues.push({ id: queue_id, headers, lastEventId: -1 })
    }
  })
  await Promise.all(lanes)
  return queues
}

/** Polls once (GET /events), and returns the number of messages when there are events. */
export async function poll(connections: Connections, url: string, queue: OpenQueue): Promise<number> {
  const fields = encodeFields({ queue_id: queue.id, last_event_id: queue.lastEventId })
  const reply = await connections.ask({
    method: 'GET',
    url: `${url}/api/v1/events?${fields}`,
    headers: queue.headers,
  })
  const { events } = fromJson<{ events: { id: number; type: string }[] }>(reply.text)
  queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId
  return events.filter(({ type }) => type === 'message').length
}

/** Deletes the queues; polls that still wait on them are answered. */
export async function endAll(
  connections: Connections,
  url: string,
  queues: readonly OpenQueue[],
): Promise<void> {
  for (const queue of queues) {
    const form = encodeFields({ queue_id: queue.id })
    await connections.ask({ method: 'DELETE', url: `${url}/api/v1/events`, form, headers: queue.headers })
  }
}
