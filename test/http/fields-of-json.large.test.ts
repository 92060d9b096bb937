import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FieldRule, FieldsOfJson } from '../../src/http/pages/page-parameters.ts'
import { fromJson } from '../support/json.ts'

const encoder = new TextEncoder()

/** Returns the fields of JSON whose bytes come in chunks of these lengths and a last one with the rest. */
function picked(
  json: string,
  lengths: readonly number[],
  ruleOf: (name: string) => FieldRule,
  added: Record<string, unknown> = {},
): string {
  const fields = new FieldsOfJson(ruleOf, added)
  const bytes = encoder.encode(json)
  const out: Uint8Array[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn += 1) {
    const length = Math.max(1, lengths[turn % lengths.length]!)
    const chunk = bytes.slice(at, at + length)
    for (const bit of fields.push(chunk)) out.push(bit.slice())
    // The caller reuses its buffer.
    chunk.fill(0)
    at += length
  }
  return Buffer.concat(out).toString('utf8')
}

describe('fields of an object, read while it streams', () => {
  it('are those that the rules say, however the stream is cut', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), value, { maxKeys: 6 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom('drop', 'keep', 'replace'), { minLength: 1 }),
        fc.option(value),
        (object, lengths, rules, last) => {
          const source = fromJson<Record<string, unknown>>(JSON.stringify(object))
          const names = Object.keys(source)
          const ruleFor = (name: string) => rules[names.indexOf(name) % rules.length]!
          const added = last === null ? {} : { 'added last': last }
          const text = picked(
            JSON.stringify(source),
            lengths,
            (name): FieldRule => {
              const rule = ruleFor(name)
              return rule === 'replace' ? (json) => `[${json}]` : rule
            },
            added,
          )
          const expected = names
            .filter((name) => ruleFor(name) !== 'drop')
            .map((name) => [name, ruleFor(name) === 'keep' ? source[name] : [source[name]]])
          expect(text).toBe(JSON.stringify({ ...Object.fromEntries(expected), ...added }))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('may be none, or one alone', () => {
    for (const length of [1, 100]) {
      expect(picked('{}', [length], () => 'keep')).toBe('{}')
      expect(picked('{}', [length], () => 'keep', { a: 1 })).toBe('{"a":1}')
      expect(picked('{"x":[{"y":"}"}]}', [length], () => 'drop')).toBe('{}')
      expect(picked('{"x":"\\\\\\"}"}', [length], () => 'keep')).toBe('{"x":"\\\\\\"}"}')
    }
  })
})
