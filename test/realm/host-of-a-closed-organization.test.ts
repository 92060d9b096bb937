import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { evictRealm, realmStub } from '../support/api.ts'
import { buildUser, createBot, createRealm, expectSuccess, type TestRealm } from '../support/factories.ts'
import { headOf, importArchive } from '../support/imports.ts'
import { INTERFACE_VERSION } from '../support/inside.ts'
import { buildUnused } from '../support/login-identities.ts'
import { sendTo } from '../support/messages.ts'
import { dumpRealm, isListed } from '../support/stores.ts'
import { MINUTE } from '../support/times.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const made = useRealmPerTest()
const TAKEN = 'There is an organization at this host already.'

const close = async (realm: TestRealm, params = {}) =>
  expectSuccess(await realm.owner.api.post('/realm/deactivate', params))

const createAt = ({ host }: TestRealm) => createRealm({ host, ownerEmail: `next@${host}` })

/** Makes an organization as an owner leaves it who has tried it alone: with an import whose people have not come, and a bot. */
async function tryAlone(realm: TestRealm): Promise<void> {
  const lines = [
    headOf('trial'),
    { type: 'user', id: '1', full_name: 'Ada', email: 'ada@example.org' },
    { type: 'channel', id: 'c', name: 'boats', members: [{ user: '1' }] },
    {
      type: 'message',
      id: 'm',
      sender: '1',
      time_ms: 1_000,
      channel: 'c',
      topic: 'engine',
      content: 'Broken',
    },
  ]
  await importArchive(realm, lines)
  await buildUnused(realm)
  await createBot(realm.owner, 'robot')
}

describe('the host of a closed organization', () => {
  it('is free at once if nobody but its owner has entered it', async () => {
    const { realm } = made
    await tryAlone(realm)
    await close(realm)
    const next = await createAt(realm)
    expect([next.host, next.id > realm.id]).toEqual([realm.host, true])
    expect((await realm.owner.api.get('/users/me')).status).toBe(401)
    expect(
      expectSuccess(await next.owner.api.get('/users')).members.map(({ email }: { email: string }) => email),
    ).toContain(next.owner.email)
    const { streams } = expectSuccess(await next.owner.api.get('/streams'))
    expect(streams.map(({ name }: { name: string }) => name)).not.toContain('boats')
  })

  it('is free although its data is to be kept for some days', async () => {
    const { realm } = made
    await close(realm, { deletion_delay_days: 14 })
    expect((await createAt(realm)).id).toBeGreaterThan(realm.id)
  })

  it('is left by all data of the old organization, none of the new', async () => {
    const { realm } = made
    await tryAlone(realm)
    await close(realm)
    const next = await createAt(realm)
    const [{ stream_id }] = expectSuccess(await next.owner.api.get('/streams')).streams
    const message = await sendTo(next.owner, stream_id, 'plans', 'of the new one')
    await env.DB.prepare('INSERT INTO organization_ticket (digest, host, created_at) VALUES (?, ?, ?)')
      .bind(crypto.randomUUID(), realm.host, Math.floor(Date.now() / 1_000))
      .run()
    await runAlarms(realm, 10)
    world.clockOffset += 11 * MINUTE
    await runAlarms(realm, 10)
    expect(
      [...(await dumpRealm(realm)).keys()].filter((location) => !location.includes('organization_ticket')),
    ).toEqual([])
    const listed = await env.DB.prepare('SELECT id FROM realm WHERE id IN (?, ?)')
      .bind(realm.id, next.id)
      .all()
    expect([listed.results, await isListed(next)]).toEqual([[{ id: next.id }], true])
    const tickets = await env.DB.prepare('SELECT count(*) AS n FROM organization_ticket WHERE host = ?')
      .bind(realm.host)
      .first()
    expect(tickets).toEqual({ n: 1 })
    expect(expectSuccess(await next.owner.api.get(`/messages/${message}`)).message.content).toContain(
      'of the new one',
    )
  })

  it('stays taken while the organization is open', async () => {
    const { realm } = made
    await expect(createAt(realm)).rejects.toThrow(TAKEN)
    expectSuccess(await realm.owner.api.get('/users/me'))
  })

  it('stays taken while anything is on hold', async () => {
    const { realm } = made
    const hold = { user_id: realm.owner.id, reason: 'Case 12' }
    expectSuccess(await realm.owner.api.post('/realm/holds', hold))
    await close(realm)
    await expect(createAt(realm)).rejects.toThrow(TAKEN)
    expect(await isListed(realm)).toBe(true)
  })

  it('stays taken if somebody else has entered, even if they are gone', async () => {
    const { realm } = made
    const user = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    await close(realm)
    await expect(createAt(realm)).rejects.toThrow(TAKEN)
    expect(await isListed(realm)).toBe(true)
  })

  it('is free to who founds again after an answer was lost', async () => {
    const { realm } = made
    await close(realm)
    expect(await realmStub(realm.id).giveUpHost(INTERFACE_VERSION, 'another.test')).toBe(false)
    expect(await realmStub(realm.id).giveUpHost(INTERFACE_VERSION, realm.host)).toBe(true)
    await evictRealm(realm.id)
    expect((await createAt(realm)).id).toBeGreaterThan(realm.id)
  })
})
