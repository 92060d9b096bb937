import { describe, expect, it } from 'vitest'
import { MIB } from '../../src/core/files.ts'
import { takeMemory } from '../../src/http/memory-share.ts'

describe('the memory that requests hold files in', () => {
  it('is had by as many as it is enough for, and again when one gives it back', () => {
    const giveBack = takeMemory(20 * MIB)
    const other = takeMemory(20 * MIB)
    expect(takeMemory(1)).toBeUndefined()
    giveBack!()
    const again = takeMemory(20 * MIB)
    expect(again).toBeDefined()
    other!()
    again!()
  })

  it('is free again after a while when a request never ended', () => {
    const now = Date.now()
    expect(takeMemory(40 * MIB, now)).toBeDefined()
    expect(takeMemory(1, now + 29_000)).toBeUndefined()
    takeMemory(40 * MIB, now + 30_000)!()
  })
})
