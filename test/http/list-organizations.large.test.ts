import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectSameAccounts } from '../support/accounts-in-d1.ts'
import { runAlarms } from '../support/alarms.ts'
import { buildUser, createBot, expectSuccess } from '../support/factories.ts'
import { fromJson, type Json } from '../support/json.ts'
import { sendDirect, untilProjected } from '../support/messages.ts'
import { visit } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { DAY } from '../support/times.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm } = useRealm({ ann: 'member', gil: 'guest', gone: 'member' })
useReliableD1()

const TOKEN = 'a-token-of-the-deployment'
beforeEach(() => {
  world.settings = { HEALTH_TOKEN: TOKEN }
})

async function ask(query = '', authorization = `Bearer ${TOKEN}`) {
  const headers = { Authorization: authorization }
  return visit(`http://${realm.host}/setup/organizations${query}`, { headers })
}

async function listed(query = ''): Promise<Json[]> {
  const { status, text } = await ask(query)
  expect(status).toBe(200)
  return fromJson(text).organizations
}

const today = new Date().toISOString().slice(0, 10)

describe('GET /setup/organizations', () => {
  it('does not exist for callers without the token of the deployment', async () => {
    const stranger = await visit(`http://${realm.host}/setup/organizations`)
    const key = btoa(`${realm.owner.email}:${realm.owner.apiKey}`)
    for (const wrong of ['', TOKEN, `Bearer ${TOKEN}x`, `Basic ${key}`])
      expect(await ask('', wrong)).toMatchObject({ status: stranger.status, text: stranger.text })
    world.settings = { HEALTH_TOKEN: '' }
    expect((await ask('', 'Bearer ')).status).toBe(stranger.status)
    expect(stranger.text).not.toContain(realm.host)
    expect([400, 404]).toContain(stranger.status)
  })

  it('counts open accounts by kind and role, and gives name, day and place', async () => {
    const { members } = expectSuccess(await realm.owner.api.get('/users'))
    const gone = members.find((member: Json) => member.full_name === 'Gone')
    expectSuccess(await realm.owner.api.delete(`/users/${gone.user_id}`))
    const admin = await buildUser(realm, { role: 100 })
    await createBot(admin, 'Helper')
    expectSuccess(await realm.owner.api.patch('/realm', { name: 'Herons' }))
    await expectSameAccounts(realm)
    expect((await listed()).find(({ host }) => host === realm.host)).toEqual({
      host: realm.host,
      name: 'Herons',
      founded_at: expect.any(Number),
      people: 4,
      active_people: 0,
      guests: 1,
      owners: 2,
      bots: 1,
      last_active_on: null,
      texts: null,
      location: null,
      jurisdiction: null,
      is_closed: 0,
      delete_after: null,
    })
    const ping = { status: 'active', ping_only: true }
    expectSuccess(await realm.owner.api.post('/users/me/presence', ping))
    const id = await sendDirect(realm.owner, [realm.owner], 'hello')
    await untilProjected(realm, [id])
    world.clockOffset = DAY + 60
    await runAlarms(realm, 3)
    await expectSameAccounts(realm)
    const later = (await listed()).find(({ host }) => host === realm.host)
    expect(later).toMatchObject({ active_people: 1, last_active_on: today, texts: expect.any(Number) })
    expect(later.texts).toBeGreaterThan(0)
  })

  it('is sorted by any column, up or down, and refuses another', async () => {
    await buildRealm()
    for (const column of ['host', 'people', 'founded_at', 'texts']) {
      const up = (await listed(`?sort=${column}`)).map((one) => one[column]).filter((value) => value !== null)
      const down = (await listed(`?sort=-${column}`))
        .map((one) => one[column])
        .filter((value) => value !== null)
      expect(up.length, column).toBeGreaterThan(0)
      expect(up).toEqual(up.toSorted((a, b) => (a < b ? -1 : Number(a > b))))
      expect(down).toEqual(up.toReversed())
    }
    const { status, text } = await ask('?sort=api_key')
    expect([status, fromJson(text).code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('lists ten thousand organizations without waking one', async () => {
    const made = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)`
    await env.DB.batch([
      env.DB.prepare(
        `${made} INSERT INTO realm (id, host, string_id, name, created_at)
         SELECT 50000000 + i, 'many-' || i || '.test', 'many-' || i, 'Many', 1 FROM n`,
      ),
      env.DB.prepare(
        `${made} INSERT INTO account (realm_id, user_id, full_name, role, kind, is_active, joined_at, key_digest)
         SELECT 50000000 + i, 9, 'Somebody', 100, 'person', 1, 1, 'many-' || i FROM n`,
      ),
    ])
    let calls = 0
    world.reach = (call) => {
      calls += 1
      return call()
    }
    const began = Date.now()
    const many = (await listed('?sort=-people')).filter(({ host }) => host.startsWith('many-'))
    expect(Date.now() - began).toBeLessThan(5_000)
    expect([many.length, calls]).toEqual([10_000, 0])
    expect(many[0]).toMatchObject({ people: 1, owners: 1, bots: 0 })
  })

  afterAll(async () => {
    await env.DB.batch([
      env.DB.prepare('DELETE FROM realm WHERE id > 50000000'),
      env.DB.prepare('DELETE FROM account WHERE realm_id > 50000000'),
    ])
  })
})
