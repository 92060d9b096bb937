import { describe, expect, it } from 'vitest'
import { tableOf } from '../../web/state/cells.ts'

describe('pasted cells', () => {
  it('become a table, without empty cells at the end', () => {
    expect(
      tableOf([
        ['Name', 'Price', ''],
        ['Tea |\ngreen', ' 3 '],
        ['', '', ''],
        ['Cake', '', ''],
      ]),
    ).toBe('| Name | Price |\n| --- | --- |\n| Tea \\| green | 3 |\n| Cake |  |')
  })

  it('are no table if there is one alone, or more than one reads', () => {
    const row = (columns: number) => Array.from({ length: columns }, () => 'a')
    const rows = (count: number) => Array.from({ length: count }, () => row(2))
    expect([tableOf([['a', '']]), tableOf([]), tableOf([row(21)]), tableOf(rows(101))]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(tableOf([row(20)])).toContain('| a |')
    expect(tableOf(rows(100))!.split('\n').length).toBe(101)
  })
})
