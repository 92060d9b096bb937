/**
 * Measures how long the realm object and the Worker worked without a pause. Here they share one thread, so everybody waits for
 * both. On the platform they are separate: a turn of the object delays the whole organization, and a turn of the Worker only
 * requests in the same isolate.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWorker } from '../scripts/build.ts'
import { PAUSE_BETWEEN_WALKS_MS } from '../src/core/budgets.ts'
import type { Inspector } from './inspector.ts'
import { type CpuProfile, profiled } from './profile.ts'

/**
 * Milliseconds of the processor: as many as there are samples in a turn, each with the time until the next one, or `MAX_SAMPLE_MS`
 * where that comes late. Turns that follow at once count as one, if no other sample was taken between them.
 */
export interface LongestTurns {
  readonly object: number
  readonly worker: number
}

type Side = keyof LongestTurns

const SAMPLE_EVERY_MICROSECONDS = 500

/**
 * A sample that comes later than this was not late by the work of this isolate: meanwhile its thread worked for another one, such as
 * the local D1, or waited for the disk, or had no processor. All of that once counted as a turn of 1.4 s.
 */
const MAX_SAMPLE_MS = 1

/**
 * Milliseconds without a sample after which a new turn has begun: less than the shortest pause of work that pauses
 * (PAUSE_BETWEEN_WALKS_MS), or two of its turns would count as one.
 */
const PAUSE_MS = PAUSE_BETWEEN_WALKS_MS - 2

/** The source file of each line of the bundle, counted from 0. */
export type LineSources = readonly (string | undefined)[]

/** Returns the source file of each line of the Worker. The bundler names each file above the code that it took from it. */
export async function linesOfWorker(): Promise<LineSources> {
  const { folder, modules } = await buildWorker('local')
  let source: string | undefined
  return readFileSync(join(folder, modules[0]!.path), 'utf8')
    .split('\n')
    .map((line) => {
      source = /^ *\/\/ ((?:src|node_modules)\/\S+)$/.exec(line)?.[1] ?? source
      return source
    })
}

export async function watchTurns<Result>(
  inspector: Inspector,
  lines: LineSources,
  work: () => Promise<Result>,
): Promise<{ turns: LongestTurns; result: Result }> {
  const { profile, result } = await profiled(inspector, SAMPLE_EVERY_MICROSECONDS, work)
  return { turns: longestTurns(profile, lines), result }
}

/** The side whose code a sample shows; `either` for code that both use. */
type Seen = Side | 'either' | undefined

/** Returns the longest turn of each side. Code that both use counts for the side that was at work before. */
function longestTurns({ nodes, samples, timeDeltas }: CpuProfile, lines: LineSources): LongestTurns {
  const seen = sidesOfNodes(nodes, lines)
  const longest = { object: 0, worker: 0 }
  let at: Side | undefined
  let lasted = 0
  for (const [index, id] of samples.entries()) {
    const now = seen.get(id)
    const side = now === 'either' ? at : now
    if (side !== at || (timeDeltas[index] ?? 0) / 1_000 > PAUSE_MS) lasted = 0
    at = side
    // The time of a sample is known when the next one comes.
    lasted += Math.min((timeDeltas[index + 1] ?? 0) / 1_000, MAX_SAMPLE_MS)
    if (side) longest[side] = Math.max(longest[side], lasted)
  }
  return longest
}

/** Returns the owner of each node's stack: the outermost function of this project decides. */
function sidesOfNodes(nodes: CpuProfile['nodes'], lines: LineSources): Map<number, Seen> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const seen = new Map<number, Seen>()
  const visit = (id: number, above: Seen): void => {
    const { callFrame, children = [] } = byId.get(id)!
    const own = above === 'object' || above === 'worker' ? above : sideOf(callFrame, lines)
    seen.set(id, own)
    for (const child of children) visit(child, own)
  }
  visit(nodes[0]!.id, undefined)
  return seen
}

/** Functions in which nothing is done, or which the runtime does for nobody in particular. */
const NOBODYS = new Set(['(root)', '(program)', '(idle)'])

function sideOf(
  { functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame'],
  lines: LineSources,
): Seen {
  if (NOBODYS.has(functionName)) return undefined
  const source = url.endsWith('worker.js') ? lines[lineNumber] : undefined
  if (source === undefined) return 'either'
  if (/^src\/(http|endpoints|images)\/|^src\/(dev\/)?worker\.ts|\/in-worker\//.test(source)) return 'worker'
  return /^src\/(realm|domain|dev)\//.test(source) ? 'object' : 'either'
}
