import { vi } from 'vitest'
import { askForStream, StreamClosed, TestStream } from '../../support/event-streams.ts'
import { expectSuccess } from '../../support/factories.ts'
import { fromJson } from '../../support/json.ts'
import { STREAM_SILENCE } from '../../support/limits.ts'
import { ALL_CAPABILITIES, TestQueue } from '../../support/queues.ts'
import { withReliableD1 } from '../../support/reliable-d1.ts'
import { world } from '../../support/world.ts'
import { Chances } from './chances.ts'
import { type Difference, firstDifference } from './comparison.ts'
import { importArchive } from './import-archive.ts'
import { askEverything, type Curiosity } from './questions.ts'
import { SECRET_STEPS } from './secret-steps.ts'
import { comeOrGo, letTimePass, SHARED_STEPS } from './shared-steps.ts'
import { askAsX, type Fields, LOOKERS, type Looker, openStage, type Stage } from './stage.ts'

export interface HistorySettings extends Curiosity {
  readonly steps: number
}

/** The questions that X asks in between. */
const GLANCE: Curiosity = { searches: 3, rounds: 0 }

export interface Played {
  readonly looker: Looker
  /** Descriptions of the actions. */
  readonly done: readonly string[]
  /** Number of answers that X got in each organization. */
  readonly questions: number
  /** Number of events that X got over a stream in each organization. */
  readonly streamed: number
  /** Number of secret actions in both organizations together. */
  readonly secrets: number
  readonly difference: Difference | undefined
}

/** The clock of both organizations. It stands still except between steps, and no alarm goes off by itself. */
class Clock {
  #at = Math.floor(Date.now() / 1_000) + 86_400

  constructor() {
    this.pass(0)
  }

  readonly now = (): number => this.#at

  pass(seconds: number): void {
    this.#at += seconds
    vi.setSystemTime(this.#at * 1_000)
  }
}

/** Plays the same history, except for secrets, in two organizations; returns what X gets in each. */
export function playHistory(seed: number, settings: HistorySettings): Promise<Played> {
  return withoutTime(() => play(new Chances(seed), seed, settings))
}

async function withoutTime<R>(act: () => Promise<R>): Promise<R> {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    return await withReliableD1(act)
  } finally {
    vi.useRealTimers()
  }
}

/**
 * Returns the difference that X, a member, sees when something is done in one of two organizations, and the difference
 * after it has been done in the other one too, of which there should be none. It tests the comparison itself.
 */
export function tryLeaks(
  leaks: readonly ((stage: Stage) => Promise<unknown>)[],
): Promise<{ readonly alone: Difference | undefined; readonly both: Difference | undefined }[]> {
  return withoutTime(async () => {
    const clock = new Clock()
    const [first, second] = [await openStage('member', clock.now), await openStage('member', clock.now)]
    const hear = async (stage: Stage) => {
      stage.heard.length = 0
      await readQueues(stage)
      await askEverything(stage, new Chances(1), { searches: 0, rounds: 9 })
    }
    await openQueues(first)
    await openQueues(second)
    const found: Awaited<ReturnType<typeof tryLeaks>> = []
    for (const leak of leaks) {
      await leak(first)
      await hear(first)
      await hear(second)
      const alone = firstDifference(first, second)
      await leak(second)
      await readQueues(second)
      await hear(first)
      await hear(second)
      found.push({ alone, both: firstDifference(first, second) })
    }
    await leaveStream(first)
    await leaveStream(second)
    return found
  })
}

async function play(chances: Chances, seed: number, settings: HistorySettings): Promise<Played> {
  const clock = new Clock()
  const looker = LOOKERS[seed % LOOKERS.length]!
  const [first, second] = [await openStage(looker, clock.now), await openStage(looker, clock.now)]
  const stages = [first, second]
  const secrets = Object.entries(SECRET_STEPS).filter(([, { seenBy = [] }]) => !seenBy.includes(looker))
  const shared = { ...SHARED_STEPS, ...(looker === 'owner' ? { 'import an archive': importArchive } : {}) }
  const done: string[] = []
  const inBoth = async (act: (stage: Stage) => Promise<unknown>) => {
    for (const stage of stages) await act(stage)
  }
  if (chances.onceIn(2)) await inBoth(comeOrGo)
  await inBoth(openQueues)
  for (let step = 1; step <= settings.steps; step += 1) {
    clock.pass(1)
    const choice = chances.below(20)
    const own = seed * 1_000 + step
    if (choice < 11) {
      const [name, { play: keepSecret }] = chances.pick(secrets)
      const where = chances.pick([[first], [second], [first, second]])
      done.push(
        `${step}. secretly ${where.map((stage) => (stage === first ? 'here' : 'there')).join(' and ')}: ${name}`,
      )
      const isHeld = chances.onceIn(4)
      for (const stage of stages) {
        const act = async () => {
          if (where.includes(stage)) await keepSecret(stage, new Chances(own * 2 + stages.indexOf(stage)))
        }
        await (isHeld ? whileWaiting(stage, act) : act())
      }
    } else if (choice < 18) {
      const [name, act] = chances.pick(Object.entries(shared))
      done.push(`${step}. ${name}`)
      await inBoth((stage) => act(stage, new Chances(own)))
    } else if (choice === 18) {
      const seconds = chances.pick([60, 4_000, 90_000, 8 * 86_400])
      done.push(`${step}. ${seconds} seconds pass`)
      await inBoth(readQueues)
      if (seconds > STREAM_SILENCE) await inBoth(leaveStream)
      clock.pass(seconds)
      await inBoth((stage) => letTimePass(stage))
    } else {
      done.push(`${step}. X looks around`)
      await inBoth((stage) => askEverything(stage, new Chances(own), GLANCE))
    }
    if (chances.onceIn(4)) await inBoth(readQueues)
  }
  if (looker === 'owner') await inBoth((stage) => importArchive(stage, new Chances(seed)))
  await inBoth(readQueues)
  await inBoth(leaveStream)
  clock.pass(4_000)
  await inBoth((stage) => letTimePass(stage))
  await inBoth(readQueues)
  await inBoth(register)
  await inBoth((stage) => askEverything(stage, new Chances(seed), settings))
  await inBoth(readQueues)
  await inBoth(leaveStream)
  return {
    looker,
    done,
    questions: first.heard.length,
    streamed: first.heard.filter(({ asked }) => asked === STREAMED).length,
    secrets: first.secret.numbers + second.secret.numbers,
    difference: firstDifference(first, second),
  }
}

/** Registers in all the ways in which clients do. */
const REGISTRATIONS: readonly Fields[] = [
  {
    client_capabilities: ALL_CAPABILITIES,
    apply_markdown: true,
    include_subscribers: true,
    slim_presence: true,
  },
  { include_subscribers: 'partial', client_gravatar: false },
  { client_capabilities: ALL_CAPABILITIES, all_public_streams: true, apply_markdown: false },
  { narrow: [['is', 'dm']], event_types: ['message', 'update_message', 'delete_message', 'reaction'] },
  {
    narrow: [['channel', 'attic']],
    event_types: ['message', 'typing', 'presence', 'subscription', 'stream'],
  },
]

async function openQueues(stage: Stage): Promise<void> {
  for (const index of REGISTRATIONS.keys()) await openQueue(stage, index)
  await openStream(stage)
}

async function openQueue(stage: Stage, index: number): Promise<void> {
  const fields = { queue_lifespan_secs: 86_400, ...REGISTRATIONS[index] }
  const answer = await askAsX(stage, `register ${index}`, { method: 'POST', path: '/register', fields })
  stage.queues[index] = { id: fromJson(answer).queue_id, lastEventId: -1 }
}

/** Registers queues that nobody reads, to compare their snapshots. */
async function register(stage: Stage): Promise<void> {
  for (const [index, fields] of REGISTRATIONS.slice(0, 2).entries()) {
    await askAsX(stage, `register ${index} again`, { method: 'POST', path: '/register', fields })
  }
}

async function readQueues(stage: Stage): Promise<void> {
  for (const index of stage.queues.keys()) await readQueue(stage, index, { dont_block: true })
  await readStream(stage)
}

/** The name under which stream events are recorded, each on its own, since the moment decides how many share a frame. */
const STREAMED = 'an event of the stream'

/** The cursor of the first queue when a stream's queue began: earlier events never come over the stream. */
const beginnings = new WeakMap<TestQueue, number>()

/** Opens the stream on a queue of its own, from where that begins; or on the queue that it was on, from its cursor. */
async function openStream(stage: Stage, before?: TestStream): Promise<void> {
  const queue = before?.queue ?? (await registerStream(stage))
  const cursor = { queue_id: queue.id, last_event_id: String(queue.lastEventId) }
  const { webSocket, status } = await askForStream(stage.x.api, cursor)
  stage.heard.push({ asked: 'open the stream', answer: String(status) })
  if (!webSocket) {
    if (before) return openStream(stage)
    throw new Error(`X could not open a stream: ${status}`)
  }
  stage.stream = new TestStream(webSocket, queue)
}

async function registerStream(stage: Stage): Promise<TestQueue> {
  const fields = { queue_lifespan_secs: 86_400, ...REGISTRATIONS[0] }
  const answer = await askAsX(stage, 'register for the stream', { method: 'POST', path: '/register', fields })
  const queue = new TestQueue(stage.x, fromJson(answer))
  beginnings.set(queue, stage.queues[0]!.lastEventId)
  return queue
}

/** Reads up to the position of the first queue, which gets the same events by polls. */
async function readStream(stage: Stage): Promise<void> {
  if (stage.stream?.isLeft) await openStream(stage, stage.stream)
  const upTo = stage.queues[0]!.lastEventId
  const reached = ({ queue }: TestStream) => Math.max(queue.lastEventId, beginnings.get(queue)!)
  while (reached(stage.stream!) < upTo) {
    const { stream } = stage
    try {
      for (const event of await stream!.next()) {
        stage.heard.push({ asked: STREAMED, answer: JSON.stringify(event) })
      }
      if (stream!.socket.readyState === WebSocket.OPEN) stream!.acknowledge()
    } catch (error) {
      if (!(error instanceof StreamClosed)) throw error
      stage.heard.push({ asked: 'the stream is closed', answer: String(error.code) })
      await openStream(stage, stream)
    }
  }
}

/**
 * X goes away, and comes back to the same queue at its next read, if the queue still exists. (A client that stays connected
 * and is silent is disconnected by the next housekeeping of the organization, which is within five minutes.)
 */
async function leaveStream({ stream }: Stage): Promise<void> {
  if (!stream || stream.isLeft) return
  stream.close()
  await stream.closed()
}

async function readQueue(stage: Stage, index: number, more: Fields = {}): Promise<void> {
  const queue = stage.queues[index]!
  const fields = { queue_id: queue.id, last_event_id: queue.lastEventId, ...more }
  const { events } = fromJson(await askAsX(stage, `events of queue ${index}`, { path: '/events', fields }))
  // The queue has expired.
  if (!events) await openQueue(stage, index)
  else queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId
}

/** Lets X poll while `act` runs; only what Ann does afterwards ends the poll. */
async function whileWaiting(stage: Stage, act: () => Promise<unknown>): Promise<void> {
  await readQueue(stage, 0, { dont_block: true })
  // Polls are answered at once, however busy the queue is.
  world.busyQueueMs = 0
  const before = world.pollsHeld
  const poll = readQueue(stage, 0)
  while (world.pollsHeld === before) await scheduler.wait(1)
  await act()
  expectSuccess(await stage.ann.api.post('/typing', { op: 'start', to: [stage.x.id] }))
  await poll
}
