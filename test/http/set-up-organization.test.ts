import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/http/sha256.ts'
import { askWorker } from '../support/api.ts'
import { calmD1 } from '../support/calm-d1.ts'
import { buildRealm, buildUser, expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'

let realm: TestRealm
let member: TestUser

// A founding that D1 fails is answered with 503, and its ticket is used up: whoever founds takes another.
calmD1()
beforeAll(async () => {
  realm = await buildRealm()
  member = await buildUser(realm)
})

/** Enters a ticket for this host in D1, and answers it. */
async function enterTicket(host: string): Promise<string> {
  const ticket = crypto.randomUUID()
  await env.DB.prepare('INSERT INTO organization_ticket (digest, host, created_at) VALUES (?, ?, ?)')
    .bind(await sha256Hex(ticket), host, Math.floor(Date.now() / 1_000))
    .run()
  return ticket
}

async function found(ticket: string, host: string, email: string, password = 'correct horse') {
  const body = JSON.stringify({
    ticket,
    name: 'Test',
    host,
    owner: { email, full_name: 'Somebody', password },
  })
  const response = await askWorker(
    new Request(`http://${realm.host}/setup/organizations`, { method: 'POST', body }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects
  return { status: response.status, body: (await response.json()) as any }
}

const exists = { result: 'error', msg: 'There is an organization at this host already.', code: 'BAD_REQUEST' }

describe('POST /setup/organizations', () => {
  it("gives nobody a member's key", async () => {
    const answer = await found(await enterTicket(realm.host), realm.host, member.email, 'a fine password')
    expect(answer).toEqual({ status: 400, body: exists })
    expect(JSON.stringify(answer)).not.toContain(member.apiKey)
  })

  it('gives the founder the key again, for the password', async () => {
    const wrong = await found(await enterTicket(realm.host), realm.host, realm.owner.email, 'another horse')
    expect(wrong).toEqual({ status: 400, body: exists })
    const right = await found(await enterTicket(realm.host), realm.host, realm.owner.email)
    expect(right).toMatchObject({
      status: 200,
      body: { realm_id: realm.id, user_id: realm.owner.id, api_key: realm.owner.apiKey },
    })
  })

  it('gives it neither to another owner, nor to a founder who is none any more', async () => {
    const other = await buildRealm()
    const second = await buildUser(other, { role: 100 })
    const askAs = async (user: TestUser, password?: string) =>
      (await found(await enterTicket(other.host), other.host, user.email, password)).status
    expect(await askAs(second, 'a fine password')).toBe(400)
    expectSuccess(await second.api.patch(`/users/${other.owner.id}`, { role: 400 }))
    expect(await askAs(other.owner)).toBe(400)
    expectSuccess(await second.api.patch(`/users/${other.owner.id}`, { role: 100 }))
    expect(await askAs(other.owner)).toBe(200)
    expectSuccess(await second.api.post('/realm/deactivate'))
    expect(await askAs(other.owner)).toBe(400)
  })

  it('takes no other owner for an organization that is there', async () => {
    const answer = await found(await enterTicket(realm.host), realm.host, `new@${realm.host}`)
    expect(answer).toEqual({ status: 400, body: exists })
  })

  it('takes a ticket for its host alone, and once', async () => {
    const host = `another-${crypto.randomUUID().slice(0, 8)}.test`
    const ticket = await enterTicket(host)
    expect(await found(ticket, realm.host, realm.owner.email)).toMatchObject({
      status: 401,
      body: { msg: 'Invalid ticket' },
    })
    expect((await found(ticket, host, `owner@${host}`)).status).toBe(200)
    expect((await found(ticket, host, `owner@${host}`)).status).toBe(401)
  })
})
