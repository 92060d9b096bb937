import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { contentHtmlDiff } from '../../src/markdown/content-diff.ts'
import { plainTextOf } from '../../src/markdown/plain-text.ts'
import { type MarkdownLookups, renderMarkdown, topicLinks } from '../../src/markdown/render.ts'
import { parseWidget } from '../../src/markdown/widgets.ts'
import { notUnderstood } from '../clients/mobile-html.ts'
import { fromJson } from '../support/json.ts'
import { violationsOf } from './allowed-html.ts'
import { rendered } from './describe-cases.ts'
import { lookups } from './lookups.ts'

/** Parts of the language, complete and broken, from which messages are put together. */
const fragments = fc.constantFrom(
  '*',
  '**',
  '***',
  '~~',
  '`',
  '``',
  '```',
  '~~~',
  '````',
  '\n',
  '\n\n',
  ' ',
  '  ',
  '    ',
  '\t',
  '> ',
  '* ',
  '- ',
  '1. ',
  '12) ',
  '# ',
  '---\n',
  '| a | b |\n',
  '| - | :-: |\n',
  '|',
  '[',
  ']',
  '(',
  ')',
  '](',
  '![',
  '<',
  '>',
  '&',
  '"',
  "'",
  '\\',
  '$$',
  '$$x^2$$',
  '$$\\frac{1}{2}$$',
  '```quote\n',
  '```spoiler head\n',
  '```math\n',
  '```python\n',
  '\n```\n',
  '\n````\n',
  '@**Iago**',
  '@_**Iago**',
  '@**|7**',
  '@*support*',
  '@**all**',
  '@**topic**',
  '@**Gone Person**',
  '@**',
  '@*',
  '#**announce**',
  '#**announce>topic**',
  '#**announce>topic@5**',
  '#**announce>**',
  '#**',
  ':smile:',
  ':parley:',
  ':',
  '🙂',
  '👩‍💻',
  '👍🏽',
  '\u200d',
  '\ufe0f',
  ':)',
  '<3',
  '<time:2024-03-07>',
  '<time:',
  'https://example.com',
  'https://example.com/a.png',
  'example.com',
  'ada@example.com',
  'http://',
  'javascript:',
  '[a](/user_uploads/2/a.png)',
  '![a](/user_uploads/2/a.mp3)',
  '[t](https://e.example "title")',
  '#12',
  '/me ',
  '<script>',
  '</p>',
  '<!--',
  '&amp;',
  '\u202e',
  '\0',
  '\ud800',
  'word',
  'x',
  '_',
  '__init__',
  '日本',
  'שלום',
)
const messages = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fragments },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''))

const settings = fc.record({
  translateEmoticons: fc.boolean(),
  inlineImagePreview: fc.boolean(),
  defaultCodeBlockLanguage: fc.constantFrom('', 'python', 'nonsense'),
  linkifiers: fc.constantFrom<MarkdownLookups['linkifiers']>(
    [],
    [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://issues.example/{id}' }],
  ),
})

const runs = { numRuns: 600 }

describe('every message', () => {
  it('is rendered to allowed HTML', () => {
    fc.assert(
      fc.property(messages, settings, (source, changes) => {
        expect(violationsOf(rendered(source, changes))).toEqual([])
      }),
      runs,
    )
  })

  it('is understood by the mobile client', () => {
    fc.assert(
      fc.property(messages, settings, (source, changes) => {
        expect(notUnderstood(rendered(source, changes))).toEqual([])
      }),
      runs,
    )
  })

  it('is rendered the same each time', () => {
    fc.assert(
      fc.property(messages, messages, settings, (source, other, changes) => {
        const first = renderMarkdown(source, { ...lookups, ...changes })
        renderMarkdown(other, { ...lookups, ...changes })
        expect(renderMarkdown(source, { ...lookups, ...changes })).toEqual(first)
      }),
      runs,
    )
  })

  it('of one line looks as it does before another paragraph', () => {
    fc.assert(
      fc.property(messages, settings, (source, changes) => {
        const line = `a${source.replace(/[\r\n]/g, '')}`
        const html = rendered(`${line}\n\nb`, changes)
        expect(html.replace(/\n?<p>b<\/p>$/, '')).toBe(rendered(line, changes))
      }),
      runs,
    )
  })

  it('notifies exactly those whom it shows as mentioned', () => {
    fc.assert(
      fc.property(messages, (source) => {
        const result = renderMarkdown(source, lookups)
        const shown = spans(result.html).filter((classes) => !classes.includes('silent'))
        const ids = (kind: string, attribute: string) =>
          [
            ...new Set(
              shown
                .filter((classes) => classes.includes(kind))
                .map((classes) =>
                  classes.find((part) => part.startsWith(attribute))!.slice(attribute.length),
                ),
            ),
          ]
            .filter((id) => id !== '*')
            .map(Number)
            .sort((a, b) => a - b)
        expect(result.mentionedUserIds).toEqual(ids('user-mention', 'data-user-id='))
        expect(result.mentionedGroupIds).toEqual(ids('user-group-mention', 'data-user-group-id='))
        expect(result.channelWildcard).toBe(
          shown.some((classes) => classes.includes('channel-wildcard-mention')),
        )
        expect(result.topicWildcard).toBe(shown.some((classes) => classes.includes('topic-mention')))
      }),
      runs,
    )
  })

  it('has a plain text', () => {
    fc.assert(
      fc.property(messages, fc.boolean(), (source, hideSpoilers) => {
        const text = plainTextOf(rendered(source), { hideSpoilers })
        expect(text).not.toMatch(/^\n|\n$/)
      }),
      runs,
    )
  })

  it('has differences from others in allowed HTML with both texts', () => {
    fc.assert(
      fc.property(messages, messages, (before, after) => {
        const [old, now] = [rendered(before), rendered(after)]
        const diff = contentHtmlDiff(old, now)
        // The outermost element is the only one that messages themselves do not have.
        expect(violationsOf(diff.slice('<div>'.length, -'</div>'.length))).toEqual([])
        expect(withoutSpace(without(diff, 'highlight_text_deleted'))).toBe(withoutSpace(without(now, '')))
      }),
      { numRuns: 500 },
    )
  })

  it('is a widget that survives JSON, or none', () => {
    let widgets = 0
    fc.assert(
      fc.property(fc.constantFrom('/poll', '/todo', '/poll ', '/todo ', ''), messages, (command, rest) => {
        const widget = parseWidget(command + rest)
        if (widget === undefined) return
        widgets += 1
        expect(fromJson(JSON.stringify(widget))).toEqual(widget)
      }),
      { numRuns: 500 },
    )
    expect(widgets).toBeGreaterThan(50)
  })
})

describe('every topic', () => {
  it('has links whose texts are part of it', () => {
    fc.assert(
      fc.property(messages, (topic) => {
        const linkifiers = [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://issues.example/{id}' }]
        for (const { text, url } of topicLinks(topic, { linkifiers, realmUrl: lookups.realmUrl })) {
          expect(topic).toContain(text)
          expect(url).toMatch(/^https?:\/\//i)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('words without markup', () => {
  it('are unchanged', () => {
    const plain = fc.array(fc.stringMatching(/^[a-zA-Zäß日本語]{1,12}$/), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(plain, (parts) => {
        expect(rendered(parts.join(' '))).toBe(`<p>${parts.join(' ')}</p>`)
      }),
      runs,
    )
  })
})

/** Returns the classes of each span of a rendering, and its attributes as `name=value`. */
function spans(html: string): string[][] {
  return [...html.matchAll(/<span ([^>]*)>/g)].map(([, attributes]) =>
    [...attributes!.matchAll(/([\w-]+)="([^"]*)"/g)].flatMap(([, name, value]) =>
      name === 'class' ? value!.split(' ') : [`${name}=${value}`],
    ),
  )
}

type Node = DefaultTreeAdapterTypes.ChildNode

/** Returns the text of a rendering without the elements of a class. */
function without(html: string, className: string): string {
  const text = (node: Node): string => {
    if ('value' in node) return node.value
    if (!('childNodes' in node)) return ''
    const isOut =
      'attrs' in node && node.attrs.some(({ name, value }) => name === 'class' && value === className)
    return isOut ? '' : node.childNodes.map(text).join('')
  }
  return parseFragment(html).childNodes.map(text).join('')
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '')
}
