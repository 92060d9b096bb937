import { describe, expect, it } from 'vitest'
import { askWorker } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { connectProvider } from '../../support/scim.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()
/** Another organization. */
const { realm: other } = useRealm()

const make = async (of: TestRealm, params = {}) =>
  expectSuccess(await of.owner.api.post('/scim_token', params))
const shown = async (of: TestRealm) => expectSuccess(await of.owner.api.get('/scim_token')).scim_token

describe('the token for provisioning', () => {
  it.each(['GET', 'POST', 'PATCH', 'DELETE'])(
    '%s is for owners of the organization alone',
    async (method) => {
      await make(realm)
      const before = await shown(realm)
      const [admin, member, guest, gone] = await Promise.all([
        buildUser(realm, { role: 200 }),
        buildUser(realm),
        buildUser(realm, { role: 600 }),
        buildUser(realm),
      ])
      expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
      for (const { api } of [admin, member, guest]) {
        expectRefusal(await api.request(method, '/scim_token'), 'Must be an organization owner', {
          code: 'UNAUTHORIZED_PRINCIPAL',
        })
      }
      expectUnauthorized(await realm.anonymous.request(method, '/scim_token'))
      expect((await gone.api.request(method, '/scim_token')).status).toBe(401)
      const headers = { Authorization: `Basic ${btoa(`${realm.owner.email}:${realm.owner.apiKey}`)}` }
      expect((await other.anonymous.request(method, '/scim_token', {}, { headers })).status).toBe(401)
      expect(await shown(realm)).toEqual(before)
    },
  )

  it('is shown once, and stored as a digest', async () => {
    const { realm: own } = await buildRealm()
    const { token, base_url, scim_token } = await make(own)
    expect(token).toMatch(/^parley_scim_[0-9a-f]{64}$/)
    expect(base_url).toBe(`http://${own.host}/scim/v2`)
    expect(scim_token).toMatchObject({
      creator_id: own.owner.id,
      last_used: null,
      manages_owners: false,
      former_valid_until: null,
    })
    const again = await own.owner.api.get('/scim_token')
    expect(expectSuccess(again).scim_token).toEqual(scim_token)
    expect(JSON.stringify(again.body)).not.toContain(token)
    const stored = await inRealm(own, ({ parts: { sql } }) =>
      JSON.stringify(sql.all('SELECT * FROM scim_token')),
    )
    expect(stored).not.toContain(token)
  })

  it('that was never used gives way to the next, and is null without one', async () => {
    const { realm: own } = await buildRealm()
    expect(await shown(own)).toBeNull()
    const first = await make(own)
    const second = await make(own, { manages_owners: true })
    expect(second.token).not.toBe(first.token)
    expect(second.scim_token).toMatchObject({ former_valid_until: null, manages_owners: true })
    expect((await make(own)).scim_token.manages_owners).toBe(true)
    expectSuccess(await own.owner.api.delete('/scim_token'))
    expect(await shown(own)).toBeNull()
    for (const method of ['PATCH', 'DELETE']) {
      const refused = await own.owner.api.request(method, '/scim_token')
      expect([refused.status, refused.body.msg]).toEqual([404, 'No such token'])
    }
  })

  it('is in the audit log with what it may do, and not itself', async () => {
    const { realm: own } = await buildRealm()
    const { token } = await make(own)
    expectSuccess(await own.owner.api.patch('/scim_token', { manages_owners: true }))
    expectSuccess(await own.owner.api.delete('/scim_token'))
    const { entries } = expectSuccess(await own.owner.api.get('/audit_log'))
    expect(entries.slice(0, 3)).toMatchObject([
      { action: 'scim_token_deleted', actor_id: own.owner.id },
      { action: 'scim_token_changed', details: { manages_owners: true } },
      { action: 'scim_token_created', details: { manages_owners: false } },
    ])
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  it('is looked at before anything of the body is read', async () => {
    const { token } = await connectProvider(realm)
    const steps: string[] = []
    const { reach } = world
    world.reach = async (call, kind) => {
      const answer = await reach(call, kind)
      steps.push('token')
      return answer
    }
    const body = new ReadableStream(
      {
        pull(controller) {
          steps.push('body')
          controller.enqueue(new TextEncoder().encode('{'))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const init = { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body, duplex: 'half' }
    const { status } = await askWorker(new Request(`http://${realm.host}/scim/v2/Groups`, init))
    world.reach = reach
    expect([status, steps]).toEqual([400, ['token', 'body', 'token']])
  })
})
