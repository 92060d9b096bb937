import { describe, expect, it } from 'vitest'
import type { MarkdownLookups } from '../../src/markdown/render.ts'
import { violationsOf } from './allowed-html.ts'
import { startCounting } from './count-work.ts'
import { hostileMessages } from './hostile-messages.ts'
import { lookups } from './lookups.ts'

const count = await startCounting()
const { contentHtmlDiff } = await import('../../src/markdown/content-diff.ts')
const { plainTextOf } = await import('../../src/markdown/plain-text.ts')
const { renderMarkdown } = await import('../../src/markdown/render.ts')

/** An organization with rules that make rendering do as much as it can. */
const busy: MarkdownLookups = {
  ...lookups,
  translateEmoticons: true,
  linkifiers: [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://issues.example/{id}' }],
  alertWords: [{ userId: 1, words: ['aaaaaaaaaaaaaaaaaaaac', 'cat'] }],
}

const render = (source: string) => renderMarkdown(source, busy)

/** Messages are at most 10,000 characters long; what grows too fast would show well before. */
const shortLength = 5_000
/** Twice the work for twice the text, and something for what fills up on the way (limits, tables of ids). */
const mostGrowth = 2.4
/** A matcher's cache of states fills up and is emptied at lengths of its own; square work would be four times. */
const mostMatcherGrowth = 3

describe.skipIf(count === undefined)('work grows no faster than the text', () => {
  // What is built at first use is built before anything is counted.
  for (const message of Object.values(hostileMessages)) render(message(200))

  it.each(Object.entries(hostileMessages))('%s', (_, message) => {
    const short = message(shortLength)
    const long = message(2 * shortLength)
    const [shortWork, longWork] = [count!(() => render(short)), count!(() => render(long))]
    // Where a limit is reached the longer text may take even less.
    expect(longWork).toBeLessThanOrEqual(mostGrowth * shortWork + 2000)
  })

  it('counts what it claims to count', () => {
    const text = (length: number) => 'a *b* '.repeat(length)
    const ratio = count!(() => render(text(2000))) / count!(() => render(text(1000)))
    expect(ratio).toBeGreaterThan(1.8)
    expect(ratio).toBeLessThan(2.2)
  })

  it.each(['(a|aa)+(.*z)?', '(a*)*b|a', 'a(.*)z|a', '(a|b|ab)*c?'])('for the linkifier %s', (pattern) => {
    const linkifiers = [{ id: 2, pattern, urlTemplate: 'https://issues.example/' }]
    const match = (source: string) => count!(() => renderMarkdown(source, { ...lookups, linkifiers }))
    // Many matches, and one long search: the matcher goes another way above and below some length of its own.
    expect(match('a '.repeat(3000))).toBeLessThanOrEqual(mostMatcherGrowth * match('a '.repeat(1500)))
    expect(match('ab '.repeat(2000))).toBeLessThanOrEqual(mostMatcherGrowth * match('ab '.repeat(1000)))
    expect(match('a'.repeat(60_000))).toBeLessThanOrEqual(mostMatcherGrowth * match('a'.repeat(30_000)))
  })

  it('for the plain text', () => {
    const html = (length: number) => render(`* **a** :smile: $$x$$ [b](/c)\n`.repeat(length)).html
    const [short, long] = [html(200), html(400)]
    const read = (text: string) => count!(() => plainTextOf(text, { hideSpoilers: true }))
    expect(read(long)).toBeLessThanOrEqual(mostGrowth * read(short))
  })

  it('for the difference of two renderings that have nothing in common', () => {
    const html = (letter: string, length: number) =>
      `<p>${Array.from({ length }, (_, index) => `${letter}${index}`).join(' ')}</p>`
    const compare = (length: number) => count!(() => contentHtmlDiff(html('a', length), html('b', length)))
    // Beyond the limit on changes, where comparing has to stop.
    expect(compare(4000)).toBeLessThanOrEqual(mostGrowth * compare(2000))
  })
})

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

  it('hold a table of 10,000 rows', () => {
    const { html } = render(`| a | b |\n| - | - |\n${'| c | d |\n'.repeat(10_000)}`)
    expect(html.match(/<tr>/g)).toHaveLength(10_001)
  })
})
