import type { Language, LanguageFn } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import { describe, expect, it } from 'vitest'
import { highlightCode } from '../../src/markdown/highlight.ts'
import { grammars } from '../../src/markdown/languages.ts'

describe.each(Object.entries(grammars))('the list for the grammar of %s', (name, known) => {
  const made = grammarOf(known.grammar)

  it('is all of its aliases', () => {
    expect(known.aliases ?? []).toEqual(made.aliases ?? [])
  })

  it('is all languages that may stand inside it and have a grammar', () => {
    const found = languagesInside(made)
    const listed = found.filter((one) => one !== name && one in grammars)
    expect(known.inside ?? []).toEqual(found.includes('any') ? ['json', 'xml'] : [...new Set(listed)])
  })
})

describe('a language inside another', () => {
  it('is coloured though it was not used before', () => {
    const style = '<span class="na">color</span>'
    expect(highlightCode('<style>a { color: red }</style>', 'HTML').html).toContain(style)
  })

  it.each([
    ['{"a": [1, true]}', '<span class="m">1</span>'],
    ['<a href="b">c</a>', '<span class="na">href</span>'],
    ['int a = 1;', 'int a = 1;'],
  ])('is found in the body of a request, if people send it there: %s', (body, colored) => {
    const { html } = highlightCode(`POST /a HTTP/1.1\nContent-Type: text/x\n\n${body}`, 'http')
    expect(html).toContain(colored)
  })

  it('is the first of equally likely ones', () => {
    const request = 'POST /a HTTP/1.1\nHost: a\n\nword'
    const first = highlightCode(request, 'http')
    for (const name of Object.keys(grammars).toReversed()) highlightCode('word', name)
    expect(highlightCode(request, 'http')).toEqual(first)
  })
})

function grammarOf(make: LanguageFn): Language {
  return make(hljs)
}

/** Searches a grammar, whose rules may refer to each other, for languages that its rules name. */
function languagesInside(part: unknown, seen = new Set<unknown>()): string[] {
  if (typeof part !== 'object' || part === null || part instanceof RegExp || seen.has(part)) return []
  seen.add(part)
  const named = 'subLanguage' in part ? [part.subLanguage].flat().map(String) : []
  const any = 'subLanguage' in part && named.length === 0 ? ['any'] : []
  return [...any, ...named, ...Object.values(part).flatMap((one) => languagesInside(one, seen))]
}
