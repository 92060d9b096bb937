import { RE2JS } from 're2js'
import { describe, expect, it, vi } from 'vitest'
import { newMatchingBudget } from '../../src/markdown/least-program.ts'
import { findLinkifierMatches, linkifierErrors } from '../../src/markdown/linkifiers.ts'
import { TopicLinksOfPage, topicLinks } from '../../src/markdown/render.ts'
import { describeCases, inParagraph, rendered } from './describe-cases.ts'

const issue = { id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://issues.example/{id}' }
const ticket = {
  id: 2,
  pattern: '(?P<key>[A-Z]{2,8}-[0-9]+)',
  urlTemplate: 'https://tickets.example/browse/{key}',
}
const repo = {
  id: 3,
  pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
  urlTemplate: 'https://git.example/{org}/{repo}/pull/{id}',
}
const search = { id: 4, pattern: 'g:(?P<q>\\S+)', urlTemplate: 'https://search.example/{?q}' }
const linkifiers = [repo, issue, ticket, search]

const link = (url: string, text: string): string => `<a href="${url}">${text}</a>`
const issueLink = (id: string): string => link(`https://issues.example/${id}`, `#${id}`)

describeCases(
  'linkifiers',
  inParagraph([
    ['#123', issueLink('123')],
    ['see #123.', `see ${issueLink('123')}.`],
    ['(#123), "#4"', `(${issueLink('123')}), "${issueLink('4')}"`],
    ['#1 #2 #3', `${issueLink('1')} ${issueLink('2')} ${issueLink('3')}`],
    ['#1,#2', `${issueLink('1')},${issueLink('2')}`],
    ['a#123', 'a#123'],
    ['#123a', '#123a'],
    ['#12_', `${issueLink('12')}_`],
    ['[#12]', '[#12]'],
    ['#12\u00a0#13', `${issueLink('12')}\u00a0${issueLink('13')}`],
    ['**#123**', `<strong>${issueLink('123')}</strong>`],
    ['`#123`', '<code>#123</code>'],
    ['[#123](/a)', '<a href="/a">#123</a>'],
    ['https://example.com/#123', '<a href="https://example.com/#123">https://example.com/#123</a>'],
    [
      'AB-12 and AB-13',
      `${link('https://tickets.example/browse/AB-12', 'AB-12')} and ${link('https://tickets.example/browse/AB-13', 'AB-13')}`,
    ],
    ['org/repo#12', link('https://git.example/org/repo/pull/12', 'org/repo#12')],
    ['g:a&b', link('https://search.example/?q=a%26b', 'g:a&amp;b')],
    ['g:<b>', link('https://search.example/?q=%3Cb%3E', 'g:&lt;b&gt;')],
    ['g:ü', link('https://search.example/?q=%C3%BC', 'g:ü')],
    [
      '#123 🙂',
      `${issueLink('123')} <span aria-label="slight smile" class="emoji emoji-1f642" role="img" title="slight smile">:slight_smile:</span>`,
    ],
  ]),
  { linkifiers },
)

describe('linkifiers of a realm', () => {
  it.each([
    ['ab?c', 'ac'],
    ['ab{0}c', 'ac'],
    ['ab*', 'a'],
    ['ab+', 'abbb'],
    ['x|y', 'y'],
    ['(?i)ab', 'AB'],
    ['a(b|c)', 'ac'],
    ['a.c', 'a-c'],
    ['\\Qa?\\E', 'a?'],
    ['[a]b', 'ab'],
    ['#-1', '#-1'],
  ])('are found whatever their pattern begins with: %s', (pattern, text) => {
    const rule = { id: 1, pattern, urlTemplate: 'https://a.example/' }
    expect(rendered(`x ${text}`, { linkifiers: [rule] })).toContain(link('https://a.example/', text))
  })

  it('that would take too much work for a long message are not tried in it', () => {
    const large = { id: 1, pattern: '(?P<as>(a?){200}a{200})', urlTemplate: 'https://a.example/{as}' }
    const both = { linkifiers: [large, issue] }
    const as = 'a'.repeat(300)
    const found = link(`https://a.example/${as}`, as)
    expect(rendered(`${as} #1`, both)).toBe(`<p>${found} ${issueLink('1')}</p>`)
    const long = ' b'.repeat(4_800)
    expect(rendered(`${as} #1${long}`, both)).toBe(`<p>${as} ${issueLink('1')}${long}</p>`)
    // The parts of a message share it.
    const parts = rendered(Array.from({ length: 40 }, () => as).join('\n\n'), both)
    expect(parts.split(found).length - 1).toBeGreaterThan(1)
    expect(parts).toContain(`<p>${as}</p>`)
  })

  it('all apply to a message of the greatest length with hundreds of links', () => {
    const others = Array.from({ length: 400 }, (_, id) => ({
      id: id + 2,
      pattern: `P${id}-(?P<n>[0-9]+)`,
      urlTemplate: 'https://p.example/{n}',
    }))
    const text = ` #12 P1-1 T-12 ${'b'.repeat(33)}`.repeat(200)
    const third = { id: 999, pattern: 'T-(?P<id>[0-9]{1,6})', urlTemplate: 'https://t.example/{id}' }
    const html = rendered(`${text} P399-7`, { linkifiers: [issue, ...others, third] })
    expect(html.split(issueLink('12')).length - 1).toBe(200)
    expect(html.split(link('https://p.example/1', 'P1-1')).length - 1).toBe(200)
    expect(html.split(link('https://t.example/12', 'T-12')).length - 1).toBe(200)
    expect(html).toContain(link('https://p.example/7', 'P399-7'))
  })

  it('of ordinary kinds all apply to the end of a message of the greatest length', () => {
    const digest = { id: 5, pattern: '(?P<id>[0-9a-f]{7,40})', urlTemplate: 'https://git.example/{id}' }
    const page = { id: 6, pattern: 'page:(?P<name>\\w+)', urlTemplate: 'https://wiki.example/{name}' }
    const all = [repo, issue, ticket, digest, page]
    const text = 'fix # of page: and/or word A-1 '.repeat(310)
    const html = rendered(`${text}AB-12 a/b#3 #4 abcdef012 page:top`, { linkifiers: all })
    expect(html.match(/<a /g)).toHaveLength(5)
  })

  it.each([
    ['that may read on beyond a word', '(?:[!-~]*z)|a', 'a,'],
    ['of hundreds of groups', '(a?)'.repeat(300), 'a '],
  ])('%s find less in a long text', (_, pattern, text) => {
    const rule = { id: 1, pattern, urlTemplate: 'https://a.example/' }
    const found = findLinkifierMatches(text.repeat(4_000), [rule], newMatchingBudget())
    expect(found.length).toBeLessThan(400)
    expect(findLinkifierMatches(text, [rule], newMatchingBudget())).toHaveLength(1)
  })

  it('apply in their order if they overlap', () => {
    const first = { id: 1, pattern: 'x-(?P<a>[0-9]+)', urlTemplate: 'https://a.example/{a}' }
    const second = { id: 2, pattern: '(?P<b>x-[0-9]+)', urlTemplate: 'https://b.example/{b}' }
    expect(rendered('x-1', { linkifiers: [first, second] })).toBe(
      '<p><a href="https://a.example/1">x-1</a></p>',
    )
    expect(rendered('x-1', { linkifiers: [second, first] })).toBe(
      '<p><a href="https://b.example/x-1">x-1</a></p>',
    )
  })

  it.each([
    ['a broken pattern', { id: 1, pattern: '(', urlTemplate: 'https://a.example/' }],
    [
      'look-around, which takes more than linear time',
      { id: 1, pattern: '(?=x)x', urlTemplate: 'https://a.example/' },
    ],
    ['a pattern that matches nothing', { id: 1, pattern: 'z*', urlTemplate: 'https://a.example/' }],
    [
      'an address of a forbidden scheme',
      { id: 1, pattern: '(?P<x>x)', urlTemplate: 'javascript:alert({x})' },
    ],
    ['a huge pattern', { id: 1, pattern: '(x{900}){900}', urlTemplate: 'https://a.example/' }],
  ])('leave the text alone: %s', (_, linkifier) => {
    expect(rendered('x y', { linkifiers: [linkifier] })).toBe('<p>x y</p>')
  })

  it('never become slow by a pattern', () => {
    const evil = { id: 1, pattern: '(a|aa|a*)+$', urlTemplate: 'https://a.example/' }
    expect(rendered(`${'a'.repeat(5000)}!`, { linkifiers: [evil] })).toBe(`<p>${'a'.repeat(5000)}!</p>`)
  })
})

describe('the patterns of the public help', () => {
  it.each([
    [
      'google:(?P<q>\\w+)?',
      'https://google.example/search{?q}',
      'google:foo',
      'https://google.example/search?q=foo',
    ],
    ['google:(?P<q>\\w+)?', 'https://google.example/search{?q}', 'google:', 'https://google.example/search'],
    [
      'RTD/(?P<article>[a-zA-Z0-9_/.#-]+)',
      'https://docs.example/{+article}',
      'RTD/a/b.html',
      'https://docs.example/a/b.html',
    ],
    [
      '(?P<id>[0-9a-f]{7,40})',
      'https://git.example/commit/{id}',
      'abdc123',
      'https://git.example/commit/abdc123',
    ],
    ['page:(?P<name>\\w+)', 'https://wiki.example/{#name}', 'page:top', 'https://wiki.example/#top'],
  ])('%s', (pattern, urlTemplate, text, url) => {
    expect(rendered(text, { linkifiers: [{ id: 1, pattern, urlTemplate }] })).toBe(
      `<p>${link(url, text)}</p>`,
    )
  })
})

describe('links of a topic', () => {
  const realmUrl = 'https://chat.example.com'

  it.each([
    ['nothing here', []],
    ['fix #12', [{ text: '#12', url: 'https://issues.example/12' }]],
    [
      'AB-1 before #2',
      [
        { text: 'AB-1', url: 'https://tickets.example/browse/AB-1' },
        { text: '#2', url: 'https://issues.example/2' },
      ],
    ],
    ['https://example.com/a b', [{ text: 'https://example.com/a', url: 'https://example.com/a' }]],
    [
      '#1 https://example.com #2',
      [
        { text: '#1', url: 'https://issues.example/1' },
        { text: 'https://example.com', url: 'https://example.com' },
        { text: '#2', url: 'https://issues.example/2' },
      ],
    ],
    ['example.com', []],
    ['javascript:alert(1)', []],
    ['x#12', []],
  ])('%s', (topic, expected) => {
    expect(topicLinks(topic, { linkifiers, realmUrl })).toEqual(expected)
  })
})

it('A topic gets a tenth of the matching of a message', () => {
  const linkifiers = Array.from({ length: 20 }, (_, id) => ({
    id,
    pattern: `(?:a?){300}${id}`,
    urlTemplate: 'https://a.example/',
  }))
  const search = vi.spyOn(Object.getPrototypeOf(RE2JS.compile('a').matcher('')), 'find')
  topicLinks('a'.repeat(60), { linkifiers, realmUrl: '' })
  const inTopic = search.mock.calls.length
  rendered('a'.repeat(60), { linkifiers })
  expect([inTopic, search.mock.calls.length - inTopic]).toEqual([2, 20])
  search.mockRestore()
})

describe('the topics of one answer', () => {
  const topics = Array.from({ length: 500 }, (_, at) => `${'a'.repeat(50)} #${at}`)

  it('share their matching', () => {
    const dear = { id: 1, pattern: '(?:a?){300}b', urlTemplate: 'https://a.example/' }
    const lookups = { linkifiers: [dear], realmUrl: '' }
    const search = vi.spyOn(Object.getPrototypeOf(RE2JS.compile('a').matcher('')), 'find')
    const links = new TopicLinksOfPage(topics, lookups)
    for (const topic of topics) links.of(topic)
    // Each by itself would be searched.
    expect(search.mock.calls.length).toBeLessThan(100)
    search.mockRestore()
  })

  it('are left to another turn after some', () => {
    const linkifiers = ['b', 'c', 'd'].map((end, id) => ({
      id,
      pattern: `(?:a?){20}${end}`,
      urlTemplate: 'https://a.example/',
    }))
    const links = new TopicLinksOfPage(topics, { linkifiers, realmUrl: '' })
    const inOneTurn = topics.findIndex((topic) => {
      links.of(topic)
      return links.isSpent
    })
    expect(inOneTurn).toBeGreaterThan(20)
    expect(inOneTurn).toBeLessThan(200)
  })

  it('have all links that ordinary rules make', () => {
    const linkifiers = ['#', 'PR#', 'T#', 'ISSUE-', 'JIRA-', 'BUG-', 'OPS-', 'WEB-', 'API-', 'DOC-'].map(
      (before, id) => ({
        id,
        pattern: `${before}(?P<id>[0-9]+)`,
        urlTemplate: `https://a.example/${id}/{id}`,
      }),
    )
    const page = new TopicLinksOfPage([], { linkifiers, realmUrl: '' })
    for (const [at, topic] of topics.entries()) {
      const links = page.of(`${topic} and OPS-${at}`)
      expect(links.map(({ url }) => url)).toEqual([`https://a.example/0/${at}`, `https://a.example/6/${at}`])
    }
  })
})

describe('the check of a new linkifier', () => {
  it.each([
    [issue.pattern, issue.urlTemplate, {}],
    [repo.pattern, repo.urlTemplate, {}],
    ['static', 'https://a.example/', {}],
    ['(?P<a>x)', 'https://a.example/{a:3}{?a*}', {}],
    [
      '#(?P<id>[0-9]+)',
      'https://a.example/{no}',
      { __all__: "Group 'no' in URL template is not present in linkifier pattern." },
    ],
    [
      '#(?P<id>[0-9]+)',
      'https://a.example/',
      { __all__: "Group 'id' in linkifier pattern is not present in URL template." },
    ],
    ['#(?P<id>[0-9]+)', 'https://a.example/{id', { url_template: 'Invalid URL template.' }],
    ['#(?P<id>[0-9]+)', 'https://a.example/id}', { url_template: 'Invalid URL template.' }],
    ['#(?P<id>[0-9]+)', 'https://a.example/{}', { url_template: 'Invalid URL template.' }],
    ['#(?P<id>[0-9]+)', 'https://a.example/{{id}}', { url_template: 'Invalid URL template.' }],
  ])('%s with %s', (pattern, template, errors) => {
    expect(linkifierErrors(pattern, template)).toEqual(errors)
  })

  it('refuses a pattern that is far too large without compiling it', () => {
    const compile = vi.spyOn(RE2JS, 'compile')
    expect(linkifierErrors('[a-z]{0,999}'.repeat(80), 'https://a.example/')).toEqual({
      __all__: 'Bad regular expression: pattern too large - compile failed',
    })
    expect(compile).not.toHaveBeenCalled()
    compile.mockRestore()
  })

  it.each(['(', ')', 'a)(b', '[', '*', '(?<!x)y', '\\1', 'x{2000}'])('refuses %s', (pattern) => {
    expect(linkifierErrors(pattern, 'https://a.example/').__all__).toMatch(/^Bad regular expression: ./)
  })
})
