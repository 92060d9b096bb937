import { describe, expect, it, vi } from 'vitest'
import { AlertWordIndex, searchedText } from '../../src/markdown/alert-words.ts'

describe('alert words', () => {
  it('are looked at in few places where they all go on alike', () => {
    const words = Array.from({ length: 5_000 }, (_, n) => `${'!'.repeat(90)}${n}`)
    const text = '!'.repeat(2_000)
    const index = new AlertWordIndex([{ userId: 1, words }])
    const searched = searchedText(text)
    const read = vi.spyOn(String.prototype, 'charCodeAt')
    index.find(searched, new Set())
    const reads = read.mock.calls.length
    read.mockRestore()
    expect(reads).toBeLessThan(6 * 90 * text.length)
  })

  it('in chains that a text repeats are looked for with limited work', () => {
    const entries = Array.from({ length: 100 }, (_, userId) => ({
      userId,
      words: Array.from({ length: 99 }, (_, n) => `${'-'.repeat(n)}${userId % 12}`.padEnd(100, '-')),
    }))
    const index = new AlertWordIndex([...entries, { userId: 100, words: ['cat'] }])
    const searched = searchedText(`cat ${'-'.repeat(10_000)}`)
    const found = new Set<number>()
    const read = vi.spyOn(String.prototype, 'charCodeAt')
    index.find(searched, found)
    const reads = read.mock.calls.length
    read.mockRestore()
    expect(reads).toBeLessThan(4_000_000)
    expect([...found]).toEqual([100])
  })
})
