import { beforeEach, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import type { TestRealm } from '../../support/factories.ts'
import { archiveOf, beginImport, headOf, type Line, runImport, runUntil } from '../../support/imports.ts'
import { inRealm } from '../../support/inside.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm } = useRealmPerTest()
neverEvict()
useReliableD1()
beforeEach(keepAlarmsAway)

const MESSAGES = 2_000
const PEOPLE: readonly Line[] = Array.from({ length: 20 }, (_, at) => ({
  type: 'user',
  id: `u${at}`,
  full_name: `Person ${at}`,
}))
const CHANNEL: Line = { type: 'channel', id: 'c', name: 'many', members: [{ user: 'u1' }] }
const messages: readonly Line[] = Array.from({ length: MESSAGES }, (_, at) => ({
  type: 'message',
  id: `m${at}`,
  sender: `u${at % 20}`,
  time_ms: 1_500_000_000_000 + at * 60_000,
  content: `Text number ${at} of many that somebody has written about this and that`,
  channel: 'c',
  topic: `topic ${at % 10}`,
}))

/** Returns the rows that the object and D1 have written, when D1 has everything. */
async function written(of: TestRealm): Promise<{ readonly object: number; readonly d1: number }> {
  await inRealm(of, ({ parts }) => parts.projector.kick())
  const isSettled = () =>
    inRealm(of, ({ parts }, { storage }) => {
      const asking = storage.sql.exec<{ id: number }>(
        'SELECT max(id) AS id FROM log WHERE writes IS NOT NULL',
      )
      return parts.projector.projected >= (asking.one().id ?? 0)
    })
  while (!(await isSettled())) await scheduler.wait(5)
  return inRealm(of, ({ parts }) => ({
    object: parts.sql.counts.written,
    d1: parts.projector.counts.written,
  }))
}

it('an import writes the rows that its estimate has', async () => {
  const id = await beginImport(realm.owner, archiveOf([headOf('rows'), ...PEOPLE, CHANNEL, ...messages]))
  const { estimate } = await runUntil(realm, id, 'waiting')
  const before = await written(realm)
  await runImport(realm, id)
  await runUntil(realm, id, 'finished')
  const after = await written(realm)
  const [object, d1] = [after.object - before.object, after.d1 - before.d1]
  for (const [rows, expected] of [
    [object, estimate.object_rows],
    [d1, estimate.d1_rows],
  ]) {
    expect(rows / expected).toBeGreaterThan(0.85)
    expect(rows / expected).toBeLessThan(1.15)
  }
})
