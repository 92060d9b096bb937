import { describe, expect, it } from 'vitest'
import { countPoints, firstPoints, isLongerThan } from '../../src/core/text-length.ts'

const ROCKET = '\u{1f680}'
const TEXTS = [
  '',
  'a',
  'ab',
  'abc',
  ROCKET,
  `a${ROCKET}b`,
  ROCKET.repeat(3),
  '\ud83d',
  `\ude80${ROCKET}\ud83d`,
]

describe('lengths in code points', () => {
  it.each(TEXTS)('agree with the list of code points: %j', (text) => {
    const points = [...text]
    expect(countPoints(text)).toBe(points.length)
    for (let limit = 0; limit < 5; limit += 1) {
      expect(isLongerThan(text, limit)).toBe(points.length > limit)
      expect(firstPoints(text, limit)).toBe(points.slice(0, limit).join(''))
    }
  })
})
