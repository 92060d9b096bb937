import { describe, expect, it } from 'vitest'
import { findAlertedUsers } from '../../src/markdown/alert-words.ts'
import { renderMarkdown } from '../../src/markdown/render.ts'
import { lookups } from './lookups.ts'

const alertWords = [
  { userId: 3, words: ['cat', 'on fire'] },
  { userId: 1, words: ['Dog', 'c++'] },
  { userId: 2, words: ['cat'] },
  { userId: 4, words: ['', '  ', 'Ωmega', '猫'] },
]

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
    ['', []],
  ])('%s alerts %j', (text, users) => {
    expect(findAlertedUsers(text, alertWords)).toEqual(users)
  })

  it('alert nobody when there are none', () => {
    expect(findAlertedUsers('cat', [])).toEqual([])
    expect(findAlertedUsers('cat', [{ userId: 1, words: [] }])).toEqual([])
  })

  it('are looked for in the source of a message', () => {
    expect(renderMarkdown('[cat](https://example.com)', { ...lookups, alertWords }).alertedUserIds).toEqual([
      2, 3,
    ])
  })
})
