/** How much at once, and how fast one by one: measured apart, because a full server has no latency worth the name. */
import { encodeFields } from '../scripts/api-client.ts'
import type { BareServer } from './bare/start-bare.ts'
import { type Ask, type Latencies, pace, saturate } from './http-load.ts'
import { type Ladder, rungs } from './ladder.ts'
import type { BenchOrganization } from './organization.ts'
import { processorMs } from './processor-time.ts'

export interface Subject {
  readonly name: string
  make(): Ask
  /** The process that answers. */
  readonly pid: number
  /** A second, for latency: a rate at which the server rests in between. */
  readonly pacedRate?: number
  /** Requests under way at once, when many. */
  readonly lanes?: number
  /** A rung of the control that does step by step what Parley's subject of this name must. */
  readonly ladder?: Ladder
}

export interface Throughput {
  readonly name: string
  readonly perSecond: number
  /** To the bare insert of the same run. */
  readonly ratio: number
  /** The server's processor time for each, in ms, D1's among it; what else the machine does is not in it. */
  readonly processorMs: number
  readonly ladder?: Ladder
}

export interface PacedLatency extends Latencies {
  readonly name: string
  readonly rate: number
  /** Of the medians, to the bare insert. */
  readonly ratio: number
}

const LANES = 32
/** At most; fewer where the time is up before. */
const ROUNDS = 5
const FEWEST_ROUNDS = 3
/** Of a round. */
const FEWEST_REQUESTS = 200
/** Requests of a step of warming up, and steps at most. */
const WARM_UP = 250
const WARM_UP_STEPS = 12
/** It is warm when the processor's time for each falls by less than this, twice. */
const STILL_FALLING = 0.97
/** The words of a message that is sent. */
export const LINE =
  'A line of about the length that people send, with a *word* in italics and a `bit` of code.'
const SECONDS = 0.6
const PACED_SECONDS = 3

/** The first is what the others are compared with. */
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
  const page: Ask = { method: 'GET', url: `${url}/api/v1/messages?${newest}`, headers }
  const register = (fields: Parameters<typeof encodeFields>[0]): Ask => ({
    method: 'POST',
    url: `${url}/api/v1/register`,
    headers: people[0]!.authorization,
    form: encodeFields(fields),
  })
  return [
    {
      name: 'bare: Worker, object, insert of a row',
      pid: bare.pid,
      make: () => ({ method: 'POST', url: `${bareUrl}/insert` }),
      pacedRate: 100,
    },
    {
      name: 'bare: the same, its text and a search entry in D1',
      pid: bare.pid,
      make: () => ({ method: 'POST', url: `${bareUrl}/insert-with-body` }),
    },
    {
      name: 'bare: Worker, 100 bodies from D1',
      pid: bare.pid,
      make: () => ({ method: 'GET', url: `${bareUrl}/bodies` }),
    },
    { name: 'send to 10 subscribers', pid, make: () => send(10), pacedRate: 100 },
    { name: 'send to 1,000 subscribers', pid, make: () => send(1000) },
    {
      name: 'fetch 100 messages',
      pid,
      make: () => page,
      pacedRate: 50,
    },
    {
      name: 'register, messages only',
      pid,
      make: () => register({ event_types: ['message'], fetch_event_types: ['message'] }),
    },
    { name: 'register, everything (1,000 users)', pid, make: () => register({}), pacedRate: 10, lanes: 8 },
    ...rungs(bare, { 'send to 10 subscribers': send(10), 'fetch 100 messages': page }),
  ]
}

/**
 * The subjects in turn, several times, so that what else the machine does meets them all: of each the
 * middle rate, and the middle of its ratios to the first subject of the same round. After `deadline`
 * (`performance.now()`) no round begins but the first few.
 */
export async function measureThroughput(all: readonly Subject[], deadline: number): Promise<Throughput[]> {
  const rates: number[][] = []
  const spent = all.map(() => ({ ms: 0, requests: 0 }))
  while (rates.length < FEWEST_ROUNDS || (rates.length < ROUNDS && performance.now() < deadline)) {
    const rate: number[] = []
    for (const [index, subject] of all.entries()) {
      const cost = spent[index]!
      const lanes = subject.lanes ?? LANES
      if (rates.length === 0) await warmUp(subject, lanes)
      const before = processorMs(subject.pid)
      const make = () => {
        cost.requests += 1
        return subject.make()
      }
      rate.push(await saturate(lanes, SECONDS, make, FEWEST_REQUESTS))
      await settled()
      cost.ms += processorMs(subject.pid) - before
    }
    rates.push(rate)
  }
  return all.map(({ name, ladder }, index) => ({
    name,
    ...(ladder ? { ladder } : {}),
    perSecond: middle(rates.map((rate) => rate[index]!)),
    ratio: middle(rates.map((rate) => rate[index]! / rate[0]!)),
    processorMs: spent[index]!.ms / spent[index]!.requests,
  }))
}

/** Until the processor's time for each request falls no more: V8 compiles in steps, the last of them after thousands of calls. */
async function warmUp({ pid, make }: Subject, lanes: number): Promise<void> {
  let best = Number.POSITIVE_INFINITY
  for (let [step, level] = [0, 0]; step < WARM_UP_STEPS && level < 2; step += 1) {
    const before = processorMs(pid)
    await saturate(lanes, 0, make, WARM_UP)
    await settled()
    const spent = processorMs(pid) - before
    level = spent < STILL_FALLING * best ? 0 : level + 1
    best = Math.min(best, spent)
  }
}

/** For D1 to have what was written. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300))
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

export async function measureLatency(all: readonly Subject[]): Promise<PacedLatency[]> {
  const measured: Omit<PacedLatency, 'ratio'>[] = []
  for (const { name, pacedRate, make } of all) {
    if (pacedRate === undefined) continue
    measured.push({ name, rate: pacedRate, ...(await pace(pacedRate, PACED_SECONDS, make)) })
  }
  const base = measured[0]!.p50
  return measured.map((one) => ({ ...one, ratio: one.p50 / base }))
}
