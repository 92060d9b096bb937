/**
 * How long the realm object, and how long the Worker, worked without a pause. Here they share one thread, so whoever waits, waits for
 * both; on the platform they are apart: only a turn of the object holds a whole organization, and one of the Worker those whose
 * requests are in the same isolate.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWorker } from '../scripts/build.ts'
import type { Inspector } from './inspector.ts'
import { processorMs } from './processor-time.ts'
import { type CpuProfile, profiled } from './profile.ts'

/**
 * In ms of the processor, as far as the machine's other work lets one tell: of the time in which a turn went on, the part that the server
 * had a processor for on the whole. Turns between which nothing else was seen count as one.
 */
export interface LongestTurns {
  readonly object: number
  readonly worker: number
}

type Side = keyof LongestTurns

const SAMPLE_EVERY_MICROSECONDS = 500

/** Of each line of the bundle, from 0, the file that it came from. */
export type LineSources = readonly (string | undefined)[]

/** The bundler names each file above what it took from it. */
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
  pid: number,
  lines: LineSources,
  work: () => Promise<Result>,
): Promise<{ turns: LongestTurns; result: Result }> {
  const before = processorMs(pid)
  const { profile, result } = await profiled(inspector, SAMPLE_EVERY_MICROSECONDS, work)
  const had = Math.min((processorMs(pid) - before) / busyMs(profile), 1)
  const { object, worker } = longestTurns(profile, lines)
  return { turns: { object: object * had, worker: worker * had }, result }
}

/** The time in which the isolate had something to do, with or without a processor. */
function busyMs({ nodes, samples, timeDeltas }: CpuProfile): number {
  const idle = new Set(
    nodes.flatMap(({ id, callFrame }) => (callFrame.functionName === '(idle)' ? [id] : [])),
  )
  return samples.reduce((sum, id, at) => sum + (idle.has(id) ? 0 : (timeDeltas[at + 1] ?? 0) / 1_000), 0)
}

/** `either`: what both use goes with whoever was at work before. Undefined: neither was. */
type Seen = Side | 'either' | undefined

export function longestTurns({ nodes, samples, timeDeltas }: CpuProfile, lines: LineSources): LongestTurns {
  const seen = sidesOfNodes(nodes, lines)
  const longest = { object: 0, worker: 0 }
  let at: Side | undefined
  let lasted = 0
  for (const [index, id] of samples.entries()) {
    const now = seen.get(id)
    const side = now === 'either' ? at : now
    if (side !== at) lasted = 0
    at = side
    // How long it was there is known from when the next sample came.
    lasted += (timeDeltas[index + 1] ?? 0) / 1_000
    if (side) longest[side] = Math.max(longest[side], lasted)
  }
  return longest
}

/** Whose a stack is, its outermost function of this project says. */
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

/** Nothing is done there, or by the runtime for anybody. */
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
