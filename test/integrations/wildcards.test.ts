import { describe, expect, it } from 'vitest'
import { fitsOneOf, fitsWildcard } from '../../src/integrations/wildcards.ts'

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
    expect(fitsWildcard(pattern, text)).toBe(fits)
  })

  it('of a thousand stars ends', () => {
    expect(fitsWildcard('*a'.repeat(500), 'a'.repeat(499))).toBe(false)
  })

  it('may be one of several', () => {
    expect(fitsOneOf('main, release-*', 'release-1')).toBe(true)
    expect(fitsOneOf('main, release-*', 'next')).toBe(false)
  })
})
