import { applyD1Migrations, env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { actOnce, type FaultRun } from '../../faults/actions.ts'
import { FaultSchedule } from '../../faults/fault-schedule.ts'
import { PatientPerson } from '../../faults/patient-person.ts'
import { openClient } from '../../reference-model/client-state.ts'
import { runAlarms } from '../../support/alarms.ts'
import { evictRealm } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { type Furnished, furnish } from '../../support/furnished-realm.ts'
import { rowsNow } from '../../support/inside-backups.ts'
import { listed, makeBackup, restore, runToEnd } from '../../support/listed-backups.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { differingParts, organizationDigest } from '../../support/organization-digest.ts'
import { ALL_CAPABILITIES, openQueue, type TestQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { dumpFiles } from '../../support/stores.ts'
import { DAY } from '../../support/times.ts'
import { fetchPath, upload } from '../../support/uploads.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

beforeEach(() => {
  keepAlarmsAway()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

/** What people see, and what is stored: to be the same before and after. */
interface Seen {
  readonly digests: readonly unknown[]
  readonly messages: readonly unknown[]
  readonly rows: ReadonlyMap<string, readonly string[]>
  readonly files: ReadonlyMap<string, string>
}

/** Tables that say what has happened since, or what is left to do. */
const SINCE = ['meta', 'job', 'audit_entry', 'usage']

async function seen(of: TestRealm, people: readonly TestUser[]): Promise<Seen> {
  const digests: unknown[] = []
  const messages: unknown[] = []
  for (const { api } of people) {
    digests.push(expectSuccess(await api.get('/realm/digest')).sections)
    const params = { anchor: 'newest', num_before: 200, num_after: 0, apply_markdown: false }
    const found = expectSuccess(await api.get('/messages', params)).messages
    messages.push(found.map(({ avatar_url: _, ...message }: { avatar_url: string }) => message))
  }
  const rows = [...(await rowsNow(of))].filter(([table]) => !SINCE.includes(table))
  return {
    digests,
    messages,
    rows: new Map(rows.map(([table, values]) => [table, values.map((row) => JSON.stringify(row)).sort()])),
    files: await dumpFiles(of),
  }
}

/** Changes what there is in many ways. */
async function changeAll(of: TestRealm, { bea, cai, open, sent, file }: Furnished): Promise<TestUser> {
  const dan = await buildUser(of, { name: 'Dan Dill' })
  const channel = await buildChannel([of.owner, bea, dan], { name: 'later' })
  await sendTo(dan, channel.id, 'new', 'written since')
  expectSuccess(await bea.api.patch(`/messages/${sent.first}`, { content: 'edited since' }))
  expectSuccess(await of.owner.api.delete(`/messages/${sent.edited}`))
  expectSuccess(await of.owner.api.patch(`/streams/${open.id}`, { new_name: 'ships' }))
  expectSuccess(await of.owner.api.delete(`/users/${cai.id}`))
  const { attachments } = expectSuccess(await bea.api.get('/attachments'))
  for (const { id } of attachments) expectSuccess(await bea.api.delete(`/attachments/${id}`))
  expect(file).toBeTruthy()
  await upload(bea, { name: 'since.txt', content: 'uploaded since' })
  await sendDirect(bea, [dan], 'direct since')
  await runAlarms(of, 3, 700)
  return dan
}

async function backedUp() {
  const { realm: of } = await buildRealm()
  const furnished = await furnish(of)
  const people = [of.owner, furnished.bea, furnished.cai]
  const backup = await makeBackup(of)
  return { of, furnished, people, backup, before: await seen(of, people) }
}

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

  it('loses nothing, whatever step a crash is at', async () => {
    const { of, furnished, people, backup, before } = await backedUp()
    await changeAll(of, furnished)
    let runs = 0
    const restored = await restore(of, backup.id, async () => {
      runs += 1
      world.crashAt = runs % 5 === 0 ? 'exporting' : 'restoring'
    })
    expect(restored.outcome).toBe('restored')
    expect(runs).toBeGreaterThan(60)
    expect(await seen(of, people)).toEqual(before)
    await runAlarms(of, 4, 700)
    expect(await findingsIn(of)).toEqual([])
  })

  it('goes on after a store has failed at any call', async () => {
    const { of, furnished, people, backup, before } = await backedUp()
    await changeAll(of, furnished)
    let calls = 0
    const fails = () => {
      calls += 1
      return calls % 9 === 0
    }
    await restore(of, backup.id, async () => {
      world.store = (call) => (fails() ? Promise.reject(new Error('R2 fails')) : call())
      world.d1 = async (call) => {
        const answer = await call()
        if (fails()) throw new Error('D1 loses its answer')
        return answer
      }
    })
    world.store = (call) => call()
    world.d1 = (call) => call()
    expect(await seen(of, people)).toEqual(before)
  })

  it('is as exact where texts are in two databases', async () => {
    const { realm: of } = await buildRealm()
    const furnished = await furnish(of)
    await runAlarms(of, 1)
    await applyD1Migrations(env.SPARE_1, env.TEST_MIGRATIONS)
    world.bodyDatabases = 1
    await evictRealm(of.id)
    await sendTo(furnished.bea, 'boats', 'engine', 'in the second database')
    const people = [of.owner, furnished.bea, furnished.cai]
    const backup = await makeBackup(of)
    const before = await seen(of, people)
    await changeAll(of, furnished)
    await restore(of, backup.id)
    expect(await seen(of, people)).toEqual(before)
    await runAlarms(of, 4, 700)
    expect(await findingsIn(of)).toEqual([])
  })

  it('keeps what was written since in a backup, which brings that back', async () => {
    const { of, furnished, people, backup, before } = await backedUp()
    const everybody = [...people.slice(0, 2), await changeAll(of, furnished)]
    const since = await seen(of, everybody)
    const { archive_id } = await restore(of, backup.id)
    expect(await seen(of, people)).toEqual(before)
    await runAlarms(of, 2, 700)
    const archive = (await listed(of)).find(({ id }) => id === archive_id)!
    expect(archive.kept_until! - archive.began_at).toBeGreaterThanOrEqual(30 * DAY)
    expect(await restore(of, archive.id)).toMatchObject({ outcome: 'restored' })
    expect(await seen(of, everybody)).toEqual(since)
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

  it('leaves what was put on hold since on hold', async () => {
    const { of, furnished, backup } = await backedUp()
    const hold = { user_id: furnished.bea.id, reason: 'Case 12' }
    expectSuccess(await of.owner.api.post('/realm/holds', hold))
    await restore(of, backup.id)
    expect(expectSuccess(await of.owner.api.get('/realm/holds')).holds).toMatchObject([hold])
  })

  it('is as exact after random histories', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    for (let number = 0; number < 3; number += 1) {
      const { of, people, act } = await randomHistory(seed + number)
      await act(60)
      const backup = await makeBackup(of)
      const before = await seen(of, people)
      const digest = await organizationDigest(of.owner)
      await act(60)
      await restore(of, backup.id)
      expect(await seen(of, people), `seed ${seed + number}`).toEqual(before)
      expect(differingParts(digest, await organizationDigest(of.owner)), `seed ${seed + number}`).toEqual([])
      await runAlarms(of, 4, 700)
      expect(await findingsIn(of), `seed ${seed + number}`).toEqual([])
    }
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

/** Three people do everything, as a seed says. */
async function randomHistory(seed: number) {
  const { realm: of } = await buildRealm()
  const people = [of.owner, await buildUser(of, { name: 'Ann' }), await buildUser(of, { name: 'Ben' })]
  const channels = [await buildChannel(people), await buildChannel(people, { invite_only: true })]
  const patient = people.map((user) => new PatientPerson(user, new Map()))
  const queues = await Promise.all(patient.map(async (person) => (await openClient(person, CLIENT)).queue))
  const run: FaultRun = {
    ...{ schedule: new FaultSchedule(seed), people: patient, queues, channels: channels.map(({ id }) => id) },
    ...{ said: new Map(), deleted: new Set(), scheduled: [], drafts: [], files: new Map() },
    ...{ invited: [], done: [] },
  }
  const act = async (times: number) => {
    for (let at = 0; at < times; at += 1) await actOnce(run, at % people.length)
  }
  return { of, people, act }
}

const CLIENT = {
  name: 'a client',
  capabilities: ALL_CAPABILITIES,
  options: { apply_markdown: true, client_gravatar: true },
}
