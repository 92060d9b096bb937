import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bound, type SqlParameter, type WritableSql } from '../../src/core/sql.ts'
import { MessageIdSet } from '../../src/store/messages/flags/message-id-set.ts'
import { ReadSet, usersWhoseSetHas } from '../../src/store/messages/flags/read-rows.ts'
import { readsOfOneColumn } from '../support/inside-one-column.ts'

/** The two tables that store what is read, in Node's SQLite. */
function buildSql(): WritableSql {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE TABLE user (id INTEGER PRIMARY KEY, read_floor INTEGER NOT NULL)`)
  db.exec(`CREATE TABLE message_flag (user_id INTEGER, message_id INTEGER, bits INTEGER)`)
  db.exec(`CREATE TABLE read_block (
    user_id INTEGER NOT NULL, block INTEGER NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (user_id, block)
  ) WITHOUT ROWID`)
  const valuesOf = (params: SqlParameter[]) => params.map(bound) as SQLInputValue[]
  const all = <Row>(query: string, ...params: SqlParameter[]) =>
    db
      .prepare(query)
      .all(...valuesOf(params))
      .map(withBuffers) as Row[]
  return {
    counts: { read: 0, written: 0 },
    statements: 0,
    changesForD1: { accounts: new Map(), realm: false },
    all,
    each: all,
    ...readsOfOneColumn(all),
    first: <Row>(query: string, ...params: SqlParameter[]) =>
      withBuffers(db.prepare(query).get(...valuesOf(params))) as Row | undefined,
    runForFirst: (query) => {
      throw new Error(query)
    },
    runForAll: (query) => {
      throw new Error(query)
    },
    runForValues: (query) => {
      throw new Error(query)
    },
    runForValue: (query) => {
      throw new Error(query)
    },
    runForAny: (query) => {
      throw new Error(query)
    },
    run: (query: string, ...params: SqlParameter[]) =>
      Number(db.prepare(query).run(...valuesOf(params)).changes),
    kept: (_key, make) => make(),
    findKept: () => undefined,
    following: (_table, make) => make(),
    about: (_table, _subject, read) => read(),
    changing: (_table, _subjects, change) => change(),
    noteBegin: () => {},
    noteRollback: () => {},
  }
}

/** The object's storage returns blobs as ArrayBuffer. */
function withBuffers(row: Record<string, unknown> | undefined) {
  return (
    row &&
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? new Uint8Array(value).buffer : value,
      ]),
    )
  )
}

const USER = 1

function open(sql: WritableSql): ReadSet {
  const { read_floor } = sql.first<{ read_floor: number }>(`SELECT read_floor FROM user WHERE id = ?`, USER)!
  return new ReadSet(sql, { id: USER, readFloor: read_floor })
}

const NEWEST = 13_000
/** Ids near the ends of blocks, where mistakes are likely, and any others. */
const id = fc.oneof(
  fc.integer({ min: 1, max: NEWEST }),
  fc.constantFrom(1, 4_094, 4_095, 4_096, 4_097, 8_191, 8_192, 8_193, 12_287, 12_288),
)
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), id }),
  fc.record({ kind: fc.constant('delete' as const), id }),
  fc.record({ kind: fc.constant('raiseFloor' as const), id }),
  fc.record({ kind: fc.constant('settle' as const) }),
  fc.record({ kind: fc.constant('reopen' as const) }),
  fc.record({ kind: fc.constant('loadAll' as const) }),
)

describe('the set of read messages', () => {
  it('holds messages marked read since they were last marked unread, saved or not', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.nat({ max: 9_000 }), (steps, floor) => {
        const sql = buildSql()
        sql.run(`INSERT INTO user (id, read_floor) VALUES (?, ?)`, USER, floor)
        const unread = new Set<number>()
        let read = open(sql)
        // Above the floor nothing is read; of these ids the test looks at a few.
        const above = [floor + 1, floor + 100, NEWEST, 4_096, 8_192].filter((one) => one > floor)
        for (const one of above) unread.add(one)
        const touched = new Set<number>(above)
        for (const one of steps) {
          if (one.kind === 'reopen') {
            read.save(sql)
            read = open(sql)
          } else if (one.kind === 'loadAll') {
            read.loadAll()
          } else if (one.kind === 'settle') {
            read.settle(sql, NEWEST, MessageIdSet.of(unread))
          } else {
            touched.add(one.id)
            if (one.kind === 'raiseFloor') read.raiseFloor(sql, one.id)
            else read[one.kind](one.id)
            if (one.kind === 'delete') unread.add(one.id)
            else if (one.kind === 'add') unread.delete(one.id)
            else for (const other of [...unread]) if (other <= one.id) unread.delete(other)
          }
        }
        for (const one of touched) expect([one, read.has(one)]).toEqual([one, !unread.has(one)])
        read.save(sql)
        const reopened = open(sql)
        for (const one of touched) {
          expect([one, reopened.has(one)]).toEqual([one, !unread.has(one)])
          expect(usersWhoseSetHas(sql, one, [USER])).toEqual(unread.has(one) ? [] : [USER])
        }
        const below = [...unread].filter((one) => one <= reopened.floor).sort((a, b) => a - b)
        expect([...reopened.unreadInParts()].flat()).toEqual(below)
      }),
      { numRuns: 300 },
    )
  })

  it('has a row for each block with something unread, and writes only what changes', () => {
    const sql = buildSql()
    sql.run(`INSERT INTO user (id, read_floor) VALUES (?, 0)`, USER)
    const read = open(sql)
    for (let id = 1; id <= NEWEST; id += 2) read.add(id)
    read.save(sql)
    const settled = open(sql)
    settled.settle(sql, NEWEST, MessageIdSet.of([17, 9_000]))
    settled.save(sql)
    const again = open(sql)
    again.settle(sql, NEWEST, MessageIdSet.of([17, 9_001]))
    const before = sql.first<{ total: number }>(`SELECT total_changes() AS total`)!.total
    again.save(sql)
    // One row for the floor, and one for a block.
    expect(sql.first<{ total: number }>(`SELECT total_changes() AS total`)!.total - before).toBe(2)
    expect(sql.all(`SELECT block FROM read_block ORDER BY block`)).toEqual([{ block: 0 }, { block: 2 }])
    expect([...open(sql).unreadInParts()].flat()).toEqual([17, 9_001])
    expect([open(sql).has(2), open(sql).has(NEWEST), open(sql).has(NEWEST + 1)]).toEqual([true, true, false])
  })

  it('needs one row for an old unread message among many read ones', () => {
    const sql = buildSql()
    sql.run(`INSERT INTO user (id, read_floor) VALUES (?, ?)`, USER, 5_000_000)
    const read = open(sql)
    read.delete(17)
    read.save(sql)
    expect(sql.all(`SELECT block FROM read_block`)).toEqual([{ block: 0 }])
    expect(sql.first(`SELECT read_floor FROM user`)).toEqual({ read_floor: 5_000_000 })
    expect([open(sql).has(16), open(sql).has(17), open(sql).has(18)]).toEqual([true, false, true])
  })
})
