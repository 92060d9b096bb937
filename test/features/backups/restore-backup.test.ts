import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { evictRealm } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { makeBackup, restore, runToEnd } from '../../support/listed-backups.ts'
import { sendTo } from '../../support/messages.ts'
import { differingParts, organizationDigest } from '../../support/organization-digest.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { backedUp, changeAll, seen } from '../../support/restored-organizations.ts'
import { DAY, HOUR } from '../../support/times.ts'
import { fetchPath } from '../../support/uploads.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

beforeEach(() => {
  keepAlarmsAway()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

describe('a backup that replaces the organization', () => {
  it('brings back every row, text and file, and what people see', async () => {
    const { of, furnished, people, backup, before } = await backedUp()
    const digest = await organizationDigest(of.owner)
    await changeAll(of, furnished)
    expect(differingParts(digest, await organizationDigest(of.owner))).not.toEqual([])
    expect(await restore(of, backup.id)).toMatchObject({ backup_id: backup.id, outcome: 'restored' })
    expect(await seen(of, people)).toEqual(before)
    expect(differingParts(digest, await organizationDigest(of.owner))).toEqual([])
    expect(await (await fetchPath(of, furnished.file, furnished.bea)).text()).toBe('the plan')
    await runAlarms(of, 4, 700)
    expect(await findingsIn(of)).toEqual([])
  })

  it('has people log in as before, and their clients register again', async () => {
    const { of, furnished, backup } = await backedUp()
    const { bea } = furnished
    const queues = [await openQueue(of.owner), await openQueue(bea)]
    let refused = 0
    await restore(of, backup.id, async () => {
      const response = await bea.api.get('/users/me')
      if (response.status === 200) return
      refused += 1
      expectRefusal(
        response,
        'A backup of this organization is being restored. Please try again in some minutes.',
        { code: 'SERVICE_UNAVAILABLE', status: 503, 'retry-after': 30 },
      )
      expect((await queues[1]!.user.api.get('/events', pollOf(queues[1]!))).status).toBe(503)
    })
    expect(refused).toBeGreaterThan(0)
    for (const queue of queues) {
      const response = await queue.user.api.get('/events', pollOf(queue))
      expect(response.body.code).toBe('BAD_EVENT_QUEUE_ID')
      expectSuccess(await queue.user.api.post('/register'))
    }
    const login = { username: bea.email, password: 'a fine password' }
    expect(expectSuccess(await of.anonymous.post('/fetch_api_key', login)).api_key).toBe(bea.apiKey)
  })

  it('gives out no id again that was given out since', async () => {
    const { of, furnished, backup } = await backedUp()
    const { bea } = furnished
    const dan = await changeAll(of, furnished)
    const last = await sendTo(bea, 'sandbox', 'plans', 'the last since')
    const { last_event_id } = expectSuccess(await bea.api.get('/realm/digest'))
    await restore(of, backup.id)
    expect(await sendTo(of.owner, 'sandbox', 'plans', 'the first after')).toBeGreaterThan(last)
    expect((await buildUser(of)).id).toBeGreaterThan(dan.id)
    expect(expectSuccess(await bea.api.get('/realm/digest')).last_event_id).toBeGreaterThan(last_event_id)
  })

  it('is in the audit log, and owners are told', async () => {
    const { of, furnished, backup } = await backedUp()
    const { archive_id } = await restore(of, backup.id)
    await runAlarms(of, 2, 700)
    const { entries } = expectSuccess(await of.owner.api.get('/audit_log', { action: 'backup_restored' }))
    expect(entries).toMatchObject([{ actor_id: of.owner.id, details: { backup_id: backup.id, archive_id } }])
    const newest = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
    const told = async (user: TestUser) =>
      expectSuccess(await user.api.get('/messages', { ...newest, narrow: [] })).messages[0].content
    expect(await told(of.owner)).toContain('A backup has replaced this organization')
    expect(await told(furnished.bea)).not.toContain('A backup has replaced')
  })

  it('sends no message late whose time has passed since, and tells its author', async () => {
    const { realm: of } = await buildRealm()
    const schedule = async (content: string, delay: number) => {
      const scheduled_delivery_timestamp = Math.floor(Date.now() / 1_000 + world.clockOffset + delay)
      const to = { type: 'direct', to: [of.owner.id] }
      expectSuccess(
        await of.owner.api.post('/scheduled_messages', { ...to, content, scheduled_delivery_timestamp }),
      )
    }
    await schedule('due since', 2 * HOUR)
    await schedule('due later', 50 * DAY)
    const backup = await makeBackup(of)
    const { scheduled_messages: before } = expectSuccess(await of.owner.api.get('/scheduled_messages'))
    for (const { scheduled_message_id: id } of before)
      expectSuccess(await of.owner.api.delete(`/scheduled_messages/${id}`))
    world.clockOffset += DAY
    await restore(of, backup.id)
    await runAlarms(of, 4, 700)
    const { scheduled_messages: after } = expectSuccess(await of.owner.api.get('/scheduled_messages'))
    expect(
      after.map(({ content, failed }: { content: string; failed: boolean }) => [content, failed]).sort(),
    ).toEqual([
      ['due later', false],
      ['due since', true],
    ])
    const newest = { anchor: 'newest', num_before: 9, num_after: 0, apply_markdown: false, narrow: [] }
    const { messages } = expectSuccess(await of.owner.api.get('/messages', newest))
    const contents = messages.map(({ content }: { content: string }) => content)
    expect(contents).not.toContain('due since')
    expect(contents.join()).toContain('Message could not be sent at the scheduled time.')
  })

  it('leaves what was put on hold since on hold', async () => {
    const { of, furnished, backup } = await backedUp()
    const hold = { user_id: furnished.bea.id, reason: 'Case 12' }
    expectSuccess(await of.owner.api.post('/realm/holds', hold))
    await restore(of, backup.id)
    expect(expectSuccess(await of.owner.api.get('/realm/holds')).holds).toMatchObject([hold])
  })
})

describe('a restore', () => {
  it.each(['chunk', 'file', 'manifest', 'key'])(
    'changes nothing if a %s of the backup is missing or damaged',
    async (what) => {
      const { of, furnished, people, backup } = await backedUp()
      await changeAll(of, furnished)
      const before = await seen(of, people.slice(0, 2))
      if (what === 'key') {
        world.settings = { ...world.settings, SECRETS_KEY: btoa('another key of thirty-two bytes.') }
        await evictRealm(of.id)
      } else {
        await damage(of, what)
      }
      const restored = await restore(of, backup.id)
      expect(restored).toMatchObject({ outcome: 'damaged', archive_id: null })
      expect(await seen(of, people.slice(0, 2))).toEqual(before)
    },
  )

  it('changes nothing while the store of backups cannot be reached', async () => {
    const { of, people, backup, before } = await backedUp()
    const isDown = async () => {
      world.store = (call, name) => (name === 'get' ? Promise.reject(new Error('down')) : call())
    }
    expect(await restore(of, backup.id, isDown)).toMatchObject({ outcome: 'failed' })
    world.store = (call) => call()
    expect(await seen(of, people)).toEqual(before)
  })

  it('changes nothing if what is there cannot be backed up', async () => {
    const { of, furnished, people, backup } = await backedUp()
    await changeAll(of, furnished)
    const before = await seen(of, people.slice(0, 2))
    const isFull = async () => {
      world.store = (call, name) => (name === 'put' ? Promise.reject(new Error('full')) : call())
    }
    expect(await restore(of, backup.id, isFull)).toMatchObject({ outcome: 'failed' })
    world.store = (call) => call()
    expect(await seen(of, people.slice(0, 2))).toEqual(before)
  })

  it('is for owners, of a backup that was made, one at a time', async () => {
    const {
      realm: of,
      admin,
      member,
      guest,
    } = await buildRealm({
      admin: 'administrator',
      member: 'member',
      guest: 'guest',
    })
    const moderator = await buildUser(of, { role: 300 })
    const gone = await buildUser(of)
    expectSuccess(await of.owner.api.delete(`/users/${gone.id}`))
    const { id } = await makeBackup(of)
    const path = `/backups/${id}/restore`
    for (const { api } of [admin, moderator, member, guest])
      expectRefusal(await api.post(path), 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
    expectUnauthorized(await of.anonymous.post(path))
    expect((await gone.api.post(path)).status).toBe(401)
    const { realm: other } = await buildRealm()
    expectRefusal(await other.owner.api.post(path), 'Invalid backup ID')
    expectSuccess(await of.owner.api.post('/backups'))
    expectRefusal(await of.owner.api.post(`/backups/${id + 1}/restore`), 'Invalid backup ID')
    expectRefusal(await of.owner.api.post(path), 'A backup is being made.')
    await runToEnd(of)
    const newest = id + 1
    expectSuccess(await of.owner.api.post(`/backups/${newest}/restore`))
    expectRefusal(await of.owner.api.post(`/backups/${newest}/restore`), 'A backup is being restored.')
    expectRefusal(await of.owner.api.post('/backups'), 'A backup is being restored.')
  })
})

function pollOf({ id }: TestQueue) {
  return { queue_id: id, last_event_id: -1, dont_block: true }
}

/** Removes a part of an organization's backups from the store. */
async function damage({ id }: TestRealm, what: string): Promise<void> {
  const folders = { chunk: `chunks/${id}/`, file: `files/user_uploads/${id}/`, manifest: `manifests/${id}/` }
  const { objects } = await env.BACKUPS!.list({ prefix: folders[what as keyof typeof folders] })
  await env.BACKUPS!.delete(objects.at(-1)!.key)
}
