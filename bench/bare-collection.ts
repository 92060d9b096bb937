/**
 * How long a collection of memory takes in a bare Worker that keeps as much as Parley's object. workerd has V8's incremental marking switched
 * off, so a collection of all memory looks at everything in one go, whose turn ever it falls into.
 */
import type { BareKeeper } from './bare/start-bare.ts'
import { openInspectorAt } from './inspector.ts'
import { profiled } from './profile.ts'
import { longestCollection, SAMPLE_EVERY_MICROSECONDS } from './turns.ts'

/** Requests, of each of which a megabyte is garbage. */
const REQUESTS = 400

const MEGABYTE = 2 ** 20

/** @param bytes what the Worker keeps. @returns the longest collection, in milliseconds of the processor. */
export async function longestBareCollection(
  { url, inspectorUrl }: BareKeeper,
  bytes: number,
): Promise<number> {
  const ask = async (query = '') => (await fetch(`${url}/${query}`)).arrayBuffer()
  await ask(`?keep=${Math.round(bytes / MEGABYTE)}`)
  const inspector = await openInspectorAt(inspectorUrl)
  const { profile } = await profiled(inspector, SAMPLE_EVERY_MICROSECONDS, async () => {
    for (let asked = 0; asked < REQUESTS; asked += 1) await ask()
  })
  inspector.stop()
  return longestCollection(profile)
}
