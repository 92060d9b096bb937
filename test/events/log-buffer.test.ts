import { describe, expect, it } from 'vitest'
import type { Sql } from '../../src/core/sql.ts'
import { type BufferedEvent, LogBuffer } from '../../src/events/log-buffer.ts'

const NOW = 1_000_000

const event = (id: number, { stored = true, at = NOW } = {}): BufferedEvent => ({
  id,
  at,
  stored,
  event: { type: 'typing' },
  audience: {},
})

/** A log that holds these ids, and counts how often it is read. */
function logOf(ids: readonly number[]) {
  let reads = 0
  const sql = {
    all: (_query: string, after: number, limit: number) => {
      reads += 1
      return ids
        .filter((id) => id > after)
        .slice(0, limit)
        .map((id) => ({ id, event: '{"type":"typing"}', audience: '{}' }))
    },
  } as unknown as Sql
  return { sql, reads: () => reads }
}

const ids = (events: readonly { id: number }[]) => events.map(({ id }) => id)

describe('events above an id come', () => {
  it('from memory alone when it reaches back far enough', () => {
    const { sql, reads } = logOf([])
    const buffer = new LogBuffer(10)
    buffer.add([event(11), event(12)])
    expect(ids(buffer.readAfter(sql, 10, NOW, 100))).toEqual([11, 12])
    expect(ids(buffer.readAfter(sql, 11, NOW, 100))).toEqual([12])
    expect(ids(buffer.readAfter(sql, 12, NOW, 100))).toEqual([])
    expect(reads()).toBe(0)
  })

  it('from the log when they were before this life of the object', () => {
    const { sql, reads } = logOf([8, 9, 11])
    const buffer = new LogBuffer(10)
    buffer.add([event(11)])
    expect(ids(buffer.readAfter(sql, 7, NOW, 100))).toEqual([8, 9, 11])
    expect(reads()).toBe(1)
  })

  it('from the log when memory has dropped them', () => {
    const all = Array.from({ length: 600 }, (_, index) => index + 1)
    const { sql, reads } = logOf(all)
    const buffer = new LogBuffer(0)
    for (const id of all) buffer.add([event(id)])
    expect(ids(buffer.readAfter(sql, 0, NOW, 1_000))).toEqual(all)
    expect(reads()).toBe(1)
    expect(ids(buffer.readAfter(sql, 590, NOW, 1_000))).toEqual(all.slice(590))
    expect(reads()).toBe(1)
  })

  it('with the ephemeral ones at their place among the logged', () => {
    const { sql } = logOf([8, 11, 13])
    const buffer = new LogBuffer(10)
    buffer.add([event(11), event(12, { stored: false }), event(13), event(14, { stored: false })])
    expect(ids(buffer.readAfter(sql, 5, NOW, 100))).toEqual([8, 11, 12, 13, 14])
  })

  it('in parts, none lost between them', () => {
    const { sql } = logOf([8, 9, 11, 13])
    const buffer = new LogBuffer(10)
    buffer.add([event(11), event(12, { stored: false }), event(13)])
    const seen: number[] = []
    for (let after = 5; ; ) {
      const part = buffer.readAfter(sql, after, NOW, 2)
      seen.push(...ids(part))
      if (part.length < 2) break
      after = part.at(-1)!.id
    }
    expect(seen).toEqual([8, 9, 11, 12, 13])
  })
})

describe('an ephemeral event', () => {
  it('is kept for a minute', () => {
    const { sql } = logOf([])
    const buffer = new LogBuffer(0)
    buffer.add([event(1, { stored: false, at: NOW - 61 }), event(2, { stored: false, at: NOW - 59 })])
    expect(ids(buffer.readAfter(sql, 0, NOW, 100))).toEqual([2])
  })

  it('leaves with its age, the stored ones beside it do not', () => {
    const { sql } = logOf([])
    const buffer = new LogBuffer(0)
    buffer.add([event(1, { at: NOW - 3_600 }), event(2, { stored: false, at: NOW - 3_600 })])
    expect(ids(buffer.readAfter(sql, 0, NOW, 100))).toEqual([1])
  })
})
