import { describe, expect, it } from 'vitest'
import { textOfAddress } from '../../web/views/compose/text-of-address.ts'

const ISSUES = {
  id: 1,
  pattern: '#(?P<id>[0-9]+)',
  url_template: 'https://example.com/issues/{id}',
  example_input: '#12',
  reverse_template: '#{id}',
  alternative_url_templates: ['https://old.example.com/?issue={id}'],
}
const PATHS = {
  id: 2,
  pattern: '(?i)wiki\\{(?P<space>\\w+):(?P<page>[^}]+)\\}',
  url_template: 'https://example.com/{space}/{+page}?from={space}',
  example_input: 'wiki{a:b}',
  reverse_template: 'wiki{{{space}:{page}}}',
  alternative_url_templates: [],
}
const textOf = (address: string, ...linkifiers: (typeof ISSUES)[]) =>
  textOfAddress(address, linkifiers.length > 0 ? linkifiers : [ISSUES, PATHS])

describe('the text of a pasted address', () => {
  it('is that of which a linkifier makes the address, or one of the further addresses', () => {
    expect(textOf('https://example.com/issues/77')).toBe('#77')
    expect(textOf('https://old.example.com/?issue=77')).toBe('#77')
    expect(textOf('https://example.com/ops/a/b%20c?from=ops')).toBe('wiki{ops:a/b c}')
  })

  it('is none for an address that is only alike', () => {
    for (const address of [
      'https://example.com/issues/77/',
      'https://example.com/issues/77#note',
      'https://exampleXcom/issues/77',
      'see https://example.com/issues/77',
      'https://example.com/ops/page?from=others',
      'https://example.com/issues/%zz',
    ]) {
      expect([address, textOf(address)]).toEqual([address, undefined])
    }
  })

  it('is none where the text would be no link, or another one', () => {
    expect(textOf('https://example.com/issues/abc')).toBe(undefined)
    expect(textOf('https://example.com/issues/77x')).toBe(undefined)
  })

  it('is none without a reverse template, and for templates of another kind', () => {
    const address = 'https://example.com/issues/77'
    expect(textOf(address, { ...ISSUES, reverse_template: null as never })).toBe(undefined)
    expect(
      textOf('https://example.com/?id=77', { ...ISSUES, url_template: 'https://example.com/{?id}' }),
    ).toBe(undefined)
  })
})
