import { expect, it } from 'vitest'
import { inRealm } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useRealm } from '../support/use-realm.ts'

// All of it is in one life of the object.
neverEvict()
const { realm } = useRealm()

const [WALKS, PARTS] = [4, 5]

it('parts of long work that came together begin one by one, with others between', async () => {
  const turns = await inRealm(realm, async ({ parts }) => {
    /** Turns of another user. */
    let others = 0
    let isOver = false
    const elsewhere = async () => {
      for (; !isOver; others += 1) await scheduler.wait(0)
    }
    const begun: number[] = []
    const walk = async () => {
      for (let part = 0; part < PARTS; part += 1) {
        await parts.pause()
        begun.push(others)
      }
    }
    const other = elsewhere()
    await Promise.all(Array.from({ length: WALKS }, walk))
    isOver = true
    await other
    return begun
  })
  expect(turns).toHaveLength(WALKS * PARTS)
  expect(new Set(turns).size).toBe(WALKS * PARTS)
})
