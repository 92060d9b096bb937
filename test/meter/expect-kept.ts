import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { LARGE_ROWS, type LargeRows } from './large-rows.ts'
import { isKept } from './rows.ts'

const KINDS = ['slices', 'read', 'written'] as const

/** Compares what one row of the tables has cost with its limits. */
export function expectKept(name: string, counted: LargeRows): void {
  if (env.ROWS === 'show') console.log(`${name}  ${KINDS.map((kind) => counted[kind]).join(' ')}  large`)
  const limits = LARGE_ROWS.get(name) ?? { slices: 0, read: 0, written: 0 }
  for (const kind of KINDS) {
    expect(counted[kind], `${name}: ${kind}`).toBeLessThanOrEqual(limits[kind])
    expect(
      isKept(limits[kind], counted[kind]),
      `${name}: ${kind} is ${counted[kind]}, far below its limit`,
    ).toBe(true)
  }
}
