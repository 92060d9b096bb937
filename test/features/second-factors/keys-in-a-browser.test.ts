import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import { Browser } from '../../support/browsing.ts'
import { finishExport, keepAlarmsAway, listedExport, startExport } from '../../support/exports.ts'
import { createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

keepAlarmsAway()

const PASSWORD = 'a fine password'
const STALE = 15 * 60 + 1

const organization = useRealm()
const { realm } = organization
const people = usePerTest(organization, { acting: 'owner', ann: 'member' })
let browser: Browser
let bot: TestUser
let bots = 0
async function begin(): Promise<void> {
  bots += 1
  bot = await createBot(people.acting, `Keyed ${bots}`, {
    bot_type: 3,
    payload_url: 'https://hooks.example.com/',
  })
  browser = new Browser(realm.host)
  await browser.logIn(people.acting.email, PASSWORD)
}

const prove = async () =>
  expectSuccess(await browser.json('POST', '/reauthentication', { password: PASSWORD }))

describe('a browser', () => {
  it('gets no key of a bot in lists, snapshots and events, even with a proof', async () => {
    await begin()
    const token = expectSuccess(await people.acting.api.get('/bots')).bots[0].services[0].token
    const params = { event_types: ['realm_bot'], client_capabilities: { notification_settings_null: true } }
    const snapshots = [
      expectSuccess(await browser.json('POST', '/register', params, { 'X-Feature-Level': '473', ...csrf() })),
      expectSuccess(await browser.json('POST', '/register', params, { 'X-Feature-Level': '474', ...csrf() })),
    ]
    expect(snapshots[0]!.realm_bots.at(-1)).toMatchObject({ api_key: '', services: [{ token: '' }] })
    expectSuccess(await browser.json('POST', `/bots/${bot.id}/api_key/regenerate`))
    const made = await createBot(people.acting, `Further ${bots}`, {
      bot_type: 3,
      payload_url: 'https://hooks.example.com/',
    })
    expectSuccess(await people.acting.api.patch(`/bots/${made.id}`, { service_interface: 2 }))
    const events = await Promise.all(
      snapshots.map(async ({ queue_id }) => {
        const query = { queue_id, last_event_id: -1, dont_block: true }
        return expectSuccess(await browser.json('GET', '/events', query)).events
      }),
    )
    const { bots: listed } = expectSuccess(await browser.json('GET', '/bots'))
    expect(listed).toMatchObject([
      { user_id: bot.id, api_key: '', services: [{ token: '' }] },
      { user_id: made.id, api_key: '', services: [{ token: '' }] },
    ])
    expect(events[0]).toMatchObject([
      { op: 'add', bot: { user_id: made.id, api_key: '', services: [{ token: '' }] } },
      { op: 'update', bot: { services: [{ token: '' }] } },
    ])
    const shown = JSON.stringify([snapshots, events, listed])
    for (const secret of [bot.apiKey, made.apiKey, token]) expect(shown).not.toContain(secret)
  })

  it('gets the link to more than membership only with a proof', async () => {
    await begin()
    const link = async (params: Record<string, number | number[]>) =>
      expectSuccess(await people.acting.api.post('/invites/multiuse', params)).invite_link as string
    const group = expectSuccess(
      await people.acting.api.post('/user_groups/create', { name: 'Inviters', description: '', members: [] }),
    ).group_id as number
    expectSuccess(await people.acting.api.patch('/realm', { can_invite_users_group: { new: group } }))
    const links = [
      await link({ invite_as: 400 }),
      await link({ invite_as: 300 }),
      await link({ group_ids: [group] }),
    ]
    const listed = async () =>
      (expectSuccess(await browser.json('GET', '/invites')).invites as { link_url: string }[]).map(
        ({ link_url }) => link_url,
      )
    expect(await listed()).toEqual(links)
    world.clockOffset += STALE
    expect(await listed()).toEqual([links[0], '', ''])
    await prove()
    expect(await listed()).toEqual(links)
  })

  it('gets the address of exported private data only with a proof', async () => {
    await begin()
    const params = {
      event_types: ['realm_export'],
      client_capabilities: { notification_settings_null: true },
    }
    const { queue_id } = expectSuccess(await browser.json('POST', '/register', params))
    const id = await startExport(people.acting, { export_type: 'full_with_consent' })
    await finishExport(realm, id)
    const { export_url } = await listedExport(people.acting, id)
    const listed = async () => expectSuccess(await browser.json('GET', '/export/realm')).exports.at(-1)
    world.clockOffset += STALE
    expect(await listed()).toMatchObject({ id, pending: false, export_url: null })
    await prove()
    expect(await listed()).toMatchObject({ id, export_url })
    const query = { queue_id, last_event_id: -1, dont_block: true }
    const { events } = expectSuccess(await browser.json('GET', '/events', query))
    expect(events.at(-1)).toMatchObject({ exports: [{ id, pending: false, export_url: null }] })
  })

  const csrf = () => ({ 'X-CSRFToken': browser.cookies.get('csrftoken') ?? '' })
})

describe('the key of a bot', () => {
  it('is worth no more than an administrator for what needs a proof', async () => {
    await begin()
    expectSuccess(await people.acting.api.patch(`/bots/${bot.id}`, { role: 100 }))
    const { api } = bot
    const owners = { msg: 'Must be an organization owner' }
    const refused = [
      await api.request('PUT', '/realm/jwt_secret', { secret: 'a secret that is thirty-two letters' }),
      await api.post('/scim_token'),
      await api.post('/login_providers', { slug: 'other' }),
      await api.post('/realm/deactivate'),
      await api.post('/imports', { path_id: '2/ab/archive.jsonl' }),
      await api.patch('/realm', { authentication_methods: { Email: true } }),
      await api.patch('/realm', { can_manage_all_groups: { new: 6 } }),
      await api.patch(`/users/${people.ann.id}`, { role: 100 }),
      await api.patch(`/users/${people.acting.id}`, { role: 200 }),
      await api.delete(`/users/${people.acting.id}`),
    ]
    expect(refused.map(({ body }) => body)).toMatchObject(refused.map(() => owners))
    expectSuccess(await api.patch(`/users/${people.ann.id}`, { role: 200 }))
    // An owner's act that needs no proof.
    expectSuccess(await api.patch('/realm', { message_retention_days: 300 }))
    const group = async (name: string) =>
      expectSuccess(
        await people.acting.api.post('/user_groups/create', { name, description: '', members: [] }),
      ).group_id as number
    const [powerful, plain] = [await group('Powerful'), await group('Plain')]
    expectSuccess(await people.acting.api.patch('/realm', { can_create_groups: { new: powerful } }))
    const add = { add: [people.ann.id] }
    expect((await api.post(`/user_groups/${powerful}/members`, add)).body.msg).toBe('Insufficient permission')
    expectSuccess(await api.post(`/user_groups/${plain}/members`, add))
    const { host, realmId, email, apiKey } = people.acting.api
    const person = new ApiClient({ host, realmId, email, apiKey })
    expectSuccess(
      await person.request('PUT', '/realm/jwt_secret', { secret: 'a secret that is thirty-two letters' }),
    )
  })
})
