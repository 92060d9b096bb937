import { afterEach, describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })
afterEach(() => {
  world.clockOffset = 0
})

async function update(user: TestUser, params: Record<string, unknown>) {
  return expectSuccess(await user.api.post('/users/me/presence', params as Record<string, string>))
}

describe('4.10 Update your presence', () => {
  it('status is required, and active or idle', async () => {
    expect((await ann.api.post('/users/me/presence')).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'status',
    })
    expect((await ann.api.post('/users/me/presence', { status: 'asleep' })).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Invalid status: asleep',
    })
  })

  it('last_update_id: the modern format, keyed by user id', async () => {
    const body = await update(ann, { status: 'active', last_update_id: -1 })
    expect(body.presences[ann.id]).toEqual({
      active_timestamp: expect.any(Number),
      idle_timestamp: expect.any(Number),
    })
    expect(body.presence_last_update_id).toBeGreaterThanOrEqual(0)
    expect(body.server_timestamp).toEqual(expect.any(Number))
  })

  it('afterwards only what has changed since; the same id means no updates', async () => {
    const first = await update(ann, { status: 'active', last_update_id: -1 })
    const second = await update(ann, { status: 'active', last_update_id: first.presence_last_update_id })
    expect(second).toMatchObject({ presences: {}, presence_last_update_id: first.presence_last_update_id })
    await update(ben, { status: 'active' })
    const third = await update(ann, { status: 'active', last_update_id: first.presence_last_update_id })
    expect(Object.keys(third.presences)).toEqual([String(ben.id)])
    expect(third.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id)
  })

  it('ping_only: no presence data', async () => {
    const body = await update(ann, { status: 'active', ping_only: true })
    expect(body).not.toHaveProperty('presences')
    expect(body).not.toHaveProperty('server_timestamp')
    expect(body.presence_last_update_id).toBe(-1)
    expect(
      (await update(ann, { status: 'active', ping_only: true, last_update_id: 7 })).presence_last_update_id,
    ).toBe(7)
  })

  it('slim_presence: the modern format without an id', async () => {
    const body = await update(ann, { status: 'active', slim_presence: true })
    expect(body.presences[ann.id]).toHaveProperty('active_timestamp')
  })

  it('2.9 otherwise the legacy format, keyed by API email', async () => {
    const body = await update(ann, { status: 'active' })
    expect(body.presences[ann.email]).toEqual({
      aggregated: { client: 'website', status: 'active', timestamp: expect.any(Number) },
      website: { client: 'website', status: 'active', timestamp: expect.any(Number), pushable: false },
    })
  })

  it('2.9 an idle user is idle', async () => {
    const carl = await buildUser(realm)
    await update(carl, { status: 'idle' })
    expect((await update(ann, { status: 'active' })).presences[carl.email].aggregated.status).toBe('idle')
  })

  it('history_limit_days: older presence is left out; not with an id above 0', async () => {
    const first = await update(ben, { status: 'active', last_update_id: -1 })
    world.clockOffset = 3 * 86_400
    expect(
      await update(ann, { status: 'active', last_update_id: -1, history_limit_days: 1 }),
    ).not.toHaveProperty(['presences', String(ben.id)])
    expect(await update(ann, { status: 'active', last_update_id: -1, history_limit_days: 5 })).toHaveProperty(
      ['presences', String(ben.id)],
    )
    expect(first.presence_last_update_id).toBeGreaterThan(0)
  })

  it('legacy_mirror_active is false', async () => {
    expect((await update(ann, { status: 'active' })).legacy_mirror_active).toBe(false)
  })

  it('nothing is recorded of users who hide their presence', async () => {
    const shy = await buildUser(realm)
    expectSuccess(await shy.api.patch('/settings', { presence_enabled: false }))
    await update(shy, { status: 'active' })
    const { presences } = await update(ann, { status: 'active', last_update_id: -1 })
    expect(presences[shy.id].idle_timestamp).toBeLessThan(Date.now() / 1_000 - 200)
  })
})
