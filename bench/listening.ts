/** Measures acknowledged sends a second while all members of a channel listen, and how many messages reach them. */

import { encodeFields } from '../scripts/api-client.ts'
import { fromJson } from '../scripts/json.ts'
import { endAll, type OpenQueue, poll, registerAll } from './fan-out.ts'
import { type Ask, Connections, saturate } from './http-load.ts'
import { middle } from './middle.ts'
import { openSocket } from './open-socket.ts'
import type { BenchOrganization } from './organization.ts'
import { processorMs } from './processor-time.ts'
import { warmUp } from './warm-up.ts'

export interface Listening {
  readonly name: string
  readonly members: number
  readonly senders: number
  readonly perSecond: number
  /** Ratio to the bare platform in the same way. */
  readonly ratio: number
  /** Milliseconds of the server's processor time for a send and everything that follows from it. */
  readonly processorMs: number
  /** Ratio of the bare platform's processor time to it. */
  readonly processorRatio: number
  /** Part of the messages that a listener hears, 0 to 1, on average. Absent in older results. */
  readonly heard?: number
}

/** Length of each of the rounds, in which the bare platform and Parley take turns: a single one differed by a quarter between runs. */
const SECONDS = 1
const ROUNDS = 3
const SENDERS = [1, 16] as const
/** The number of sends to measure even if that takes longer than `SECONDS`. */
const MIN_SENDS = 100
/** Length of a step of the warm-up. */
const WARM_UP_SECONDS = 0.4
/** Milliseconds to wait until the last listener has the message. */
const SETTLE_MS = 400
/** The number of events after which a client must acknowledge. */
const ACKNOWLEDGE_EVERY = 50

/** Listeners of any kind, until they are stopped. */
interface Listeners {
  readonly count: number
  /** The number of messages that all of them together have received. */
  heard(): number
  stop(): Promise<void>
}

/**
 * Returns the rows of a table, for polls and for event streams: the bare platform, the bare platform with the work that every delivery
 * requires (`BareObject.sendLogged`, `BareObject.poll`), and Parley.
 */
export async function measureListening(
  { url: bareUrl, pid: barePid }: { readonly url: string; readonly pid: number },
  organization: BenchOrganization,
  pid: number,
): Promise<Listening[]> {
  const rows: Listening[] = []
  for (const members of [10, 100] as const) {
    for (const way of ['polls', 'streams'] as const) {
      for (const senders of SENDERS) {
        const [bare, obliged, parley] = await inTurn(senders, [
          {
            pid: barePid,
            listen: () => (way === 'polls' ? barePolls(bareUrl, members) : bareStreams(bareUrl, members)),
            make: () => ({ method: 'POST', url: `${bareUrl}/send` }),
          },
          {
            pid: barePid,
            listen: () =>
              way === 'polls' ? baselinePolls(bareUrl, members) : bareStreams(bareUrl, members, true),
            make: () => ({ method: 'POST', url: `${bareUrl}/send-logged` }),
          },
          {
            pid,
            listen: () => parleyListeners(organization, members, way),
            make: (lane) => sendBy(organization, members, lane),
          },
        ])
        for (const [name, own] of Object.entries({ bare, obliged, Parley: parley })) {
          const ratio = own!.perSecond / bare!.perSecond
          const processorRatio = bare!.processorMs / own!.processorMs
          rows.push({ name: `${name}, ${way}`, members, senders, ...own!, ratio, processorRatio })
        }
      }
    }
  }
  return rows
}

interface Heard {
  readonly pid: number
  listen(): Promise<Listeners>
  make(lane: number): Ask
}

/** Measures all of them in rounds, in turn, once all are warm; returns their medians. */
async function inTurn(
  senders: number,
  all: readonly Heard[],
): Promise<{ perSecond: number; processorMs: number; heard: number }[]> {
  const found = all.map(() => ({
    perSecond: [] as number[],
    processorMs: [] as number[],
    heard: [] as number[],
  }))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, { pid, listen, make }] of all.entries()) {
      const listeners = await listen()
      let sent = 0
      const makeNext = () => make(sent++ % senders)
      const work = async (seconds: number, atLeast = 0) => {
        sent = 0
        const perSecond = await saturate(senders, seconds, makeNext, atLeast)
        await pause(SETTLE_MS)
        return { perSecond, sent }
      }
      if (round === 0) await warmUp(pid, async () => (await work(WARM_UP_SECONDS)).sent)
      else {
        await work(WARM_UP_SECONDS)
        const [before, heardBefore] = [processorMs(pid), listeners.heard()]
        const result = await work(SECONDS, MIN_SENDS)
        found[index]!.perSecond.push(result.perSecond)
        found[index]!.processorMs.push((processorMs(pid) - before) / result.sent)
        found[index]!.heard.push((listeners.heard() - heardBefore) / result.sent / listeners.count)
      }
      await listeners.stop()
    }
  }
  return found.map(({ perSecond, processorMs, heard }) => ({
    perSecond: middle(perSecond),
    processorMs: middle(processorMs),
    heard: middle(heard),
  }))
}

/** Milliseconds between two messages: long enough that each is delivered by itself. */
const PACED_EVERY_MS = 150
const PACED_SENDS = 30

/** Lets a hundred members listen by long polls and one of them write now and then. `during` is called with that load, and runs it. */
export async function loadOfPolls(
  organization: BenchOrganization,
  during: (load: () => Promise<void>) => Promise<void> = (load) => load(),
): Promise<void> {
  const listeners = await parleyListeners(organization, 100, 'polls')
  const connections = new Connections()
  await during(async () => {
    for (let sent = 0; sent < PACED_SENDS; sent += 1) {
      await Promise.all([connections.ask(sendBy(organization, 100, 0)), pause(PACED_EVERY_MS)])
    }
  })
  connections.close()
  await listeners.stop()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function sendBy({ url, people, channels }: BenchOrganization, members: 10 | 100, lane: number): Ask {
  const form = encodeFields({
    type: 'channel',
    to: channels[members],
    topic: 'load',
    content: 'A line of about the length that people send, with a *word* in italics.',
  })
  const { authorization } = people[lane % (members - 1)]!
  return { method: 'POST', url: `${url}/api/v1/messages`, headers: authorization, form }
}

async function barePolls(url: string, count: number): Promise<Listeners> {
  const connections = new Connections()
  let isOver = false
  let heard = 0
  const listen = async () => {
    for (; !isOver; heard += 1) await connections.ask({ method: 'GET', url: `${url}/hold-call` })
  }
  const all = Array.from({ length: count }, listen)
  await settled(count)
  return {
    count,
    heard: () => heard,
    async stop() {
      isOver = true
      await connections.ask({ method: 'GET', url: `${url}/release` })
      await Promise.all(all)
      connections.close()
    },
  }
}

/** Starts polls that come with a key and a cursor, each for its own queue. */
async function baselinePolls(url: string, count: number): Promise<Listeners> {
  const connections = new Connections()
  await connections.ask({ method: 'GET', url: `${url}/enter?count=${count}` })
  let isOver = false
  let heard = 0
  const listen = async (_: unknown, at: number) => {
    for (let last = 1e9; !isOver; ) {
      const reply = await connections.ask({
        method: 'GET',
        url: `${url}/poll?queue=queue-${at}&last=${last}`,
        headers: { authorization: `key-${at}` },
      })
      const { events } = fromJson<{ events: { id: number }[] }>(reply.text)
      last = events.at(-1)?.id ?? last
      heard += events.length
    }
  }
  const all = Array.from({ length: count }, listen)
  await settled(count)
  return {
    count,
    heard: () => heard,
    async stop() {
      isOver = true
      await connections.ask({ method: 'POST', url: `${url}/send-logged` })
      await Promise.all(all)
      connections.close()
    },
  }
}

function bareStreams(url: string, count: number, acknowledges = false): Promise<Listeners> {
  return streams(Array.from({ length: count }, () => ({ address: `${url}/stream`, acknowledges })))
}

export async function parleyListeners(
  organization: BenchOrganization,
  members: number,
  way: 'polls' | 'streams',
): Promise<Listeners> {
  const { url, people } = organization
  const connections = new Connections()
  const queues = await registerAll(connections, url, people.slice(0, members - 1))
  const listeners =
    way === 'polls' ? await parleyPolls(connections, url, queues) : await parleyStreams(url, queues)
  return {
    ...listeners,
    async stop() {
      const stopped = listeners.stop()
      await endAll(connections, url, queues)
      await stopped
      connections.close()
    },
  }
}

async function parleyPolls(connections: Connections, url: string, queues: OpenQueue[]): Promise<Listeners> {
  let isOver = false
  let heard = 0
  const listen = async (queue: OpenQueue) => {
    while (!isOver) {
      // At the end the queue is deleted while its poll waits.
      const messages = await poll(connections, url, queue).catch((error: unknown) => {
        if (!isOver) throw error
        return 0
      })
      heard += messages
    }
  }
  const all = queues.map(listen)
  await settled(queues.length)
  return {
    count: queues.length,
    heard: () => heard,
    async stop() {
      isOver = true
      await Promise.all(all)
    },
  }
}

function parleyStreams(url: string, queues: OpenQueue[]): Promise<Listeners> {
  return streams(
    queues.map(({ id, headers }) => ({
      address: `${url}/api/v1/events?${encodeFields({ queue_id: id, last_event_id: -1 })}`,
      headers,
      acknowledges: true,
    })),
  )
}

interface StreamOptions {
  readonly address: string
  readonly headers?: Record<string, string>
  readonly acknowledges?: boolean
}

async function streams(all: readonly StreamOptions[]): Promise<Listeners> {
  const sockets: WebSocket[] = []
  let heard = 0
  for (const { address, headers, acknowledges } of all) {
    const socket = openSocket(address, headers)
    let unacknowledged = 0
    socket.addEventListener('message', ({ data }) => {
      if (!acknowledges) {
        heard += 1
        return
      }
      const { events } = fromJson<{ events: { id: number }[] }>(String(data))
      heard += events.length
      unacknowledged += events.length
      if (unacknowledged < ACKNOWLEDGE_EVERY) return
      unacknowledged = 0
      socket.send(JSON.stringify({ last_event_id: events.at(-1)!.id }))
    })
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error(`No socket at ${address}`)))
    })
    sockets.push(socket)
  }
  await settled(all.length)
  return {
    count: all.length,
    heard: () => heard,
    async stop() {
      for (const socket of sockets) socket.close()
    },
  }
}

/** Resolves when all polls are held. */
function settled(count: number): Promise<void> {
  return pause(200 + count)
}
