import { describe, expect, it } from 'vitest'
import { thoseAmong, thoseMissing } from '../../src/core/ascending-ids.ts'

describe('ids of an ascending list', () => {
  it.each([
    { list: [1, 3, 5, 9], others: [9, 4, 3, 3, 12], among: [3, 9] },
    { list: [1, 3, 5], others: [], among: [] },
    { list: [], others: [1], among: [] },
    { list: [2, 4_294_967_296], others: [4_294_967_296, 1], among: [4_294_967_296] },
  ])('$list are among $others', ({ list, others, among }) => {
    expect(thoseAmong(list, others)).toEqual(among)
  })

  it.each([
    { list: [1, 3, 5, 9], others: [0, 3, 4, 9, 12], missing: [1, 5] },
    { list: [1, 3], others: [], missing: [1, 3] },
    { list: [], others: [1], missing: [] },
  ])('$list are missing in $others', ({ list, others, missing }) => {
    expect(thoseMissing(list, others)).toEqual(missing)
  })
})
