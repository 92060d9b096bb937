import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstUnfitInName, nameKey } from '../../src/core/names.ts'

describe('a name', () => {
  it.each([
    ['a zero-width space', 'Ada\u200b Love', 4],
    ['an override of direction', 'Ada\u202e', 4],
    ['an isolate of direction', '\u2066Ada', 1],
    ['a mark of direction', 'Ada\u200f', 4],
    ['a soft hyphen', 'A\u00adda', 2],
    ['a line separator', 'Ada\u2028Love', 4],
    ['a Hangul filler', 'Ada \u3164', 5],
    ['a tag', '𝔸da\u{e0041}', 4],
    ['a tag after a flag that has no such form', '🏴\u{e0041}\u{e007f}', 2],
    ['a combining grapheme joiner', 'A\u034fda', 2],
    ['an invisible operator', 'A\u2062da', 2],
    ['an annotation', 'A\ufffada', 2],
    ['a control', 'A\u0085da', 2],
    ['a non-character', 'A\ufffeda', 2],
    ['half of a pair', 'A\ud83dda', 2],
    ['a joiner between Latin letters', 'A\u200dda', 2],
    ['two joiners', 'क्\u200d\u200dष', 4],
    ['a joiner after an emoji that joins nothing', '👩\u200dda', 2],
    ['a variant of a Latin letter', 'A\ufe0fda', 2],
    ['blanks alone', '\u2800\u2800', 1],
  ])('has no %s', (_, name, position) => {
    expect(firstUnfitInName(name)).toBe(position)
  })

  it.each([
    'Ada Lovelace',
    '山田　太郎',
    'נועה',
    '葛\u{e0100}城',
    'می‌خواهم',
    'രാമന്‍ കുട്ടി',
    'రామ్‌',
    'ශ්‍රී',
    'ᠮᠣᠩᠭᠣᠯ᠋',
    'team 👩‍👩‍👧',
    '❤️ and ☺︎ and ❤‍🔥',
    '1️⃣',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '👩🏽‍🚒',
  ])('may be %s', (name) => {
    expect(firstUnfitInName(name)).toBeUndefined()
  })
})

describe('the key of a name', () => {
  it.each([
    ['ADA', 'ada'],
    ['Café', 'Cafe\u0301'],
    ['Ｃａｆé　１', 'café 1'],
    ['ﾔﾏﾀﾞ', 'ヤマダ'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['a \u00a0\u2003 b ', 'a b'],
    ['a\u200bb', 'ab'],
    ['Ⅳ', 'iv'],
    ['می‌خواهم', 'میخواهم'],
  ])('is that of another form: %j, %j', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other))
  })

  it.each([
    ['Ada', 'Аda'],
    ['Ali', 'Alı'],
    ['cafe', 'café'],
    ['ab', 'a b'],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ])('differs for what people see as another name: %j, %j', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other))
  })

  it('is its own key, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        const key = nameKey(text)
        return nameKey(key) === key && nameKey(` ${text.normalize('NFD')}\u3000`) === key
      }),
      { numRuns: 500 },
    )
  })
})
