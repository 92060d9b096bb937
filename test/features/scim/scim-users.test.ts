import { describe, expect, it } from 'vitest'
import { openStream, StreamClosed } from '../../support/event-streams.ts'
import { buildUser, createBot, expectSuccess } from '../../support/factories.ts'
import { untilWaiting } from '../../support/held-polls.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { insertBrowserSession } from '../../support/inside-rows.ts'
import { openQueue } from '../../support/queues.ts'
import { connectProvider, ScimClient, type ScimResponse } from '../../support/scim.ts'
import { SubscribedBrowser } from '../../support/subscribed-browser.ts'
import { DAY } from '../../support/times.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })
/** Another organization. */
const { realm: other } = useRealm()

let known: Promise<ScimClient> | undefined
const provider = () => (known ??= connectProvider(realm))
const newAddress = () => `new-${crypto.randomUUID()}@${realm.host}`

/** Requests of a provider in a minute. */
const LIMIT = 1_500
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
function expectError({ status, body }: ScimResponse, expected: number, scimType?: string): void {
  expect({ status, body }).toEqual({
    status: expected,
    body: {
      schemas: [ERROR],
      status: String(expected),
      ...(scimType ? { scimType } : {}),
      detail: expect.any(String),
    },
  })
}

const memberOf = async (id: string) =>
  expectSuccess(await realm.owner.api.get(`/users/${id}`)).user as Record<string, unknown>

describe('who may ask', () => {
  it('nobody without a valid token of this organization, and all are refused alike', async () => {
    const scim = await provider()
    const stranger = await connectProvider(other)
    const made = await scim.makeUser(newAddress())
    const wrong = [
      new ScimClient(realm.host, ''),
      new ScimClient(realm.host, 'parley_scim_wrong'),
      new ScimClient(realm.host, realm.owner.apiKey),
      new ScimClient(realm.host, stranger.token),
    ]
    const requests = [
      ['GET', '/Users'],
      ['GET', '/ServiceProviderConfig'],
      ['GET', '/Nothing'],
      ['PATCH', '/Users'],
      ['POST', '/Users', '{'],
      ['DELETE', `/Users/${made.id}`],
      ['GET', '/Users/999999'],
    ] as const
    const answers = await Promise.all(
      wrong.flatMap((client) => requests.map(([method, path, body]) => client.request(method, path, body))),
    )
    for (const answer of answers) {
      expectError(answer, 401)
      expect(answer.body).toEqual(answers[0]!.body)
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="parley"')
    }
    expect((await scim.get(`/Users/${made.id}`)).body.active).toBe(true)
  })

  it('not with a key of an account, and a token opens nothing else', async () => {
    const scim = await provider()
    const headers = { Authorization: `Basic ${btoa(`${realm.owner.email}:${realm.owner.apiKey}`)}` }
    expectError(await scim.get('/Users', headers), 401)
    const asKey = { Authorization: `Bearer ${scim.token}` }
    const refused = await realm.anonymous.request('GET', '/users', {}, { headers: asKey })
    expect(refused.status).toBe(400)
  })

  it('a token that was replaced for seven days, or until an owner ends it', async () => {
    const { realm: own } = await buildRealm()
    const first = await connectProvider(own)
    expect((await first.get('/Users')).status).toBe(200)
    const second = await connectProvider(own)
    expect((await first.get('/Users')).status).toBe(200)
    const { scim_token } = expectSuccess(await own.owner.api.get('/scim_token'))
    expect(scim_token.former_last_used).toBeGreaterThan(0)
    expect(scim_token.last_used).toBeNull()
    expect((await second.get('/Users')).status).toBe(200)
    world.clockOffset += 7 * DAY + 60
    expect((await first.get('/Users')).status).toBe(401)
    const third = await connectProvider(own)
    expectSuccess(await own.owner.api.patch('/scim_token', { end_former: true }))
    expect((await second.get('/Users')).status).toBe(401)
    expect((await third.get('/Users')).status).toBe(200)
    expectSuccess(await own.owner.api.delete('/scim_token'))
    expect((await third.get('/Users')).status).toBe(401)
  })

  it('anyone, if the organization is closed', async () => {
    const { realm: own } = await buildRealm()
    const scim = await connectProvider(own)
    expectSuccess(await own.owner.api.post('/realm/deactivate'))
    expectError(await scim.get('/Users'), 401)
  })
})

describe('making an account', () => {
  it('answers 201 with the resource, and notifies everybody', async () => {
    const scim = await provider()
    const [queue, userName] = [await openQueue(ann), newAddress()]
    const answer = await scim.request('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      externalId: '00uAbC',
      name: { givenName: 'Nora', familyName: 'New', middleName: 'N.' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      active: true,
      password: 'ignored 123',
      locale: 'en-US',
    })
    const { body } = answer
    expect(answer.status).toBe(201)
    expect(answer.headers.get('Content-Type')).toBe('application/scim+json')
    expect(answer.headers.get('Location')).toBe(`http://${realm.host}/scim/v2/Users/${body.id}`)
    expect(answer.headers.get('ETag')).toBe(body.meta.version)
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: expect.stringMatching(/^\d+$/),
      externalId: '00uAbC',
      userName,
      name: { formatted: 'Nora New', givenName: 'Nora', familyName: 'New' },
      displayName: 'Nora New',
      emails: [{ value: userName, type: 'work', primary: true }],
      active: true,
      role: 'member',
      roles: [{ value: 'member', primary: true }],
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `http://${realm.host}/scim/v2/Users/${body.id}`,
        version: expect.stringMatching(/^W\/"[0-9a-f]{16}"$/),
      },
    })
    const [added] = await queue.eventsOf('realm_user', 'add')
    expect(added!.person).toMatchObject({ user_id: Number(body.id), full_name: 'Nora New', role: 400 })
    expect((await scim.get(`/Users/${body.id}`)).body).toEqual(body)
  })

  it('gives it no password: nobody logs in with one', async () => {
    const scim = await provider()
    const userName = newAddress()
    const { id } = await scim.makeUser(userName, { password: 'correct horse' })
    const refused = await realm.anonymous.post('/fetch_api_key', {
      username: userName,
      password: 'correct horse',
    })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    const stored = await inRealm(realm, ({ parts: { sql } }) =>
      sql.first(`SELECT password_hash, awaits_login FROM user WHERE id = ?`, Number(id)),
    )
    expect(stored).toEqual({ password_hash: null, awaits_login: 1 })
  })

  it('is refused where an account has the address, of whatever kind', async () => {
    const scim = await provider()
    const bot = await createBot(ann, `Bot ${crypto.randomUUID()}`)
    for (const userName of [ann.email, ann.email.toUpperCase(), bot.email]) {
      expectError(
        await scim.request('POST', '/Users', { userName, displayName: 'Nora New' }),
        409,
        'uniqueness',
      )
    }
  })

  it.each([
    ['no userName', {}],
    ['a userName that is no address', { userName: 'nora' }],
    ['a number', { userName: 7 }],
    ['a name that nobody may have', { userName: 'nora@example.com', displayName: 'N@ra' }],
    ['an unknown role', { userName: 'nora@example.com', role: 'king' }],
    ['a long id', { userName: 'nora@example.com', externalId: 'x'.repeat(501) }],
    ['an odd active', { userName: 'nora@example.com', active: 'perhaps' }],
  ])('is refused with %s, and makes nothing', async (_, body) => {
    const scim = await provider()
    expectError(await scim.request('POST', '/Users', body), 400, 'invalidValue')
    expect((await scim.get('/Users?filter=userName sw "nora"')).body.totalResults).toBe(0)
  })

  it('keeps to the domains of the organization', async () => {
    const { realm: own } = await buildRealm()
    const scim = await connectProvider(own)
    expectSuccess(
      await own.owner.api.post('/realm/domains', { domain: 'example.com', allow_subdomains: false }),
    )
    expectSuccess(await own.owner.api.patch('/realm', { emails_restricted_to_domains: true }))
    const refused = await scim.request('POST', '/Users', { userName: 'a@example.org', displayName: 'Anna' })
    expectError(refused, 400, 'invalidValue')
    expect((await scim.makeUser('a@example.com')).active).toBe(true)
  })

  it('is in the audit log as the identity provider’s', async () => {
    const scim = await provider()
    const { id } = await scim.makeUser(newAddress())
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'role', value: 'guest' })
    await scim.request('DELETE', `/Users/${id}`)
    const { entries } = expectSuccess(await realm.owner.api.get('/audit_log', { limit: 3 }))
    const details = { user_id: Number(id), scim: true }
    expect(entries).toMatchObject([
      { action: 'user_deactivated', actor_id: null, details },
      { action: 'role_changed', actor_id: null, details: { ...details, role: 600 } },
      { action: 'user_created', actor_id: null, details },
    ])
  })
})

describe('changing an account', () => {
  it('gives it the names and the address, with the events of an administrator’s change', async () => {
    const scim = await provider()
    const { id } = await scim.makeUser(newAddress())
    const [queue, userName] = [await openQueue(realm.owner), newAddress()]
    const changed = await scim.request('PUT', `/Users/${id}`, { id, userName, displayName: 'Nora Next' })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ userName, displayName: 'Nora Next', active: true })
    const people = (await queue.eventsOf('realm_user', 'update')).map(({ person }) => person)
    expect(people).toContainEqual({ user_id: Number(id), delivery_email: userName })
    expect(people).toContainEqual({ user_id: Number(id), full_name: 'Nora Next' })
    expect(await memberOf(id)).toMatchObject({ delivery_email: userName, full_name: 'Nora Next' })
  })

  it('leaves alone what it does not name', async () => {
    const scim = await provider()
    const { id, ...made } = await scim.makeUser(newAddress(), {
      externalId: 'kept',
      name: { givenName: 'N', familyName: 'M' },
      role: 'moderator',
    })
    const { body } = await scim.request('PUT', `/Users/${id}`, { userName: made.userName })
    expect({ ...body, meta: undefined }).toEqual({ id, ...made, meta: undefined })
  })

  it('lets a name that was put together from its parts follow them, and no other', async () => {
    const scim = await provider()
    const parts = { name: { givenName: 'Nora', familyName: 'New' }, displayName: undefined }
    const { id } = await scim.makeUser(newAddress(), parts)
    const rename = (familyName: string) =>
      scim.patch(`/Users/${id}`, { op: 'replace', path: 'name.familyName', value: familyName })
    expect((await rename('Wed')).body.displayName).toBe('Nora Wed')
    expectSuccess(await realm.owner.api.patch(`/users/${id}`, { full_name: 'N. W.' }))
    expect((await rename('Again')).body).toMatchObject({
      displayName: 'N. W.',
      name: { givenName: 'Nora', familyName: 'Again' },
    })
  })

  it('is refused for an address of another account, and changes nothing', async () => {
    const scim = await provider()
    const { id, meta } = await scim.makeUser(newAddress())
    const body = { userName: ann.email, displayName: 'Nora Next' }
    expectError(await scim.request('PUT', `/Users/${id}`, body), 409, 'uniqueness')
    expect((await scim.get(`/Users/${id}`)).body.meta.version).toBe(meta.version)
  })

  it('is refused if the resource has changed since it was read', async () => {
    const scim = await provider()
    const { id, meta } = await scim.makeUser(newAddress())
    const rename = (displayName: string, tag: string) =>
      scim.request('PUT', `/Users/${id}`, { displayName }, { 'If-Match': tag })
    expect((await rename('Nora Second', meta.version)).status).toBe(200)
    expectError(await rename('Nora Third', meta.version), 412)
    expectError(await scim.request('DELETE', `/Users/${id}`, undefined, { 'If-Match': 'W/"other"' }), 412)
    expect((await rename('Nora Third', '*')).body.displayName).toBe('Nora Third')
    const { body, headers } = await scim.get(`/Users/${id}`)
    const again = await scim.get(`/Users/${id}`, { 'If-None-Match': headers.get('ETag')! })
    expect([again.status, again.body, again.headers.get('ETag')]).toEqual([304, undefined, body.meta.version])
  })
})

describe('roles', () => {
  it.each([
    ['role', 'moderator'],
    ['roles', [{ value: 'moderator', primary: true }]],
    ['roles[primary eq "True"].value', 'Moderator'],
    ['roles', [{ value: 'guest' }, { value: 'moderator', primary: 'True' }]],
  ])('are given by %s', async (path, value) => {
    const scim = await provider()
    const { id } = await scim.makeUser(newAddress())
    const { body } = await scim.patch(`/Users/${id}`, { op: 'Add', path, value })
    expect([body.role, body.roles]).toEqual(['moderator', [{ value: 'moderator', primary: true }]])
    expect((await memberOf(id)).role).toBe(300)
  })

  it('that are removed make a member, where the account has them', async () => {
    const scim = await provider()
    const { id } = await scim.makeUser(newAddress(), { role: 'administrator' })
    const remove = async (path: string) =>
      (await scim.patch(`/Users/${id}`, { op: 'remove', path })).body.role
    expect(await remove('roles[value eq "moderator"]')).toBe('administrator')
    expect(await remove('roles[value eq "administrator"]')).toBe('member')
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'role', value: 'guest' })
    expect(await remove('roles')).toBe('member')
  })

  it('that are removed under both names leave the rest of the request as it is', async () => {
    const scim = await provider()
    const { id } = await scim.makeUser(newAddress(), { role: 'moderator' })
    const value = { role: '', roles: [], active: false }
    const { status, body } = await scim.patch(`/Users/${id}`, { op: 'replace', value })
    expect([status, body.role, body.active]).toEqual([200, 'member', false])
  })

  it('of owners, and their addresses, change only with the right to', async () => {
    const { realm: own } = await buildRealm()
    const second = await buildUser(own, { role: 100 })
    const scim = await connectProvider(own)
    const { id } = await scim.makeUser('nora@example.com')
    const owner = { op: 'replace', path: 'role', value: 'owner' }
    const member = { op: 'replace', path: 'role', value: 'member' }
    const address = { op: 'replace', path: 'userName', value: 'mine@example.com' }
    const refused = [
      await scim.patch(`/Users/${id}`, owner),
      await scim.patch(`/Users/${second.id}`, member),
      await scim.patch(`/Users/${second.id}`, address),
      await scim.request('POST', '/Users', {
        userName: 'boss@example.com',
        displayName: 'Boss',
        role: 'owner',
      }),
    ]
    for (const answer of refused) expectError(answer, 403)
    expectSuccess(await own.owner.api.patch('/scim_token', { manages_owners: true }))
    expect((await scim.patch(`/Users/${second.id}`, address)).body.userName).toBe('mine@example.com')
    expect((await scim.patch(`/Users/${second.id}`, member)).body.role).toBe('member')
    expect((await scim.patch(`/Users/${id}`, owner)).body.role).toBe('owner')
  })

  it('do not rise, and no address changes, while the address is unconfirmed', async () => {
    const scim = await provider()
    const { id } = await buildUser(realm)
    await changeRealm(realm, ({ sql }) => {
      sql.run(`UPDATE user SET is_email_confirmed = 0 WHERE id = ?`, id)
    })
    const change = (value: string) => scim.patch(`/Users/${id}`, { op: 'replace', path: 'role', value })
    expectError(await change('administrator'), 403)
    expect((await change('guest')).body.role).toBe('guest')
    expectError(await change('member'), 403)
    const renamed = await scim.patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: newAddress() })
    expectError(renamed, 403)
  })

  it('never leave the organization without an owner', async () => {
    const { realm: own } = await buildRealm()
    const scim = await connectProvider(own, { manages_owners: true })
    const path = `/Users/${own.owner.id}`
    expectError(await scim.patch(path, { op: 'replace', path: 'role', value: 'member' }), 403)
    expectError(await scim.patch(path, { op: 'replace', path: 'active', value: false }), 403)
    expectError(await scim.request('DELETE', path), 403)
    expect((await scim.get(path)).body).toMatchObject({ active: true, role: 'owner' })
  })
})

/** Tables of what an account holds while it is logged in. */
const HELD = ['queue', 'browser_session', 'web_push_subscription', 'client_device']
const held = (userId: number) =>
  inRealm(realm, ({ parts: { sql } }) =>
    HELD.map((table) => sql.all(`SELECT 1 FROM ${table} WHERE user_id = ?`, userId).length),
  )

describe('deactivating an account', () => {
  it.each([
    ['active', { op: 'Replace', path: 'active', value: 'False' }],
    ['no path', { op: 'replace', value: { active: false } }],
  ])('by %s ends its queues, streams, sessions, keys and notifications at once', async (_, operation) => {
    const scim = await provider()
    const leaver = await buildUser(realm)
    const [watcher, queue] = [await openQueue(ann), await openQueue(leaver)]
    const poll = leaver.api.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId })
    await untilWaiting(realm, queue)
    const stream = await openStream(await openQueue(leaver))
    await (await SubscribedBrowser.open()).subscribe(leaver)
    expectSuccess(await leaver.api.post('/register_client_device'))
    await changeRealm(realm, (tx) =>
      insertBrowserSession(
        tx.sql,
        { userId: leaver.id, digest: crypto.randomUUID(), userAgent: '', proof: { method: 'password' } },
        tx.now,
      ),
    )
    expect(await held(leaver.id)).not.toContain(0)
    const closed = await scim.patch(`/Users/${leaver.id}`, operation)
    expect([closed.status, closed.body.active]).toEqual([200, false])
    expect((await poll).body).toMatchObject({ events: [] })
    expect((await leaver.api.get('/users/me')).status).toBe(401)
    await expect(stream.frame()).rejects.toThrow(StreamClosed)
    expect(await held(leaver.id)).toEqual(HELD.map(() => 0))
    const events = await watcher.eventsOf('realm_user', 'update')
    expect(events.map(({ person }) => person)).toContainEqual({ user_id: leaver.id, is_active: false })
    const opened = await scim.patch(`/Users/${leaver.id}`, { op: 'Replace', path: 'active', value: 'True' })
    expect(opened.body.active).toBe(true)
    // With a new key.
    expect((await leaver.api.get('/users/me')).body.msg).toBe('Invalid API key')
  })

  it('by DELETE hides it until the identity provider makes it again', async () => {
    const scim = await provider()
    const userName = newAddress()
    const { id } = await scim.makeUser(userName, { externalId: 'first' })
    expect((await scim.request('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await memberOf(id)).is_active).toBe(false)
    expectError(await scim.get(`/Users/${id}`), 404)
    expectError(await scim.request('DELETE', `/Users/${id}`), 404)
    expect((await scim.get(`/Users?filter=userName eq "${userName}"`)).body.totalResults).toBe(0)
    const again = await scim.makeUser(userName, { externalId: 'second', displayName: 'Nora Next' })
    expect(again).toMatchObject({ id, active: true, externalId: 'second', displayName: 'Nora Next' })
  })

  it('by DELETE is over when an administrator opens it again', async () => {
    const scim = await provider()
    const { id } = await scim.makeUser(newAddress())
    await scim.request('DELETE', `/Users/${id}`)
    expectSuccess(await realm.owner.api.post(`/users/${id}/reactivate`))
    expect((await scim.get(`/Users/${id}`)).body.active).toBe(true)
  })

  it('of which an administrator has deleted the profile cannot be undone, or seen', async () => {
    const scim = await provider()
    const { id } = await scim.makeUser(newAddress(), { externalId: 'gone' })
    const actions = {
      delete_profile: true,
      delete_public_channel_messages: false,
      delete_private_channel_messages: false,
      delete_direct_messages: false,
    }
    expectSuccess(await realm.owner.api.delete(`/users/${id}`, { actions }))
    expectError(await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true }), 404)
    expect((await scim.get('/Users?filter=externalId eq "gone"')).body.totalResults).toBe(0)
    const stored = await inRealm(realm, ({ parts: { sql } }) =>
      sql.first(`SELECT external_id, given_name FROM scim_user WHERE user_id = ?`, Number(id)),
    )
    expect(stored).toEqual({ external_id: null, given_name: null })
  })
})

describe('finding accounts', () => {
  it('lists people, guests and closed accounts too, and no bots', async () => {
    const scim = await provider()
    const bot = await createBot(ann, `Bot ${crypto.randomUUID()}`)
    const closed = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    const { body } = await scim.get('/Users?startIndex=1&count=500')
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: body.Resources.length,
      startIndex: 1,
      itemsPerPage: body.Resources.length,
    })
    const ids = body.Resources.map(({ id }: { id: string }) => Number(id))
    expect(ids).toEqual(expect.arrayContaining([realm.owner.id, ann.id, guest.id, closed.id]))
    expect(ids).not.toContain(bot.id)
    expectError(await scim.get(`/Users/${bot.id}`), 404)
    expectError(await scim.get('/Users/999999'), 404)
    expectError(await scim.get('/Users/x'), 404)
  })

  it('gives pages by startIndex and count, which have limits', async () => {
    const scim = await provider()
    const all = (await scim.get('/Users?count=500')).body.Resources.map(({ id }: { id: string }) => id)
    const page = async (query: string) => {
      const { body } = await scim.get(`/Users?${query}`)
      expect(body.totalResults).toBe(all.length)
      return body.Resources.map(({ id }: { id: string }) => id)
    }
    expect(await page('startIndex=2&count=2')).toEqual(all.slice(1, 3))
    expect(await page('startIndex=0&count=1')).toEqual(all.slice(0, 1))
    expect(await page('count=0')).toEqual([])
    expect(await page('count=-3')).toEqual([])
    expect(await page(`startIndex=${all.length + 1}`)).toEqual([])
    expect(await page('count=999999999')).toEqual(all)
    expectError(await scim.get('/Users?count=many'), 400, 'invalidValue')
  })

  it('by filters', async () => {
    const scim = await provider()
    const userName = newAddress()
    const { id } = await scim.makeUser(userName, {
      externalId: 'aBc',
      name: { familyName: 'Newman' },
      role: 'guest',
    })
    const found = async (filter: string) => {
      const { status, body } = await scim.get(`/Users?filter=${encodeURIComponent(filter)}`)
      expect(status).toBe(200)
      return body.Resources.some((one: { id: string }) => one.id === id)
    }
    const finding = [
      `userName eq "${userName}"`,
      `USERNAME EQ "${userName.toUpperCase()}"`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${userName}"`,
      `externalId eq "aBc" and active eq true`,
      `emails[type eq "work" and value eq "${userName}"]`,
      `emails[type eq "work"].value eq "${userName}"`,
      `emails.value eq "${userName}" or id eq "0"`,
      `id eq "${id}"`,
      `name.familyName sw "newm" and not (active eq false)`,
      `displayName co "ora" and role eq "guest"`,
      `meta.created gt "2020-01-01T00:00:00Z"`,
      `meta.created gt "2020-01-01" and meta.lastModified gt "2020-01-01T00:00"`,
      'externalId pr',
    ]
    for (const filter of finding) expect([filter, await found(filter)]).toEqual([filter, true])
    const others = [
      'externalId eq "abc"',
      `userName eq "${userName}" and active eq false`,
      'userName eq "nobody@example.com"',
      `id ne "${id}"`,
    ]
    for (const filter of others) expect([filter, await found(filter)]).toEqual([filter, false])
  })

  it('compares times as times, in any zone and precision', async () => {
    const scim = await provider()
    const { id, meta } = await scim.makeUser(newAddress())
    for (const name of ['created', 'lastModified'] as const) {
      const moment = Date.parse(meta[name])
      // As a text it comes after the same moment in UTC.
      const inTokyo = new Date(moment + 9 * 3_600_000).toISOString().replace('Z', '000+09:00')
      const later = new Date(moment + 8 * 3_600_000 + 1).toISOString().replace('Z', '+08:00')
      const found = async (operator: string, time: string) => {
        const filter = `id eq "${id}" and meta.${name} ${operator} "${time}"`
        return (await scim.get(`/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults === 1
      }
      for (const operator of ['eq', 'ge', 'le']) expect(await found(operator, inTokyo)).toBe(true)
      for (const operator of ['ne', 'gt', 'lt']) expect(await found(operator, inTokyo)).toBe(false)
      for (const operator of ['lt', 'le', 'ne']) expect(await found(operator, later)).toBe(true)
      for (const operator of ['gt', 'ge', 'eq']) expect(await found(operator, later)).toBe(false)
    }
  })

  it('takes twenty comparisons in a filter, and no more', async () => {
    const scim = await provider()
    const { id } = await scim.makeUser(newAddress())
    const filterOf = (terms: number) => `${'active eq false or '.repeat(terms - 1)}id eq "${id}"`
    const { body } = await scim.get(`/Users?filter=${encodeURIComponent(filterOf(20))}`)
    expect(body.Resources.map((one: { id: string }) => one.id)).toContain(id)
    for (const path of ['/Users', '/Groups']) {
      const filter =
        path === '/Users' ? filterOf(21) : filterOf(21).replaceAll('active eq false', 'id eq "0"')
      expectError(await scim.get(`${path}?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter')
    }
  })

  it.each([
    'meta.created gt "yesterday"',
    'meta.created sw "2026"',
    'meta.created gt "2026-13-01T00:00:00Z"',
    'meta.lastModified eq 1',
    'nickName eq "x"',
    'userName',
    'userName eq',
    'userName xx "a"',
    '((((',
    'userName eq "a" and',
    'name[formatted eq "x"]',
    '__proto__ eq "x"',
    `${'('.repeat(60)}userName eq "a"${')'.repeat(60)}`,
    `userName eq "${'x'.repeat(2_000)}"`,
  ])('refuses the filter %s', async (filter) => {
    const scim = await provider()
    expectError(await scim.get(`/Users?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter')
  })

  it('gives the attributes that are asked for', async () => {
    const scim = await provider()
    const { id, userName } = await scim.makeUser(newAddress(), { name: { familyName: 'New' } })
    const keys = async (query: string) => (await scim.get(`/Users/${id}?${query}`)).body
    expect(await keys('attributes=userName,name.familyName')).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id,
      userName,
      name: { familyName: 'New' },
    })
    const without = await keys('excludedAttributes=emails,meta,name.familyName,id')
    expect(without).toMatchObject({ id, name: { formatted: 'Nora New' } })
    expect(without).not.toHaveProperty('emails')
    expect(without).not.toHaveProperty('meta')
    expect(without.name).not.toHaveProperty('familyName')
  })
})

describe('what else is there', () => {
  it('describes itself', async () => {
    const scim = await provider()
    const config = await scim.get('/ServiceProviderConfig')
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 500 },
      etag: { supported: true },
    })
    const types = await scim.get('/ResourceTypes')
    expect(types.body.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      '/Users',
      '/Groups',
    ])
    expect((await scim.get('/ResourceTypes/User')).body.name).toBe('User')
    const { body } = await scim.get('/Schemas')
    for (const { id, meta } of body.Resources) {
      const one = await scim.get(`/Schemas/${id}`)
      expect([one.status, one.body.id, meta.location]).toEqual([
        200,
        id,
        `http://${realm.host}/scim/v2/Schemas/${id}`,
      ])
    }
  })

  it('answers HEAD as GET, and refuses other methods and paths', async () => {
    const scim = await provider()
    const head = await scim.request('HEAD', '/Users')
    expect([head.status, head.body]).toEqual([200, undefined])
    const put = await scim.request('PUT', '/Users', {})
    expectError(put, 405)
    expect(put.headers.get('Allow')).toBe('GET, HEAD, POST')
    for (const path of ['/Bulk', '/Me', '/Users/1/more', '/Schemas/x', '/'])
      expectError(await scim.get(path), 404)
  })

  it('refuses bodies that are too large, or no JSON', async () => {
    const scim = await provider()
    expectError(await scim.request('POST', '/Users', `{"a":"${'x'.repeat(1_100_000)}"}`), 413)
    for (const body of ['', '[]', '{', '"x"', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`]) {
      expectError(await scim.request('POST', '/Users', body), 400, 'invalidSyntax')
    }
  })

  it('counts requests, and says when to come again', async () => {
    const { realm: own } = await buildRealm()
    const scim = await connectProvider(own)
    world.limited = true
    await inRealm(own, ({ parts: { limiter } }) => {
      const now = Date.now() / 1_000 + world.clockOffset
      for (let n = 0; n < LIMIT; n += 1) {
        limiter.count('provisioning', '', [{ requests: LIMIT, seconds: 60 }], now)
      }
    })
    const refused = await scim.get('/Users')
    world.limited = false
    expectError(refused, 429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})
