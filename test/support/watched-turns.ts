import { vi } from 'vitest'
import { WALK_BUDGETS } from '../../src/core/budgets.ts'
import { workGate } from '../../src/core/work-gate.ts'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'

/**
 * Asks for something that the object finds in several turns, and acts in each of them besides the last. Returns the answer, the number of
 * these turns, and the most rows that one of all has read. The object must not be evicted meanwhile.
 */
export async function inWatchedTurns<Answer>(
  realm: TestRealm,
  ask: () => Promise<Answer>,
  during: (turn: number) => Promise<unknown> = async () => {},
): Promise<{ readonly answer: Answer; readonly turns: number; readonly most: number }> {
  let [turns, most, before] = [0, 0, 0]
  let rows = () => 0
  /** Lets others have a turn. */
  const pass = async (turn: () => Promise<void>) => {
    turns += 1
    most = Math.max(most, rows() - before)
    await during(turns)
    await turn()
    before = rows()
  }
  await inRealm(realm, ({ parts: { walks, sql } }) => {
    walks.budgets = WALK_BUDGETS
    rows = () => sql.counts.read
    before = rows()
    const of = Object.getPrototypeOf(walks).of as typeof walks.of
    walks.of = (userId) => {
      const own = of.call(walks, userId)
      return {
        ...own,
        turn: () => pass(() => own.turn()),
      }
    }
  })
  const reserve = workGate.reserve.bind(workGate)
  vi.spyOn(workGate, 'reserve').mockImplementation((owner) => {
    const place = reserve(owner)
    return { ...place, turn: (work) => pass(() => place.turn(work)) }
  })
  const answer = await ask()
  vi.mocked(workGate.reserve).mockRestore()
  await inRealm(realm, ({ parts: { walks, sql } }) => {
    most = Math.max(most, sql.counts.read - before)
    // The method of all lanes is back.
    Reflect.deleteProperty(walks, 'of')
  })
  return { answer, turns, most }
}
