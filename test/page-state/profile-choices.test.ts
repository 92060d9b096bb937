import { describe, expect, it } from 'vitest'
import { accountAddress, choicesIn, dataOfChoices, withChoice } from '../../web/state/profile-choices.ts'

const DATA = { 7: { text: 'Lisbon', order: '2' }, 3: { text: 'Berlin', order: '1' } }

describe('choices of a profile field', () => {
  it('have their order, and keep their keys when one is renamed', () => {
    const choices = choicesIn(DATA)
    expect(choices.map(({ text }) => text)).toEqual(['Berlin', 'Lisbon'])
    expect(dataOfChoices(choices.with(0, { ...choices[0]!, text: 'Bern' }))).toEqual({
      3: { text: 'Bern', order: '1' },
      7: { text: 'Lisbon', order: '2' },
    })
  })

  it('get a key that no other has had for a new one', () => {
    const removed = withChoice(choicesIn(DATA), 'Oslo', 1_800_000_000_000).at(-1)!
    expect(removed.text).toBe('Oslo')
    expect(['3', '7']).not.toContain(removed.key)
    expect(withChoice(choicesIn(DATA), 'Rome', 1_800_000_000_001).at(-1)?.key).not.toBe(removed.key)
  })
})

describe('the address of an account elsewhere', () => {
  const sites = { github: { text: 'GitHub', url_pattern: 'https://github.com/%(username)s' } }

  it('is that of the site, or of the field’s own pattern', () => {
    expect(accountAddress({ subtype: 'github' }, sites, 'ada')).toBe('https://github.com/ada')
    const own = { subtype: 'custom', url_pattern: 'https://example.com/%(username)s/' }
    expect(accountAddress(own, sites, '$&/../?')).toBe('https://example.com/%24%26%2F..%2F%3F/')
  })

  it('is unknown for a site that the server does not list', () => {
    expect(accountAddress({ subtype: 'toString' }, sites, 'ada')).toBeUndefined()
  })
})
