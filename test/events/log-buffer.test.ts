import { describe, expect, it } from 'vitest'
import type { Sql, SqlValue } from '../../src/core/sql.ts'
import { standIn } from '../../src/dev/stand-in.ts'
import type { ReadEvents } from '../../src/events/log.ts'
import { type BufferedEvent, EVENTS_KEPT, LOG_READ_KEPT, LogBuffer } from '../../src/events/log-buffer.ts'

const NOW = 1_000_000

const event = (id: number, { stored = true, at = NOW, size = 10 } = {}): BufferedEvent => ({
  id,
  at,
  stored,
  size,
  event: { type: 'typing' },
  audience: {},
})

/** Returns a log that has these ids, and counts how often it is read. */
function logOf(ids: readonly number[], event = '{"type":"typing"}') {
  let reads = 0
  const sql = standIn<Sql>({
    each: <Row>(_query: string, after: SqlValue, limit: SqlValue) => {
      reads += 1
      return ids
        .filter((id) => id > Number(after))
        .slice(0, Number(limit))
        .map((id) => ({ id, event, audience: '{}' }) as Row)
    },
  })
  return { sql, reads: () => reads }
}

const ids = ({ events }: ReadEvents) => events.map(({ id }) => id)
const upTo = (entries: number, characters = 1_000_000) => ({ entries, characters })

describe('events above an id come', () => {
  it('from memory alone when it reaches back far enough', () => {
    const { sql, reads } = logOf([])
    const buffer = new LogBuffer(10)
    buffer.add([event(11), event(12)])
    expect(ids(buffer.readAfter(sql, 10, NOW, upTo(100)))).toEqual([11, 12])
    expect(ids(buffer.readAfter(sql, 11, NOW, upTo(100)))).toEqual([12])
    expect(ids(buffer.readAfter(sql, 12, NOW, upTo(100)))).toEqual([])
    expect(reads()).toBe(0)
  })

  it('from the log when they are from before the object last woke', () => {
    const { sql, reads } = logOf([8, 9, 11])
    const buffer = new LogBuffer(10)
    buffer.add([event(11)])
    expect(ids(buffer.readAfter(sql, 7, NOW, upTo(100)))).toEqual([8, 9, 11])
    expect(reads()).toBe(1)
  })

  it('from the log when memory has dropped them', () => {
    const all = Array.from({ length: EVENTS_KEPT.events + 88 }, (_, index) => index + 1)
    const { sql, reads } = logOf(all)
    const buffer = new LogBuffer(0)
    for (const id of all) buffer.add([event(id)])
    expect(ids(buffer.readAfter(sql, 0, NOW, upTo(all.length + 1)))).toEqual(all)
    expect(reads()).toBe(1)
    expect(ids(buffer.readAfter(sql, EVENTS_KEPT.events, NOW, upTo(all.length + 1)))).toEqual(
      all.slice(EVENTS_KEPT.events),
    )
    expect(reads()).toBe(1)
  })

  it('from the log once for clients that lag behind together, for a moment', () => {
    const all = [1, 2, 3, 4, 5]
    const { sql, reads } = logOf(all)
    const buffer = new LogBuffer(10)
    const read = (id: number, now: number) => ids(buffer.readAfter(sql, id, now, upTo(2)))
    for (const client of [1, 2, 3]) expect([client, ...read(1, NOW)]).toEqual([client, 2, 3])
    expect(reads()).toBe(1)
    expect(ids(buffer.readAfter(sql, 1, NOW, upTo(3)))).toEqual([2, 3, 4])
    expect(reads()).toBe(2)
    expect(read(1, NOW + LOG_READ_KEPT.seconds)).toEqual([2, 3])
    expect(reads()).toBe(3)
    // The last part is read each time: others may follow it.
    expect([read(4, NOW), read(4, NOW)]).toEqual([[5], [5]])
    expect(reads()).toBe(5)
    for (const id of all) expect(read(id - 1, NOW)).toEqual(all.slice(id - 1, id + 1))
  })

  it('with ephemeral ones in order among the logged', () => {
    const { sql } = logOf([8, 11, 13])
    const buffer = new LogBuffer(10)
    buffer.add([event(11), event(12, { stored: false }), event(13), event(14, { stored: false })])
    expect(ids(buffer.readAfter(sql, 5, NOW, upTo(100)))).toEqual([8, 11, 12, 13, 14])
  })

  it('in parts, none lost between them', () => {
    const { sql } = logOf([8, 9, 11, 13])
    const buffer = new LogBuffer(10)
    buffer.add([event(11), event(12, { stored: false }), event(13)])
    const seen: number[] = []
    for (let after = 5; ; ) {
      const part = buffer.readAfter(sql, after, NOW, upTo(2))
      seen.push(...ids(part))
      if (part.upTo === Number.POSITIVE_INFINITY) break
      after = part.upTo
    }
    expect(seen).toEqual([8, 9, 11, 12, 13])
  })
})

describe('the buffer is bounded in characters, too:', () => {
  const { characters } = EVENTS_KEPT

  it('the oldest are dropped when newer ones are large, and read from the log', () => {
    const { sql, reads } = logOf([1, 2, 3])
    const buffer = new LogBuffer(0)
    for (const id of [1, 2, 3]) buffer.add([event(id, { size: characters * 0.4 })])
    expect(buffer.size).toBeLessThanOrEqual(characters)
    expect(ids(buffer.readAfter(sql, 1, NOW, upTo(100, characters)))).toEqual([2, 3])
    expect(reads()).toBe(0)
    expect(ids(buffer.readAfter(sql, 0, NOW, upTo(100)))).toEqual([1, 2, 3])
    expect(reads()).toBe(1)
  })

  it('an event larger than the buffer is read from the log, with those before', () => {
    const { sql, reads } = logOf([1, 2, 4])
    const buffer = new LogBuffer(0)
    buffer.add([event(1), event(2, { size: characters + 1 }), event(3, { stored: false }), event(4)])
    expect(buffer.size).toBe(30)
    expect(ids(buffer.readAfter(sql, 0, NOW, upTo(100)))).toEqual([1, 2, 3, 4])
    expect(reads()).toBe(1)
    expect(ids(buffer.readAfter(sql, 2, NOW, upTo(100)))).toEqual([3, 4])
    expect(reads()).toBe(1)
  })

  it('a part ends with the entry that exceeds its limit', () => {
    const { sql } = logOf([1, 2, 3], JSON.stringify({ type: 'typing', text: 'x'.repeat(100) }))
    const fromLog = new LogBuffer(3).readAfter(sql, 0, NOW, upTo(100, 150))
    expect(ids(fromLog)).toEqual([1, 2])
    expect(fromLog.upTo).toBe(2)
    const buffer = new LogBuffer(0)
    buffer.add([event(1, { size: 100 }), event(2, { size: 100 }), event(3)])
    const fromMemory = buffer.readAfter(sql, 0, NOW, upTo(100, 150))
    expect(ids(fromMemory)).toEqual([1, 2])
    expect(fromMemory.upTo).toBe(2)
  })
})

describe('an ephemeral event', () => {
  it('is kept for a minute', () => {
    const { sql } = logOf([])
    const buffer = new LogBuffer(0)
    buffer.add([event(1, { stored: false, at: NOW - 61 }), event(2, { stored: false, at: NOW - 59 })])
    expect(ids(buffer.readAfter(sql, 0, NOW, upTo(100)))).toEqual([2])
  })

  it('is dropped by its age, without the stored ones beside it', () => {
    const { sql } = logOf([])
    const buffer = new LogBuffer(0)
    buffer.add([event(1, { at: NOW - 3_600 }), event(2, { stored: false, at: NOW - 3_600 })])
    expect(ids(buffer.readAfter(sql, 0, NOW, upTo(100)))).toEqual([1])
  })
})
