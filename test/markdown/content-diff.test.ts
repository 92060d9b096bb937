import { describe, expect, it } from 'vitest'
import { contentHtmlDiff, newComparisonBudget } from '../../src/markdown/content-diff.ts'
import { rendered } from './describe-cases.ts'

const ins = (html: string): string => `<span class="highlight_text_inserted">${html}</span>`
const del = (html: string): string => `<span class="highlight_text_deleted">${html}</span>`

describe('the difference of two renderings', () => {
  it.each([
    ['same', '<p>a b</p>', '<p>a b</p>', '<p>a b</p>'],
    ['a word replaced', '<p>Hello!</p>', '<p>Howdy!</p>', `<p>${del('Hello!')}${ins('Howdy!')}</p>`],
    ['a word inserted', '<p>a c</p>', '<p>a b c</p>', `<p>a ${ins('b')} c</p>`],
    ['words inserted', '<p>a d</p>', '<p>a b c d</p>', `<p>a ${ins('b c')} d</p>`],
    ['a word deleted', '<p>a b c</p>', '<p>a c</p>', `<p>a ${del('b')} c</p>`],
    ['a paragraph inserted', '<p>a</p>', '<p>a</p>\n<p>b</p>', `<p>a</p>\n<p>${ins('b')}</p>`],
    ['everything inserted', '', '<p>a</p>', `<p>${ins('a')}</p>`],
    ['everything deleted', '<p>a</p>', '', del('a')],
    ['made bold', '<p>a</p>', '<p><strong>a</strong></p>', '<p><strong>a</strong></p>'],
    [
      'a link elsewhere',
      '<p><a href="/x">t</a></p>',
      '<p><a href="/y">t</a></p>',
      `<p>${del('<a href="/x">t</a>')}${ins('<a href="/y">t</a>')}</p>`,
    ],
    [
      'an image emoji deleted',
      '<p>a <img alt=":x:" class="emoji" src="/x" title="x"></p>',
      '<p>a</p>',
      `<p>a ${del(':x:')}</p>`,
    ],
    [
      'an image emoji inserted',
      '<p>a</p>',
      '<p>a <img alt=":x:" class="emoji" src="/x" title="x"></p>',
      `<p>a ${ins('<img alt=":x:" class="emoji" src="/x" title="x">')}</p>`,
    ],
  ])('%s', (_, before, after, expected) => {
    expect(contentHtmlDiff(before, after)).toBe(`<div>${expected}</div>`)
  })

  it('puts a deleted item outside the list', () => {
    expect(contentHtmlDiff(rendered('* a\n* b'), rendered('* a'))).toBe(
      `<div><ul>\n<li>a</li>\n</ul>${del('b')}</div>`,
    )
  })

  it('puts a deleted row outside the table', () => {
    const html = contentHtmlDiff(rendered('| a |\n| - |\n| b |\n| c |'), rendered('| a |\n| - |\n| b |'))
    expect(html).toContain(`</table>${del('c')}`)
  })

  it('keeps a formula whole', () => {
    const html = contentHtmlDiff(rendered('a $$x$$'), rendered('a $$y$$'))
    expect(html).toMatch(
      /highlight_text_deleted"><span class="katex">.*highlight_text_inserted"><span class="katex">/,
    )
  })

  it('keeps escaped text escaped', () => {
    expect(contentHtmlDiff(rendered('<a>'), rendered('<b>'))).toBe(
      `<div><p>${del('&lt;a&gt;')}${ins('&lt;b&gt;')}</p></div>`,
    )
  })

  it('shows both in full when they have nothing in common', () => {
    const words = (letter: string) =>
      Array.from({ length: 2000 }, (_, index) => `${letter}${index}`).join(' ')
    const html = contentHtmlDiff(rendered(words('a')), rendered(words('b')))
    expect(html.match(/highlight_text_deleted/g)).toHaveLength(1)
    expect(html).toContain(words('a'))
    expect(html).toContain(words('b'))
  })

  it('finds one change, however long the text', () => {
    const words = (letter: string) =>
      Array.from({ length: 1500 }, (_, index) => `${letter}${index}`).join(' ')
    const html = contentHtmlDiff(rendered(words('a')), rendered(`${words('a')} ${words('b')}`))
    expect(html).not.toContain('highlight_text_deleted')
    expect(html.match(/highlight_text_inserted/g)).toHaveLength(1)
  })

  it('shows both in full when comparing others took all the work that is allowed', () => {
    const budget = newComparisonBudget()
    const words = (letter: string) => Array.from({ length: 800 }, (_, index) => `${letter}${index}`).join(' ')
    const changed = () => contentHtmlDiff(rendered('a b c'), rendered('a x c'), budget)
    expect(changed()).toBe(`<div><p>a ${del('b')}${ins('x')} c</p></div>`)
    for (const letter of 'bcdefgh') contentHtmlDiff(rendered(words('a')), rendered(words(letter)), budget)
    expect(budget.left).toBe(0)
    expect(changed()).toBe(`<div>${del('a b c')}<p>${ins('a x c')}</p></div>`)
  })
})
