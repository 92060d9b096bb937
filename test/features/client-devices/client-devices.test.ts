import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { buildUser, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

async function register(user: TestUser): Promise<number> {
  return expectSuccess(await user.api.post('/register_client_device')).device_id
}

const remove = (user: TestUser, device_id: number) => user.api.post('/remove_client_device', { device_id })

async function devicesOf(user: TestUser): Promise<Record<string, unknown>> {
  return (await openQueue(user, { fetch_event_types: ['device'] })).snapshot.devices
}

const WITHOUT_PUSHES = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

describe('a device on which a user is logged in', () => {
  it('gets a new id each call, sent only to its user’s clients', async () => {
    const [one, other, guests] = [await openQueue(ann), await openQueue(ann), await openQueue(guest)]
    const first = await register(ann)
    const second = await register(ann)
    expect(second).toBeGreaterThan(first)
    for (const queue of [one, other]) {
      expect(await queue.events()).toEqual(
        [first, second].map((device_id) => ({
          id: expect.any(Number),
          type: 'device',
          op: 'add',
          device_id,
        })),
      )
    }
    expect(await guests.events()).toEqual([])
    expect(await devicesOf(ann)).toEqual({ [first]: WITHOUT_PUSHES, [second]: WITHOUT_PUSHES })
    expect(await devicesOf(guest)).toEqual({})
  })

  it('survives an eviction, and its id is never reused', async () => {
    const id = await register(guest)
    await evictRealm(realm.id)
    expect(await devicesOf(guest)).toEqual({ [id]: WITHOUT_PUSHES })
    expectSuccess(await remove(guest, id))
    await evictRealm(realm.id)
    expect(await devicesOf(guest)).toEqual({})
    expect(await register(guest)).toBeGreaterThan(id)
  })

  it('is removed once, and sent to all of its user’s clients only', async () => {
    const [kept, gone] = [await register(ann), await register(ann)]
    const [one, other, guests] = [await openQueue(ann), await openQueue(ann), await openQueue(guest)]
    expectSuccess(await remove(ann, gone))
    expectRefusal(await remove(ann, gone), 'Device does not exist')
    for (const queue of [one, other]) {
      expect(await queue.events()).toEqual([
        { id: expect.any(Number), type: 'device', op: 'remove', device_id: gone },
      ])
    }
    expect(await guests.events()).toEqual([])
    expect(Object.keys(await devicesOf(ann))).toContain(String(kept))
    expect(Object.keys(await devicesOf(ann))).not.toContain(String(gone))
  })

  it('can be removed only by its user', async () => {
    const id = await register(ann)
    const stranger = (await buildRealm()).owner
    const queue = await openQueue(ann)
    for (const user of [guest, realm.owner, stranger]) {
      expectRefusal(await remove(user, id), 'Device does not exist')
    }
    expect(await queue.events()).toEqual([])
    expect(Object.keys(await devicesOf(ann))).toContain(String(id))
    expect(await devicesOf(stranger)).toEqual({})
  })

  it('cannot belong to a bot or to a caller without credentials', async () => {
    const id = await register(ann)
    expectUnauthorized(await realm.anonymous.post('/register_client_device'))
    expectUnauthorized(await realm.anonymous.post('/remove_client_device', { device_id: id }))
    const bot = await buildBot(realm, ann)
    for (const response of [await bot.api.post('/register_client_device'), await remove(bot, id)]) {
      expectRefusal(response, 'This endpoint does not accept bot requests.')
    }
    expect(Object.keys(await devicesOf(ann))).toContain(String(id))
  })

  it('has an integer for its id', async () => {
    expectRefusal(await ann.api.post('/remove_client_device'), "Missing 'device_id' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
    for (const [device_id, msg] of [
      ['phone', 'device_id is not valid JSON'],
      [1.5, 'device_id is not an integer'],
    ] as const) {
      expectRefusal(await ann.api.post('/remove_client_device', { device_id }), msg)
    }
  })

  it('is deleted with its account, and not restored on reactivation', async () => {
    const ben = await buildUser(realm)
    const [first, second] = [await register(ann), await register(ben)]
    expectSuccess(await realm.owner.api.delete(`/users/${ben.id}`))
    for (const response of [await ben.api.post('/register_client_device'), await remove(ben, second)]) {
      expect(response.status).toBe(401)
    }
    const reopened = await reopen(realm, ben)
    expect(await devicesOf(reopened)).toEqual({})
    expectRefusal(await remove(reopened, second), 'Device does not exist')
    expect(Object.keys(await devicesOf(ann))).toContain(String(first))
  })

  it('is limited to fifty: the oldest is removed for a new one', async () => {
    const cara = await buildUser(realm)
    const ids: number[] = []
    for (let count = 0; count < 50; count += 1) ids.push(await register(cara))
    expect(Object.keys(await devicesOf(cara))).toEqual(ids.map(String))
    const queue = await openQueue(cara)
    const newest = await register(cara)
    expect(await queue.events()).toMatchObject([
      { type: 'device', op: 'remove', device_id: ids[0] },
      { type: 'device', op: 'add', device_id: newest },
    ])
    expect(Object.keys(await devicesOf(cara))).toEqual([...ids.slice(1), newest].map(String))
  })
})
