import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ApiClient, askWorker } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { findingsIn } from '../support/findings.ts'
import { readJson } from '../support/json.ts'
import { sendTo, untilProjected } from '../support/messages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { sha256Hex } from '../support/sha256.ts'
import { useRealm, useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm } = useRealmPerTest()
const { realm: other } = useRealm()
useReliableD1()

/** Returns the owner's client at another host. */
function at(host: string): ApiClient {
  const { email, apiKey } = realm.owner
  return new ApiClient({ host, realmId: realm.id, email, apiKey })
}

async function move(from: string, to: string, ticketFor = { from, to }) {
  const ticket = crypto.randomUUID()
  await env.DB.prepare('INSERT INTO organization_ticket (digest, host, created_at) VALUES (?, ?, ?)')
    .bind(await sha256Hex(`move\n${ticketFor.from}\n${ticket}`), ticketFor.to, Math.floor(Date.now() / 1_000))
    .run()
  const body = JSON.stringify({ ticket, move_from: from, host: to })
  const response = await askWorker(
    new Request(`http://${other.host}/setup/organizations`, { method: 'POST', body }),
  )
  return { status: response.status, body: await readJson<{ msg: string }>(response) }
}

describe('an organization', () => {
  it('moves to another host with everything that it has', async () => {
    const { owner } = realm
    const id = await sendTo(owner, 'sandbox', 'before', 'kept')
    await untilProjected(realm, [id])
    const to = `moved-${realm.id}.test`
    expect(await move(realm.host, to)).toMatchObject({ status: 200, body: { realm_id: realm.id } })
    const there = at(to)
    const { messages } = expectSuccess(
      await there.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }),
    )
    expect(messages).toMatchObject([{ id, content: 'kept' }])
    expectSuccess(
      await there.post('/messages', { type: 'channel', to: 'sandbox', topic: 't', content: 'after' }),
    )
    expect((await owner.api.get('/messages', { anchor: 'newest' })).body.msg).toBe('Invalid subdomain')
    expect(expectSuccess(await there.get('/server_settings')).realm_url).toContain(to)
  })

  it('moves when it is asked again, if D1 fails after its object has moved', async () => {
    const to = `again-${realm.id}.test`
    world.reach = async (call) => {
      const answer = await call()
      world.d1 = () => Promise.reject(new Error('D1 is down'))
      return answer
    }
    expect((await move(realm.host, to)).status).toBe(503)
    world.d1 = (call) => call()
    world.reach = (call) => call()
    expect((await realm.owner.api.get('/users/me')).status).toBe(503)
    expect((await move(realm.host, to)).status).toBe(200)
    expectSuccess(await at(to).get('/users/me'))
  })

  it('stays without a ticket for this very move, and where another one is', async () => {
    const to = `never-${realm.id}.test`
    expect((await move(realm.host, to, { from: other.host, to })).status).toBe(401)
    expect((await move(realm.host, to, { from: realm.host, to: 'x.test' })).status).toBe(401)
    expect(await move(realm.host, other.host)).toMatchObject({
      status: 400,
      body: { msg: 'There is an organization at this host already.' },
    })
    expect(await move('nobody.test', to)).toMatchObject({
      status: 404,
      body: { msg: 'Invalid subdomain' },
    })
    expectSuccess(await realm.owner.api.get('/users/me'))
    expect(await findingsIn(realm)).toEqual([])
  })
})
