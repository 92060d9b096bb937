/**
 * `npm run bench -- --shards`: estimates what an organization of a hundred thousand would gain from delivery shards. The time of each step is
 * measured, in Parley and in real objects. The work of 1, 4 and 16 shards in parallel is simulated, since a machine with few cores cannot
 * show it (docs/decisions/past-one-object.md).
 */
import { encodeFields } from '../../scripts/api-client.ts'
import type { LocalServer } from '../../scripts/local-server.ts'
import { seededEmail } from '../../scripts/seed-organization.ts'
import { endAll, registerAll } from '../fan-out.ts'
import { Connections } from '../http-load.ts'
import { buildLarge } from '../large.ts'
import type { BenchUser } from '../organization.ts'
import { processorMs } from '../processor-time.ts'
import { measureShardCosts, type ShardCosts } from './measure-shards.ts'
import {
  type Load,
  type ServiceTimes,
  type SimulatedDelivery,
  simulateDelivery,
} from './simulate-delivery.ts'
import { StreamListeners } from './stream-listeners.ts'

/** A person's working day, from the table of docs/performance.md. */
const MESSAGES_A_DAY = 20
const WORKING_SECONDS = 8 * 3_600
/** Ratio of the busiest minutes to the average of the working day. */
const PEAK = 3

const PEOPLE = 100_000
/** The number of people online at the same time, each with an open stream. */
const LISTENING = 30_000

/** Kinds of messages: to one or two people; to a team; to a department; to everybody. */
const AUDIENCES = [
  { share: 0.25, listeners: 2 },
  { share: 0.65, listeners: 60 },
  { share: 0.0999, listeners: 1_000 },
  { share: 0.0001, listeners: LISTENING },
] as const

const PER_SECOND = (PEOPLE * MESSAGES_A_DAY) / WORKING_SECONDS
/** Requests of a person on a working day besides messages and polls, from the same table: those that need the organization's object … */
const REQUESTS_A_DAY = 170
/** … and reports of presence, which a shard can take for its own listeners. */
const PRESENCES_A_DAY = 480

function loadOf(factor: number): Load {
  const perSecond = (each: number) => (factor * PEOPLE * each) / WORKING_SECONDS
  return {
    messagesPerSecond: factor * PER_SECOND,
    audiences: AUDIENCES,
    requestsPerSecond: perSecond(REQUESTS_A_DAY),
    presencesPerSecond: perSecond(PRESENCES_A_DAY),
  }
}

const LOADS: Readonly<Record<string, Load>> = {
  'an average minute': loadOf(1),
  'the busiest minutes': loadOf(PEAK),
  'a message to everybody, every ten seconds': {
    ...loadOf(1),
    messagesPerSecond: 0.1,
    audiences: [{ share: 1, listeners: LISTENING }],
  },
}

const WARM_UP_SENDS = 300
const SENDS = 1_000
const LANES = 16
const LISTENERS = 500
const DELIVERED = 60
/** Milliseconds one way between two objects in the same location. Assumed, because only the platform has this distance. */
const HOP_MS = 2

export interface ShardRow extends SimulatedDelivery {
  readonly load: string
  /** 0: the organization's object itself, as today. */
  readonly shards: number
}

export interface ShardResults {
  readonly people: number
  readonly listening: number
  /** `door`: time of the Worker for a request that needs no object, which is subtracted from the others. */
  readonly measured: ServiceTimes & { readonly door: number; readonly bare: ShardCosts }
  readonly rows: readonly ShardRow[]
}

const SHARDS = [0, 1, 4, 16] as const

export async function measureShards(server: LocalServer): Promise<ShardResults> {
  const bare = await measureShardCosts()
  process.stderr.write('bare objects … ')
  const parley = await sendAndDeliver(server)
  const measured = { ...parley, call: bare.call, hop: HOP_MS, bare }
  const rows = Object.entries(LOADS).flatMap(([load, facts]) =>
    SHARDS.map((shards) => ({ load, shards, ...simulateDelivery(measured, facts, shards) })),
  )
  return { people: PEOPLE, listening: LISTENING, measured, rows }
}

/**
 * Measures many sends and many small requests while nobody listens, and messages while all listen. The difference is the cost of
 * delivery, acknowledgements included. Worker, object and D1 are one process here: the Worker's time for a request that goes no further
 * is subtracted, and the time of D1 for a message's text is included.
 */
async function sendAndDeliver(
  server: LocalServer,
): Promise<Pick<ServiceTimes, 'commit' | 'request' | 'deliver'> & { readonly door: number }> {
  const { owner, seeded } = await buildLarge(server, { users: LISTENERS, channels: 1, messages: 100 })
  const connections = new Connections()
  const headers = owner.authorization()
  const send = (content: string) =>
    connections.ask({
      method: 'POST',
      url: `${owner.url}/api/v1/messages`,
      form: encodeFields({ type: 'channel', to: seeded.firstChannelId, topic: 'shards', content }),
      headers,
    })
  const reportTyping = () =>
    connections.ask({
      method: 'POST',
      url: `${owner.url}/api/v1/typing`,
      form: encodeFields({ op: 'start', to: [seeded.firstUserId] }),
      headers,
    })
  for (let at = 0; at < WARM_UP_SENDS; at += 1) await send(`warm ${at}`)
  const askTheDoor = () =>
    connections.ask({ method: 'OPTIONS', url: `${owner.url}/api/v1/messages`, headers })
  for (let at = 0; at < WARM_UP_SENDS; at += 1) await Promise.all([reportTyping(), askTheDoor()])
  /** Milliseconds for each, with several always under way. */
  const costOf = async (ask: (at: number) => Promise<unknown>) => {
    let next = 0
    const lane = async () => {
      while (next < SENDS) {
        next += 1
        await ask(next)
      }
    }
    return (await processorMsOf(server, () => Promise.all(Array.from({ length: LANES }, lane)))) / SENDS
  }
  const door = await costOf(askTheDoor)
  const commit =
    (await costOf((at) => send(`a line of about the length that people send, number ${at}`))) - door
  const request = (await costOf(reportTyping)) - door
  const oneByOne = await processorMsOf(server, async () => {
    for (let at = 0; at < DELIVERED; at += 1) await send(`heard by nobody ${at}`)
  })
  const people: BenchUser[] = []
  for (let person = 0; person < LISTENERS; person += 1) {
    const one = await owner.logIn(seededEmail(person))
    people.push({ id: seeded.firstUserId + person, authorization: one.authorization() })
  }
  const queues = await registerAll(connections, owner.url, people)
  const listeners = await StreamListeners.of(owner.url, queues)
  const deliver = await processorMsOf(server, async () => {
    for (let at = 0; at < DELIVERED; at += 1) {
      await send(`delivered ${at}`)
      await listeners.heard(LISTENERS, `delivered ${at}`)
    }
  })
  listeners.stop()
  await endAll(connections, owner.url, queues)
  connections.close()
  return { door, commit, request, deliver: (deliver - oneByOne) / DELIVERED / LISTENERS }
}

/** Processor time of the runtime, Worker and objects together, however busy the machine is. */
async function processorMsOf({ runtimePid }: LocalServer, work: () => Promise<unknown>): Promise<number> {
  const before = processorMs(runtimePid())
  await work()
  return processorMs(runtimePid()) - before
}
