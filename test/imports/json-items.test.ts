import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GROWTH, itemsOf, type JsonItem, sectionsAfter, WHOLE } from '../../src/imports/json-items.ts'
import { fromJson } from '../support/json.ts'
import { collected } from './collected.ts'

/** Reads a text in pieces of so many bytes. */
function read(text: string, size = 3): Promise<JsonItem[]> {
  const bytes = new TextEncoder().encode(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return collected(itemsOf(pieces()))
}

const values = async (text: string) => (await read(text)).map(({ value, fault }) => fault ?? value)

describe('Items of large JSON', () => {
  it('are those of a list, wherever its pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.nat({ max: 9 }),
        fc.boolean(),
        async (list, size, isSpaced) => {
          const items = await read(JSON.stringify(list, null, isSpaced ? 2 : 0), size + 1)
          expect(items.map(({ value }) => value)).toEqual(fromJson(JSON.stringify(list)))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('let others in after each MiB, also within one that fills the file', async () => {
    let [turns, isOver] = [0, false]
    const others = async () => {
      for (; !isOver; turns += 1) await new Promise((resolve) => setTimeout(resolve, 0))
    }
    const beside = others()
    const items = await read(`["${'a'.repeat(8 * 1024 * 1024)}"]`, 64 * 1024)
    isOver = true
    await beside
    expect(items).toMatchObject([{ fault: 'has more than 4194304 bytes' }])
    expect(turns).toBeGreaterThanOrEqual(8)
  })

  it('are those of each list of an object, and its other values', async () => {
    expect(await read('{"a": [1, [2]], "b": {"c": [3]}, "d\\"e": [], "f": "x", "g": [{"h": ","}]}')).toEqual([
      { list: 'a', number: 1, value: 1 },
      { list: 'a', number: 2, value: [2] },
      { list: 'b', number: 1, value: { c: [3] } },
      { list: 'f', number: 1, value: 'x' },
      { list: 'g', number: 1, value: { h: ',' } },
    ])
  })

  it('that are no JSON, too deep or too large are faults beside the others', async () => {
    expect(await values('[1, NaN, {"a": .5}, 2]')).toEqual([1, 'is no JSON: NaN', 'is no JSON: {"a": .5}', 2])
    expect(await values(`[${'['.repeat(70)}${']'.repeat(70)}, 3]`)).toEqual(['has more than 60 levels', 3])
    const items = await read(`[1, {"text": "${'x'.repeat(5_000_000)}"}, 2]`, 100_000)
    expect(items.map(({ value, fault }) => fault ?? value)).toEqual([1, 'has more than 4194304 bytes', 2])
  })

  it('are the same in sections that are read each by itself', async () => {
    const lists = fc.dictionary(fc.constantFrom('a', 'b', 'c"d'), fc.array(fc.jsonValue({ maxDepth: 2 })))
    const json = fc.oneof(fc.array(fc.jsonValue({ maxDepth: 2 })), lists)
    await fc.assert(
      fc.asyncProperty(
        json,
        fc.nat({ max: 9 }),
        fc.integer({ min: 1, max: 40 }),
        async (value, size, least) => {
          const text = JSON.stringify(value)
          const bytes = new TextEncoder().encode(text)
          async function* pieces(from = 0, to = bytes.length) {
            for (let at = from; at < to; at += size + 1) yield bytes.subarray(at, Math.min(at + size + 1, to))
          }
          const sections = await collected(sectionsAfter(WHOLE, pieces(), () => least))
          expect(sections.at(-1)).toMatchObject({ to: bytes.length, isLast: true })
          const items: JsonItem[] = []
          for (const section of sections)
            items.push(...(await collected(itemsOf(pieces(section.from, section.to), section))))
          expect(items).toEqual(await read(text))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are the same in sections of a file that a sign is missing from', async () => {
    const record = fc.record({
      a: fc.constantFrom('', ',', ']', '}', '"', '{'),
      b: fc.array(fc.record({ c: fc.nat(9) }), { maxLength: 2 }),
    })
    const list = fc.array(record, { maxLength: 6 })
    const json = fc.oneof(list, fc.dictionary(fc.constantFrom('x', 'y'), list))
    const sizes = fc.record({
      size: fc.integer({ min: 1, max: 60 }),
      least: fc.integer({ min: 1, max: 90 }),
      at: fc.nat(2_000),
    })
    await fc.assert(
      fc.asyncProperty(json, sizes, async (value, { size, least, at }) => {
        const whole = JSON.stringify(value, null, 1)
        const gone = at % whole.length
        const text = whole.slice(0, gone) + whole.slice(gone + 1)
        const bytes = new TextEncoder().encode(text)
        async function* pieces(from = 0, to = bytes.length) {
          for (let start = from; start < to; start += size)
            yield bytes.subarray(start, Math.min(start + size, to))
        }
        const items: JsonItem[] = []
        for await (const section of sectionsAfter(WHOLE, pieces(), () => least))
          items.push(...(await collected(itemsOf(pieces(section.from, section.to), section))))
        const shown = (all: readonly JsonItem[]) =>
          all.map(({ list: of, number, value: found }) => [of, number, found])
        expect(shown(items)).toEqual(shown(await read(text)))
      }),
      { numRuns: 1_000 },
    )
  })

  it('is divided so that reading to each section’s end reads it 17 times at most', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(Array.from({ length: 50_000 }, (_, at) => at)))
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
    }
    const sections = await collected(sectionsAfter(WHOLE, pieces(), (from) => Math.max(200, from * GROWTH)))
    expect(sections.length).toBeGreaterThan(50)
    expect(sections.reduce((sum, { to }) => sum + to, 0)).toBeLessThan(17 * bytes.length)
  })

  const list = (from: number, length: number) =>
    Array.from({ length }, (_, at) => ({ id: from + at, text: 'b', of: [{ id: 'of' }, 1], last: 3 }))
  /** Breaks the third item of a list. */
  const broken = (value: unknown, indent: string, [right, wrong]: readonly [RegExp, string]) => {
    const text = JSON.stringify(value, null, indent)
    const at = text.indexOf('"id": 3')
    return text.slice(0, at) + text.slice(at).replace(right, wrong)
  }
  const ids = (items: readonly JsonItem[]) =>
    items.map(({ value }) => (value as { id: number } | undefined)?.id)
  const BREAKS: readonly (readonly [name: string, change: readonly [RegExp, string]])[] = [
    ['a quote missing', [/"b"/, '"b']],
    ['a quote too many', [/"b"/, '"b""']],
    ['a bracket missing', [/1\s+\]/, '1']],
    ['a brace missing', [/3\s+\}/, '3']],
    ['two brackets too many', [/3(?=\s+\})/, '3]}']],
  ]

  it.each(BREAKS)('with %s is lost alone, where each begins a line', async (_, change) => {
    for (const value of [list(1, 9), { a: list(1, 5), c: list(6, 4) }])
      for (const indent of [' ', '    ', '\t'])
        for (const size of [1, 7, 100_000]) {
          const items = await read(broken(value, indent, change), size)
          expect(ids(items)).toEqual([1, 2, undefined, 4, 5, 6, 7, 8, 9])
          expect(items[2]!.fault).toContain('is no JSON')
          expect(items[8]!.number).toBe('a' in value ? 4 : 9)
        }
  })

  it.each(BREAKS)('with %s is lost alone in a file of many sections', async (_, change) => {
    // The first list has just more bytes than an item may have.
    const length = Math.ceil(4_200_000_000 / JSON.stringify({ a: list(20_001, 1_000) }, null, 2).length)
    for (const value of [list(1, 50_000), { a: list(1, length), c: list(length + 1, 50_000 - length) }]) {
      const bytes = new TextEncoder().encode(broken(value, '  ', change))
      async function* pieces(from = 0, to = bytes.length) {
        for (let at = from; at < to; at += 300_000) yield bytes.subarray(at, Math.min(at + 300_000, to))
      }
      const sections = await collected(sectionsAfter(WHOLE, pieces(), () => 1_000_000))
      expect(sections.length).toBeGreaterThan(1)
      const items: JsonItem[] = []
      for (const section of sections)
        items.push(...(await collected(itemsOf(pieces(section.from, section.to), section))))
      expect(ids(items)).toEqual(Array.from({ length: 50_000 }, (__, at) => (at === 2 ? undefined : at + 1)))
    }
  })

  it('end where the file does', async () => {
    expect(await values('[1, {"a": 2')).toEqual([1, 'is no JSON: {"a": 2', 'the file ends too early'])
    expect(await values('')).toEqual([])
    expect(await values('nothing')).toEqual([])
    expect(await values('[]]]}{')).toEqual([])
  })

  it('of any text at all are read without an error', async () => {
    const signs = fc.array(fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '1', 'é', ' '), {
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(signs, async (parts) => {
        for (const { number } of await read(parts.join(''))) expect(number).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })
})
