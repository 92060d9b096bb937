/**
 * `npm run bench -- --delivery --listeners 2000,10000`: measures how soon one message reaches this number of listeners in one organization,
 * by event streams and by polls; then whether the last listener falls behind when five messages a second are sent for some seconds. A bare
 * object that sends a frame of the same length to as many sockets is measured along with it. The listeners run in the server's process
 * (listeners/worker.ts).
 */
import { encodeFields } from '../scripts/api-client.ts'
import { type LocalServer, startLocalServer } from '../scripts/local-server.ts'
import { seededEmail } from '../scripts/seed-organization.ts'
import { startBare } from './bare/start-bare.ts'
import { endAll, registerAll } from './fan-out.ts'
import { Connections } from './http-load.ts'
import { buildLarge } from './large.ts'
import { type Listener, Listening, listenersWorker } from './listeners/listeners.ts'
import { middle } from './middle.ts'
import type { BenchUser } from './organization.ts'
import { processorMs } from './processor-time.ts'

/** The goal: the last of ten thousand listeners has a message within a second. */
export const DELIVERY_GOALS = { lastMs: 1_000 }

export interface Delivery {
  readonly way: `${'bare, ' | ''}${Way}`
  readonly listeners: number
  /** Times at which the first, the median and the last listener had one message, in ms after it was sent. */
  readonly first: number
  readonly median: number
  readonly last: number
  /** With five messages a second: the time after which the last listener had one, in ms; medians of the first ten and of the last ten. Absent where that is not measured. */
  readonly steadyBegin?: number
  readonly steadyEnd?: number
  /** Milliseconds of processor time for one message to all listeners, whose own work in the same process is included. Only on Linux. */
  readonly processorMs: number
}

type Way = 'streams' | 'polls'

/** Number of accounts. With more listeners an account has several queues. */
const PEOPLE = 2_000
/** The numbers of messages. The first ones warm up the code and do not count; ten thousand listeners need fewer. */
const FEW_LISTENERS = { upTo: 2_000, warmUp: 20, single: 15 }
const MANY_LISTENERS = { warmUp: 6, single: 7 }
const STEADY_MESSAGES = 30
const STEADY_EVERY_MS = 200
/** The time within which all listeners have polled again. */
const SETTLE_MS = 1_500
const SETTLE_MS_PER_LISTENER = 0.5

/** A server with its listeners, and a way to send a message to all of them. */
interface Source {
  readonly listening: Listening
  readonly listeners: readonly Listener[]
  /** Id of the server's process. */
  readonly pid: number
  /** Sends a message whose event contains the text `sent`. */
  send(sent: string): Promise<void>
}

/** Calls `note` with each row as soon as it is measured. */
export async function measureDelivery(
  numbers: readonly number[],
  ways: readonly Way[],
  note: (row: Delivery) => void,
): Promise<void> {
  const server = await startLocalServer({
    vars: { RATE_LIMITS: 'off', LOG: 'off' },
    beside: [listenersWorker('parley')],
  })
  try {
    const organization = await buildListened(server, Math.min(PEOPLE, Math.max(...numbers)))
    for (const way of ways) {
      for (const listeners of numbers) {
        note({ way, listeners, ...(await deliverByParley(server, organization, listeners, way)) })
        note({ way: `bare, ${way}`, listeners, ...(await deliverBare(organization, listeners, way)) })
      }
    }
  } finally {
    await server.stop()
  }
}

interface Listened {
  readonly url: string
  readonly channel: number
  readonly sender: BenchUser
  readonly people: readonly BenchUser[]
  /** Characters of a frame in Parley's last measurement. */
  charactersOfFrame: number
}

async function buildListened(server: LocalServer, users: number): Promise<Listened> {
  const { owner, seeded } = await buildLarge(server, { users, channels: 2, messages: 100 })
  const people: BenchUser[] = []
  for (let person = 0; person < users; person += 1) {
    const one = await owner.logIn(seededEmail(person))
    people.push({ id: seeded.firstUserId + person, authorization: one.authorization() })
  }
  const sender = { id: 0, authorization: owner.authorization() }
  return { url: owner.url, channel: seeded.firstChannelId, sender, people, charactersOfFrame: 0 }
}

async function deliverByParley(
  server: LocalServer,
  organization: Listened,
  count: number,
  way: Way,
): Promise<Omit<Delivery, 'way' | 'listeners'>> {
  const listening = await Listening.of(server.runtime)
  const { url, channel, people, sender } = organization
  const connections = new Connections()
  const all = Array.from({ length: count }, (_, at) => people[at % people.length]!)
  const queues = await registerAll(connections, url, all)
  const listeners = queues.map(({ id, headers }) => ({
    url: `${url}/api/v1/events?${encodeFields({ queue_id: id })}&last_event_id=${way === 'polls' ? 'LAST' : -1}`,
    headers,
  }))
  const send = (sent: string) => {
    const form = encodeFields({ type: 'channel', to: channel, topic: 'delivery', content: sent })
    return listening.send(sent, { url: `${url}/api/v1/messages`, headers: sender.authorization }, form)
  }
  await listening.begin(way, listeners)
  const found = await deliver({ listening, listeners, pid: server.runtimePid(), send })
  organization.charactersOfFrame = Math.round(await listening.charactersOfFrame())
  await listening.stop()
  await endAll(connections, url, queues)
  connections.close()
  return found
}

/**
 * Measures the bare platform. Its polls are held as calls, and miss messages that are sent before they return, so a steady rate is measured
 * for streams only.
 */
async function deliverBare(
  { charactersOfFrame }: Listened,
  count: number,
  way: Way,
): Promise<Omit<Delivery, 'way' | 'listeners'>> {
  const bare = await startBare([listenersWorker('bare')])
  try {
    const listening = await Listening.of(bare.runtime)
    const path = way === 'streams' ? 'stream' : 'hold-call'
    const listeners = Array.from({ length: count }, () => ({ url: `${bare.url}/${path}`, headers: {} }))
    const send = (sent: string) => {
      const fields = encodeFields({ text: sent, characters: charactersOfFrame })
      return listening.send(sent, { url: `${bare.url}/send?${fields}`, headers: {} }, encodeFields({}))
    }
    await listening.begin(way, listeners)
    return await deliver({ listening, listeners, pid: bare.pid, send }, way === 'streams')
  } finally {
    await bare.stop()
  }
}

async function deliver(
  { listening, listeners, pid, send }: Source,
  isSteady = true,
): Promise<Omit<Delivery, 'way' | 'listeners'>> {
  const count = listeners.length
  const settled = () => pause(SETTLE_MS + count * SETTLE_MS_PER_LISTENER)
  await settled()
  const texts = (from: number, much: number) => Array.from({ length: much }, (_, at) => `heard-${from + at}`)
  const spent: number[] = []
  const sendAlone = async (sent: string) => {
    const before = processorMs(pid)
    await send(sent)
    await listening.heard(count, [sent])
    await settled()
    spent.push(processorMs(pid) - before)
  }
  const { warmUp, single: singleMessages } = count <= FEW_LISTENERS.upTo ? FEW_LISTENERS : MANY_LISTENERS
  for (const sent of texts(500, warmUp)) await sendAlone(sent)
  spent.length = 0
  const singles = texts(1_000, singleMessages)
  for (const sent of singles) await sendAlone(sent)
  const single = await listening.heard(count, singles)
  const row = texts(2_000, isSteady ? STEADY_MESSAGES : 0)
  const sending: Promise<void>[] = []
  for (const sent of row) {
    sending.push(send(sent))
    await pause(STEADY_EVERY_MS)
  }
  await Promise.all(sending)
  const steady = await listening.heard(count, row)
  const lasts = steady.map(({ last }) => last)
  const ends = isSteady && { steadyBegin: middle(lasts.slice(0, 10)), steadyEnd: middle(lasts.slice(-10)) }
  return {
    first: middle(single.map(({ first }) => first)),
    median: middle(single.map(({ median }) => median)),
    last: middle(single.map(({ last }) => last)),
    ...ends,
    processorMs: middle(spent),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
