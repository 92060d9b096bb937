import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { archiveOf, countOf, runUntil } from '../../support/imports.ts'
import { beginPacked, LINES, message, packed } from '../../support/packed-imports.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

it('Unpacking goes on wherever it was interrupted', async () => {
  const { realm } = made
  // Three parts, of which each ends within a line.
  const filler = Array.from({ length: 19 }, (_, at) => message(at, `${at} ${'x'.repeat(990_000)}`))
  const id = await beginPacked(realm, await packed(archiveOf([...LINES, ...filler])))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const now = Date.now.bind(Date)
  const clock = vi.spyOn(Date, 'now')
  let deaths = 0
  for (let run = 0; run < 8; run += 1) {
    // No run has time for a second part, however busy the machine is.
    let hurried = now()
    clock.mockImplementation(() => {
      hurried += 50
      return hurried
    })
    world.crashAt = run % 2 === 0 ? 'importing' : undefined
    world.clockOffset += 700
    await runDurableObjectAlarm(realmStub(realm.id)).catch(() => {})
    clock.mockImplementation(now)
    if (run % 2 === 0 && world.crashAt === undefined) deaths += 1
  }
  world.crashAt = undefined
  vi.restoreAllMocks()
  expect(deaths).toBeGreaterThanOrEqual(3)
  const { report } = await runUntil(realm, id, 'waiting')
  expect(countOf(report.records, 'message')).toBe(19)
  expect(report.problems).toEqual([])
})
