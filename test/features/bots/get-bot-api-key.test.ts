import { expect, it } from 'vitest'
import type { ApiClient } from '../../support/api.ts'
import { buildUser, createBot, expectSuccess } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, keeper, other, guest, admin } = useRealm({
  keeper: 'member',
  other: 'member',
  guest: 'guest',
  admin: 'administrator',
})
const { owner: stranger } = useRealm()

const keyOf = (reader: { api: ApiClient }, id: number) => reader.api.get(`/bots/${id}/api_key`)

it('a bot’s key can be read by its owner', async () => {
  const bot = await createBot(keeper, 'Keyed')
  expect(expectSuccess(await keyOf(keeper, bot.id))).toMatchObject({ api_key: bot.apiKey })
  const { api_key } = expectSuccess(await keeper.api.post(`/bots/${bot.id}/api_key/regenerate`))
  expect(expectSuccess(await keyOf(keeper, bot.id)).api_key).toBe(api_key)
})

it('a bot’s key is refused to everybody else, owners of the organization too', async () => {
  const bot = await createBot(keeper, 'Hidden')
  for (const reader of [other, admin, realm.owner]) {
    expectRefusal(await keyOf(reader, bot.id), 'Insufficient permission')
  }
  expectRefusal(await keyOf(guest, bot.id), 'Not allowed for guest users')
  expectRefusal(await keyOf(bot, bot.id), 'This endpoint does not accept bot requests.')
  expectRefusal(await keyOf(stranger, bot.id), 'No such bot')
  expectRefusal(await keyOf(admin, keeper.id), 'No such bot')
  expectRefusal(await keyOf(admin, 9_999_999), 'No such bot')
  expectUnauthorized(await realm.anonymous.get(`/bots/${bot.id}/api_key`))
  const gone = await buildUser(realm)
  expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
  expect((await keyOf(gone, bot.id)).status).toBe(401)
})

it('reading a bot’s key is in the audit log, without the key', async () => {
  const bot = await createBot(keeper, 'Audited')
  expectSuccess(await keyOf(keeper, bot.id))
  const { entries } = expectSuccess(await realm.owner.api.get('/audit_log', { action: 'key_read', limit: 1 }))
  expect(entries).toMatchObject([{ actor_id: keeper.id, details: { user_id: bot.id } }])
  expect(JSON.stringify(entries)).not.toContain(bot.apiKey)
})
