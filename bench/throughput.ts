import { ISOLATE } from '../src/core/budgets.ts'
/** Measures throughput and latency, separately, because the latency of a saturated server says nothing. */

import { encodeFields } from '../scripts/api-client.ts'
import { fromJson } from '../scripts/json.ts'
import type { BareServer } from './bare/start-bare.ts'
import { type Ask, Connections, type Latencies, pace, saturate } from './http-load.ts'
import { type Ladder, rungs } from './ladder.ts'
import { middle } from './middle.ts'
import type { BenchOrganization } from './organization.ts'
import { processorMs } from './processor-time.ts'
import { warmUp } from './warm-up.ts'

export interface Subject {
  readonly name: string
  make(): Ask
  /** Id of the process that answers. */
  readonly pid: number
  /** Requests a second while latency is measured; low enough that the server is idle between them. */
  readonly pacedRate?: number
  /** Number of requests under way at once while throughput is measured; `LANES` unless set. */
  readonly lanes?: number
  /** Request that is made before each measurement, until its answer says `complete`. */
  readonly first?: Ask
  /** Whether its cost is measured in further, alternating rounds, since subjects that wait for D1 or share commits vary by a fifth between rounds. */
  readonly isVaried?: boolean
  /** Present for a rung of a control: the name of Parley's subject that the ladder is compared with. */
  readonly ladder?: Ladder
}

export interface Throughput {
  readonly name: string
  readonly perSecond: number
  /** Ratio to the rate of the bare insert in the same round. */
  readonly ratio: number
  /** Milliseconds of the server's processor time for a request, D1's included; other work of the machine does not count. */
  readonly processorMs: number
  readonly ladder?: Ladder
}

export interface PacedLatency extends Latencies {
  readonly name: string
  readonly rate: number
  /** Ratio of the median to the median of the bare insert. */
  readonly ratio: number
}

const LANES = 32
/** Number of rounds, unless the deadline passes earlier. */
const MAX_ROUNDS = 5
const MIN_ROUNDS = 3
/** Further rounds of subjects that vary. With three to five rounds the same page had 0.35 and 0.48 of its control's speed in two runs. */
const ROUNDS_OF_VARIED = 8
/** Requests of a subject in one round. */
const MIN_REQUESTS = 200
/** The length of a step of the warm-up, and of the pause after it, in which most writes reach D1. */
const WARM_UP_SECONDS = 1
const WARM_UP_PAUSE_MS = 100
/** Requests in one step of the warm-up. */
const WARM_UP_REQUESTS = 100
/**
 * Requests before each measurement, for as long as this. The first hundred or two cost up to twice as much after the large registers of
 * others, and with 150 alone a process that had been idle meanwhile needed more for each request than one that had not.
 */
const LEAD_IN_REQUESTS = 150
const LEAD_IN_SECONDS = 0.5
/** Content of the messages that are sent. */
export const LINE =
  'A line of about the length that people send, with a *word* in italics and a `bit` of code.'
const SECONDS = 0.6
/** Milliseconds after which D1 has what was written. */
const SETTLE_MS = 300
const PACED_SECONDS = 3

/** Returns the subjects; the others are compared with the first. */
export function subjects(
  bare: BareServer,
  organization: BenchOrganization,
  pid: number,
): readonly [Subject, ...Subject[]] {
  const bareUrl = bare.url
  const { url, channels, speaker, people } = organization
  const headers = speaker.authorization
  const send = (subscribers: 10 | 1000): Ask => ({
    method: 'POST',
    url: `${url}/api/v1/messages`,
    headers,
    form: encodeFields({
      type: 'channel',
      to: channels[subscribers],
      topic: 'load',
      content: LINE,
    }),
  })
  const newest = encodeFields({
    anchor: 'newest',
    num_before: 100,
    narrow: [['channel', String(channels[10])]],
  })
  const keepTexts = (bytes: number): Ask => ({
    method: 'POST',
    url: `${url}/dev/kept-texts?bytes=${bytes}`,
    headers,
  })
  const page: Ask = { method: 'GET', url: `${url}/api/v1/messages?${newest}`, headers }
  const register = (fields: Parameters<typeof encodeFields>[0], { authorization } = people[0]!): Ask => ({
    method: 'POST',
    url: `${url}/api/v1/register`,
    headers: authorization,
    form: encodeFields(fields),
  })
  // Otherwise a registration lists what the sends before it have left unread: 62 ms with 13,000 messages, 3 ms with none.
  const readAll: Ask = {
    method: 'POST',
    url: `${url}/api/v1/mark_all_as_read`,
    headers: people[0]!.authorization,
  }
  // The users alternate, since a registration counts the queues of its user.
  let turn = 0
  const next = () => {
    turn += 1
    return people[turn % people.length]!
  }
  return [
    {
      name: 'bare: Worker, object, insert of a row',
      pid: bare.pid,
      make: () => ({ method: 'POST', url: `${bareUrl}/insert` }),
      pacedRate: 100,
      isVaried: true,
    },
    {
      name: 'bare: the same, its text and a search entry in D1',
      pid: bare.pid,
      make: () => ({ method: 'POST', url: `${bareUrl}/insert-with-body` }),
      pacedRate: 100,
      isVaried: true,
    },
    {
      name: 'bare: Worker, 100 bodies from D1',
      pid: bare.pid,
      make: () => ({ method: 'GET', url: `${bareUrl}/bodies` }),
      isVaried: true,
    },
    { name: 'send to 10 subscribers', pid, make: () => send(10), pacedRate: 100, isVaried: true },
    { name: 'send to 1,000 subscribers', pid, make: () => send(1000), isVaried: true },
    {
      name: 'fetch 100 messages',
      pid,
      make: () => page,
      pacedRate: 50,
      first: keepTexts(0),
      isVaried: true,
    },
    {
      name: 'fetch 100 messages, texts kept',
      pid,
      make: () => page,
      pacedRate: 50,
      first: keepTexts(ISOLATE.texts),
      isVaried: true,
    },
    {
      name: 'register, messages only',
      pid,
      make: () => register({ event_types: ['message'], fetch_event_types: ['message'] }, next()),
    },
    {
      name: 'register, everything (1,000 users)',
      pid,
      make: () => register({}),
      pacedRate: 10,
      lanes: 8,
      first: readAll,
    },
    ...rungs(bare, { 'send to 10 subscribers': send(10), 'fetch 100 messages': page }),
  ]
}

/**
 * Measures the subjects in turn, in several rounds, so that other work of the machine affects all of them. All are warm before the first is
 * measured, since they share code: a subject that others have warmed further in between would cost less. Each measurement follows some of
 * the same requests that are not counted, so that its result does not depend on the subject before it. Returns the median rate of each, the
 * median of its ratios to the first subject in the same round, and its median cost, for which some have further rounds. After `deadline` (of
 * `performance.now()`) no round begins, except the first three and the further ones.
 */
export async function measureThroughput(all: readonly Subject[], deadline: number): Promise<Throughput[]> {
  for (const subject of all) await complete(subject)
  for (const subject of all) await warmUp(subject.pid, () => workOf(subject))
  const rates: number[][] = []
  const costs: number[][] = all.map(() => [])
  while (rates.length < MIN_ROUNDS || (rates.length < MAX_ROUNDS && performance.now() < deadline)) {
    const roundRates: number[] = []
    for (const [index, subject] of thereAndBack([...all.entries()], rates.length)) {
      const { perSecond, cost } = await measure(subject)
      costs[index]!.push(cost)
      roundRates[index] = perSecond
    }
    rates.push(roundRates)
  }
  const varied = [...all.entries()].filter(([, { isVaried }]) => isVaried)
  for (let round = 0; round < ROUNDS_OF_VARIED; round += 1) {
    for (const [index, subject] of thereAndBack(varied, round)) {
      costs[index]!.push((await measure(subject)).cost)
    }
  }
  return all.map(({ name, ladder }, index) => ({
    name,
    ...(ladder ? { ladder } : {}),
    perSecond: middle(rates.map((rate) => rate[index]!)),
    ratio: middle(rates.map((rate) => rate[index]! / rate[0]!)),
    processorMs: middle(costs[index]!),
  }))
}

/** Returns the subjects of a round: forwards and backwards in turn, so that none always comes after the same other. */
function thereAndBack<One>(all: readonly One[], round: number): readonly One[] {
  return round % 2 === 0 ? all : all.toReversed()
}

/** Returns the rate of a subject, and its processor time for a request. */
async function measure(subject: Subject): Promise<{ perSecond: number; cost: number }> {
  await complete(subject)
  await load(subject, LEAD_IN_SECONDS, LEAD_IN_REQUESTS)
  await pause(SETTLE_MS)
  const before = processorMs(subject.pid)
  const { perSecond, requests } = await load(subject, SECONDS, MIN_REQUESTS)
  await pause(SETTLE_MS)
  return { perSecond, cost: (processorMs(subject.pid) - before) / requests }
}

/** Makes the request that comes before a measurement. */
async function complete({ first }: Subject): Promise<void> {
  if (!first) return
  const connections = new Connections()
  for (let isComplete = false; !isComplete; ) {
    const { text } = await connections.ask(first)
    isComplete = fromJson<{ complete: boolean }>(text).complete
  }
  connections.close()
}

/** Makes the requests of one step of the warm-up, and returns their number. */
async function workOf(subject: Subject): Promise<number> {
  const { requests } = await load(subject, WARM_UP_SECONDS, WARM_UP_REQUESTS)
  await pause(WARM_UP_PAUSE_MS)
  return requests
}

/** Makes requests as `saturate` does. Returns their rate, and the number of all that were made. */
async function load(
  { make, lanes = LANES }: Subject,
  seconds: number,
  atLeast: number,
): Promise<{ perSecond: number; requests: number }> {
  let requests = 0
  const makeNext = () => {
    requests += 1
    return make()
  }
  const perSecond = await saturate(lanes, seconds, makeNext, atLeast)
  return { perSecond, requests }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export async function measureLatency(all: readonly Subject[]): Promise<PacedLatency[]> {
  const measured: Omit<PacedLatency, 'ratio'>[] = []
  for (const subject of all) {
    const { name, pacedRate, make } = subject
    if (pacedRate === undefined) continue
    await complete(subject)
    measured.push({ name, rate: pacedRate, ...(await pace(pacedRate, PACED_SECONDS, make)) })
  }
  const base = measured[0]!.p50
  return measured.map((one) => ({ ...one, ratio: one.p50 / base }))
}
