import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Browser } from '../../support/browsing.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { buildBot, inRealm } from '../../support/inside.ts'
import { deliverPushes } from '../../support/push-devices.ts'
import { claimsOf, SubscribedBrowser, serveBrowsers } from '../../support/push-service.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PASSWORD = 'a fine password'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { name: 'Castle', channels: { channel: ['ann', 'ben'] } },
)
let laptop: SubscribedBrowser
let tablet: SubscribedBrowser
useReliableD1()
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  laptop = await SubscribedBrowser.open()
  tablet = await SubscribedBrowser.open()
  serveBrowsers([laptop, tablet])
})
afterEach(async () => {
  await inRealm(realm, ({ parts }) => parts.sql.run('DELETE FROM web_push_subscription'))
  vi.restoreAllMocks()
})

const deliver = () => deliverPushes(realm)
const publicKey = async () => expectSuccess(await ben.api.get('/web_push/key')).public_key as string
const write = async (content: string) =>
  expectSuccess(await ann.api.post('/messages', { type: 'direct', to: [ben.id], content })).id as number
const subscriptions = () =>
  inRealm(realm, ({ parts }) =>
    parts.sql.all<{ endpoint: string }>('SELECT endpoint FROM web_push_subscription ORDER BY id'),
  )

describe('a browser that has subscribed', () => {
  it('gets a message encrypted for it, signed with the organization’s key', async () => {
    const key = await publicKey()
    expect(await publicKey()).toBe(key)
    await laptop.subscribe(ben)
    const id = await write('Who’s **there**?')
    await deliver()
    expect(await laptop.read()).toEqual([
      expect.objectContaining({
        type: 'message',
        message_id: id,
        content: 'Who’s there?',
        sender_full_name: 'Ann',
        realm_name: 'Castle',
        path: expect.stringMatching(/^\/#narrow\/dm\//),
        tag: `dm ${ann.id}`,
      }),
    ])
    const [{ headers, body }] = laptop.requests as [(typeof laptop.requests)[0]]
    expect([headers.get('content-encoding'), headers.get('ttl'), headers.get('urgency')]).toEqual([
      'aes128gcm',
      '86400',
      'high',
    ])
    expect(await claimsOf(headers, key)).toMatchObject({
      aud: 'https://push-service.example.com',
      sub: `https://${realm.host}`,
    })
    expect(new TextDecoder().decode(body)).not.toContain('there')
    // All bodies have the same length, which reveals nothing.
    expect(body.length).toBe(4_096)
  })

  it('shows the conversation, and removes the notification when it is read elsewhere', async () => {
    await publicKey()
    await laptop.subscribe(ben)
    const sent = { type: 'channel', to: channel.id, topic: 'Walls', content: '@**Ben** look' }
    const id = expectSuccess(await ann.api.post('/messages', sent)).id
    await deliver()
    expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
    await deliver()
    const [message, removal] = await laptop.read()
    expect(message).toMatchObject({ recipient_type: 'channel', topic: 'Walls', tag: `${channel.id}:walls` })
    expect(removal).toMatchObject({ type: 'remove', message_ids: [id] })
    expect(laptop.requests[1]!.headers.get('urgency')).toBe('normal')
  })

  it('is deleted once its push service does not know it any more', async () => {
    await publicKey()
    await laptop.subscribe(ben)
    await tablet.subscribe(ben)
    laptop.status = 410
    await write('one')
    await deliver()
    await write('two')
    await deliver()
    expect([laptop.requests.length, tablet.requests.length]).toEqual([1, 2])
    expect(await subscriptions()).toEqual([{ endpoint: tablet.endpoint }])
  })

  it('gets notifications later when its push service was down, without delaying others', async () => {
    await publicKey()
    await laptop.subscribe(ben)
    laptop.status = 503
    const other = await buildUser(realm)
    await tablet.subscribe(other)
    await write('to Ben')
    expectSuccess(await ann.api.post('/messages', { type: 'direct', to: [other.id], content: 'to another' }))
    await deliver()
    expect((await tablet.read()).map(({ content }) => content)).toEqual(['to another'])
    laptop.status = 201
    const tries = laptop.requests.length
    world.clockOffset += 600
    await deliver()
    expect((await laptop.read()).slice(tries).map(({ content }) => content)).toEqual(['to Ben'])
  })

  it('delays nobody else when its push service is slow', async () => {
    // The object remembers that the service was slow only while it is awake.
    world.evictable = false
    await publicKey()
    await laptop.subscribe(ben)
    laptop.seconds = 3
    await write('slowly')
    await deliver()
    laptop.seconds = 0
    await write('at once')
    await deliver()
    expect((await laptop.read()).map(({ content }) => content)).toEqual(['slowly'])
    world.clockOffset += 600
    await deliver()
    expect((await laptop.read()).map(({ content }) => content)).toEqual(['slowly', 'at once'])
  })

  it('belongs to the last account that subscribed in it', async () => {
    await publicKey()
    await laptop.subscribe(ann)
    await laptop.subscribe(ben)
    await write('for Ben')
    expectSuccess(await ben.api.post('/messages', { type: 'direct', to: [ann.id], content: 'for Ann' }))
    await deliver()
    expect((await laptop.read()).map(({ content }) => content)).toEqual(['for Ben'])
  })
})

describe('a Web Push subscription ends', () => {
  it('with its browser’s session', async () => {
    await publicKey()
    const browser = new Browser(realm.host)
    await browser.logIn(ben.email, PASSWORD)
    expectSuccess(await browser.json('POST', '/web_push/subscriptions', laptop.params))
    expect(await subscriptions()).toHaveLength(1)
    const headers = { 'X-CSRFToken': browser.cookies.get('csrftoken')! }
    expect((await browser.ask('POST', '/accounts/logout/', { headers })).status).toBe(302)
    expect(await subscriptions()).toEqual([])
    await write('after the log-out')
    await deliver()
    expect(laptop.requests).toEqual([])
  })

  it('when the account is deactivated, or its owner deletes it', async () => {
    await publicKey()
    const gone = await buildUser(realm)
    await laptop.subscribe(gone)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expect(await subscriptions()).toEqual([])
    await tablet.subscribe(ben)
    const { endpoint } = tablet
    expectSuccess(await ben.api.delete('/web_push/subscriptions', { endpoint }))
    expect(await subscriptions()).toEqual([])
  })

  it('not at the request of others, who learn nothing of it', async () => {
    await laptop.subscribe(ben)
    const ask = async (endpoint: string) =>
      (await ann.api.delete('/web_push/subscriptions', { endpoint })).body
    const absent = await ask('https://push-service.example.com/none')
    expect(absent).toMatchObject({ result: 'error', msg: 'No such subscription' })
    expect(await ask(laptop.endpoint)).toEqual(absent)
  })
})

describe('POST /web_push/subscriptions', () => {
  it('refuses an invalid address or key', async () => {
    const refused = async (params: Record<string, string>) =>
      (await ben.api.post('/web_push/subscriptions', { ...laptop.params, ...params })).status
    expect(await refused({ endpoint: 'http://push-service.example.com/1' })).toBe(400)
    expect(await refused({ endpoint: 'nowhere' })).toBe(400)
    expect(await refused({ endpoint: 'https://10.0.0.1/push' })).toBe(400)
    expect(await refused({ p256dh: 'short' })).toBe(400)
    expect(await refused({ auth: 'a'.repeat(23) })).toBe(400)
    expect(await subscriptions()).toEqual([])
  })

  it('never calls an address of a private network, and deletes the subscription', async () => {
    await publicKey()
    expectSuccess(await ben.api.post('/web_push/subscriptions', laptop.params))
    // As if the deployment had allowed the address then.
    await inRealm(realm, ({ parts }) =>
      parts.sql.run('UPDATE web_push_subscription SET endpoint = ?', 'https://10.0.0.1/push'),
    )
    await write('to nobody')
    await deliver()
    expect(await subscriptions()).toEqual([])
  })

  it('keeps the newest twenty of an account', async () => {
    for (let count = 0; count < 21; count += 1) {
      const endpoint = `https://push-service.example.com/${count}`
      expectSuccess(await ben.api.post('/web_push/subscriptions', { ...laptop.params, endpoint }))
    }
    const kept = await subscriptions()
    expect([kept.length, kept[0]!.endpoint]).toEqual([20, 'https://push-service.example.com/1'])
    for (const { endpoint } of kept) await ben.api.delete('/web_push/subscriptions', { endpoint })
  })

  it('is not for bots, nor for anybody without a key', async () => {
    const bot = await buildBot(realm, ann)
    expect((await bot.api.post('/web_push/subscriptions', laptop.params)).status).toBe(400)
    expect((await realm.anonymous.post('/web_push/subscriptions', laptop.params)).status).toBe(401)
  })
})

describe('a browser whose notifications are paused', () => {
  const subscribe = (pauses: object) =>
    ben.api.post('/web_push/subscriptions', { ...laptop.params, ...pauses })
  /** Sends a message half an hour after midnight UTC, and returns what arrived. */
  const texts = async () => {
    const now = Date.now() / 1_000 + world.clockOffset
    world.clockOffset += 86_400 - (Math.floor(now) % 86_400) + 1_800
    await write('half an hour after midnight')
    await deliver()
    return (await laptop.read()).filter(({ type }) => type === 'message').map(({ content }) => content)
  }

  it('gets nothing until the pause ends, and the other browsers do', async () => {
    await publicKey()
    await tablet.subscribe(ben)
    const end = Math.floor(Date.now() / 1_000 + world.clockOffset) + 3_600
    expectSuccess(await subscribe({ paused_until: end }))
    await write('during')
    await deliver()
    world.clockOffset += 3_700
    await write('after')
    await deliver()
    expect((await laptop.read()).map(({ content }) => content)).toEqual(['after'])
    expect((await tablet.read()).map(({ content }) => content)).toEqual(['during', 'after'])
  })

  it('gets nothing in the hours of each day that it names, in its zone', async () => {
    await publicKey()
    const night = { quiet_from: '22:00', quiet_to: '08:00', timezone: 'Europe/Berlin' }
    expectSuccess(await subscribe(night))
    expect(await texts()).toEqual([])
    expectSuccess(await subscribe({ ...night, timezone: 'Asia/Tokyo' }))
    expect(await texts()).toEqual(['half an hour after midnight'])
  })

  it('is refused with half of a daily pause, or one that is none', async () => {
    const night = { quiet_from: '22:00', quiet_to: '08:00', timezone: 'Europe/Berlin' }
    expect((await subscribe({ ...night, quiet_to: undefined })).status).toBe(400)
    expect((await subscribe({ ...night, quiet_from: '25:00' })).status).toBe(400)
    expect((await subscribe({ ...night, timezone: 'Europe/Nowhere' })).status).toBe(400)
    expect(await subscriptions()).toEqual([])
  })
})
