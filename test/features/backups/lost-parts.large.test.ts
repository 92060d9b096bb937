import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { ticketFor } from '../../support/deployment-tickets.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { newestManifest } from '../../support/inside-backups.ts'
import { fromJson } from '../../support/json.ts'
import { makeBackup, restore, restoreStage, runRestore } from '../../support/listed-backups.ts'
import { visit } from '../../support/pages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { backedUp, changeAll, seen } from '../../support/restored-organizations.ts'
import { world } from '../../support/world.ts'

beforeEach(() => {
  keepAlarmsAway()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

/** Removes the chunks that the newest backup, which is the archive, does not need. */
async function removeOtherChunks(of: TestRealm): Promise<void> {
  const { tables, changes, texts, files } = await newestManifest(of)
  const used = new Set([...tables.flatMap(({ chunks }) => chunks), ...changes, ...texts, ...files])
  const { objects } = await env.BACKUPS!.list({ prefix: `chunks/${of.id}/` })
  const others = objects.map(({ key }) => key).filter((key) => !used.has(key.split('/').at(-1)!))
  expect(others).not.toEqual([])
  await env.BACKUPS!.delete(others)
}

async function removeManifest({ id }: TestRealm, backupId: number): Promise<void> {
  const { objects } = await env.BACKUPS!.list({ prefix: `manifests/${id}/` })
  await env.BACKUPS!.delete(objects.map(({ key }) => key).filter((key) => key.endsWith(`-${backupId}`)))
}

/** Has a restore stop after each step, and does something once it is at a stage. Returns what `meanwhile` is to be. */
function atStage(of: TestRealm, stage: string, act: () => Promise<void>): () => Promise<void> {
  let isDone = false
  return async () => {
    const now = await restoreStage(of)
    // Checking is a job, whose runs are repeated later and later.
    if (now !== 'check') world.crashAt = 'restoring'
    if (isDone || now !== stage) return
    isDone = true
    await act()
  }
}

describe('a restore of a backup of which a part is lost meanwhile', () => {
  it.each(['rows', 'texts', 'files'])(
    'brings back what was there before, and says so, at the stage %s',
    async (stage) => {
      const { of, furnished, people, backup } = await backedUp()
      const everybody = [...people.slice(0, 2), await changeAll(of, furnished)]
      const before = await seen(of, everybody)
      const lose = atStage(of, stage, () =>
        stage === 'files' ? removeManifest(of, backup.id) : removeOtherChunks(of),
      )
      const restored = await restore(of, backup.id, lose)
      expect(restored).toMatchObject({ outcome: 'returned', backup_id: restored.archive_id })
      expect(await seen(of, everybody)).toEqual(before)
      await runAlarms(of, 4, 700)
      expect(await findingsIn(of)).toEqual([])
      const newest = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false, narrow: [] }
      const { messages } = expectSuccess(await of.owner.api.get('/messages', newest))
      expect(messages[0].content).toContain('A backup could not be restored')
    },
  )

  it('stays closed, in words, if that is lost too, until the operator names another', async () => {
    const { of, furnished, people, backup, before } = await backedUp()
    await changeAll(of, furnished)
    expectSuccess(await of.owner.api.post(`/backups/${backup.id}/copy`))
    const other = await makeBackup(of)
    const lose = atStage(of, 'texts', async () => {
      await removeManifest(of, other.id)
      await removeManifest(of, other.id + 1)
    })
    expectSuccess(await of.owner.api.post(`/backups/${other.id}/restore`))
    await runRestore(of, async () => (await restoreStage(of)) === 'stuck', lose)
    expectRefusal(
      await of.owner.api.get('/users/me'),
      'Parts of the backups of this organization are missing: whoever runs the server has to restore another one.',
      { code: 'SERVICE_UNAVAILABLE', status: 503, 'retry-after': 3_600 },
    )
    const ticket = await ticketFor(of.host)
    const ask = async (backup_id: number | null) => {
      const body = JSON.stringify({ ticket, host: of.host, backup_id })
      return fromJson((await visit(`http://${of.host}/setup/backups`, { method: 'POST', body })).text)
    }
    expect(await ask(null)).toMatchObject({
      restore: { stage: 'stuck' },
      backups: [{ id: other.id + 1 }, { id: other.id }, { id: backup.id }],
    })
    expect(await ask(777)).toMatchObject({ msg: 'Invalid backup ID' })
    expect(await ask(backup.id)).toMatchObject({ restore: { stage: 'empty', backup_id: backup.id } })
    expect(await ask(backup.id)).toMatchObject({ msg: 'A backup is being restored.' })
    await runRestore(of, async () => (await of.owner.api.get('/users/me')).status === 200)
    expect(expectSuccess(await of.owner.api.get('/backups')).restore.outcome).toBe('restored')
    expect(await seen(of, people)).toEqual(before)
    await runAlarms(of, 4, 700)
    expect(await findingsIn(of)).toEqual([])
  })
})
