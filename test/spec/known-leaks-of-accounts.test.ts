import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../support/api.ts'
import { buildRealm, buildUser, expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { sendDirect } from '../support/messages.ts'
import { mailedLink, postForm } from '../support/pages.ts'
import { openQueue, type TestQueue } from '../support/queues.ts'

/** Ways in which servers of this API have let somebody in, or kept somebody in, who should not be. */

let realm: TestRealm
let member: TestUser
beforeAll(async () => {
  realm = await buildRealm()
  member = await buildUser(realm)
})

let visitors = 0
/** Nobody's limits of mail are used up. */
function newIp(): string {
  visitors += 1
  return `203.0.113.${visitors}`
}

const as = (email: string, apiKey: string) =>
  new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey })

async function resetPassword(user: TestUser, password = 'quite another one'): Promise<void> {
  await postForm(`http://${realm.host}/accounts/password/reset/`, { email: user.email }, newIp())
  const link = await mailedLink(realm.host, user.email)
  expect((await postForm(link, { password }, newIp())).status).toBe(200)
}

/** What a poll that waits gets when this happens, and then a message is sent. */
async function polledWhile(queue: TestQueue, act: () => Promise<unknown>): Promise<string[]> {
  const [poll] = await holdPolls([queue])
  await act()
  await sendDirect(realm.owner, [queue.user], 'not for a key that has ended')
  return (await poll!).map(({ type }) => type)
}

describe('a key that has ended', () => {
  it('opens nothing, and who waits with it gets no message', async () => {
    const user = await buildUser(realm)
    const queue = await openQueue(user)
    let apiKey = ''
    const types = await polledWhile(queue, async () => {
      apiKey = expectSuccess(await user.api.post('/users/me/api_key/regenerate')).api_key
    })
    expect(types).toEqual([])
    const { status } = await user.api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    expect(status).toBe(401)
    const again = { ...user, apiKey, api: as(user.email, apiKey) }
    const params = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }
    expect(expectSuccess(await again.api.get('/events', params)).events).toMatchObject([{ type: 'message' }])
  })

  it('of a bot ends the same way', async () => {
    const { user_id, api_key } = expectSuccess(
      await member.api.post('/bots', { full_name: 'Leaky', short_name: 'leaky' }),
    )
    const email = `leaky-bot@${realm.host}`
    const bot = { id: user_id, email, fullName: 'Leaky', apiKey: api_key, api: as(email, api_key) }
    const queue = await openQueue(bot)
    const types = await polledWhile(queue, () => member.api.post(`/bots/${bot.id}/api_key/regenerate`))
    expect(types).toEqual([])
    expect((await bot.api.get('/users/me')).status).toBe(401)
  })

  it('ends with a password that is set by mail, and so do queues and devices', async () => {
    const user = await buildUser(realm)
    const queue = await openQueue(user)
    expectSuccess(await user.api.post('/users/me/android_gcm_reg_id', { token: 'stolen' }))
    expect(await polledWhile(queue, () => resetPassword(user))).toEqual([])
    expect((await user.api.get('/users/me')).status).toBe(401)
    const login = { username: user.email, password: 'quite another one' }
    const { api_key } = expectSuccess(await realm.anonymous.post('/fetch_api_key', login))
    expect(api_key).not.toBe(user.apiKey)
    const api = as(user.email, api_key)
    const gone = await api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    expect(gone.body.code).toBe('BAD_EVENT_QUEUE_ID')
    const token = await api.delete('/users/me/android_gcm_reg_id', { token: 'stolen' })
    expect(token.body.msg).toBe('Token does not exist')
  })

  it('takes with it the address that somebody else has asked for, when a password is set by mail', async () => {
    const user = await buildUser(realm)
    const address = `thief@${realm.host}`
    expectSuccess(await user.api.patch('/settings', { email: address }))
    const link = await mailedLink(realm.host, address)
    await resetPassword(user)
    expect((await postForm(link, {})).status).toBe(404)
  })

  it('ends with a new password where that is wanted, and the caller stays in', async () => {
    const user = await buildUser(realm)
    const kept = expectSuccess(
      await user.api.patch('/settings', { old_password: 'a fine password', new_password: 'a second one' }),
    )
    expect(kept).not.toHaveProperty('api_key')
    expectSuccess(await user.api.get('/users/me'))
    const queue = await openQueue(user)
    const change = { old_password: 'a second one', new_password: 'a third one', renew_api_key: true }
    let apiKey = ''
    const types = await polledWhile(queue, async () => {
      apiKey = expectSuccess(await user.api.patch('/settings', change)).api_key
    })
    expect(types).toEqual([])
    expect((await user.api.get('/users/me')).status).toBe(401)
    expectSuccess(await as(user.email, apiKey).get('/users/me'))
  })
})

describe('a bot that is given to somebody else', () => {
  it('gets a new key and token, whoever gives it, and its queues end', async () => {
    const other = await buildUser(realm)
    const { user_id, api_key } = expectSuccess(
      await member.api.post('/bots', {
        full_name: 'Handed',
        short_name: 'handed',
        bot_type: 3,
        payload_url: 'https://example.com/hook',
        // Of direct messages it is not told.
        interface_type: 2,
      }),
    )
    const email = `handed-bot@${realm.host}`
    const bot = { id: user_id, email, fullName: 'Handed', apiKey: api_key, api: as(email, api_key) }
    const tokenOf = async (user: TestUser) => {
      const { realm_bots } = (await openQueue(user)).snapshot
      return realm_bots.find((one: { user_id: number }) => one.user_id === bot.id)?.services[0].token
    }
    const oldToken = await tokenOf(member)
    const [old, fresh, admin] = [
      await openQueue(member),
      await openQueue(other),
      await openQueue(realm.owner),
    ]
    const queue = await openQueue(bot)
    const types = await polledWhile(queue, () =>
      realm.owner.api.patch(`/bots/${bot.id}`, { bot_owner_id: other.id }),
    )
    expect(types).toEqual([])
    expect((await bot.api.get('/users/me')).status).toBe(401)
    const { api_key: newKey, services } = (await fresh.eventsOf('realm_bot', 'add'))[0]!.bot
    const api = as(email, newKey)
    expectSuccess(await api.get('/users/me'))
    expect((await api.get('/events', { queue_id: queue.id, last_event_id: -1 })).body.code).toBe(
      'BAD_EVENT_QUEUE_ID',
    )
    expect(services[0].token).toBe(await tokenOf(other))
    expect(services[0].token).not.toBe(oldToken)
    const told = JSON.stringify(await old.events())
    expect([told.includes(newKey), told.includes(services[0].token)]).toEqual([false, false])
    expect(JSON.stringify(await admin.eventsOf('realm_bot', 'update'))).toContain(newKey)
    expect(await tokenOf(member)).toBeUndefined()
  })
})
