import { expect, it } from 'vitest'
import { insertLogEntries, type LogEntry } from '../../src/events/log.ts'
import { inRealm } from '../support/inside.ts'
import { buildRealm } from '../support/use-realm.ts'

it('a commit of many entries takes one statement for sixteen, after the free rows', async () => {
  const { realm } = await buildRealm()
  const COUNT = 205
  const FREE = 5
  const { statements, before, after, sizes } = await inRealm(realm, ({ parts }) => {
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
    insertLogEntries(sql, entries(newest + 1, FREE), { newest, hasFree: false })
    const before = ids()
    // All but the newest five are free.
    const freed = before.length - FREE
    sql.run(`INSERT OR REPLACE INTO meta (key, value) VALUES ('trimmed', ?)`, newest)
    let statements = 0
    const sizes = insertLogEntries(
      {
        run: (...of) => {
          statements += 1
          return sql.run(...of)
        },
        runForFirst: (...of) => {
          statements += 1
          return sql.runForFirst(...of)
        },
      },
      entries(newest + FREE + 1, COUNT),
      { newest: newest + FREE, hasFree: true },
    )
    return { statements: statements - freed, before: before.slice(-FREE), after: ids(), sizes }
  })
  expect(after).toEqual([...before, ...Array.from({ length: COUNT }, (_, at) => before.at(-1)! + 1 + at)])
  // One finds that no row is free.
  expect(statements).toBeLessThanOrEqual(1 + Math.ceil(COUNT / 16))
  expect(sizes).toHaveLength(COUNT)
})
