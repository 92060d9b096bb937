import { env, runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { realmStub } from '../support/api.ts'
import { ticketFor } from '../support/deployment-tickets.ts'
import { keepAlarmsAway } from '../support/exports.ts'
import { expectSuccess } from '../support/factories.ts'
import { fromJson } from '../support/json.ts'
import { makeBackup } from '../support/listed-backups.ts'
import { sendTo } from '../support/messages.ts'
import { visit } from '../support/pages.ts'
import { DAY } from '../support/times.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm } = useRealmPerTest()

beforeEach(() => {
  keepAlarmsAway()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

const ask = async (ticket: string, backupId: number | null = null, host = realm.host) => {
  const body = JSON.stringify({ ticket, host, backup_id: backupId })
  const page = await visit(`http://${realm.host}/setup/backups`, { method: 'POST', body })
  return { status: page.status, body: fromJson(page.text) }
}

/** Runs a restore to its end; `meanwhile` is called before each run once the organization is closed. Returns the stages. */
async function runToEnd(ticket: string, meanwhile = () => {}): Promise<readonly string[]> {
  const stages = new Set<string>()
  for (let run = 0; run < 300; run += 1) {
    const { status, body } = await ask(ticket)
    expect(status).toBe(200)
    if (body.restore.stage === null) return [...stages]
    stages.add(body.restore.stage)
    if (body.restore.stage !== 'check') meanwhile()
    world.clockOffset += 61
    await runDurableObjectAlarm(realmStub(realm.id)).catch(() => {})
  }
  throw new Error('Not restored')
}

describe('POST /setup/backups', () => {
  it('lists and restores backups for a ticket of this host, and shows the progress', async () => {
    const backup = await makeBackup(realm)
    await sendTo(realm.owner, 'sandbox', 'plans', 'written since')
    const ticket = await ticketFor(realm.host)
    expect(await ask(ticket)).toMatchObject({
      status: 200,
      body: { restore: null, backups: [{ id: backup.id, contents: { files: 0 } }] },
    })
    expect(await ask(ticket, 777)).toMatchObject({ status: 400, body: { msg: 'Invalid backup ID' } })
    expect((await ask(ticket, backup.id)).body.restore).toMatchObject({
      stage: 'check',
      acting_user_id: null,
    })
    const stages = await runToEnd(ticket, () => {
      world.crashAt = 'restoring'
    })
    expect(stages).toEqual(expect.arrayContaining(['check', 'archive', 'rows', 'texts', 'files', 'open']))
    expect((await ask(ticket)).body.restore.outcome).toBe('restored')
    const newest = { anchor: 'newest', num_before: 9, num_after: 0, apply_markdown: false }
    const { messages } = expectSuccess(await realm.owner.api.get('/messages', newest))
    expect(JSON.stringify(messages)).not.toContain('written since')
    await runAlarms(realm, 2, 700)
    const { entries } = expectSuccess(await realm.owner.api.get('/audit_log', { action: 'backup_restored' }))
    expect(entries).toMatchObject([{ actor_id: null, details: { backup_id: backup.id } }])
  })

  it('opens a closed organization again, which is then not deleted', async () => {
    const backup = await makeBackup(realm)
    expectSuccess(await realm.owner.api.post('/realm/deactivate', { deletion_delay_days: 20 }))
    await runAlarms(realm, 1)
    const deleteAfter = () =>
      env.DB.prepare('SELECT delete_after FROM realm WHERE id = ?').bind(realm.id).first('delete_after')
    expect(await deleteAfter()).not.toBeNull()
    const ticket = await ticketFor(realm.host)
    await ask(ticket, backup.id)
    await runToEnd(ticket)
    await runAlarms(realm, 4, 700)
    expect(await deleteAfter()).toBeNull()
    await runAlarms(realm, 3, 30 * DAY)
    expectSuccess(await realm.owner.api.get('/users/me'))
  })

  it('is refused without a ticket of the host, to which another’s is worth nothing', async () => {
    expect((await ask('invented')).status).toBe(401)
    expect((await ask(await ticketFor('elsewhere.test'))).status).toBe(401)
    expect((await ask(await ticketFor('nowhere.test'), null, 'nowhere.test')).status).toBe(404)
  })
})
