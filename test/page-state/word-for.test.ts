import { expect, it } from 'vitest'
import { type ValuesIn, wordFor } from '../../web/texts/word-for.ts'

const words = { order: { 1: 'First', 2: 'Second' }, show: { false: 'No', true: 'Yes' }, size: {} }

it('finds words of known values alone', () => {
  expect([wordFor(words.order, 2), wordFor(words.show, true)]).toEqual(['Second', 'Yes'])
  expect([wordFor(words.order, 3), wordFor(words.order, 'toString')]).toEqual([undefined, undefined])
})

it('lets no value without a word compile', () => {
  const whole = { order: [1, 2], show: [false, true], size: [14] } as const satisfies ValuesIn<typeof words>
  // @ts-expect-error: the catalogue has no word for 3
  const lacking = { ...whole, order: [1, 3] } as const satisfies ValuesIn<typeof words>
  expect(Object.keys(lacking)).toEqual(Object.keys(whole))
})
