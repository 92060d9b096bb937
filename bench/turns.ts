/**
 * Measures how long the realm object and the Worker worked without a pause. Here they share one thread, so everybody waits for
 * both. On the platform they are separate: a turn of the object delays the whole organization, and a turn of the Worker only
 * requests in the same isolate.
 */
import { MAIN_MODULE } from '../scripts/build.ts'
import type { SourcesOfBundle } from '../scripts/sources-of-bundle.ts'
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
  /** How much of the object's longest turn V8 collected memory, which is whoever's turn it falls into. */
  readonly collection: number
}

type Side = 'object' | 'worker'

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

export async function watchTurns<Result>(
  inspector: Inspector,
  sources: SourcesOfBundle,
  work: () => Promise<Result>,
): Promise<{ turns: LongestTurns; result: Result }> {
  const { profile, result } = await profiled(inspector, SAMPLE_EVERY_MICROSECONDS, work)
  return { turns: longestTurns(profile, sources), result }
}

/** The side whose code a sample shows; `either` for code that both use. */
type Seen = Side | 'either' | undefined

/** Returns the longest turn of each side. Code that both use counts for the side that was at work before. */
function longestTurns({ nodes, samples, timeDeltas }: CpuProfile, sources: SourcesOfBundle): LongestTurns {
  const seen = sidesOfNodes(nodes, sources)
  const collecting = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === COLLECTION).map(({ id }) => id),
  )
  const longest = { object: 0, worker: 0, collection: 0 }
  let at: Side | undefined
  let lasted = 0
  let collected = 0
  for (const [index, id] of samples.entries()) {
    const now = seen.get(id)
    const side = now === 'either' ? at : now
    if (side !== at || (timeDeltas[index] ?? 0) / 1_000 > PAUSE_MS) {
      lasted = 0
      collected = 0
    }
    at = side
    // The time of a sample is known when the next one comes.
    const took = Math.min((timeDeltas[index + 1] ?? 0) / 1_000, MAX_SAMPLE_MS)
    lasted += took
    if (collecting.has(id)) collected += took
    if (side && lasted > longest[side]) {
      longest[side] = lasted
      if (side === 'object') longest.collection = collected
    }
  }
  return longest
}

/** Returns the owner of each node's stack: the outermost function of this project decides. */
function sidesOfNodes(nodes: CpuProfile['nodes'], sources: SourcesOfBundle): Map<number, Seen> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const seen = new Map<number, Seen>()
  const visit = (id: number, above: Seen): void => {
    const { callFrame, children = [] } = byId.get(id)!
    const own = above === 'object' || above === 'worker' ? above : sideOf(callFrame, sources)
    seen.set(id, own)
    for (const child of children) visit(child, own)
  }
  visit(nodes[0]!.id, undefined)
  return seen
}

/** The profiler's name for a collection of memory. */
const COLLECTION = '(garbage collector)'

/** Functions in which nothing is done, or which the runtime does for nobody in particular. */
const NOBODYS = new Set(['(root)', '(program)', '(idle)'])

function sideOf(
  { functionName, url, lineNumber, columnNumber }: CpuProfile['nodes'][number]['callFrame'],
  sources: SourcesOfBundle,
): Seen {
  if (NOBODYS.has(functionName)) return undefined
  const source = url.endsWith(MAIN_MODULE) ? sources.placeOf(lineNumber, columnNumber)?.file : undefined
  if (source === undefined) return 'either'
  if (/^src\/(http|endpoints|images)\/|^src\/(dev\/)?worker\.ts|\/in-worker\//.test(source)) return 'worker'
  return /^src\/(realm|domain|dev)\//.test(source) ? 'object' : 'either'
}
