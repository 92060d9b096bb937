import { expect, it } from 'vitest'
import { insertLogEntries, type LogEntry } from '../../src/events/log.ts'
import { inRealm } from '../support/inside.ts'
import { buildRealm } from '../support/use-realm.ts'

it('many entries of a commit take few statements, also where rows are free', async () => {
  const { realm } = await buildRealm()
  const COUNT = 205
  const [FREED, LEFT] = [50, 5]
  const { statements, written, freed, before, after, chain, sizes } = await inRealm(realm, ({ parts }) => {
    const { sql } = parts
    const ids = () => sql.all<{ id: number }>(`SELECT id FROM log ORDER BY id`).map(({ id }) => id)
    const newest = ids().at(-1)!
    const entries = (from: number, count: number) =>
      Array.from(
        { length: count },
        (_, at): LogEntry => ({
          id: from + at,
          at: 1_700_000_000.5,
          event: null,
          audience: null,
          writes: [],
        }),
      )
    insertLogEntries(sql, entries(newest + 1, FREED + LEFT), { newest, hasFree: false })
    const before = ids()
    // All but the newest five are free.
    const freed = before.length - LEFT
    sql.run(`INSERT OR REPLACE INTO meta (key, value) VALUES ('trimmed', ?)`, newest + FREED)
    const writtenBefore = sql.counts.written
    let statements = 0
    const sizes = insertLogEntries(
      {
        all: (...of) => {
          statements += 1
          return sql.all(...of)
        },
        run: (...of) => {
          statements += 1
          return sql.run(...of)
        },
        runForAny: (...of) => {
          statements += 1
          return sql.runForAny(...of)
        },
      },
      entries(newest + FREED + LEFT + 1, COUNT),
      { newest: newest + FREED + LEFT, hasFree: true },
    )
    const written = sql.counts.written - writtenBefore
    const chain = sql.all<{ id: number; previous: number }>(`SELECT id, previous FROM log ORDER BY id`)
    return { statements, written, freed, before: before.slice(-LEFT), after: ids(), chain, sizes }
  })
  expect(after).toEqual([...before, ...Array.from({ length: COUNT }, (_, at) => before.at(-1)! + 1 + at)])
  expect(chain.slice(1).map(({ previous }) => previous)).toEqual(after.slice(0, -1))
  expect(statements).toBeLessThanOrEqual(2 * Math.ceil(freed / 14) + Math.ceil((COUNT - freed) / 16))
  expect(written).toBe(COUNT)
  expect(sizes).toHaveLength(COUNT)
})
