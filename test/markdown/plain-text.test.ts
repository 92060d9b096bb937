import { describe, expect, it } from 'vitest'
import { plainTextOf } from '../../src/markdown/plain-text.ts'
import { rendered } from './describe-cases.ts'

const text = (source: string, hideSpoilers = false): string => plainTextOf(rendered(source), { hideSpoilers })

describe('the text of a message', () => {
  it.each([
    ['plain', 'plain'],
    ['a\nb', 'a\nb'],
    ['a\n\nb', 'a\nb'],
    ['**a** *b* ~~c~~ `d`', 'a b c d'],
    ['a < b & "c"', 'a < b & "c"'],
    ['&lt;', '<'],
    ['[text](https://example.com)', 'text'],
    ['@**Iago** @_**Iago**', '@Iago Iago'],
    ['#**announce>a>b**', '#announce > a>b'],
    [':smile: 👍 :parley:', '😄 👍 :parley:'],
    ['🏳️‍⚧️', '🏳️‍⚧️'],
    ['* a\n* b\n  * c', 'a\nb\nc'],
    ['# head\ntext', 'head\ntext'],
    ['> quoted', 'quoted'],
    ['| a | b |\n| - | - |\n| c | d |', 'a\tb\nc\td'],
    ['```\nx\n  y\n```', 'x\n  y'],
    ['```python\nx = 1\ny\n```', 'x = 1\ny'],
    ['$$x^2$$', 'x^2'],
    ['```math\na\n\nb\n```', 'a\nb'],
    ['$$\\oops$$', '$$\\oops$$'],
    ['<time:2024-03-07>', '2024-03-07'],
    ['https://example.com/a.png', ''],
    ['', ''],
  ])('%j is %j', (source, expected) => {
    expect(text(source)).toBe(expected)
  })

  it('has the content of spoilers', () => {
    expect(text('```spoiler head\nsecret **x**\n```\nafter')).toBe('head\nsecret x\nafter')
  })

  it('hides the content of spoilers', () => {
    expect(text('```spoiler head\nsecret **x**\n\nmore\n```\nafter', true)).toBe('head\n(…)\nafter')
  })
})
