import { describe, expect, it } from 'vitest'
import { createBot, expectSuccess } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

/** The owner of the bots is a member. */
const { realm, keeper: owner } = useRealm({ keeper: 'member' })

let bots = 0
async function buildBot(settings: Record<string, string | number> = {}) {
  bots += 1
  return await createBot(owner, `Robot ${bots}`, settings)
}

describe('the storage of a bot', () => {
  it('returns values by key, to that bot alone', async () => {
    const [bot, neighbour] = [await buildBot(), await buildBot()]
    expectSuccess(await bot.api.request('PUT', '/bot_storage', { storage: { counter: '7', seen: 'a,b' } }))
    expectSuccess(await bot.api.request('PUT', '/bot_storage', { storage: { counter: '8' } }))
    expect(expectSuccess(await bot.api.get('/bot_storage')).storage).toEqual({ counter: '8', seen: 'a,b' })
    expect(expectSuccess(await bot.api.get('/bot_storage', { keys: ['seen'] })).storage).toEqual({
      seen: 'a,b',
    })
    expectRefusal(await neighbour.api.get('/bot_storage', { keys: ['seen'] }), 'Key does not exist.')
    expectRefusal(await bot.api.delete('/bot_storage', { keys: ['seen', 'nothing'] }), 'Key does not exist.')
    expectSuccess(await bot.api.delete('/bot_storage', { keys: ['seen'] }))
    expect(expectSuccess(await bot.api.get('/bot_storage')).storage).toEqual({ counter: '8' })
    expectSuccess(await bot.api.delete('/bot_storage'))
    expect(expectSuccess(await bot.api.get('/bot_storage')).storage).toEqual({})
    expectUnauthorized(await realm.anonymous.get('/bot_storage'))
  })

  it('is refused to people, also to administrators', async () => {
    for (const { api } of [owner, realm.owner]) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const answer = await api.request(method, '/bot_storage', { storage: { k: 'v' } })
        expectRefusal(answer, 'This endpoint only accepts bot requests.')
      }
    }
  })

  it('has a limit, and accepts only strings as values', async () => {
    const bot = await buildBot()
    const put = (storage: object) => bot.api.request('PUT', '/bot_storage', { storage })
    expectRefusal(
      await put({ k: 'x'.repeat(1_000_000) }),
      'Request exceeds storage limit by 1 characters. The limit is 1000000 characters per user.',
    )
    expectRefusal(await put({ k: 1 }), 'storage["k"] is not a string')
    expect(expectSuccess(await bot.api.get('/bot_storage')).storage).toEqual({})
  })
})
