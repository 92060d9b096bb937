import { describe, expect, it } from 'vitest'
import {
  type Change,
  type Format,
  formatted,
  nextLine,
  type Selected,
} from '../../web/state/markdown-edit.ts'

/** Reads `a [b] c` as a text with `b` selected; `|` is a cursor. */
function read(shown: string): Selected {
  const start = shown.search(/[|⟦]/)
  const text = shown.replaceAll(/[|⟦⟧]/g, '')
  const end = shown.includes('⟧') ? shown.indexOf('⟧') - 1 : start
  return { text, start, end }
}

function show({ text }: Selected, { from, to, inserted, start, end }: Change): string {
  const next = text.slice(0, from) + inserted + text.slice(to)
  return start === end
    ? `${next.slice(0, start)}|${next.slice(start)}`
    : `${next.slice(0, start)}⟦${next.slice(start, end)}⟧${next.slice(end)}`
}

describe('a format', () => {
  it.each<[string, string, Format, string]>([
    ['marks the selected words', 'so ⟦very⟧ old', 'bold', 'so **⟦very⟧** old'],
    ['leaves spaces outside of its marks', 'so⟦ very ⟧old', 'strike', 'so ~~⟦very⟧~~ old'],
    ['is taken from words inside its marks', 'so **⟦very⟧** old', 'bold', 'so ⟦very⟧ old'],
    ['is taken from words selected with their marks', 'so ⟦**very**⟧ old', 'bold', 'so ⟦very⟧ old'],
    ['in italics is not half of bold', '**⟦very⟧**', 'italic', '***⟦very⟧***'],
    ['in italics is taken from bold italics', '***⟦very⟧***', 'italic', '**⟦very⟧**'],
    ['without a selection puts the cursor between marks', 'so |', 'italic', 'so *|*'],
    ['of code over several lines is a block', '⟦a\nb⟧', 'code', '```\n⟦a\nb⟧\n```'],
    ['of code has fences longer than those within', '⟦```\nb⟧', 'code', '````\n⟦```\nb⟧\n````'],
    ['of a formula over several lines is a block', 'x\n⟦a\nb⟧\ny', 'formula', 'x\n```math\n⟦a\nb⟧\n```\ny'],
    ['of a formula is inline', '⟦x^2⟧', 'formula', '$$⟦x^2⟧$$'],
    ['of a list takes whole lines', 'x\na⟦a\nb⟧b', 'bullets', 'x\n⟦* aa\n* bb⟧'],
    ['of a numbered list counts', '⟦a\nb⟧', 'numbers', '⟦1. a\n2. b⟧'],
    ['of a list replaces that of another', '⟦* a\n* b⟧', 'numbers', '⟦1. a\n2. b⟧'],
    ['of a list is taken from its lines', '⟦* a\n* b⟧', 'bullets', '⟦a\nb⟧'],
    ['of a line keeps the cursor in its word', 'ab|c', 'quote', '> ab|c'],
    ['of a link asks for its address', 'see ⟦this⟧', 'link', 'see [this](⟦https://⟧)'],
    [
      'of a link around an address asks for words',
      '⟦https://a.example⟧',
      'link',
      '[⟦words⟧](https://a.example)',
    ],
    ['of a spoiler has a title', '⟦he dies⟧', 'spoiler', '```spoiler words\n⟦he dies⟧\n```'],
  ])('%s', (_, before, format, after) => {
    const selected = read(before)
    expect(show(selected, formatted(selected, format, 'words'))).toBe(after)
  })
})

describe('a new line', () => {
  it.each([
    ['goes on with a list', '* a|', '* a\n* |'],
    ['counts on', '  9. a|', '  9. a\n  10. |'],
    ['goes on with an unchecked box', '- [x] a|', '- [x] a\n- [ ] |'],
    ['goes on with a quote', '> a|', '> a\n> |'],
    ['ends a list after an empty item', '* a\n* |', '* a\n|'],
    ['divides an item', '* a|b', '* a\n* |b'],
    ['goes on with a list in a quoted block', '```quote\n* a|', '```quote\n* a\n* |'],
  ])('%s', (_, before, after) => {
    const selected = read(before)
    expect(show(selected, nextLine(selected)!)).toBe(after)
  })

  it.each([
    ['of a text', 'a|'],
    ['of code', '```\n* a|'],
    ['before an item', '* |a'],
    ['of a minus', '-a|'],
  ])('is a plain one in the middle %s', (_, before) => {
    expect(nextLine(read(before))).toBeUndefined()
  })
})
