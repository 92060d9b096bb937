/**
 * Measures how long the realm object and the Worker worked without a pause. On the platform they are separate: a turn of the object delays
 * the whole organization, and a turn of the Worker only requests in the same isolate. In one process they share a thread, so everybody
 * waits for both.
 */
import type { Inspector } from './inspector.ts'
import { type CpuProfile, profiled } from './profile.ts'

/**
 * Milliseconds of the processor: as many as there are samples in a turn, each with the time until the next one, or `MAX_SAMPLE_MS`
 * where that comes late. Turns that follow at once count as one, if no sample of the other side was taken between them on the same thread.
 */
export interface LongestSlices {
  readonly object: number
  readonly worker: number
  /** The part of the object's longest turn in which V8 collected garbage, which may fall into any turn. */
  readonly collection: number
  /** The object's longest turn without collections of memory. */
  readonly objectAlone: number
}

type Side = 'object' | 'worker'

export const SAMPLE_EVERY_MICROSECONDS = 500

/**
 * A sample that is later than this was not delayed by this isolate: its thread worked for another one, such as the local D1, waited for the
 * disk, or had no processor.
 */
const MAX_SAMPLE_MS = 1

/**
 * Milliseconds without a sample after which a new turn has begun: meanwhile the isolate waited for D1 or paused. A turn that gets no
 * processor for that long counts as two, which is rare on an idle machine.
 */
const PAUSE_MS = 2

/** The inspectors of a server whose objects are apart. */
export type Sides = Readonly<Record<Side, Inspector>>

/** @param shareThread whether Worker and object are in one process. */
export async function watchSlices<Result>(
  sides: Sides,
  shareThread: boolean,
  work: () => Promise<Result>,
): Promise<{ turns: LongestSlices; result: Result }> {
  const ofWorker = await profiled(sides.worker, SAMPLE_EVERY_MICROSECONDS, () =>
    profiled(sides.object, SAMPLE_EVERY_MICROSECONDS, work),
  )
  const { profile, result } = ofWorker.result
  const samples = [...samplesOf('worker', ofWorker.profile), ...samplesOf('object', profile)]
  return { turns: shareThread ? longestSlices(samples) : longestOfEach(samples), result }
}

/** Returns turns, limited by the longest time for which the object is known to have made others wait. */
export function slicesWithin(turns: LongestSlices, longestSilenceMs: number): LongestSlices {
  const object = Math.min(turns.object, longestSilenceMs)
  return { ...turns, object, objectAlone: Math.min(turns.objectAlone, object) }
}

interface Sample {
  readonly side: Side
  /** Milliseconds, by the clock of both profiles. */
  readonly at: number
  /** Milliseconds until the next sample of this side. */
  readonly took: number
  readonly isCollection: boolean
  /** Whether the isolate was idle, or the runtime did work of its own. */
  readonly isNobodys: boolean
}

function longestOfEach(samples: readonly Sample[]): LongestSlices {
  const of = (side: Side) => longestSlices(samples.filter((sample) => sample.side === side))
  return { ...of('object'), worker: of('worker').worker }
}

/** Returns the longest turn of each side: consecutive samples without one of the other side in between. */
function longestSlices(unsorted: readonly Sample[]): LongestSlices {
  const samples = unsorted.toSorted((one, other) => one.at - other.at)
  const longest = { object: 0, worker: 0, collection: 0, objectAlone: 0 }
  let before: Sample | undefined
  let lasted = 0
  let collected = 0
  for (const sample of samples) {
    const { side, at, took } = sample
    if (side !== before?.side || at - before.at > PAUSE_MS || sample.isNobodys) lasted = collected = 0
    before = sample
    if (sample.isNobodys) continue
    lasted += took
    if (sample.isCollection) collected += took
    if (lasted > longest[side]) {
      longest[side] = lasted
      if (side === 'object') longest.collection = collected
    }
    if (side === 'object') longest.objectAlone = Math.max(longest.objectAlone, lasted - collected)
  }
  return longest
}

/** Returns the longest collection of memory, in milliseconds of the processor. */
export function longestCollection(profile: CpuProfile): number {
  let longest = 0
  let lasted = 0
  for (const { isCollection, took } of samplesOf('object', profile)) {
    lasted = isCollection ? lasted + took : 0
    longest = Math.max(longest, lasted)
  }
  return longest
}

/** The profiler's name for a collection of memory. */
const COLLECTION = '(garbage collector)'

/** Functions in which the isolate is idle, or the runtime does work of its own. */
const NOBODYS = new Set(['(root)', '(program)', '(idle)'])

function* samplesOf(side: Side, { nodes, samples, timeDeltas, startTime }: CpuProfile): Generator<Sample> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]))
  let at = startTime / 1_000
  for (const [index, id] of samples.entries()) {
    at += (timeDeltas[index] ?? 0) / 1_000
    const name = names.get(id)!
    // The next sample tells the length of the last.
    const took = Math.min((timeDeltas[index + 1] ?? 0) / 1_000, MAX_SAMPLE_MS)
    yield { side, at, took, isCollection: name === COLLECTION, isNobodys: NOBODYS.has(name) }
  }
}
