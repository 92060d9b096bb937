import { beforeEach, expect, it, vi } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import {
  archiveOf,
  beginImport,
  headOf,
  importWithId,
  type Line,
  runImport,
  runUntil,
} from '../../support/imports.ts'
import { makeBackup, restore } from '../../support/listed-backups.ts'
import { buildRealm } from '../../support/use-realm.ts'

beforeEach(() => {
  keepAlarmsAway()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

const HEAD: readonly Line[] = [
  headOf('another place'),
  { type: 'channel', id: 'c', name: 'harbour' },
  { type: 'user', id: 'u', full_name: 'Ada' },
]
const message = (at: number): Line => ({
  ...{ type: 'message', id: `m${at}`, sender: 'u', time_ms: 1_600_000_000_000 + at },
  ...{ channel: 'c', topic: 't', content: `text ${at}` },
})

it('an import that was under way at a backup has failed after its restore', async () => {
  const { realm } = await buildRealm()
  const lines = Array.from({ length: 3_000 }, (_, at) => message(at))
  const id = await beginImport(realm.owner, archiveOf([...HEAD, ...lines]))
  await runUntil(realm, id, 'waiting')
  const backup = await makeBackup(realm)
  expect((await importWithId(realm, id)).state).toBe('waiting')
  expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'cancel' }))
  await runAlarms(realm, 4, 700)
  expect(await restore(realm, backup.id)).toMatchObject({ outcome: 'restored' })
  await runAlarms(realm, 4, 700)
  const failure = 'A backup without the uploaded file was restored'
  expect(await importWithId(realm, id)).toMatchObject({ state: 'failed', failure })
  const again = await beginImport(realm.owner, archiveOf([...HEAD, ...lines]))
  await runUntil(realm, again, 'waiting')
  await runImport(realm, again)
  await runUntil(realm, again, 'finished')
  expect(await findingsIn(realm)).toEqual([])
})
