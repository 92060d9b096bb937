import { world } from './world.ts'

/** Counts the calls to realm objects from now on; returns the count. */
export function interceptedCalls(): () => number {
  let calls = 0
  const before = world.reach
  world.reach = (call, kind) => {
    calls += 1
    return before(call, kind)
  }
  return () => calls
}
