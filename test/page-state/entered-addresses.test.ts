import { describe, expect, it } from 'vitest'
import { addressesIn } from '../../web/state/entered-addresses.ts'

const TWO = 'ann@example.com\nben@example.com'

describe('addresses of people to invite', () => {
  it('may stand in lines, and between commas, semicolons and spaces', () => {
    for (const text of [
      'ann@example.com\nben@example.com',
      'ann@example.com, ben@example.com',
      'ann@example.com; ben@example.com;',
      ' ann@example.com\tben@example.com ',
    ])
      expect(addressesIn(text)).toBe(TWO)
  })

  it('may be quoted, as in the column of a table', () => {
    expect(addressesIn('"ann@example.com","ben@example.com"')).toBe(TWO)
    expect(addressesIn('"ann@example.com"\n"B., Ben" <ben@example.com>')).toBe(TWO)
  })

  it('may have names, as mail programs copy them', () => {
    for (const text of [
      'Ann Ash <ann@example.com>, "Ben B." <ben@example.com>',
      'Ann Ash <ann@example.com>\tBen <ben@example.com>',
      '"Ash, Ann" <ann@example.com>; "B., Ben" <ben@example.com>',
      'Ann Ash <ann@example.com> ben@example.com',
    ])
      expect(addressesIn(text)).toBe(TWO)
  })

  it('leave anything else as it is, for the server to refuse', () => {
    expect(addressesIn('not an address; ann@example.com')).toBe('not an address\nann@example.com')
    expect(addressesIn('ann@example.com benexample.com')).toBe('ann@example.com\nbenexample.com')
    expect(addressesIn(' ,\n')).toBe('')
  })
})
