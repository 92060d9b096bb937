import { runAlarms } from './alarms.ts'
import type { TestRealm } from './factories.ts'
import { dumpRealm, locationsWith } from './stores.ts'
import { DAY } from './times.ts'
import { world } from './world.ts'

let marks = 0
/** Returns a unique word. */
export function newMark(what: string): string {
  marks += 1
  return `zq${what}${marks}${crypto.randomUUID().slice(0, 8)}qz`
}

/** Moves the clock in steps, from one due job to the next. */
export async function pass(realm: TestRealm, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= DAY) {
    world.clockOffset += Math.min(left, DAY)
    await runAlarms(realm, 3, 2)
  }
}

/** Returns the tables, and the prefixes in R2, that contain a text. */
export async function locationsOf(realm: TestRealm, mark: string): Promise<string[]> {
  const locations = locationsWith(await dumpRealm(realm), mark).map((location) =>
    location.split(/[ /]/).slice(0, 2).join(' '),
  )
  return [...new Set(locations)].sort()
}
