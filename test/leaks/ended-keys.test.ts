import { describe, expect, it } from 'vitest'
import { ApiClient } from '../support/api.ts'
import { atLevel, buildUser, createBot, expectSuccess, type TestUser } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { sendDirect } from '../support/messages.ts'
import { mailedLink, postForm } from '../support/pages.ts'
import { openQueue, type TestQueue } from '../support/queues.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** Ways in which servers of this API have kept people in by keys and links that should have ended. */

const { realm, member } = useRealm({ member: 'member' })

let visitors = 0
/** Returns a new address, whose limits of mail are unused. */
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

/** Returns the types of the events that a waiting poll gets for an action and a message after it. */
async function polledWhile(queue: TestQueue, act: () => Promise<unknown>): Promise<string[]> {
  const [poll] = await holdPolls([queue])
  await act()
  await sendDirect(realm.owner, [queue.user], 'not for a key that has ended')
  return (await poll!).map(({ type }) => type)
}

describe('a key that has ended', () => {
  it('is refused, and polls waiting with it get no message', async () => {
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
    const bot = await createBot(member, 'Leaky')
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

  it('ends with a mailed password reset, and so do address changes requested by others', async () => {
    const user = await buildUser(realm)
    const address = `thief@${realm.host}`
    expectSuccess(await user.api.patch('/settings', { email: address }))
    const link = await mailedLink(realm.host, address)
    await resetPassword(user)
    expect((await postForm(link, {})).status).toBe(404)
  })

  it.each([
    ['a new key', (user: TestUser) => user.api.post('/users/me/api_key/regenerate')],
    ['a log-out everywhere else', (user: TestUser) => user.api.delete('/browser_sessions')],
  ])('leaves no address change behind that was requested with it: %s', async (_, renew) => {
    const user = await buildUser(realm)
    const address = `thief-of-${user.id}@${realm.host}`
    expectSuccess(await user.api.patch('/settings', { email: address }))
    const link = await mailedLink(realm.host, address)
    expectSuccess(await renew(user))
    expect((await postForm(link, {})).status).toBe(404)
  })

  it('ends with a new password, as links do that others have asked for', async () => {
    const user = await buildUser(realm)
    const address = `other-thief@${realm.host}`
    expectSuccess(await user.api.patch('/settings', { email: address }))
    await postForm(`http://${realm.host}/accounts/password/reset/`, { email: user.email }, newIp())
    const links = [await mailedLink(realm.host, address), await mailedLink(realm.host, user.email)]
    const change = { old_password: 'a fine password', new_password: 'a second one' }
    expectSuccess(await user.api.patch('/settings', change))
    for (const link of links) expect((await postForm(link, { password: 'of a thief' })).status).toBe(404)
  })

  it('ends with a new password on request, and the caller stays logged in', async () => {
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

describe('a bot that is given to another user', () => {
  it('gets a new key and token, whoever makes the change, and its queues end', async () => {
    const other = await buildUser(realm)
    const bot = await createBot(member, 'Handed', {
      bot_type: 3,
      payload_url: 'https://example.com/hook',
      // A webhook of this type gets no direct messages.
      interface_type: 2,
    })
    const tokenOf = async (user: TestUser) => {
      const { realm_bots } = (await openQueue(user)).snapshot
      return realm_bots.find((one: { user_id: number }) => one.user_id === bot.id)?.services[0].token
    }
    const oldToken = await tokenOf(member)
    const [old, fresh, admin] = [
      await openQueue(atLevel(member, 473)),
      await openQueue(atLevel(other, 473)),
      await openQueue(atLevel(realm.owner, 473)),
    ]
    const queue = await openQueue(bot)
    const types = await polledWhile(queue, () =>
      realm.owner.api.patch(`/bots/${bot.id}`, { bot_owner_id: other.id }),
    )
    expect(types).toEqual([])
    expect((await bot.api.get('/users/me')).status).toBe(401)
    const { api_key: newKey, services } = (await fresh.eventsOf('realm_bot', 'add'))[0]!.bot
    const api = as(bot.email, newKey)
    expectSuccess(await api.get('/users/me'))
    expect((await api.get('/events', { queue_id: queue.id, last_event_id: -1 })).body.code).toBe(
      'BAD_EVENT_QUEUE_ID',
    )
    expect(services[0].token).toBe(await tokenOf(other))
    expect(services[0].token).not.toBe(oldToken)
    const events = JSON.stringify(await old.events())
    expect([events.includes(newKey), events.includes(services[0].token)]).toEqual([false, false])
    expect(JSON.stringify(await admin.eventsOf('realm_bot', 'update'))).not.toContain(newKey)
    expect(await tokenOf(member)).toBeUndefined()
  })
})

describe('a link in a mail', () => {
  it('is used once, for its account, in its organization, and for nothing else', async () => {
    const user = await buildUser(realm)
    const { realm: other } = await buildRealm()
    await postForm(`http://${realm.host}/accounts/password/reset/`, { email: user.email }, newIp())
    const link = await mailedLink(realm.host, user.email)
    const set = { password: 'quite another one' }
    for (const wrong of [
      link.replace(realm.host, other.host),
      link.replace('/accounts/password/reset/', '/accounts/confirm-email/'),
      link.replace('/accounts/password/reset/', '/accounts/reactivate/'),
      link.replace('/accounts/password/reset/', '/join/'),
    ]) {
      expect(
        (await postForm(wrong, { ...set, full_name: 'Somebody', email: user.email }, newIp())).status,
      ).toBe(404)
    }
    const both = await Promise.all([postForm(link, set, newIp()), postForm(link, set, newIp())])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
  })
})

describe('whether an address has an account', () => {
  it('can be asked ten times a day by users who want it themselves', async () => {
    const [user, hidden] = [await buildUser(realm), await buildUser(realm)]
    expectSuccess(await hidden.api.patch('/settings', { email_address_visibility: 5 }))
    const ask = async () => (await user.api.patch('/settings', { email: hidden.email })).body.msg as string
    for (let times = 1; times <= 10; times += 1) expect(await ask()).toBe('Already has an account.')
    expect(await ask()).toMatch(/^You're making too many attempts! Try again in \d+ seconds\.$/)
    const free = await user.api.patch('/settings', { email: `free-${user.id}@${realm.host}` })
    expect(free.body.msg).toMatch(/^You're making too many attempts!/)
    world.clockOffset = 86_401
    expect(await ask()).toBe('Already has an account.')
  })

  it('is not revealed by requests for the user, where it is hidden', async () => {
    const hidden = await buildUser(realm)
    expectSuccess(await hidden.api.patch('/settings', { email_address_visibility: 5 }))
    const answers = await Promise.all(
      [hidden.email, `nobody@${realm.host}`].map(async (email) => {
        const { status, body } = await member.api.get(`/users/${encodeURIComponent(email)}`)
        return JSON.stringify({ status, body }).replaceAll(email, '…')
      }),
    )
    expect(answers[0]).toBe(answers[1])
  })

  it('is revealed to nobody who may not invite or create users', async () => {
    const guest = await buildUser(realm, { role: 600 })
    for (const email of [member.email, `nobody@${realm.host}`]) {
      const invitation = await guest.api.post('/invites', { invitee_emails: email, stream_ids: [] })
      expect(invitation.body.msg).toBe('Not allowed for guest users')
      const account = { email, full_name: 'Somebody', password: 'a fine password' }
      expect((await member.api.post('/users', account)).body.msg).toBe(
        'Must be an organization administrator',
      )
    }
  })
})
