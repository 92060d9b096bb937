/**
 * `npm run bench -- --delivery --listeners 2000,10000`: one message to so many who listen in one organization, by polls and by event
 * streams; and then five messages a second for some seconds: does the last listener fall behind?
 */
import { type ApiClient, encodeFields } from '../scripts/api-client.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { seededEmail } from '../scripts/seed-organization.ts'
import { endAll, type OpenQueue, registerAll } from './fan-out.ts'
import { Connections } from './http-load.ts'
import { buildLarge } from './large.ts'
import type { BenchUser } from './organization.ts'

/** What is to be reached: the last of ten thousand within a second; 2,000 who get five a second do not fall behind. */
export const DELIVERY_GOALS = { lastMs: 1_000 }

export interface Delivery {
  readonly way: Way
  readonly listeners: number
  /** When the first, the middle one and the last had one message, in ms after it was sent. */
  readonly first: number
  readonly median: number
  readonly last: number
  /** Of a row of messages, five a second: when the last listener had one, in ms, in the middle of the first ten and of the last ten. */
  readonly steadyBegin: number
  readonly steadyEnd: number
}

type Way = 'polls' | 'streams'

/** Each has several queues where there are more listeners. */
const PEOPLE = 2_000
const SINGLE_MESSAGES = 3
const STEADY_MESSAGES = 30
const STEADY_EVERY_MS = 200
const ACKNOWLEDGE_EVERY = 20
/** For those who listen to have come back. */
const SETTLE_MS = 1_500
const SETTLE_MS_PER_LISTENER = 1
const LONGEST_MS = 120_000
const COME_AGAIN_MS = 100

/** Who has heard what, by the messages' texts. */
class Heard {
  readonly #sentAt = new Map<string, number>()
  readonly #times = new Map<string, number[]>()

  begin(text: string): void {
    this.#sentAt.set(text, performance.now())
    this.#times.set(text, [])
  }

  note(text: string): void {
    const sentAt = this.#sentAt.get(text)
    if (sentAt !== undefined) this.#times.get(text)!.push(performance.now() - sentAt)
  }

  /** When each had it, in ms, ascending; once all have. */
  async by(listeners: number, text: string): Promise<number[]> {
    const began = performance.now()
    const times = this.#times.get(text)!
    while (times.length < listeners) {
      if (performance.now() - began > LONGEST_MS) {
        throw new Error(`${times.length} of ${listeners} have heard “${text}”`)
      }
      await pause(5)
    }
    return times.toSorted((a, b) => a - b)
  }
}

export async function measureDelivery(server: LocalServer, numbers: readonly number[]): Promise<Delivery[]> {
  const users = Math.min(PEOPLE, Math.max(...numbers))
  const { owner, seeded } = await buildLarge(server, { users, channels: 2, messages: 100 })
  const people: BenchUser[] = []
  for (let person = 0; person < users; person += 1) {
    const one = await owner.logIn(seededEmail(person))
    people.push({ id: seeded.firstUserId + person, authorization: one.authorization() })
  }
  const rows: Delivery[] = []
  for (const listeners of numbers) {
    for (const way of ['streams', 'polls'] as const) {
      process.stderr.write(`${listeners} by ${way} … `)
      const all = Array.from({ length: listeners }, (_, at) => people[at % people.length]!)
      rows.push({ way, listeners, ...(await deliver(owner, seeded.firstChannelId, all, way)) })
    }
  }
  return rows
}

async function deliver(
  owner: ApiClient,
  channel: number,
  people: readonly BenchUser[],
  way: Way,
): Promise<Omit<Delivery, 'way' | 'listeners'>> {
  const connections = new Connections()
  const queues = await registerAll(connections, owner.url, people)
  const heard = new Heard()
  const stop =
    way === 'polls'
      ? listenByPolls(connections, owner.url, queues, heard)
      : await listenByStreams(owner.url, queues, heard)
  const send = async (text: string) => {
    heard.begin(text)
    await owner.call('POST', '/messages', { type: 'channel', to: channel, topic: 'delivery', content: text })
  }
  await pause(SETTLE_MS + people.length * SETTLE_MS_PER_LISTENER)
  const single: number[][] = []
  for (let at = 0; at < SINGLE_MESSAGES; at += 1) {
    await send(`single ${at}`)
    single.push(await heard.by(people.length, `single ${at}`))
    await pause(SETTLE_MS)
  }
  const lasts: Promise<number>[] = []
  for (let at = 0; at < STEADY_MESSAGES; at += 1) {
    const text = `steady ${at}`
    await Promise.all([send(text), pause(STEADY_EVERY_MS)])
    lasts.push(heard.by(people.length, text).then((times) => times.at(-1)!))
  }
  const steady = await Promise.all(lasts)
  const stopped = stop()
  await endAll(connections, owner.url, queues)
  await stopped
  connections.close()
  return {
    first: middle(single.map((times) => times[0]!)),
    median: middle(single.map((times) => times[Math.floor(times.length / 2)]!)),
    last: middle(single.map((times) => times.at(-1)!)),
    steadyBegin: middle(steady.slice(0, 10)),
    steadyEnd: middle(steady.slice(-10)),
  }
}

interface HeardEvents {
  readonly events: readonly { readonly id: number; readonly message?: { readonly content: string } }[]
}

function listenByPolls(
  connections: Connections,
  url: string,
  queues: readonly OpenQueue[],
  heard: Heard,
): () => Promise<void> {
  let isOver = false
  const listen = async (queue: OpenQueue) => {
    while (!isOver) {
      const fields = encodeFields({ queue_id: queue.id, last_event_id: queue.lastEventId })
      const asked = { method: 'GET', url: `${url}/api/v1/events?${fields}`, headers: queue.headers } as const
      // The local runtime resets connections when it has too much to do: as a client does, it comes again.
      const reply = await connections.ask(asked).catch(() => pause(COME_AGAIN_MS))
      if (!reply) continue
      const { events } = JSON.parse(reply.text) as HeardEvents
      for (const { message } of events) if (message) heard.note(textOf(message.content))
      queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId
    }
  }
  const all = queues.map(listen)
  return async () => {
    isOver = true
    await Promise.all(all)
  }
}

async function listenByStreams(
  url: string,
  queues: readonly OpenQueue[],
  heard: Heard,
): Promise<() => Promise<void>> {
  const sockets: WebSocket[] = []
  for (const { id, headers } of queues) {
    const address = `${url}/api/v1/events?${encodeFields({ queue_id: id, last_event_id: -1 })}`
    // Node's own takes headers, which browsers do not let a page set.
    const socket = new WebSocket(address.replace('http', 'ws'), { headers } as unknown as string[])
    let unsaid = 0
    socket.addEventListener('message', ({ data }) => {
      const { events } = JSON.parse(data as string) as HeardEvents
      for (const { message } of events) if (message) heard.note(textOf(message.content))
      unsaid += events.length
      if (unsaid < ACKNOWLEDGE_EVERY) return
      unsaid = 0
      socket.send(JSON.stringify({ last_event_id: events.at(-1)!.id }))
    })
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error(`No socket at ${address}`)))
    })
    sockets.push(socket)
  }
  return async () => {
    for (const socket of sockets) socket.close()
  }
}

/** Of a paragraph. */
function textOf(content: string): string {
  return content.replace('<p>', '').replace('</p>', '')
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
