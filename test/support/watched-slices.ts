import { vi } from 'vitest'
import { fairScheduler } from '../../src/core/fair-scheduler.ts'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'

/**
 * Makes a request that the object answers in several turns, and runs a function in each but the last. Returns the answer, the number of these
 * turns, and the largest number of rows that a turn has read. The object must not be evicted meanwhile.
 */
export async function inWatchedSlices<Answer>(
  realm: TestRealm,
  ask: () => Promise<Answer>,
  during: (turn: number) => Promise<unknown> = async () => {},
): Promise<{ readonly answer: Answer; readonly turns: number; readonly most: number }> {
  let [turns, most, before] = [0, 0, 0]
  let rows = () => 0
  let isActing = false
  /** Gives others a turn. Their work may take several turns itself. */
  const pass = async (turn: () => Promise<void>) => {
    if (isActing) return turn()
    turns += 1
    most = Math.max(most, rows() - before)
    isActing = true
    await during(turns)
    isActing = false
    await turn()
    before = rows()
  }
  await inRealm(realm, ({ parts: { sql } }) => {
    rows = () => sql.counts.read
    before = rows()
  })
  const reserve = fairScheduler.reserve.bind(fairScheduler)
  vi.spyOn(fairScheduler, 'reserve').mockImplementation((...asked) => {
    const place = reserve(...asked)
    return { ...place, turn: (work) => pass(() => place.turn(work)) }
  })
  const answer = await ask()
  vi.mocked(fairScheduler.reserve).mockRestore()
  await inRealm(realm, ({ parts: { sql } }) => {
    most = Math.max(most, sql.counts.read - before)
  })
  return { answer, turns, most }
}
