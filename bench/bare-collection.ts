/**
 * Measures how long a garbage collection takes in a bare Worker with as much memory as Parley's object. workerd turns V8's incremental
 * marking off, so a full collection marks everything in one go, in whichever turn it falls.
 */
import type { BareKeeper } from './bare/start-bare.ts'
import { openInspectorAt } from './inspector.ts'
import { profiled } from './profile.ts'
import { longestCollection, SAMPLE_EVERY_MICROSECONDS } from './slices.ts'

/** The number of requests, each of which replaces a megabyte, after which there were several full collections. */
const REQUESTS = 400

/** Milliseconds between two checks of that number. */
const LOOK_EVERY_MS = 20

const MEGABYTE = 2 ** 20

/** @param bytes the memory that the Worker holds. @returns the longest collection, in milliseconds of the processor. */
export async function longestBareCollection(
  { url, inspectorUrl }: BareKeeper,
  bytes: number,
): Promise<number> {
  const keep = Math.round(bytes / MEGABYTE)
  let asked = 0
  let isOver = false
  const askAllTheTime = async () => {
    for (; !isOver; asked += 1) await (await fetch(`${url}/?keep=${keep}`)).arrayBuffer()
  }
  // An isolate answers its inspector only when it has work.
  const asking = askAllTheTime()
  const inspector = await openInspectorAt(inspectorUrl)
  const { profile } = await profiled(inspector, SAMPLE_EVERY_MICROSECONDS, async () => {
    while (asked < REQUESTS) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  })
  isOver = true
  await asking
  inspector.stop()
  return longestCollection(profile)
}
