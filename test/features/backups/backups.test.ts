import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildChannel, buildUser, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import {
  filesIn,
  filledNow,
  fillNewest,
  NOT_COPIED,
  openNewestBackup,
  rowsNow,
} from '../../support/inside-backups.ts'
import { listed, makeBackup, runToEnd } from '../../support/listed-backups.ts'
import { sendTo } from '../../support/messages.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { DAY, HOUR } from '../../support/times.ts'
import { upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()

beforeEach(() => {
  keepAlarmsAway()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

const EMOJI = ['tada', 'heart', 'smile', 'octopus']

/** Expects that the newest backup has the rows and texts that the organization has now, and fills an object with them. */
async function expectToBeAsNow(of: TestRealm): Promise<void> {
  const [filled, living] = await Promise.all([fillNewest(of), filledNow(of)])
  expect(filled.schema).toEqual(living.schema)
  expect(filled.counters).toEqual(living.counters)
  const { rows, texts } = await openNewestBackup(of)
  for (const [table, values] of await rowsNow(of)) {
    // The backup itself changes these.
    if (['job', 'meta'].includes(table)) continue
    const kept = [...rows.get(table)!.values()].map((row) => JSON.stringify(row))
    const now = values.map((row) => JSON.stringify(row)).sort()
    expect([table, kept.sort()]).toEqual([table, now])
    expect([
      table,
      filled.rows
        .get(table)!
        .map((row) => JSON.stringify(row))
        .sort(),
    ]).toEqual([table, now])
  }
  const { messages } = expectSuccess(
    await of.owner.api.get('/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      apply_markdown: false,
    }),
  )
  for (const { id, content } of messages) expect([id, texts.get(id)?.[2]]).toEqual([id, content])
}

describe('a backup', () => {
  it('is listed with size, digest and what it has', async () => {
    const of = realm
    await sendTo(of.owner, 'sandbox', 'plans', 'the first text')
    await upload(of.owner, { name: 'a.txt', content: 'bytes' })
    const backup = await makeBackup(of)
    expect(backup.contents).toMatchObject({ files: 1, file_bytes: 5 })
    expect(backup.size).toBeGreaterThan(1_000)
    expect(backup.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it('has every row of the organization as of its moment', async () => {
    const of = realm
    const id = await sendTo(of.owner, 'sandbox', 'plans', 'the first text')
    await makeBackup(of)
    await expectToBeAsNow(of)
    expect((await openNewestBackup(of)).texts.get(id)?.[2]).toBe('the first text')
  })

  it('is the state of one moment, though people write while it is made', async () => {
    const { realm: of } = await buildRealm()
    const ids = [await sendTo(of.owner, 'sandbox', 'plans', 'the first text')]
    let changes = 0
    const change = async () => {
      changes += 1
      const [first, second] = ids
      await of.owner.api.patch(`/messages/${first}`, { content: `edited ${changes}` })
      await of.owner.api.post(`/messages/${first}/reactions`, { emoji_name: EMOJI[changes % EMOJI.length] })
      ids.push(await sendTo(of.owner, 'sandbox', `topic ${changes}`, `text ${changes}`))
      if (changes % 2 === 0) await of.owner.api.delete(`/messages/${second}`)
      if (changes % 2 === 0) ids.splice(1, 1)
    }
    // Changes before each of the first chunks, and none later: the state at the end is then that of the moment.
    world.store = async (call, name) => {
      if (name === 'head' && changes < 12) await change()
      return call()
    }
    await makeBackup(of)
    expect(changes).toBe(12)
    await expectToBeAsNow(of)
  })

  it('has a name that went from one channel to another while it was made', async () => {
    const { realm: of } = await buildRealm()
    const [first, second] = [await buildChannel([of.owner]), await buildChannel([of.owner])]
    const rename = async (id: number, name: string) =>
      expectSuccess(await of.owner.api.patch(`/streams/${id}`, { new_name: name }))
    let chunks = 0
    world.store = async (call, name) => {
      if (name === 'put') chunks += 1
      if (name === 'put' && chunks === 12) {
        await rename(second.id, 'third')
        await rename(first.id, second.name)
      }
      return call()
    }
    await makeBackup(of)
    expect(chunks).toBeGreaterThan(12)
    await expectToBeAsNow(of)
  })

  it('goes on after a crash at any point, and is as exact', { timeout: 60_000 }, async () => {
    const { realm: of } = await buildRealm()
    await sendTo(of.owner, 'sandbox', 'plans', 'the first text')
    await makeBackup(of, async () => {
      world.crashAt = 'exporting'
      world.clockOffset += 1_000
    })
    await expectToBeAsNow(of)
  })

  it('sends nothing again that the store has', async () => {
    const of = realm
    await upload(of.owner, { name: 'a.txt', content: 'x'.repeat(100_000) })
    const first = await makeBackup(of)
    const second = await makeBackup(of)
    expect(first.sent).toBeGreaterThan(100_000)
    expect(second.size).toBeGreaterThan(100_000)
    expect(second.sent).toBeLessThan(first.sent / 10)
  })

  it('has each table of the organization, or a reason why not', async () => {
    const names = await inRealm(realm, (_, { storage }) =>
      storage.sql
        .exec<{ name: string }>(
          `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'`,
        )
        .toArray()
        .map(({ name }) => name),
    )
    const { rows } = await openNewestBackup(realm)
    expect([...rows.keys(), ...Object.keys(NOT_COPIED)].sort()).toEqual(names.sort())
  })

  it('has large files, sealed', async () => {
    const { realm: of } = await buildRealm()
    const content = 'secret words '.repeat(250_000)
    await upload(of.owner, { name: 'a.txt', content })
    await makeBackup(of)
    const files = await filesIn(of)
    expect(files.map(({ text }) => text)).toEqual([content])
    expect(files[0]!.sealed).not.toContain('secret words')
  })

  it('is given up after eight runs without progress, and the next one is made', async () => {
    const { realm: of } = await buildRealm()
    expectSuccess(await of.owner.api.post('/backups'))
    world.store = (call, name) => (name === 'head' ? Promise.reject(new Error('down')) : call())
    for (let run = 0; run < 12; run += 1) {
      world.clockOffset += 1_000
      await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
    }
    expect(await listed(of)).toMatchObject([
      { failed_at: expect.any(Number), stage: null, finished_at: null },
    ])
    world.store = (call) => call()
    await makeBackup(of)
    await expectToBeAsNow(of)
  })

  it('stays made if what is no longer kept cannot be removed', async () => {
    const { realm: of } = await buildRealm()
    await makeBackup(of)
    expectSuccess(await of.owner.api.post('/backups'))
    world.store = (call, name) => (name === 'delete' ? Promise.reject(new Error('down')) : call())
    for (let run = 0; run < 14; run += 1) {
      world.clockOffset += 1_000
      await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
    }
    expect((await listed(of))[0]).toMatchObject({
      failed_at: null,
      finished_at: expect.any(Number),
      stage: null,
    })
  })

  it('is made each night after a day on which something happened, and then no more', async () => {
    const { realm: of } = await buildRealm()
    await sendTo(of.owner, 'sandbox', 'plans', 'text')
    for (let run = 0; run < 24; run += 1) {
      world.clockOffset += 3 * HOUR
      await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
    }
    const made = expect.objectContaining({ acting_user_id: null, finished_at: expect.any(Number) })
    expect(await listed(of)).toContainEqual(made)
    const before = (await listed(of)).length
    // Channels are looked at daily for four weeks; nothing else happens.
    for (let night = 0; night < 6; night += 1)
      for (let run = 0; run < 3; run += 1) {
        world.clockOffset += 8 * HOUR
        await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
      }
    expect((await listed(of)).length).toBeLessThanOrEqual(before + 1)
  })
})

describe('backups', () => {
  it.each([
    ['GET', '/backups'],
    ['POST', '/backups'],
  ])('%s %s is for owners', async (method, path) => {
    const [admin, member, guest, gone] = await Promise.all([
      buildUser(realm, { role: 200 }),
      buildUser(realm),
      buildUser(realm, { role: 600 }),
      buildUser(realm),
    ])
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const { api } of [admin, member, guest])
      expectRefusal(await api.request(method, path), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    expectUnauthorized(await realm.anonymous.request(method, path))
    expect((await gone.api.request(method, path)).status).toBe(401)
    const headers = { Authorization: `Basic ${btoa(`${realm.owner.email}:${realm.owner.apiKey}`)}` }
    const { realm: other } = await buildRealm()
    expect((await other.anonymous.request(method, path, {}, { headers })).status).toBe(401)
  })

  it('are made one at a time, ten a day', { timeout: 60_000 }, async () => {
    const { realm: of } = await buildRealm()
    expectSuccess(await of.owner.api.post('/backups'))
    expectRefusal(await of.owner.api.post('/backups'), 'A backup is being made.')
    await runToEnd(of)
    for (let made = 1; made < 10; made += 1) await makeBackup(of)
    expectRefusal(await of.owner.api.post('/backups'), 'Exceeded rate limit.')
  })

  it('are kept by rule, and what no kept one needs is removed', { timeout: 60_000 }, async () => {
    const { realm: of } = await buildRealm()
    const path = await upload(of.owner, { name: 'a.txt', content: 'x'.repeat(5_000) })
    const first = await makeBackup(of)
    expectSuccess(await of.owner.api.delete(`/attachments/${(await attachmentsOf(of))[0]!.id}`))
    for (let day = 0; day < 9; day += 1) {
      world.clockOffset += DAY
      await makeBackup(of)
    }
    const ids = (await listed(of)).map(({ id }) => id)
    expect(ids).not.toContain(first.id)
    expect(ids.length).toBeLessThanOrEqual(9)
    expect(await filesIn(of)).toEqual([])
    expect(path).toBeTruthy()
    await expectToBeAsNow(of)
  })

  it('are refused where the deployment has no key', async () => {
    world.settings = { ...world.settings, SECRETS_KEY: '' }
    expectRefusal(await realm.owner.api.post('/backups'), 'Backups are not set up on this server.')
    expect(expectSuccess(await realm.owner.api.get('/backups')).is_configured).toBe(false)
  })
})

async function attachmentsOf(of: TestRealm): Promise<readonly { readonly id: number }[]> {
  return expectSuccess(await of.owner.api.get('/attachments')).attachments
}
