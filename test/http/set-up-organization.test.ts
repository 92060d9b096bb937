import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ApiClient, askWorker, realmStub } from '../support/api.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { INTERFACE_VERSION, inRealm } from '../support/inside.ts'
import { readJson } from '../support/json.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { sha256Hex } from '../support/sha256.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, member } = useRealm({ member: 'member' })

// If D1 fails while an organization is created, the answer is 503, and the ticket is used up, so another one is needed.
useReliableD1()

/** Enters a ticket for this host in D1, and returns it. */
async function insertTicket(host: string): Promise<string> {
  const ticket = crypto.randomUUID()
  await env.DB.prepare('INSERT INTO organization_ticket (digest, host, created_at) VALUES (?, ?, ?)')
    .bind(await sha256Hex(ticket), host, Math.floor(Date.now() / 1_000))
    .run()
  return ticket
}

async function found(
  ticket: string,
  host: string,
  email: string,
  password = 'correct horse',
  where: object = {},
) {
  const body = JSON.stringify({
    ticket,
    name: 'Test',
    host,
    owner: { email, full_name: 'Somebody', password },
    ...where,
  })
  const response = await askWorker(
    new Request(`http://${realm.host}/setup/organizations`, { method: 'POST', body }),
  )
  return { status: response.status, body: await readJson(response) }
}

const exists = { result: 'error', msg: 'There is an organization at this host already.', code: 'BAD_REQUEST' }

describe('POST /setup/organizations', () => {
  it('never returns a member’s key', async () => {
    const answer = await found(await insertTicket(realm.host), realm.host, member.email, 'a fine password')
    expect(answer).toEqual({ status: 400, body: exists })
    expect(JSON.stringify(answer)).not.toContain(member.apiKey)
  })

  it('returns the founder’s key again for the password', async () => {
    const wrong = await found(await insertTicket(realm.host), realm.host, realm.owner.email, 'another horse')
    expect(wrong).toEqual({ status: 400, body: exists })
    const right = await found(await insertTicket(realm.host), realm.host, realm.owner.email)
    expect(right).toMatchObject({
      status: 200,
      body: { realm_id: realm.id, user_id: realm.owner.id, api_key: realm.owner.apiKey },
    })
  })

  it('accepts no name with invisible characters', async () => {
    const host = `new.${realm.host}`
    for (const names of [
      { name: 'Te\u200bst' },
      { owner: { email: 'a@example.com', full_name: 'Ada\u202e', password: 'correct horse' } },
    ]) {
      const answer = await found(await insertTicket(host), host, 'a@example.com', 'correct horse', names)
      expect(answer).toMatchObject({ status: 400, body: { msg: 'Invalid characters in name!' } })
    }
  })

  it('returns it neither to another owner nor to a former owner', async () => {
    const { realm: other, second } = await buildRealm({ second: 'owner' })
    const askAs = async (user: TestUser, password?: string) =>
      (await found(await insertTicket(other.host), other.host, user.email, password)).status
    expect(await askAs(second, 'a fine password')).toBe(400)
    expectSuccess(await second.api.patch(`/users/${other.owner.id}`, { role: 400 }))
    expect(await askAs(other.owner)).toBe(400)
    expectSuccess(await second.api.patch(`/users/${other.owner.id}`, { role: 100 }))
    expect(await askAs(other.owner)).toBe(200)
    expectSuccess(await second.api.post('/realm/deactivate'))
    expect(await askAs(other.owner)).toBe(400)
  })

  it('accepts no other owner for an existing organization', async () => {
    const answer = await found(await insertTicket(realm.host), realm.host, `new@${realm.host}`)
    expect(answer).toEqual({ status: 400, body: exists })
  })

  it('accepts a ticket once, for its host alone', async () => {
    const host = `another-${crypto.randomUUID().slice(0, 8)}.test`
    const ticket = await insertTicket(host)
    expect(await found(ticket, realm.host, realm.owner.email)).toMatchObject({
      status: 401,
      body: { msg: 'Invalid ticket' },
    })
    expect((await found(ticket, host, `owner@${host}`)).status).toBe(200)
    expect((await found(ticket, host, `owner@${host}`)).status).toBe(401)
  })
})

describe('an organization is created', () => {
  const newHost = () => `placed-${crypto.randomUUID().slice(0, 8)}.test`

  async function make(where: object, host = newHost()) {
    const ticket = await insertTicket(host)
    const { status, body } = await found(ticket, host, `owner@${host}`, undefined, where)
    const apiKey = body.api_key
    const owner = new ApiClient({ host, realmId: body.realm_id, email: `owner@${host}`, apiKey })
    return { host, status, body, owner, again: () => found(ticket, host, `owner@${host}`) }
  }

  it('in the region where most of its people are, and found there', async () => {
    const { status, owner } = await make({ location: 'weur' })
    expect([status, world.lastHint]).toEqual([200, 'weur'])
    expectSuccess(await owner.get('/users/me'))
    expect(world.lastHint).toBe('weur')
    expectSuccess(await realm.owner.api.get('/users/me'))
    expect(world.lastHint).toBeUndefined()
  })

  it.each(['eu', 'us'])(
    'in the jurisdiction %s of its deployment, asked for or not, and found there again',
    async (jurisdiction) => {
      world.settings = { JURISDICTION: jurisdiction }
      world.hasJurisdictions = true
      for (const where of [{ jurisdiction }, {}]) {
        const { status, body, owner, host } = await make(where)
        expect(status).toBe(200)
        expectSuccess(await owner.get('/users/me'))
        // The organization has no object outside the jurisdiction.
        expect(await realmStub(body.realm_id).health(INTERFACE_VERSION, host)).toBeUndefined()
      }
      // The organization keeps its location, even if the deployment's setting changes later.
      const { owner } = await make({})
      world.settings = {}
      expectSuccess(await owner.get('/users/me'))
    },
  )

  it('in no jurisdiction that cannot hold all its data; the ticket stays valid', async () => {
    const { status, body, again } = await make({ jurisdiction: 'eu' })
    expect([status, body.msg]).toEqual([
      400,
      'Texts and files of this deployment are kept in no jurisdiction, not in eu: make one with npm run deploy -- --name NAME --jurisdiction eu',
    ])
    expect((await again()).status).toBe(200)
    world.settings = { JURISDICTION: 'fedramp' }
    expect((await make({ jurisdiction: 'eu' })).body.msg).toContain(
      'kept in the jurisdiction fedramp, not in eu',
    )
  })

  it('in no jurisdiction that the platform does not offer', async () => {
    world.settings = { JURISDICTION: 'eu' }
    const { status, body } = await make({})
    expect([status, body.msg]).toEqual([400, 'This platform keeps no organization in the jurisdiction eu'])
  })

  it('in no unknown region', async () => {
    expect((await make({ location: 'moon' })).body.msg).toBe(
      'location: Enter one of wnam, enam, sam, weur, eeur, apac, oc, afr, me',
    )
    expect((await make({ jurisdiction: 'moon' })).body.msg).toBe('jurisdiction: Enter one of eu, fedramp, us')
  })

  it('and its object stores the region, in case D1 loses it', async () => {
    const { body } = await make({ location: 'apac' })
    await realmStub(body.realm_id).projectedRows()
    await env.DB.batch([
      env.DB.prepare('DELETE FROM realm WHERE id = ?').bind(body.realm_id),
      env.DB.prepare('DELETE FROM projection WHERE realm_id = ?').bind(body.realm_id),
    ])
    await inRealm({ id: body.realm_id } as TestRealm, ({ parts }) => parts.projector.look())
    const row = await env.DB.prepare('SELECT location, jurisdiction FROM realm WHERE id = ?')
      .bind(body.realm_id)
      .first()
    expect(row).toEqual({ location: 'apac', jurisdiction: null })
  })
})
