/**
 * `npm run bench -- --profile`: profiles the functions while a hundred members of a channel listen by long polls
 * and one of them writes now and then; while sixteen write as fast as they can and nobody listens; while one writes and ten listen by event
 * streams; and while sixteen read pages of a hundred messages.
 */
import { encodeFields } from '../scripts/api-client.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { type Ask, saturate } from './http-load.ts'
import { openInspector } from './inspector.ts'
import { loadOfPolls, parleyListeners, sendBy } from './listening.ts'
import type { BenchOrganization } from './organization.ts'
import { type CpuProfile, profiled } from './profile.ts'

export interface FunctionShare {
  /** `name:line` in the bundle. */
  readonly name: string
  /** Shares of all samples, 0 to 1: in the function itself, and in it or in functions that it calls. */
  readonly self: number
  readonly inclusive: number
}

export interface BusyPolls {
  /** Share of the time, 0 to 1, in which the isolate did nothing. */
  readonly idle: number
  readonly functions: readonly FunctionShare[]
}

const SAMPLE_EVERY_MICROSECONDS = 200
const IDLE = '(idle):0'

/** The server must have been started with an inspector. */
export async function profileBusyPolls(
  server: LocalServer,
  organization: BenchOrganization,
): Promise<BusyPolls> {
  const inspector = await openInspector(server)
  try {
    // Runs once without the profiler, so that all code is compiled.
    await loadOfPolls(organization)
    let profile: CpuProfile | undefined
    await loadOfPolls(organization, async (load) => {
      profile = (await profiled(inspector, SAMPLE_EVERY_MICROSECONDS, load)).profile
    })
    return sharesOf(profile!)
  } finally {
    inspector.stop()
  }
}

const SENDERS = 16
const SENDS = 3_000

export async function profileSends(server: LocalServer, organization: BenchOrganization): Promise<BusyPolls> {
  const inspector = await openInspector(server)
  try {
    let lane = 0
    const send = async () => {
      await saturate(SENDERS, 0, () => sendBy(organization, 100, lane++ % SENDERS), SENDS)
    }
    await send()
    return sharesOf((await profiled(inspector, SAMPLE_EVERY_MICROSECONDS, send)).profile)
  } finally {
    inspector.stop()
  }
}

const STREAMS = 10
const SENDS_BY_ONE = 1_000

/** Profiles one sender, with ten members of its channel, who listen by event streams. */
export async function profileStreams(
  server: LocalServer,
  organization: BenchOrganization,
): Promise<BusyPolls> {
  const inspector = await openInspector(server)
  const listeners = await parleyListeners(organization, STREAMS, 'streams')
  try {
    const send = async () => {
      await saturate(1, 0, () => sendBy(organization, STREAMS, 0), SENDS_BY_ONE)
    }
    await send()
    return sharesOf((await profiled(inspector, SAMPLE_EVERY_MICROSECONDS, send)).profile)
  } finally {
    await listeners.stop()
    inspector.stop()
  }
}

const READERS = 16
const PAGES = 1_000

export async function profilePages(server: LocalServer, organization: BenchOrganization): Promise<BusyPolls> {
  const inspector = await openInspector(server)
  const { url, channels, speaker } = organization
  const narrow = [['channel', String(channels[10])]]
  const fields = encodeFields({ anchor: 'newest', num_before: 100, narrow })
  const page: Ask = {
    method: 'GET',
    url: `${url}/api/v1/messages?${fields}`,
    headers: speaker.authorization,
  }
  try {
    const read = async () => {
      await saturate(READERS, 0, () => page, PAGES)
    }
    await read()
    return sharesOf((await profiled(inspector, SAMPLE_EVERY_MICROSECONDS, read)).profile)
  } finally {
    inspector.stop()
  }
}

/** Returns the shares of functions in the time that was not idle, the largest first. */
function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): BusyPolls {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'}:${lineNumber + 1}`,
    ]),
  )
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const self = new Map<string, number>()
  const inclusive = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, time: number) =>
    to.set(name, (to.get(name) ?? 0) + time)
  let [total, idle] = [0, 0]
  for (const [at, id] of samples.entries()) {
    const time = timeDeltas[at]!
    total += time
    const own = names.get(id)!
    if (own === IDLE) idle += time
    add(self, own, time)
    const callers = new Set<string>()
    for (let node: number | undefined = id; node !== undefined; node = parents.get(node)) {
      callers.add(names.get(node)!)
    }
    for (const name of callers) add(inclusive, name, time)
  }
  const busy = total - idle
  const functions = [...inclusive]
    .map(([name, time]) => ({ name, self: (self.get(name) ?? 0) / busy, inclusive: time / busy }))
    .filter(({ name }) => name !== IDLE)
    .sort((a, b) => b.self - a.self || b.inclusive - a.inclusive)
  return { idle: idle / total, functions }
}
