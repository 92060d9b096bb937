import { describe, expect, it } from 'vitest'
import { partsOf, quoteOf, wholeOf, withQuote } from '../../web/state/message-parts.ts'

const QUOTE = quoteOf('@_**Ann|4**', 'https://a.example/#narrow/dm/4/near/7', '```\ncode\n```\nSoup?')
const FILE = '[list.txt](/user_uploads/1/ab/cd/list.txt)'
const PICTURE = '[b c.png](/user_uploads/1/ab/ce/b%20c.png)'

describe('a text that is taken apart', () => {
  it.each([
    ['has a quote before it', `${QUOTE}Yes`, 1, 'Yes', 0],
    ['has several quotes', `${QUOTE}${QUOTE}`, 2, '', 0],
    ['has files after it', `See\n\n${FILE}\n${PICTURE}`, 0, 'See', 2],
    ['keeps a new line before its files', `See\n\n\n${FILE}`, 0, 'See\n', 1],
    ['is files alone', `${FILE}\n${PICTURE}`, 0, '', 2],
    ['keeps a file in its middle', `${FILE}\nSee`, 0, `${FILE}\nSee`, 0],
    ['keeps a quote in its middle', `See\n${QUOTE}`, 0, `See\n${QUOTE}`, 0],
    ['keeps links to elsewhere', '[a](https://a.example)', 0, '[a](https://a.example)', 0],
    ['keeps a quote without an end', QUOTE.slice(0, -5), 0, QUOTE.slice(0, -5), 0],
  ])('%s', (_, text, quotes, body, files) => {
    const parts = partsOf(text)
    expect([parts.quotes.length, parts.body, parts.files.length]).toEqual([quotes, body, files])
    expect(wholeOf(parts)).toBe(text)
  })

  it('puts files apart from its words', () => {
    expect(wholeOf(partsOf(`* See\n${FILE}`))).toBe(`* See\n\n${FILE}`)
  })

  it('has a new quote behind the others, before its words', () => {
    const other = quoteOf('@_**Bea|5**', 'https://a.example/#narrow/dm/4/near/8', 'Salad?')
    expect(withQuote(`${QUOTE}Yes\n\n${FILE}`, other)).toBe(`${QUOTE}${other}Yes\n\n${FILE}`)
    expect(withQuote('Yes', 'words alone')).toBeUndefined()
  })

  it('says who is quoted, and what', () => {
    expect(partsOf(QUOTE).quotes[0]).toMatchObject({ sender: 'Ann', said: '```\ncode\n```\nSoup?' })
  })

  it('keeps its quotes if they are changed', () => {
    expect(partsOf(`${QUOTE}Yes\n${FILE}`, { keepsQuotes: true })).toMatchObject({
      quotes: [],
      body: `${QUOTE}Yes`,
      files: [{ name: 'list.txt' }],
    })
  })
})
