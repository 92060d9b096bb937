import { describe, expect, it } from 'vitest'
import { contentHtmlDiff } from '../../src/markdown/content-diff.ts'
import type { MarkdownLookups } from '../../src/markdown/render.ts'
import { violationsOf } from './allowed-html.ts'
import { rendered } from './describe-cases.ts'
import { xssVectors } from './xss-vectors.ts'

/** Positions in a message at which a vector can be written. */
const places: Readonly<Record<string, (vector: string) => string>> = {
  text: (vector) => vector,
  quote: (vector) => `> ${vector}`,
  'fenced quote': (vector) => `\`\`\`quote\n${vector}\n\`\`\``,
  list: (vector) => `* ${vector}\n1. ${vector}`,
  heading: (vector) => `# ${vector}`,
  table: (vector) => `| ${vector} |\n| :-: |\n| ${vector} |`,
  'code span': (vector) => `\`${vector}\``,
  code: (vector) => `\`\`\`html\n${vector}\n\`\`\``,
  'indented code': (vector) => `    ${vector}`,
  language: (vector) => `~~~${vector}\nx\n~~~`,
  'spoiler header': (vector) => `\`\`\`spoiler ${vector}\n${vector}\n\`\`\``,
  formula: (vector) => `$$${vector}$$`,
  formulas: (vector) => `\`\`\`math\n${vector}\n\`\`\``,
  'text of a link': (vector) => `[${vector}](https://example.com/a.png)`,
  'address of a link': (vector) => `[a](${vector})`,
  'bracketed address': (vector) => `[a](<${vector}>)`,
  'title of a link': (vector) => `[a](https://example.com "${vector}")`,
  'bare address': (vector) => `https://example.com/${vector}`,
  media: (vector) => `![${vector}](/user_uploads/2/a.mp3) ![${vector}](/user_uploads/2/a.png)`,
  mention: (vector) => `@**${vector}** @*${vector}*`,
  'link to a topic': (vector) => `#**announce>${vector}** #**${vector}** #**announce>${vector}@7**`,
  emoji: (vector) => `:${vector}:`,
  time: (vector) => `<time:${vector}>`,
  linkifier: (vector) => `go:${vector}`,
}

/** An organization in which every name is the message's text, since names are input too. */
const credulous: Partial<MarkdownLookups> = {
  usersNamed: (name) => [{ id: 1, fullName: name, isActive: true }],
  groupNamed: (name) => ({ id: 2, name, isDeactivated: false }),
  channelNamed: (name) => ({ id: 3, name }),
  customEmoji: (name) => ({ id: '4', sourceUrl: `/emoji/${encodeURIComponent(name.toWellFormed())}.png` }),
  emptyTopicDisplayName: '<b>"general" & chat</b>',
  linkifiers: [{ id: 5, pattern: 'go:(?P<where>.+)', urlTemplate: 'https://example.com/{+where}' }],
  translateEmoticons: true,
}

describe.each(Object.entries(places))('cross-site scripting in %s', (_, place) => {
  it.each(xssVectors.map((vector) => ({ vector })))('$vector', ({ vector }) => {
    const source = place(vector)
    expect(violationsOf(rendered(source))).toEqual([])
    expect(violationsOf(rendered(source, credulous))).toEqual([])
  })
})

describe('the difference of two renderings', () => {
  it.each(xssVectors.map((vector) => ({ vector })))('$vector', ({ vector }) => {
    const before = rendered(`${vector} x`)
    const after = rendered(`y ${vector}`)
    expect(violationsOf(contentHtmlDiff(before, after).replace(/^<div>|<\/div>$/g, ''))).toEqual([])
  })
})

describe('tricks with characters', () => {
  it.each([
    ['zero-width characters in a scheme', '[a](java\u200bscript:alert(1))'],
    ['a soft hyphen in a scheme', '[a](java\u00adscript:alert(1))'],
    ['a byte order mark before a scheme', '[a](\ufeffjavascript:alert(1))'],
    ['a no-break space before a scheme', '[a](\u00a0javascript:alert(1))'],
    ['full-width letters', '[a](ｊavascript:alert(1))'],
    ['a full-width colon', '[a](javascript：alert(1))'],
    ['bidirectional overrides', '[\u202egpj.exe\u202c](https://example.com/\u202egpj.exe)'],
    ['bidirectional isolates', '\u2066@**Iago**\u2069 \u2067#**announce**\u2069'],
    ['lone surrogates', '[\ud800](https://example.com/\udfff) :\ud800: @**\udfff** #**announce>\ud800**'],
    ['a null character', '[a](https://example.com/\0) \0<b>\0'],
    ['control characters', '[a](https://example.com/\u0001\u001f) \u0008\u001b[31m'],
    ['line and paragraph separators', 'a\u2028b\u2029c'],
    ['homographs', 'https://аррӏе.com'],
  ])('%s', (_, source) => {
    expect(violationsOf(rendered(source))).toEqual([])
    expect(violationsOf(rendered(source, credulous))).toEqual([])
  })

  it('shows a homograph as its punycode', () => {
    expect(rendered('https://аррӏе.com')).toContain('href="https://xn--80ak6aa92e.com"')
  })
})
