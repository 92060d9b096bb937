import { describe, expect, it } from 'vitest'
import { firstDifference } from './non-interference/comparison.ts'

/* What non-interference.long.test.ts counts as equal, and what as a difference. */
describe('what is compared', () => {
  const heard = (...answers: object[]) => ({
    realm: { id: 7, host: 'castle.test' },
    heard: answers.map((answer) => ({
      asked: 'something',
      answer: `200\netag: 1\n${JSON.stringify(answer)}`,
    })),
  })
  const SAME: [string, object[], object[]][] = [
    ['gaps between ids', [{ ids: [12_000_001, 12_000_002] }], [{ ids: [12_000_001, 12_000_009] }]],
    [
      'which ids they are',
      [{ id: 11_000_001 }, { of: 11_000_002 }],
      [{ id: 11_000_004 }, { of: 11_000_007 }],
    ],
  ]
  it.each(SAME)('is not %s', (_name, one, other) => {
    expect(firstDifference(heard(...one), heard(...other))).toBeUndefined()
  })

  const DIFFERENT: [string, object[], object[], string][] = [
    ['the order of ids', [{ ids: [12_000_001, 12_000_002] }], [{ ids: [12_000_002, 12_000_001] }], 'ids.0'],
    [
      'which of them is meant',
      [{ ids: [12_000_001, 12_000_002], to: 12_000_001 }],
      [{ ids: [12_000_001, 12_000_002], to: 12_000_002 }],
      'to',
    ],
    ['an id more', [{ ids: [12_000_001] }], [{ ids: [12_000_001, 12_000_002] }], 'ids.1'],
    ['a key more', [{ a: { b: 1 } }], [{ a: { b: 1, c: 2 } }], 'a.c'],
    [
      'a key that repeats elsewhere',
      [{ key: 'a1'.repeat(16), too: 'a1'.repeat(16) }],
      [{ key: 'a1'.repeat(16), too: 'b2'.repeat(16) }],
      'too',
    ],
    ['a count', [{ n: [{ count: 3 }] }], [{ n: [{ count: 4 }] }], 'n.0.count'],
  ]
  it.each(DIFFERENT)('is %s', (_name, one, other, where) => {
    expect(firstDifference(heard(...one), heard(...other))).toMatchObject({ asked: 'something', where })
  })
})
