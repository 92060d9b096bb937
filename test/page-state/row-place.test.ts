import { describe, expect, it } from 'vitest'
import { indexFrom } from '../../web/state/row-place.ts'

const ROWS = ['#a', '#b', '#c', '#d']

describe('a list that is shown again', () => {
  it('goes on beside the row where the user was', () => {
    expect(indexFrom(ROWS, { href: '#b', index: 1 }, 1)).toBe(2)
    expect(indexFrom(ROWS, { href: '#b', index: 1 }, -1)).toBe(0)
  })

  it('goes on at the row that has the place of one that has gone', () => {
    expect(indexFrom(['#a', '#c', '#d'], { href: '#b', index: 1 }, 1)).toBe(1)
    expect(indexFrom(['#a', '#c', '#d'], { href: '#b', index: 1 }, -1)).toBe(0)
  })

  it('begins at its first row unless left elsewhere, and goes to its ends', () => {
    expect(indexFrom(ROWS, undefined, 1)).toBe(0)
    expect(indexFrom(ROWS, { href: '#b', index: 1 }, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
  })
})
