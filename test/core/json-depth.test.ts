import { expect, it } from 'vitest'
import { isJsonDeeperThan } from '../../src/core/json.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

it('the depth of JSON is that of its lists and objects, whatever its texts contain', () => {
  let seed = 11
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  const pieces = ['"', '\\', '[', ']', '{', '}', 'a'.repeat(31), 'b'.repeat(40)]
  const text = () => Array.from({ length: random(6) }, () => pieces[random(pieces.length)]).join('')
  const value = (levels: number): unknown => {
    if (levels === 0 || random(3) === 0) return text()
    const inner = Array.from({ length: random(3) }, () => value(levels - 1))
    return random(2) === 0 ? inner : Object.fromEntries(inner.map((one, index) => [`${text()}${index}`, one]))
  }
  for (let count = 0; count < 5_000; count += 1) {
    const made = value(5)
    const [depth, json] = [depthOf(made), JSON.stringify(made)]
    expect([json, isJsonDeeperThan(depth - 1, json), isJsonDeeperThan(depth, json)]).toEqual([
      json,
      depth > 0,
      false,
    ])
  }
})
