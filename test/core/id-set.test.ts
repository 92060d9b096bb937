import { expect, it } from 'vitest'
import { IdSet } from '../../src/core/id-set.ts'

/** Numbers that are the same in each run. */
function draws(): (below: number) => number {
  let state = 7
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % below
  }
}

it('sets of ids are combined as sets, in whichever form they are kept', () => {
  const draw = draws()
  const some = () => {
    const [count, highest] = [draw(draw(2) ? 5 : 300), [5, 40, 100, 1_000, 2 ** 23][draw(5)]!]
    return new Set(Array.from({ length: count }, () => draw(highest) * (draw(50) === 0 ? 500 : 1)))
  }
  const ascending = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b)
  for (let round = 0; round < 500; round += 1) {
    const [one, other] = [some(), some()]
    const [first, second] = [IdSet.of(one), IdSet.of(other)]
    const combined = [
      { found: first.or(second), ids: [...new Set([...one, ...other])] },
      { found: first.and(second), ids: [...one].filter((id) => other.has(id)) },
      { found: first.andNot(second), ids: [...one].filter((id) => !other.has(id)) },
    ]
    for (const { found, ids } of combined) {
      expect([...found]).toEqual(ascending(ids))
      expect(found.size).toBe(ids.length)
      // Those that have the same ids are the same bytes.
      expect(found.toBytes()).toEqual(IdSet.of(ids).toBytes())
      expect(IdSet.fromBytes(found.toBytes().slice().buffer).toArray()).toEqual(ascending(ids))
      const [known, asked] = [new Set(ids), [...one, ...other, 3]]
      expect(asked.filter((id) => found.has(id) !== known.has(id))).toEqual([])
    }
  }
})

it('numbers that cannot be ids are in no set', () => {
  for (const id of [-1, 0.5, Number.NaN, 2 ** 32, 2 ** 53]) {
    expect(IdSet.of([1, id]).toArray()).toEqual([1])
    expect(IdSet.of(Array.from({ length: 100 }, (_, at) => at)).has(id)).toBe(false)
    expect(IdSet.of([1, 100_000]).has(id)).toBe(false)
  }
})

it('ten thousand ids of accounts take less than two kilobytes', () => {
  expect(IdSet.of(Array.from({ length: 10_000 }, (_, at) => at + 1)).bytes).toBeLessThan(2_000)
})
