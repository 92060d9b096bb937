import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import { atLevel, buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { PRIVATE_ADDRESSES } from '../../support/private-addresses.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PRIVATE = 'payload_url is not an address that this server may call'

const { realm } = useRealm()

let bots = 0
const account = (changes: Record<string, string | number | boolean> = {}) => {
  bots += 1
  return { full_name: `Bot ${bots}`, short_name: `helper-${bots}`, ...changes }
}

describe('making a bot', () => {
  it('gives an account with a key, subscribed to nothing', async () => {
    const member = await buildUser(realm)
    const made = expectSuccess(await member.api.post('/bots', account({ short_name: 'till' })))
    expect(made).toMatchObject({
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    })
    const api = new ApiClient({
      host: realm.host,
      realmId: realm.id,
      email: `till-bot@${realm.host}`,
      apiKey: made.api_key,
    })
    const { user_id, is_bot, bot_owner_id, role } = expectSuccess(await api.get('/users/me'))
    expect({ user_id, is_bot, bot_owner_id, role }).toEqual({
      user_id: made.user_id,
      is_bot: true,
      bot_owner_id: member.id,
      role: 400,
    })
    expect(expectSuccess(await api.get('/users/me/subscriptions')).subscriptions).toEqual([])
  })

  it('shows everybody the account, administrators the bot, the owner alone the key', async () => {
    const owner = await buildUser(realm)
    const other = await buildUser(realm)
    const [toOwner, toAdmin, toOther] = [
      await openQueue(atLevel(owner, 473)),
      await openQueue(atLevel(realm.owner, 473)),
      await openQueue(atLevel(other, 473)),
    ]
    const { user_id, api_key } = expectSuccess(await owner.api.post('/bots', account()))
    for (const [queue, key] of [
      [toOwner, api_key],
      [toAdmin, ''],
    ] as const) {
      const events = await queue.events()
      expect(events[0]).toMatchObject({ type: 'realm_user', op: 'add', person: { user_id, bot_type: 1 } })
      expect(events.at(-1)).toMatchObject({
        type: 'realm_bot',
        op: 'add',
        bot: { user_id, api_key: key, owner_id: owner.id, services: [] },
      })
    }
    const othersEvents = await toOther.events()
    expect(othersEvents.map(({ type }) => type)).not.toContain('realm_bot')
    expect(JSON.stringify(othersEvents)).not.toContain(api_key)
    expect((await openQueue(atLevel(owner, 473))).snapshot.realm_bots).toMatchObject([{ user_id, api_key }])
    expect((await openQueue(atLevel(other, 473))).snapshot.realm_bots).toEqual([])
  })

  it('notifies the owner alone of a bot whose channel is private', async () => {
    const owner = await buildUser(realm)
    const { name } = await buildChannel([owner], { invite_only: true })
    const queues = [await openQueue(owner), await openQueue(realm.owner)]
    const { default_sending_stream } = expectSuccess(
      await owner.api.post('/bots', account({ default_sending_stream: name })),
    )
    expect(default_sending_stream).toBe(name)
    expect(await queues[0]!.eventsOf('realm_bot', 'add')).toHaveLength(1)
    expect(await queues[1]!.eventsOf('realm_bot')).toEqual([])
  })

  it('checks name, address, right and kind, with these texts', async () => {
    const taken = await buildUser(realm, { name: 'Tessa Taken' })
    const make = (changes: Record<string, string | number>) => realm.owner.api.post('/bots', account(changes))
    expectSuccess(await make({ short_name: 'twice' }))
    for (const [changes, msg] of [
      [{ short_name: '' }, 'Bad name or username'],
      [{ short_name: 'with space' }, 'Bad name or username'],
      [{ full_name: 'x' }, 'Name too short!'],
      [{ short_name: 'twice' }, 'Email is already in use.'],
      [{ full_name: taken.fullName.toUpperCase() }, 'Name is already in use.'],
      [{ bot_type: 5 }, 'Invalid bot type'],
      [{ bot_type: 4 }, 'Embedded bots are not enabled.'],
      [{ bot_type: 3, interface_type: 3 }, 'Invalid interface type'],
      [{ bot_type: 3, payload_url: 'not an address' }, 'payload_url is not a URL'],
      [{ bot_type: 3, payload_url: 'ftp://example.com' }, 'payload_url is not a URL'],
      [{ bot_type: 3, payload_url: 'http://127.0.0.1/' }, PRIVATE],
      [{ bot_type: 3, payload_url: 'http://[::ffff:a9fe:a9fe]/' }, PRIVATE],
      [{ bot_type: 3, payload_url: 'https://example.com:6379/' }, PRIVATE],
      [{ default_sending_stream: 'nowhere' }, "Invalid channel name 'nowhere'"],
    ] as const) {
      expectRefusal(await make(changes), msg)
    }
  })

  it('accepts no address that it could never call, unless the deployment allows it', async () => {
    const make = (payload_url: string) => realm.owner.api.post('/bots', account({ bot_type: 3, payload_url }))
    const webAddresses = PRIVATE_ADDRESSES.filter(
      (address) => /^https?:/.test(address) && URL.canParse(address),
    )
    expect(webAddresses.length).toBeGreaterThan(20)
    for (const address of webAddresses) {
      const { status, body } = await make(address)
      expect([address, status, body.msg]).toEqual([
        address,
        400,
        expect.stringMatching(/^payload_url is not a/),
      ])
    }
    world.settings = { WEBHOOK_ALLOWED_HOSTS: 'localhost:9000 10.0.0.1:9000' }
    expectRefusal(await make('http://localhost:9001/'), PRIVATE)
    expectSuccess(await make('http://localhost:9000/hook'))
    expectSuccess(await make(''))
  })

  it('needs can_create_bots_group, or for an incoming webhook can_create_write_only_bots_group', async () => {
    const { realm: small, member, guest } = await buildRealm({ member: 'member', guest: 'guest' })
    expectRefusal(await guest.api.post('/bots', account()), 'Not allowed for guest users')
    expectUnauthorized(await small.anonymous.post('/bots', account()))
    const { user_id, api_key } = expectSuccess(await small.owner.api.post('/bots', account()))
    const { email } = expectSuccess(await small.owner.api.get(`/users/${user_id}`)).user
    const bot = new ApiClient({ host: small.host, realmId: small.id, email, apiKey: api_key })
    expectRefusal(await bot.post('/bots', account()), 'This endpoint does not accept bot requests.')
    const administrators = 3
    expectSuccess(await small.owner.api.patch('/realm', { can_create_bots_group: { new: administrators } }))
    expectRefusal(await member.api.post('/bots', account()), 'Insufficient permission')
    expectRefusal(await member.api.post('/bots', account({ bot_type: 3 })), 'Insufficient permission')
    expectSuccess(await member.api.post('/bots', account({ bot_type: 2 })))
  })
})

describe('an incoming webhook', () => {
  it('sends messages and does nothing else', async () => {
    const short_name = 'hook'
    const { api_key } = expectSuccess(
      await realm.owner.api.post('/bots', account({ short_name, bot_type: 2 })),
    )
    const email = `${short_name}-bot@${realm.host}`
    const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey: api_key })
    expectSuccess(
      await api.post('/messages', { type: 'channel', to: 'general', topic: 'builds', content: 'green' }),
    )
    const refused = await api.get('/users/me')
    expectRefusal(refused, 'This API is not available to incoming webhook bots.', {
      status: 401,
      code: 'UNAUTHORIZED',
    })
    expectRefusal(await api.post('/register'), refused.body.msg, { status: 401, code: 'UNAUTHORIZED' })
  })
})
