import { describe, expect, it } from 'vitest'
import { fitsOneOf, patternsIn } from '../../src/integrations/wildcards.ts'

describe('a pattern', () => {
  it.each([
    ['push', 'push', true],
    ['push', 'push_tags', false],
    ['push*', 'push_tags', true],
    ['*', '', true],
    ['*_tags', 'push_tags', true],
    ['*a*a*b', 'aXaYaZb', true],
    ['p?sh', 'push', true],
    ['p?sh', 'psh', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[]]x', ']x', true],
    ['[x', '[x', true],
    ['a.c', 'abc', false],
    ['Push', 'push', false],
    ['', 'push', false],
  ])('%j of %j: %j', (pattern, text, fits) => {
    expect(fitsOneOf([pattern])(text)).toBe(fits)
  })

  it('compares whole characters', () => {
    expect(fitsOneOf(['a?b'])('a🦀b')).toBe(true)
    expect(fitsOneOf(['[🦀-🦂]*'])('🦁x')).toBe(true)
    expect(fitsOneOf(['*?'])('🦀')).toBe(true)
  })

  it('of a thousand stars ends', () => {
    expect(fitsOneOf(['*a'.repeat(125)])('a'.repeat(124))).toBe(false)
  })

  it('may be one of several', () => {
    const fits = fitsOneOf(patternsIn('main, release-*'))
    expect(['main', 'release-1', 'next'].map(fits)).toEqual([true, true, false])
  })

  it('counts among the first hundred only', () => {
    const fits = fitsOneOf(patternsIn(Array.from({ length: 200 }, (_, at) => `b${at}`).join(',')))
    expect(['b0', 'b99', 'b100'].map(fits)).toEqual([true, true, false])
  })

  it('meets the first 250 characters of a name', () => {
    expect(fitsOneOf(['*b'])(`${'a'.repeat(249)}b${'c'.repeat(1_000)}`)).toBe(true)
    expect(fitsOneOf(['*c'])(`${'a'.repeat(250)}c`)).toBe(false)
  })
})
