/**
 * How long a collection of memory takes in a bare Worker that keeps as much as Parley's object. workerd has V8's incremental marking switched
 * off, so a collection of all memory looks at everything in one go, whoever's turn it falls into.
 */
import type { BareKeeper } from './bare/start-bare.ts'
import { openInspectorAt } from './inspector.ts'
import { profiled } from './profile.ts'
import { longestCollection, SAMPLE_EVERY_MICROSECONDS } from './turns.ts'

/** After so many, each of which replaces a megabyte, all memory was collected several times. */
const REQUESTS = 400

/** Milliseconds between two looks at how many there were. */
const LOOK_EVERY_MS = 20

const MEGABYTE = 2 ** 20

/** @param bytes what the Worker keeps. @returns the longest collection, in milliseconds of the processor. */
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
  // An isolate answers its inspector when it next has something to do.
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
