import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/core/errors.ts'
import type { MarkdownLookups } from '../../src/markdown/render.ts'
import { needs } from '../support/needs.ts'
import { violationsOf } from './allowed-html.ts'
import { startCounting } from './count-work.ts'
import { hostileMessages } from './hostile-messages.ts'
import { hostileTexts } from './hostile-texts.ts'
import { lookups } from './lookups.ts'

const A_COUNTER = 'the counters of Node’s inspector'
const count = await startCounting()
const { contentHtmlDiff } = await import('../../src/markdown/content-diff.ts')
const { plainTextOf } = await import('../../src/markdown/plain-text.ts')
const { AlertWordIndex, searchedText } = await import('../../src/markdown/alert-words.ts')
const { renderMarkdown } = await import('../../src/markdown/render.ts')
const { parseWidget } = await import('../../src/markdown/widgets.ts')
const { isJsonDeeperThan } = await import('../../src/core/json.ts')
const { containsSearchTerm, indexedText, searchExpression } = await import('../../src/core/search-text.ts')
const { withoutEnd } = await import('../../src/core/text-length.ts')
const { markdownOfHtml } = await import('../../src/model/incoming-mail/in-worker/markdown-of-html.ts')
const { ownWords } = await import('../../src/model/incoming-mail/in-worker/own-words.ts')
const { linkifierErrors, templateVariables } = await import('../../src/markdown/linkifiers.ts')
const { splitInvitees } = await import('../../src/model/invitations/invitee-addresses.ts')
const { contentUpTo, normaliseContent, normaliseTopic } = await import(
  '../../src/model/messages/text/compose.ts'
)
const { readNarrowTerms } = await import('../../src/model/narrows/narrow-terms.ts')
const { parseChannelAddress, parseUserAddresses } = await import(
  '../../src/model/sending/resolve-destination.ts'
)
const { block } = await import('../../src/markdown/mention-text.ts')
const { highlightHtml, highlightText } = await import(
  '../../src/features/messages/in-worker/finish-messages.ts'
)
const { searchTermsOf } = await import('../../src/model/narrows/narrow-terms.ts')
const { addressName, shownName } = await import('../../src/model/uploads/upload-metadata.ts')
const { readUploadMetadata } = await import('../../src/model/uploads/upload-metadata.ts')
const { isEmailAddress } = await import('../../src/model/users/addresses/email-rules.ts')

const words = new AlertWordIndex([{ userId: 1, words: ['aaaaaaaaaaaaaaaaaaaac', 'cat', '!'.repeat(50)] }])

/** An organization with rules that make rendering do as much work as possible. */
const busy: MarkdownLookups = {
  ...lookups,
  translateEmoticons: true,
  linkifiers: [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://issues.example/{id}' }],
  alertWords: {
    usersAlertedBy: (text) => {
      const found = new Set<number>()
      words.find(searchedText(text), found)
      return [...found]
    },
  },
}

const render = (source: string) => renderMarkdown(source, busy)

/** Messages have at most 10,000 characters; work that grows too fast would show well below that. */
const shortLength = 5_000
/** Twice the work for twice the text, and some more for what fills up on the way (limits, tables of ids). */
const maxGrowth = 2.4
/** A matcher's cache of states fills up and is emptied at certain lengths; quadratic work would be four times as much. */
const maxMatcherGrowth = 3

describe.skipIf(count === undefined)('work grows no faster than the text', needs(A_COUNTER), () => {
  // Structures that are built at first use are built before counting begins.
  for (const message of Object.values(hostileMessages)) render(message(200))

  it.each(Object.entries(hostileMessages))('%s', (_, message) => {
    const short = message(shortLength)
    const long = message(2 * shortLength)
    const [shortWork, longWork] = [count!(() => render(short)), count!(() => render(long))]
    // A longer text that reaches a limit may even take less work.
    expect(longWork).toBeLessThanOrEqual(maxGrowth * shortWork + 2000)
  })

  it('the counter counts what it claims to', () => {
    const text = (length: number) => 'a *b* '.repeat(length)
    const ratio = count!(() => render(text(2000))) / count!(() => render(text(1000)))
    expect(ratio).toBeGreaterThan(1.8)
    expect(ratio).toBeLessThan(2.2)
  })

  it.each(['(a|aa)+(.*z)?', '(a*)*b|a', 'a(.*)z|a', '(a|b|ab)*c?'])('for the linkifier %s', (pattern) => {
    const linkifiers = [{ id: 2, pattern, urlTemplate: 'https://issues.example/' }]
    const match = (source: string) => count!(() => renderMarkdown(source, { ...lookups, linkifiers }))
    // Many matches, and one long search: below some length the matcher works in another way than above it.
    expect(match('a '.repeat(3000))).toBeLessThanOrEqual(maxMatcherGrowth * match('a '.repeat(1500)))
    expect(match('ab '.repeat(2000))).toBeLessThanOrEqual(maxMatcherGrowth * match('ab '.repeat(1000)))
    expect(match('a'.repeat(60_000))).toBeLessThanOrEqual(maxMatcherGrowth * match('a'.repeat(30_000)))
  })

  it('for the plain text', () => {
    const html = (length: number) => render(`* **a** :smile: $$x$$ [b](/c)\n`.repeat(length)).html
    const [short, long] = [html(200), html(400)]
    const read = (text: string) => count!(() => plainTextOf(text, { hideSpoilers: true }))
    expect(read(long)).toBeLessThanOrEqual(maxGrowth * read(short))
  })

  it('for the difference of two renderings that have nothing in common', () => {
    const html = (letter: string, length: number) =>
      `<p>${Array.from({ length }, (_, index) => `${letter}${index}`).join(' ')}</p>`
    const compare = (length: number) => count!(() => contentHtmlDiff(html('a', length), html('b', length)))
    // The limit on changes is exceeded, so comparing must stop.
    expect(compare(4000)).toBeLessThanOrEqual(maxGrowth * compare(2000))
  })
})

/** Functions besides rendering that read, measure, cut, search or split texts of users. */
const readers: Record<string, (text: string) => unknown> = {
  'a message’s source': normaliseContent,
  'a topic': normaliseTopic,
  'the depth of JSON': (text) => isJsonDeeperThan(64, text),
  'the end of a name': (text) => withoutEnd(text, ' '),
  'a widget': (text) => parseWidget(`/poll ${text}`),
  'addresses to invite': splitInvitees,
  'an address': isEmailAddress,
  recipients: parseUserAddresses,
  'a channel': parseChannelAddress,
  'a quote': (text) => block('quote', contentUpTo(text, 5_000)),
  'the name of a file': (text) => [addressName(text), shownName(text)],
  'the metadata of an upload': readUploadMetadata,
  'the template of an address': templateVariables,
  'a rule for links': (text) => linkifierErrors(text, `https://a.example/{${text}}`),
  'the words of a mail': (text) => ownWords(text, { quotes: false, footer: false }),
  'quotations in a mail': (text) =>
    ownWords(`${text.slice(0, text.length / 2)}\n${text.replaceAll(/.{40}/g, '> $&\n')}`, {
      quotes: false,
      footer: false,
    }),
  'a text for the index': indexedText,
  'a search term': (text) => [
    searchExpression([text]),
    containsSearchTerm(text, 'ab'),
    containsSearchTerm(text, text),
  ],
  'search terms': (operand) => searchTermsOf(readNarrowTerms([{ operator: 'search', operand }])),
  'a hit': (text) => [highlightText(text, ['a', ' ', 'aa']), highlightHtml(`<p>${text}</p>`, ['a', ' '])],
}

describe.skipIf(count === undefined)(
  'work on what people write grows no faster than the text',
  needs(A_COUNTER),
  () => {
    it.each(Object.entries(readers))('%s', (_, read) => {
      const readAll = (length: number) => {
        for (const text of Object.values(hostileTexts)) {
          try {
            read(text(length))
          } catch (error) {
            // Refusals must take linear time as well.
            if (!(error instanceof ApiError)) throw error
          }
        }
      }
      readAll(100)
      // All texts together: quadratic work on one of them would show in the sum.
      const [short, long] = [count!(() => readAll(20_000)), count!(() => readAll(40_000))]
      expect(long).toBeLessThanOrEqual(maxGrowth * short)
    })
  },
)

/** HTML of mails: what is not closed, nested, long or many. */
const hostileHtml: Record<string, (length: number) => string> = {
  'unclosed tags': (length) => '<b>'.repeat(length / 3),
  'unclosed lists': (length) => '<ul><li>'.repeat(length / 8),
  'nested tables': (length) => '<table><tr><td>'.repeat(length / 15),
  'nested quotations': (length) => '<blockquote>a'.repeat(length / 13),
  attributes: (length) => `<a ${'b="c" '.repeat(length / 6)}>d</a>`,
  links: (length) => '<a href="https://a.example/">b</a> '.repeat(length / 35),
  entities: (length) => '&amp;&lt;&#120;'.repeat(length / 15),
  comments: (length) => '<!-- a -->'.repeat(length / 10),
  'a comment': (length) => `<!--${'-'.repeat(length)}`,
  'tags closed by others': (length) => '<b></i>'.repeat(length / 7),
  'elements whose ends are in comments': (length) => '<b><!--</b>-->'.repeat(length / 14),
  'elements whose ends are in attributes': (length) => '<b title="</b>">'.repeat(length / 16),
  'elements whose ends are in scripts': (length) => '<b><script></b></script>'.repeat(length / 24),
  'closing tags': (length) => '</b>'.repeat(length / 4),
  cells: (length) => `<table><tr>${'<td>a</td>'.repeat(length / 10)}</tr></table>`,
  rows: (length) => `<table>${'<tr><td>a</td></tr>'.repeat(length / 19)}</table>`,
  'line ends': (length) => '<br>'.repeat(length / 4),
  paragraphs: (length) => '<p>a</p>'.repeat(length / 8),
  words: (length) => `<p>${'ab '.repeat(length / 3)}</p>`,
  'a long word': (length) => `<p>${'a'.repeat(length)}</p>`,
  preformatted: (length) => `<pre>${'a\n'.repeat(length / 2)}</pre>`,
}

describe.skipIf(count === undefined)(
  'work on the HTML of a mail grows no faster than the text',
  needs(A_COUNTER),
  () => {
    it.each(Object.entries(hostileHtml))('%s', (_, html) => {
      markdownOfHtml(html(200))
      const [short, long] = [10_000, 20_000].map((length) => count!(() => markdownOfHtml(html(length))))
      expect(long).toBeLessThanOrEqual(maxGrowth * short! + 2_000)
    })
  },
)

describe('hostile messages', () => {
  it.each(Object.entries(hostileMessages))('%s: rendered to allowed HTML', (_, message) => {
    expect(violationsOf(render(message(3000)).html)).toEqual([])
  })

  it.each(Object.entries(hostileMessages))('%s: a rendering that can be stored', (_, message) => {
    // A row of the database holds 2 MB, and a message at most 10,000 characters.
    expect(render([...message(10_000)].slice(0, 10_000).join('')).html.length).toBeLessThan(1_200_000)
  })

  it('hold 100,000 nested brackets', () => {
    const source = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    expect(render(source).html).toBe(`<p>${source}</p>`)
  })

  it('hold 10,000 mentions', () => {
    const { html, mentionedUserIds } = render('@**Iago** '.repeat(10_000))
    expect(html.match(/class="user-mention" data-user-id="8"/g)).toHaveLength(10_000)
    expect(mentionedUserIds).toEqual([8])
  })

  it('hold 10,000 different mentions', () => {
    const everybody: MarkdownLookups = {
      ...lookups,
      usersNamed: (name) => [{ id: Number(name), fullName: name, isActive: true }],
    }
    const source = Array.from({ length: 10_000 }, (_, index) => `@**${index + 1}**`).join(' ')
    expect(renderMarkdown(source, everybody).mentionedUserIds).toHaveLength(10_000)
  })

  it('hold a table of 10,000 rows, of which the first 3,000 become one', () => {
    const { html } = render(`| a | b |\n| - | - |\n${'| c | d |\n'.repeat(10_000)}`)
    expect(html.match(/<tr>/g)).toHaveLength(3_000)
  })
})
