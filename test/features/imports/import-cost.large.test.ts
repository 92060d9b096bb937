import { beforeEach, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
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

it('a message that is imported costs no more rows than one that is sent', async () => {
  const { owner } = realm
  const archive = (source: string, some: readonly Line[]) =>
    archiveOf([headOf(source), ...PEOPLE, CHANNEL, ...some])
  const imported = async (source: string, some: readonly Line[]) => {
    const id = await beginImport(owner, archive(source, some))
    await runUntil(realm, id, 'waiting')
    const before = await written(realm)
    await runImport(realm, id)
    await runUntil(realm, id, 'finished')
    const after = await written(realm)
    return { object: after.object - before.object, d1: after.d1 - before.d1 }
  }
  // Of two imports that differ by their messages alone, what remains is that of the messages.
  const [few, many] = [
    await imported('few', messages.slice(0, 10)),
    await imported('many', messages.slice(0, 410)),
  ]
  const ofImport = { object: (many.object - few.object) / 400, d1: (many.d1 - few.d1) / 400 }

  const sent = { type: 'channel', to: 'many', topic: 'topic 1', content: 'Text that somebody has written' }
  expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'many' }] }))
  expectSuccess(await owner.api.post('/messages', sent))
  const before = await written(realm)
  for (let at = 0; at < 10; at += 1) expectSuccess(await owner.api.post('/messages', sent))
  const after = await written(realm)
  const ofSend = { object: (after.object - before.object) / 10, d1: (after.d1 - before.d1) / 10 }
  expect(ofImport.object).toBeLessThanOrEqual(ofSend.object + 0.2)
  expect(ofImport.d1).toBeLessThanOrEqual(ofSend.d1 + 0.2)
})
