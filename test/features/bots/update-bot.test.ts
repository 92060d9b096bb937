import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import {
  atLevel,
  buildChannel,
  buildUser,
  createBot,
  expectSuccess,
  type TestUser,
} from '../../support/factories.ts'
import { readImageFacts } from '../../support/image-facts.ts'
import { NO_IMAGE, PNG } from '../../support/images.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { fetchPath, postFiles } from '../../support/uploads.ts'
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

describe('changing a bot', () => {
  it('sets name, channels and URL, returns them, and notifies owner and administrators', async () => {
    const { name } = await buildChannel([owner])
    const bot = await buildBot({ bot_type: 3, payload_url: 'https://example.com/a' })
    const queues = [await olderQueue(owner), await olderQueue(other)]
    const answer = expectSuccess(
      await owner.api.patch(`/bots/${bot.id}`, {
        full_name: 'Renamed',
        default_sending_stream: name,
        default_all_public_streams: true,
        service_payload_url: 'https://example.com/b',
        service_interface: 2,
      }),
    )
    expect(answer).toMatchObject({
      full_name: 'Renamed',
      default_sending_stream: name,
      default_all_public_streams: true,
      service_payload_url: 'https://example.com/b',
      service_interface: 2,
    })
    const [mine, theirs] = [await queues[0]!.events(), await queues[1]!.events()]
    expect(mine.filter(({ type }) => type === 'realm_bot').map((event) => event.bot)).toMatchObject([
      { full_name: 'Renamed' },
      { default_sending_stream: name },
      { default_all_public_streams: true },
      { services: [{ base_url: 'https://example.com/b', interface: 2 }] },
    ])
    expect(theirs).toMatchObject([{ type: 'realm_user', person: { user_id: bot.id, full_name: 'Renamed' } }])
    expectSuccess(await owner.api.patch(`/bots/${bot.id}`, { default_sending_stream: '' }))
    const { snapshot } = await olderQueue(owner)
    expect(snapshot.realm_bots.find((one: { user_id: number }) => one.user_id === bot.id)).toMatchObject({
      default_sending_stream: null,
      full_name: 'Renamed',
    })
    expectSuccess(await owner.api.patch(`/bots/${bot.id}`, { full_name: `Robot ${bots}` }))
  })

  it('emits nothing for values that stay the same', async () => {
    const bot = await buildBot()
    const queue = await olderQueue(owner)
    expectSuccess(
      await owner.api.patch(`/bots/${bot.id}`, {
        full_name: `Robot ${bots}`,
        default_sending_stream: '',
        bot_owner_id: owner.id,
      }),
    )
    expect(await queue.events()).toEqual([])
  })

  it('can transfer it: the old owner loses it, the new owner gets it', async () => {
    const bot = await buildBot()
    const queues = [await olderQueue(owner), await olderQueue(other), await olderQueue(realm.owner)]
    expectSuccess(await owner.api.patch(`/bots/${bot.id}`, { bot_owner_id: other.id }))
    const [old, fresh, admin] = [
      await queues[0]!.events(),
      await queues[1]!.events(),
      await queues[2]!.events(),
    ]
    const given = { type: 'realm_user', person: { user_id: bot.id, bot_owner_id: other.id } }
    expect(old).toMatchObject([{ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, given])
    expect(fresh).toMatchObject([{ type: 'realm_bot', op: 'add', bot: { user_id: bot.id } }, given])
    expect(admin).toMatchObject([
      { type: 'realm_bot', op: 'update', bot: { user_id: bot.id, owner_id: other.id } },
      given,
    ])
    expect(JSON.stringify(admin)).not.toContain(fresh[0]!.bot.api_key)
    expectRefusal(await owner.api.patch(`/bots/${bot.id}`, {}), 'Insufficient permission')
    expectSuccess(await other.api.patch(`/bots/${bot.id}`, {}))
  })

  it('gives it the address of a new short name, with the key that it had', async () => {
    const bot = await buildBot()
    const neighbour = await buildBot()
    const queues = [await olderQueue(owner), await olderQueue(other)]
    const rename = (short_name: string, user = owner) => user.api.patch(`/bots/${bot.id}`, { short_name })
    const email = `deploy-${bot.id}-bot@${realm.host}`
    expectSuccess(await rename(`deploy-${bot.id}`))
    const shown = [
      { person: { user_id: bot.id, delivery_email: email } },
      { person: { user_id: bot.id, new_email: email } },
      { person: { user_id: bot.id, avatar_source: 'G' } },
    ]
    const mine = { type: 'realm_bot', op: 'update', bot: { user_id: bot.id, email } }
    expect(await queues[0]!.events()).toMatchObject([...shown, mine])
    expect(await queues[1]!.events()).toMatchObject(shown)
    expectSuccess(await rename(`deploy-${bot.id}`))
    expect(await queues[0]!.events()).toEqual([])
    const { host } = realm
    const renamed = new ApiClient({ host, realmId: realm.id, email, apiKey: bot.apiKey })
    expect(expectSuccess(await renamed.get('/users/me'))).toMatchObject({ user_id: bot.id, email })
    expectRefusal(await bot.api.get('/users/me'), 'Invalid API key', { status: 401, code: 'UNAUTHORIZED' })
    expectRefusal(await rename(neighbour.email.split('-bot@')[0]!), 'Email is already in use.')
    for (const name of ['', 'two words', '@']) expectRefusal(await rename(name), 'Bad name or username')
    expectRefusal(await rename('mine', other), 'Insufficient permission')
    expect((await olderQueue(owner)).snapshot.realm_bots).toContainEqual(
      expect.objectContaining({ user_id: bot.id, email }),
    )
  })

  it('takes no new URL that it could never call', async () => {
    const bot = await buildBot({ bot_type: 3, payload_url: 'https://example.com/a' })
    const set = (service_payload_url: string) => owner.api.patch(`/bots/${bot.id}`, { service_payload_url })
    for (const url of [
      'http://10.0.0.1/',
      'https://localhost/',
      'http://[fd00::1]/',
      'http://db.internal/',
    ]) {
      expectRefusal(await set(url), 'service_payload_url is not an address that this server may call')
    }
    expect(expectSuccess(await set('https://example.com/b')).service_payload_url).toBe(
      'https://example.com/b',
    )
  })

  it('takes every use of the bot from a former owner', async () => {
    const bot = await buildBot()
    const queue = await olderQueue(other)
    expectSuccess(await bot.api.get('/users/me'))
    expectSuccess(await owner.api.patch(`/bots/${bot.id}`, { bot_owner_id: other.id }))
    expect((await bot.api.get('/streams', { include_owner_subscribed: true })).status).toBe(401)
    const { api_key } = (await queue.eventsOf('realm_bot', 'add'))[0]!.bot
    const again = new ApiClient({ host: realm.host, realmId: realm.id, email: bot.email, apiKey: api_key })
    expectSuccess(await again.get('/users/me'))
    // A former owner, from whom an administrator took the bot, may not either.
    expectSuccess(await realm.owner.api.patch(`/bots/${bot.id}`, { bot_owner_id: owner.id }))
    expect((await again.get('/users/me')).status).toBe(401)
  })

  it('does not reveal its owner’s hidden e-mail address', async () => {
    const bot = await buildBot()
    const shy = await buildUser(realm)
    expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 4 }))
    const answer = expectSuccess(await owner.api.patch(`/bots/${bot.id}`, { bot_owner_id: shy.id }))
    expect(answer.bot_owner).toBe(`user${shy.id}@${realm.host}`)
  })

  it('refuses invalid owners, and users who are not bots', async () => {
    const bot = await buildBot()
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const [bot_owner_id, msg] of [
      [99_999, 'Failed to change owner, no such user'],
      [gone.id, 'Failed to change owner, user is deactivated'],
      [bot.id, "Failed to change owner, bots can't own other bots"],
    ] as const) {
      expectRefusal(await owner.api.patch(`/bots/${bot.id}`, { bot_owner_id }), msg)
    }
    expectRefusal(await owner.api.patch(`/bots/${other.id}`, {}), 'No such bot')
    expectRefusal(await owner.api.patch('/bots/99999', {}), 'No such bot')
    expectRefusal(
      await owner.api.patch(`/bots/${bot.id}`, { service_interface: 7 }),
      'Invalid interface type',
    )
  })

  it('refuses a channel that its owner has left and cannot see any more', async () => {
    const secret = await buildChannel([other, owner], { invite_only: true })
    const bot = await buildBot()
    expectSuccess(await owner.api.delete('/users/me/subscriptions', { subscriptions: [secret.name] }))
    for (const name of ['default_sending_stream', 'default_events_register_stream']) {
      expectRefusal(
        await owner.api.patch(`/bots/${bot.id}`, { [name]: secret.name }),
        `Invalid channel name '${secret.name}'`,
      )
    }
    expect(await bot.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 })).toMatchObject({
      body: { messages: [] },
    })
  })

  it('is for its owner and administrators; only administrators set its role', async () => {
    const bot = await buildBot()
    expectRefusal(
      await other.api.patch(`/bots/${bot.id}`, { full_name: 'Mine now' }),
      'Insufficient permission',
    )
    expectRefusal(await owner.api.patch(`/bots/${bot.id}`, { role: 300 }), 'Insufficient permission')
    expect(expectSuccess(await realm.owner.api.patch(`/bots/${bot.id}`, { role: 600 })).role).toBe(600)
    expectSuccess(await realm.owner.api.patch(`/bots/${bot.id}`, { role: 400 }))
    expectUnauthorized(await realm.anonymous.patch(`/bots/${bot.id}`, {}))
    expectRefusal(await bot.api.patch(`/bots/${bot.id}`, {}), 'This endpoint does not accept bot requests.')
  })
})

describe('a bot’s picture', () => {
  const enter = (path: string, fields: Record<string, string>, files = [PNG]) =>
    postFiles(owner, path, files, fields)

  it('comes with the bot, or with a change of it, and everybody is notified', async () => {
    const queue = await olderQueue(owner)
    const fields = { full_name: 'Painter', short_name: 'painter' }
    const made = expectSuccess(await enter('/bots', fields))
    expect(made.avatar_url).toMatch(new RegExp(`^/user_avatars/${realm.id}/[0-9a-f]{32}\\.png\\?version=1$`))
    const events = await queue.events()
    const shown = { user_id: made.user_id, avatar_url: made.avatar_url }
    expect(events.filter(({ op }) => op === 'add')).toMatchObject([{ person: shown }, { bot: shown }])
    const path = `/bots/${made.user_id}`
    const { avatar_url } = expectSuccess(await enter(path, { method: 'PATCH', full_name: 'Painter II' }))
    expect(avatar_url).toMatch(/\?version=2$/)
    expect(await queue.events()).toMatchObject([
      { type: 'realm_user', person: { full_name: 'Painter II' } },
      { type: 'realm_bot', bot: { full_name: 'Painter II' } },
      { type: 'realm_user', person: { user_id: made.user_id, avatar_url, avatar_source: 'U' } },
      { type: 'realm_bot', bot: { user_id: made.user_id, avatar_url } },
    ])
    expect((await fetchPath(realm, avatar_url)).status).toBe(200)
    const large = await fetchPath(realm, avatar_url.replace('.png', '-medium.png'))
    expect(readImageFacts(new Uint8Array(await large.arrayBuffer()))).toMatchObject({
      width: 500,
      height: 500,
    })
  })

  it('must be one image, from a user who may change the bot', async () => {
    const bot = await buildBot()
    const { avatar_url } = expectSuccess(await owner.api.get(`/users/${bot.id}`)).user
    const path = `/bots/${bot.id}`
    const patch = { method: 'PATCH' }
    expectRefusal(await enter(path, patch, [PNG, PNG]), 'You may only upload one file at a time')
    expectRefusal(
      await enter(path, patch, [NO_IMAGE]),
      'Could not decode image; did you upload an image file?',
      { code: 'BAD_IMAGE' },
    )
    expectRefusal(await postFiles(await buildUser(realm), path, [PNG], patch), 'Insufficient permission')
    const fields = { full_name: 'Refused', short_name: 'refused' }
    expectRefusal(await enter('/bots', fields, [PNG, PNG]), 'You may only upload one file at a time')
    expect(expectSuccess(await owner.api.get(`/users/${bot.id}`)).user.avatar_url).toBe(avatar_url)
    const { bots } = expectSuccess(await owner.api.get('/bots'))
    expect(bots.map((one: { full_name: string }) => one.full_name)).not.toContain('Refused')
  })

  it('is sent to its owner and the administrators, too', async () => {
    const bot = await buildBot()
    const queue = await olderQueue(owner)
    const { avatar_url } = expectSuccess(await bot.api.delete('/users/me/avatar'))
    expect(await queue.events()).toMatchObject([
      { type: 'realm_user', person: { user_id: bot.id, avatar_url } },
      { type: 'realm_bot', op: 'update', bot: { user_id: bot.id, avatar_url } },
    ])
  })
})
