import { describe, expect, it } from 'vitest'
import { highlightHtml, highlightText } from '../../../src/features/messages/in-worker/finish-messages.ts'

const hit = (text: string) => `<span class="highlight">${text}</span>`

describe('highlightText', () => {
  it.each([
    ['Hello World', ['world'], `Hello ${hit('World')}`],
    ['a < b & c', ['b &'], `a &lt; ${hit('b &amp;')} c`],
    ['aaaa', ['aa'], hit('aaaa')],
    ['abcdef', ['bcd', 'cde'], `a${hit('bcde')}f`],
    ['nothing', ['x'], 'nothing'],
    ['İstanbul', ['stanbul'], 'İstanbul'],
    ['<script>', [], '&lt;script&gt;'],
  ] as [string, string[], string][])('%s, %j', (text, searchTerms, expected) => {
    expect(highlightText(text, searchTerms)).toBe(expected)
  })
})

describe('highlightHtml', () => {
  it('marks text and leaves tags alone', () => {
    const html = '<p class="span">a span of <a href="https://span.example">span</a> &lt;span&gt;</p>'
    expect(highlightHtml(html, ['span'])).toBe(
      `<p class="span">a ${hit('span')} of <a href="https://span.example">${hit('span')}</a> &lt;${hit('span')}&gt;</p>`,
    )
  })
})
