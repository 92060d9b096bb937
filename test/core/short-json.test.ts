import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormField } from '../../src/core/arrived-body.ts'
import { parseJson, ShortJson } from '../../src/core/json.ts'

/** Returns what is left of a text that arrives in parts of some bytes; undefined where it is broken. */
function shortened(text: string, step = 64 * 1024): unknown {
  const json = new ShortJson()
  for (const part of partsOf(text, step)) json.add(part)
  const short = json.end()
  return short && parseJson(new TextDecoder('utf-8', { fatal: true }).decode(short))
}

function partsOf(text: string, step: number): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const parts = Math.ceil(bytes.length / step)
  return Array.from({ length: parts }, (_, at) => bytes.subarray(at * step, (at + 1) * step))
}

const items = (count: number, of: (at: number) => unknown) => Array.from({ length: count }, (_, at) => of(at))

describe('the short form of a JSON text', () => {
  it('is the same if nothing is long, however it arrives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 1, max: 9 }), (value, step) => {
        expect(shortened(JSON.stringify(value, null, 1), step)).toEqual(parseJson(JSON.stringify(value)))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['a number without end', '1'],
    ['colons', ':'],
    ['brackets that close nothing', ']'],
    ['further bytes of a character', '\u{80}'],
  ])('is none of %s, and takes no more memory', (_, sign) => {
    const json = new ShortJson()
    const text =
      sign === '\u{80}' ? new Uint8Array(100_000).fill(0x80) : new TextEncoder().encode(sign.repeat(100_000))
    if (sign === '\u{80}') json.add(new TextEncoder().encode('"'))
    for (let part = 0; part < 40; part += 1) json.add(text)
    expect(json.end()).toBeUndefined()
  })

  it('has a list’s first items whole, lines of others, and the number of all', () => {
    const list = items(3_000, (at) => ({ at, text: 'x'.repeat(5_000), files: [1, [2]] }))
    const short = shortened(JSON.stringify({ list, after: 'it' })) as {
      list: ((typeof list)[number] | null)[]
      after: string
    }
    expect(short.list).toHaveLength(3_000)
    expect(short.list[19]).toEqual(list[19])
    expect(short.list[20]).toEqual({ at: 20, text: 'x'.repeat(800), files: [] })
    expect(short.list[499]).toMatchObject({ at: 499 })
    expect(short.list.slice(500)).toEqual(Array(2_500).fill(null))
    expect(short.after).toBe('it')
  })

  it('cuts texts between characters and escapes', () => {
    for (const one of ['🦀', 'é', '\u0001', '"', '\\']) {
      for (const before of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) {
        const short = shortened(JSON.stringify([before + one.repeat(20_000)]), 1_000) as [string]
        expect(short[0].length).toBeGreaterThan(2_000)
        expect(short[0]).toBe((before + one.repeat(20_000)).slice(0, short[0].length))
      }
    }
  })

  it('is bounded for texts, lists, keys and levels of any size', () => {
    const sizes = [
      items(80_000, () => []),
      Object.fromEntries(items(80_000, (at) => [`key ${at}`, at]) as [string, number][]),
      items(20, () => items(20, () => items(20, () => 'x'.repeat(500)))),
      { ['k'.repeat(1_000_000)]: 'v'.repeat(1_000_000) },
    ].map((value) => JSON.stringify(shortened(JSON.stringify(value))).length)
    for (const size of sizes) expect(size).toBeLessThan(2 * 1_048_576)
    expect(shortened('['.repeat(201) + ']'.repeat(201))).toBe(undefined)
  })

  it.each(['{"a":', '[1', '"a', '[}', '{"a":1]', '[1 2]', ']', ''])('of %j is none', (text) => {
    let left: unknown
    try {
      left = shortened(text)
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError)
    }
    expect(left).toBe(undefined)
  })
})

it('a field of a form is decoded as it arrives', () => {
  const value = '{"a": "ü+ b&c=🦀%"}'
  const form = `x=1&payload=${encodeURIComponent(value).replaceAll('%20', '+')}&payloads=2`
  for (const step of [1, 2, 3, 1_000]) {
    const field = new FormField('payload')
    const read = partsOf(form, step).flatMap((part) => [...field.add(part)])
    expect(new TextDecoder().decode(new Uint8Array(read))).toBe(value)
  }
})
