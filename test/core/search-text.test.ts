import { describe, expect, it } from 'vitest'
import {
  anySearchExpression,
  containsSearchTerm,
  indexedText,
  SearchedText,
  searchExpression,
  trigramsOf,
} from '../../src/core/search-text.ts'

describe('containsSearchTerm', () => {
  it.each([
    ['Hello World', 'hello', true],
    ['Hello World', 'lo wo', true],
    ['configuration', 'figur', true],
    ['configuration', 'xfig', false],
    ['日本語の文章', '本', true],
    ['日本語の文章', '本語', true],
    ['日本語の文章', '本の', false],
    ['안녕하세요', '녕하', true],
    ['ภาษาไทย', 'ไท', true],
    ['C# and F#', 'c#', true],
    ['C# and F#', 'f#', true],
    ['it is', 'is', true],
    ['this', 'is', false],
    ['use v2, please', 'v2', true],
    ['日a', '日a', true],
  ])('%s has %s: %s', (text, searchTerm, expected) => {
    expect(containsSearchTerm(text, searchTerm)).toBe(expected)
  })
})

it('finds several search terms in one text as it finds each alone', () => {
  const content = 'Use v2, please: 日本語 of C#'
  const text = new SearchedText(content)
  const searchTerms = ['v2', 'se', 'please', 'absent', '本', '本の', 'c#', 'of', 'v3']
  const found = searchTerms.filter((searchTerm) => text.contains(searchTerm))
  expect(found).toEqual(['v2', 'please', '本', 'c#', 'of'])
  expect(found).toEqual(searchTerms.filter((searchTerm) => containsSearchTerm(content, searchTerm)))
})

it('finds groups of search terms of which one must be there as a whole', () => {
  const text = new SearchedText('Use v2, please')
  expect(text.containsAny([['absent'], ['v2', 'please']])).toBe(true)
  expect(text.containsAny([['absent'], ['v2', 'absent']])).toBe(false)
  expect(text.containsAny([[]])).toBe(true)
  expect(text.containsAny([])).toBe(false)
})

/** Whether a trigram index of the text finds the search term: it contains the trigrams of every phrase in order. */
function trigramsFind(text: string, searchTerm: string): boolean {
  const [phrase] = [...searchExpression([searchTerm]).matchAll(/"((?:[^"]|"")*)"/g)].map(([, inner]) =>
    inner!.replaceAll('""', '"'),
  )
  return indexedText(text).toLowerCase().includes(phrase!)
}

describe('the indexed text', () => {
  it.each([
    ['Hello World', 'lo wo'],
    ['日本語の文章', '本'],
    ['日本語の文章', '本語'],
    ['C# and F#', 'c#'],
    ['it is', 'is'],
    ['say "quoted" words', '"quoted"'],
    ['this', 'is'],
    ['日本語', '本の'],
    ['abc', 'abd'],
  ])('of %s agrees with containsSearchTerm on %s', (text, searchTerm) => {
    expect(trigramsFind(text, searchTerm)).toBe(containsSearchTerm(text, searchTerm))
  })
})

describe('searchExpression', () => {
  it('of several groups asks for one of them', () => {
    expect(anySearchExpression([['one', 'two'], ['three']])).toBe('("one" AND "two") OR ("three")')
  })

  it('quotes every search term and asks for all', () => {
    expect(searchExpression(['one', 'say "hi"'])).toBe('"one" AND "say ""hi"""')
  })
})

describe('trigramsOf', () => {
  it('counts all of them, and returns some from the beginning to the end', () => {
    expect(trigramsOf('abcdefghijk', 3)).toEqual({ count: 9, some: ['abc', 'efg', 'ijk'] })
  })

  it('divides no character', () => {
    expect(trigramsOf('👍a👍b👍c👍', 20)).toEqual({
      count: 5,
      some: ['👍a👍', 'a👍b', '👍b👍', 'b👍c', '👍c👍'],
    })
  })

  it('returns those of short words as the index has them', () => {
    expect(trigramsOf('ok', 9).some).toContain('\u0002ok')
  })

  it('returns none of an empty text', () => {
    expect(trigramsOf('', 8)).toEqual({ count: 0, some: [] })
  })
})
