import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { leastProgramOf } from '../../src/markdown/least-program.ts'

describe('the instructions that a pattern has at least', () => {
  it.each([
    ['abc', 3],
    ['a|bcd|e', 3],
    ['a{1000}', 1000],
    ['((a{5}){0,5}b){10}', 260],
    ['a{3,}b{0,}c{0}[^]x]{2}', 6],
    ['\\pL\\p{Lu}{4}\\Qa(b\\E{2}\\x{41}', 10],
    ['^(?i)a(?:\\b){9}$', 1],
    ['[a-z]{0,999}'.repeat(80), 79_920],
    ['x{900}(', 900],
    ['a[b', 2],
    ['[(?]a{100}', 101],
  ])('of %s are %i', (pattern, least) => expect(leastProgramOf(pattern)).toBe(least))

  it('are never more than it has', () => {
    const parts = [
      ...['a', 'b', '😀', '.', '\\d', '\\pL', '\\p{Lu}', '\\x{41}', '\\(', '{', '}', '^', '$', '\\b', '\\A'],
      ...[
        '(',
        '(',
        ')',
        ')',
        '(?:',
        '(?i:',
        '(?i)',
        '(?P<n>',
        '|',
        '*',
        '+',
        '?',
        '{3}?',
        '{2}',
        '{0}',
        '{0,3}',
      ],
      ...['{2,}', '{0,}', '{12}', '[a-c]', '[^]x]', '[]a]', '[[:alpha:]_]', '[\\]]', '\\Qa(b\\E'],
    ]
    let seed = 1
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    let compiled = 0
    for (let tries = 0; tries < 10_000; tries++) {
      const pattern = Array.from({ length: 1 + random(12) }, () => parts[random(parts.length)]).join('')
      const size = sizeOf(pattern)
      if (size === undefined) continue
      compiled++
      expect(leastProgramOf(pattern), pattern).toBeLessThanOrEqual(size)
    }
    expect(compiled).toBeGreaterThan(1_000)
  })
})

function sizeOf(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch {
    return undefined
  }
}
