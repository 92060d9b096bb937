import data from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { emojiFromCode } from '../../web/state/emoji-character.ts'
import { completeEmoji, type EmojiName, plain } from '../../web/state/index.ts'
import { cellAfter, drawnRows, firstCell, rowsOf } from '../../web/views/emoji/picker-rows.ts'

function emoji(name: string, code: string, words: readonly string[] = []): EmojiName {
  return { name, code, type: 'unicode_emoji', label: words[0]!, words: words.map(plain) }
}

describe('emoji in the page’s language', () => {
  const all = [
    emoji('thumbs_up', '1f44d', ['Daumen hoch', 'gut', 'einverstanden']),
    emoji('+1', '1f44d', ['Daumen hoch', 'gut', 'einverstanden']),
    emoji('flag_bosnia_herzegovina', '1f1e7-1f1e6', ['Flagge: Bosnien und Herzegowina']),
    emoji('heart', '2764', ['rotes Herz', 'Herz']),
    emoji('cupid', '1f498', ['Herz mit Pfeil', 'Amor']),
    emoji('smile', '1f604', ['笑顔', '嬉しい']),
    emoji('working_on_it', '1f6e0', ['Hämmern und Schrauben']),
  ]
  const found = (query: string) => completeEmoji(all, query).map(({ name }) => name)

  it.each([
    ['daumen_h', ['thumbs_up']],
    ['einver', ['thumbs_up']],
    ['+1', ['+1']],
    ['herz', ['heart', 'cupid', 'flag_bosnia_herzegovina']],
    ['hammern', ['working_on_it']],
    ['笑', ['smile']],
    ['しい', ['smile']],
    ['umen', []],
  ])('are found by their names, other words for them, and those of the API: %s', (query, names) => {
    expect(found(query)).toEqual(names)
  })
})

it('an emoji is drawn from its code in the form that Unicode has for it', () => {
  const codeOf = (characters: string) =>
    [...characters.replaceAll('\ufe0f', '')].map((one) => one.codePointAt(0)!.toString(16)).join('-')
  const all = Object.keys(data)
  expect(all.map((characters) => emojiFromCode(codeOf(characters)))).toEqual(all)
  expect(emojiFromCode('1f9d4-1f3fb-200d-2642')).toBe('🧔🏻\u200d♂\ufe0f')
  expect(emojiFromCode('270c-1f3fb')).toBe('✌🏻')
})

describe('the grid of emoji', () => {
  const many = Array.from({ length: 8 }, (_, index) => emoji(`e${index}`, String(index)))
  const rows = rowsOf(
    [
      { category: 'usual', emoji: many.slice(0, 4) },
      { category: 'custom', emoji: [] },
      { category: 'smileys', emoji: many },
    ],
    3,
  )
  const nameAt = (cell: { row: number; column: number } | undefined) =>
    cell && rows[cell.row]!.emoji[cell.column]!.name

  it('has a row for each category that has emoji', () => {
    expect(rows.map((row) => `${row.category} ${row.emoji.length}`)).toEqual([
      'usual 0',
      'usual 3',
      'usual 1',
      'smileys 0',
      'smileys 3',
      'smileys 3',
      'smileys 2',
    ])
    expect(firstCell(rows)).toEqual({ row: 1, column: 0 })
    expect(firstCell(rows, 3)).toEqual({ row: 4, column: 0 })
    expect(firstCell([])).toBeUndefined()
  })

  it.each([
    ['ArrowRight', { row: 1, column: 2 }, 'e3'],
    ['ArrowLeft', { row: 4, column: 0 }, 'e3'],
    ['ArrowDown', { row: 1, column: 2 }, 'e3'],
    ['ArrowDown', { row: 2, column: 0 }, 'e0'],
    ['ArrowUp', { row: 4, column: 2 }, 'e3'],
    ['ArrowUp', { row: 1, column: 1 }, 'e1'],
    ['ArrowRight', { row: 6, column: 1 }, 'e7'],
    ['PageDown', { row: 1, column: 1 }, 'e6'],
    ['PageUp', { row: 6, column: 1 }, 'e0'],
    ['a', { row: 1, column: 1 }, undefined],
  ])('%s leads from %o to %s', (key, cell, name) => {
    expect(nameAt(cellAfter(rows, cell, key))).toBe(name)
  })

  it('draws only the rows near the view', () => {
    expect(drawnRows(300, { top: 0, height: 300, rowHeight: 30 })).toEqual({ from: 0, to: 14 })
    expect(drawnRows(300, { top: 3_010, height: 300, rowHeight: 30 })).toEqual({ from: 97, to: 114 })
    expect(drawnRows(12, { top: 0, height: 300, rowHeight: 30 })).toEqual({ from: 0, to: 12 })
  })
})
