import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import { atLevel, buildUser, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

/** The owner of the bots is a member. */
const { realm, keeper: owner, other } = useRealm({ keeper: 'member', other: 'member' })

/** Opens a queue of a client that still hears about the accounts of bots here. */
const olderQueue = (user: TestUser) => openQueue(atLevel(user, 473))

let bots = 0
async function buildBot(settings: Record<string, string | number> = {}) {
  bots += 1
  return await createBot(owner, `Robot ${bots}`, settings)
}

const account = (changes: Record<string, string | number | boolean> = {}) => {
  bots += 1
  return { full_name: `Bot ${bots}`, short_name: `helper-${bots}`, ...changes }
}

describe('listing bots', () => {
  it('returns one’s own active bots', async () => {
    const owner = await buildUser(realm)
    const kept = expectSuccess(await owner.api.post('/bots', account()))
    const closed = expectSuccess(await owner.api.post('/bots', account()))
    expectSuccess(await owner.api.delete(`/bots/${closed.user_id}`))
    const { bots: mine } = expectSuccess(await owner.api.get('/bots'))
    expect(mine).toMatchObject([{ user_id: kept.user_id, api_key: kept.api_key }])
    expect(mine[0].username).toMatch(/^helper-\d+-bot@/)
    const guest = await buildUser(realm, { role: 600 })
    expectRefusal(await guest.api.get('/bots'), 'Not allowed for guest users')
    expectUnauthorized(await realm.anonymous.get('/bots'))
  })
})

describe('a bot’s key', () => {
  it('is invalid at once when renewed; its owner gets the new one', async () => {
    const bot = await buildBot()
    const queues = [await olderQueue(owner), await olderQueue(other)]
    const { api_key } = expectSuccess(await owner.api.post(`/bots/${bot.id}/api_key/regenerate`))
    expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/)
    expect((await bot.api.get('/users/me')).status).toBe(401)
    const renewed = new ApiClient({ host: realm.host, realmId: realm.id, email: bot.email, apiKey: api_key })
    expectSuccess(await renewed.get('/users/me'))
    expect(await queues[0]!.eventsOf('realm_bot', 'update')).toMatchObject([{ bot: { api_key } }])
    expect(await queues[1]!.events()).toEqual([])
    expectRefusal(await other.api.post(`/bots/${bot.id}/api_key/regenerate`), 'Insufficient permission')
    expectRefusal(await owner.api.post('/bots/99999/api_key/regenerate'), 'No such bot')
    expectUnauthorized(await realm.anonymous.post(`/bots/${bot.id}/api_key/regenerate`))
  })
})

describe('closing a bot', () => {
  it('deactivates its account, which can be reactivated', async () => {
    const bot = await buildBot()
    const queues = [await olderQueue(owner), await olderQueue(other)]
    expectRefusal(await other.api.delete(`/bots/${bot.id}`), 'Insufficient permission')
    expectSuccess(await owner.api.delete(`/bots/${bot.id}`))
    expectSuccess(await owner.api.delete(`/bots/${bot.id}`))
    expect(await queues[0]!.events()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: bot.id, is_active: false } },
      { type: 'realm_bot', op: 'update', bot: { user_id: bot.id, is_active: false } },
    ])
    expect(await queues[1]!.events()).toMatchObject([{ type: 'realm_user' }])
    expectRefusal(await bot.api.get('/users/me'), 'Account is deactivated', {
      status: 401,
      code: 'UNAUTHORIZED',
    })
    expectSuccess(await owner.api.post(`/users/${bot.id}/reactivate`))
    expect(await queues[0]!.eventsOf('realm_bot', 'update')).toMatchObject([
      { bot: { is_active: true } },
      { bot: { api_key: expect.any(String) } },
    ])
    expectRefusal(await bot.api.get('/users/me'), 'Invalid API key', { status: 401, code: 'UNAUTHORIZED' })
    expectRefusal(await owner.api.delete(`/bots/${other.id}`), 'No such bot')
    expectUnauthorized(await realm.anonymous.delete(`/bots/${bot.id}`))
  })
})
