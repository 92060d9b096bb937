import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeBackup, runUntil } from '../../support/backups.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()

beforeEach(() => {
  keepAlarmsAway()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

async function compare(of: TestRealm, backupId: number, meanwhile: () => void = () => {}): Promise<void> {
  expectSuccess(await of.owner.api.post(`/backups/${backupId}/differences`))
  await runUntil(of.id, async () => (await differences(of.owner, backupId)).finished_at !== null, meanwhile)
}

async function differences(reader: TestUser, backupId: number, params = {}) {
  return expectSuccess(await reader.api.get(`/backups/${backupId}/differences`, params))
}

async function ids(reader: TestUser, backupId: number, of: string, difference: string): Promise<number[]> {
  const { differences: found } = await differences(reader, backupId, { of, difference })
  return found.map(({ id }: { id: number }) => id)
}

describe('a comparison with a backup', () => {
  it('finds the messages that are gone, new and changed', async () => {
    const { realm: of } = await buildRealm()
    const gone = await sendTo(of.owner, 'sandbox', 'plans', 'this goes')
    const edited = await sendTo(of.owner, 'sandbox', 'plans', 'before')
    const moved = await sendTo(of.owner, 'sandbox', 'plans', 'elsewhere')
    const same = await sendTo(of.owner, 'sandbox', 'plans', 'this stays')
    const backup = await makeBackup(of)
    expectSuccess(await of.owner.api.delete(`/messages/${gone}`))
    expectSuccess(await of.owner.api.patch(`/messages/${edited}`, { content: 'after' }))
    expectSuccess(
      await of.owner.api.patch(`/messages/${moved}`, { topic: 'other', propagate_mode: 'change_one' }),
    )
    const added = await sendTo(of.owner, 'sandbox', 'plans', 'new')
    await compare(of, backup)
    const { counts, differences: found } = await differences(of.owner, backup)
    expect(counts.messages).toMatchObject({ only_in_backup: 1, changed: 2 })
    expect(found).toEqual([
      {
        id: gone,
        sender_id: of.owner.id,
        timestamp: expect.any(Number),
        stream_id: expect.any(Number),
        topic: 'plans',
      },
    ])
    expect(await ids(of.owner, backup, 'messages', 'only_today')).toContain(added)
    const { differences: changed } = await differences(of.owner, backup, { difference: 'changed' })
    expect(changed).toMatchObject([
      { id: edited, changed: ['content'] },
      { id: moved, changed: ['topic'], topic: 'other' },
    ])
    for (const kind of ['only_in_backup', 'only_today', 'changed'])
      expect(await ids(of.owner, backup, 'messages', kind)).not.toContain(same)
  })

  it('finds people and channels that are new or changed', async () => {
    const { realm: of } = await buildRealm()
    const [promoted, ann] = [await buildUser(of), await buildUser(of)]
    const channel = await buildChannel([of.owner])
    const backup = await makeBackup(of)
    const joined = await buildUser(of)
    expectSuccess(await of.owner.api.patch(`/users/${promoted.id}`, { role: 300 }))
    expectSuccess(await of.owner.api.patch(`/streams/${channel.id}`, { description: 'other words' }))
    const added = await buildChannel([ann])
    await compare(of, backup)
    const { counts } = await differences(of.owner, backup)
    expect(counts.people).toEqual({ only_in_backup: 0, only_today: 1, changed: 1 })
    expect(counts.channels).toEqual({ only_in_backup: 0, only_today: 1, changed: 1 })
    expect(await ids(of.owner, backup, 'people', 'only_today')).toEqual([joined.id])
    expect(await ids(of.owner, backup, 'channels', 'only_today')).toEqual([added.id])
    expect(
      (await differences(of.owner, backup, { of: 'people', difference: 'changed' })).differences,
    ).toEqual([{ id: promoted.id, name: promoted.fullName, changed: ['role'] }])
    const changed = await differences(of.owner, backup, { of: 'channels', difference: 'changed' })
    expect(changed.differences).toEqual([{ id: channel.id, name: channel.name, changed: ['description'] }])
  })

  it('counts what an owner may not read, and shows nothing of it', async () => {
    const { realm: of } = await buildRealm()
    const [ann, ben] = [await buildUser(of), await buildUser(of)]
    const secret = await buildChannel([ann, ben], { invite_only: true })
    const hidden = [await sendTo(ann, secret.id, 'plans'), await sendDirect(ann, [ben])]
    const own = await sendDirect(ann, [of.owner])
    const backup = await makeBackup(of)
    for (const id of [...hidden, own]) expectSuccess(await ann.api.delete(`/messages/${id}`))
    await compare(of, backup)
    const { counts, differences: found } = await differences(of.owner, backup)
    expect(counts.messages.only_in_backup).toBe(3)
    expect(found).toEqual([
      { id: own, sender_id: ann.id, timestamp: expect.any(Number), stream_id: null, topic: null },
    ])
  })

  it('has rows as of the moment, though they changed while the backup was made', async () => {
    const { realm: of } = await buildRealm()
    const first = await sendTo(of.owner, 'sandbox', 'plans', 'before')
    const second = await sendTo(of.owner, 'sandbox', 'plans', 'goes meanwhile')
    let isChanged = false
    world.store = async (call, name) => {
      if (name === 'head' && !isChanged) {
        isChanged = true
        await of.owner.api.patch(`/messages/${first}`, { content: 'during' })
        await of.owner.api.delete(`/messages/${second}`)
      }
      return call()
    }
    const backup = await makeBackup(of)
    await compare(of, backup)
    const { counts } = await differences(of.owner, backup)
    expect(counts.messages).toEqual({ only_in_backup: 0, only_today: 0, changed: 0 })
  })

  it('goes on after a crash at any point, and is as exact', async () => {
    const { realm: of } = await buildRealm()
    const gone = await sendTo(of.owner, 'sandbox', 'plans', 'this goes')
    const backup = await makeBackup(of)
    expectSuccess(await of.owner.api.delete(`/messages/${gone}`))
    let crashes = 0
    await compare(of, backup, () => {
      crashes += 1
      world.crashAt = 'importing'
      world.clockOffset += 1_000
    })
    expect(crashes).toBeGreaterThan(5)
    const { counts } = await differences(of.owner, backup)
    expect(counts.messages).toMatchObject({ only_in_backup: 1, changed: 0 })
    expect(await ids(of.owner, backup, 'messages', 'only_in_backup')).toEqual([gone])
  })

  it('is given in pages', async () => {
    const { realm: of } = await buildRealm()
    const backup = await makeBackup(of)
    const sent: number[] = []
    for (let at = 0; at < 101; at += 1) sent.push(await sendTo(of.owner, 'sandbox', 'plans'))
    await compare(of, backup)
    const page = await differences(of.owner, backup, { difference: 'only_today' })
    expect([page.differences.length, page.has_more]).toEqual([100, true])
    const rest = await differences(of.owner, backup, {
      difference: 'only_today',
      after: page.differences[99].id,
    })
    expect([rest.differences.map(({ id }: { id: number }) => id), rest.has_more]).toEqual([
      [sent[100]],
      false,
    ])
  })
})

describe('comparing', () => {
  it.each([
    ['GET', '/backups/1/differences'],
    ['POST', '/backups/1/differences'],
  ])('%s %s is for owners', async (method, path) => {
    const [admin, moderator, member, guest, gone] = await Promise.all([
      buildUser(realm, { role: 200 }),
      buildUser(realm, { role: 300 }),
      buildUser(realm),
      buildUser(realm, { role: 600 }),
      buildUser(realm),
    ])
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const { api } of [admin, moderator, member, guest])
      expectRefusal(await api.request(method, path), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    expectUnauthorized(await realm.anonymous.request(method, path))
    expect((await gone.api.request(method, path)).status).toBe(401)
    const headers = { Authorization: `Basic ${btoa(`${realm.owner.email}:${realm.owner.apiKey}`)}` }
    const { realm: other } = await buildRealm()
    expect((await other.anonymous.request(method, path, {}, { headers })).status).toBe(401)
  })

  it('needs a backup of the organization, and is done one at a time', async () => {
    const { realm: of } = await buildRealm()
    expectRefusal(await of.owner.api.post('/backups/1/differences'), 'Invalid backup ID')
    expectRefusal(await of.owner.api.get('/backups/1/differences'), 'Invalid backup ID')
    const backup = await makeBackup(of)
    expect((await differences(of.owner, backup)).began_at).toBe(null)
    expectSuccess(await of.owner.api.post(`/backups/${backup}/differences`))
    expectRefusal(await of.owner.api.post(`/backups/${backup}/differences`), 'A backup is being read.')
  })

  it('is given up if the store has lost a part of the backup', async () => {
    const { realm: of } = await buildRealm()
    const backup = await makeBackup(of)
    expectSuccess(await of.owner.api.post(`/backups/${backup}/differences`))
    world.store = (call, name) => (name === 'get' ? Promise.reject(new Error('down')) : call())
    await runUntil(
      of.id,
      async () => (await differences(of.owner, backup)).failed_at !== null,
      () => {
        world.clockOffset += 1_000
      },
    )
  })
})
