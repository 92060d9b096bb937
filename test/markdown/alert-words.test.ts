import { describe, expect, it, vi } from 'vitest'
import { QUOTAS } from '../../src/core/quotas.ts'
import { AlertWordIndex, searchedText } from '../../src/markdown/alert-words.ts'
import { renderMarkdown } from '../../src/markdown/render.ts'
import { lookups } from './lookups.ts'

const given = [
  { userId: 3, words: ['cat', 'on fire'] },
  { userId: 1, words: ['Dog', 'c++'] },
  { userId: 2, words: ['cat'] },
  { userId: 4, words: ['', '  ', 'Ωmega', '猫'] },
]

function findAlertedUsers(text: string, entries: ConstructorParameters<typeof AlertWordIndex>[0]): number[] {
  const found = new Set<number>()
  new AlertWordIndex(entries).find(searchedText(text), found)
  return [...found].sort((a, b) => a - b)
}

describe('alert words', () => {
  it.each([
    ['nothing', []],
    ['a cat', [2, 3]],
    ['CAT!', [2, 3]],
    ['(cat)', [2, 3]],
    ["cat's", [2, 3]],
    ['category', []],
    ['bobcat', []],
    ['cat_1', []],
    ['**cat**', [2, 3]],
    ['`cat`', [2, 3]],
    ['the house is on fire', [3]],
    ['on  fire', []],
    ['dog cat', [1, 2, 3]],
    ['I like C++.', [1]],
    ['c+++', [1]],
    ['ωMEGA', [4]],
    ['猫', [4]],
    ['猫猫', []],
    ['😀 cat 😀', [2, 3]],
    ['', []],
  ])('%s alerts %j', (text, users) => {
    expect(findAlertedUsers(text, given)).toEqual(users)
  })

  it('alert nobody when there are none', () => {
    expect(findAlertedUsers('cat', [])).toEqual([])
    expect(findAlertedUsers('cat', [{ userId: 1, words: [] }])).toEqual([])
  })

  it('are looked for in the source of a message', () => {
    const alertWords = { usersAlertedBy: (text: string) => findAlertedUsers(text, given) }
    const { alertedUserIds } = renderMarkdown('[cat](https://example.com)', { ...lookups, alertWords })
    expect(alertedUserIds).toEqual([2, 3])
  })

  it('beyond the basic plane are found whole, never by half a surrogate pair', () => {
    const entries = [{ userId: 1, words: ['😀', '\ud83d', '\ude00'] }]
    expect(findAlertedUsers('a 😀 b', entries)).toEqual([1])
    expect(findAlertedUsers('a 😁 b', entries)).toEqual([])
  })

  it('equal what a plain search finds, for many words with common beginnings', () => {
    const words = ['a', 'ab', 'abc', 'a b', 'a  b', 'b', 'b-a', '-', '--', 'ä', '1', 'a1']
    const text = 'a ab-a b abcd --a  b ä1 a1 -- Ä'
    const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_]/u.test(char)
    const lower = text.toLowerCase()
    const stands = (word: string) =>
      [...lower].some(
        (_, at) =>
          lower.startsWith(word, at) &&
          !(isWord(lower[at - 1]) && isWord(lower[at])) &&
          !(isWord(lower[at + word.length - 1]) && isWord(lower[at + word.length])),
      )
    const entries = words.map((word, userId) => ({ userId, words: [word] }))
    expect(findAlertedUsers(text, entries)).toEqual(
      words.flatMap((word, userId) => (stands(word) ? [userId] : [])),
    )
  })

  it('of many users are entered once, however often a text has them', () => {
    const entries = Array.from({ length: 1_000 }, (_, userId) => ({ userId, words: ['cat'] }))
    const found = new Set<number>()
    const add = vi.spyOn(found, 'add')
    new AlertWordIndex(entries).find(searchedText('cat '.repeat(2_500)), found)
    expect(found.size).toBe(1_000)
    expect(add.mock.calls.length).toBe(1_000)
  })

  it('fit their memory budget, with as many as the quotas allow', () => {
    const { organization, organizationBytes } = QUOTAS.alertWords
    const length = organizationBytes! / organization!
    const words = Array.from({ length: organization! }, (_, n) => `w${n}`.padEnd(length, 'x'))
    expect(new AlertWordIndex([{ userId: 1, words }]).bytes).toBeLessThan(2_000_000)
    expect(findAlertedUsers(`so ${words[4_711]} it is`, [{ userId: 1, words }])).toEqual([1])
  })
})
