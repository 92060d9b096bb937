import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { decryptedFor } from '../support/desktop-app.ts'
import { createBot, expectSuccess, type TestUser } from '../support/factories.ts'
import { type Person, standInForProvider } from '../support/identity-provider.ts'
import { changeRealm } from '../support/inside.ts'
import { readJson } from '../support/json.ts'
import { buildUnused, connectTo } from '../support/login-identities.ts'
import { down } from '../support/outages.ts'
import { mailsTo } from '../support/pages.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, owner } = useRealm()
const { realm: elsewhere, owner: stranger } = useRealm()
const provider = standInForProvider(realm)

let house: number
beforeAll(async () => {
  house = await provider.add(owner)
})

let people = 0
/** A person whom nobody here knows. */
function newPerson(more: Record<string, unknown> = {}): Person & { readonly email: string } {
  people += 1
  const email = `person-${people}@example.com`
  return { sub: `subject-${people}`, email, email_verified: true, name: `Person ${people}`, ...more }
}

const whoIs = async (browser: Browser) => expectSuccess(await browser.json('GET', '/users/me'))
const change = async (settings: object) =>
  expectSuccess(await owner.api.patch(`/login_providers/${house}`, settings as Record<string, boolean>))
const logOf = async (): Promise<{ action: string; details: Record<string, unknown> }[]> =>
  expectSuccess(await owner.api.get('/audit_log', { limit: 20 })).entries

describe('a user who comes from a provider', () => {
  it('is who the provider has verified the address of, and later who has the subject', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email.toUpperCase() })
    const first = await provider.logIn(person)
    expect([first.status, first.location]).toEqual([302, '/'])
    expect((await whoIs(first.browser)).user_id).toBe(user.id)
    // Addresses may be given to another person there; the subject is for good.
    const later = await provider.logIn({ sub: person.sub })
    expect((await whoIs(later.browser)).user_id).toBe(user.id)
    const taken = await provider.logIn({ ...newPerson(), email: user.email })
    expect([taken.status, taken.refusal]).toEqual([
      403,
      'This account is already connected to another one at The house. Use that one, or ask an administrator.',
    ])
  })

  it('is nobody by an address that is not verified, unless the owner trusts the provider', async () => {
    const user = await buildUnused(realm)
    for (const email_verified of [false, undefined, 'yes']) {
      const { status, refusal, browser } = await provider.logIn(
        newPerson({ email: user.email, email_verified }),
      )
      expect([status, refusal]).toEqual([
        403,
        'The house hasn’t verified your email address. Verify it there, and start again.',
      ])
      expect((await browser.json('GET', '/users/me')).status).toBe(401)
    }
    await change({ trusts_email: true })
    const trusted = await provider.logIn(newPerson({ email: user.email, email_verified: false }))
    expect((await whoIs(trusted.browser)).user_id).toBe(user.id)
    await change({ trusts_email: false })
  })

  it('is refused without an address, as a bot, or as another organization’s subject', async () => {
    const there = newPerson()
    await provider.add(stranger, 'house', { auto_signup: true })
    expect((await provider.logIn(there, { host: elsewhere.host })).status).toBe(302)
    const nobody = { ...there, email: undefined }
    expect((await provider.logIn(nobody)).refusal).toMatch(/^The house didn’t share your email address/)
    const bot = await createBot(owner, 'robot')
    const asBot = await provider.logIn(newPerson({ email: bot.email }))
    expect(asBot.refusal).toMatch(/^There’s no account here for/)
  })

  it('does not get an account whose address was never confirmed', async () => {
    const user = await buildUnused(realm)
    await changeRealm(realm, ({ sql }) => {
      sql.run(`UPDATE user SET is_email_confirmed = 0 WHERE id = ?`, user.id)
    })
    const { status, refusal } = await provider.logIn(newPerson({ email: user.email }))
    expect([status, refusal]).toEqual([403, expect.stringMatching(/the address hasn’t been confirmed/)])
  })

  it('is refused with a closed account, and in a closed organization', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    await provider.logIn(person)
    expectSuccess(await owner.api.delete(`/users/${user.id}`))
    const { status, refusal } = await provider.logIn(person)
    expect([status, refusal]).toEqual([
      403,
      'Your account is deactivated. Ask an administrator of this organization to reactivate it.',
    ])
    expect((await logOf())[0]).toMatchObject({
      action: 'login_failed',
      details: { provider_id: house, because: 'account_deactivated' },
    })
  })

  it('meets no provider that is off, or never was', async () => {
    await change({ is_enabled: false })
    const [off, never] = [
      await provider.logIn(newPerson()),
      await provider.logIn(newPerson(), { slug: 'never' }),
    ]
    expect([off.status, off.refusal]).toEqual([never.status, never.refusal])
    expect(off.status).toBe(404)
    await change({ is_enabled: true })
    const at = new Browser(realm.host)
    const sent = await at.ask('GET', '/accounts/login/social/house')
    await change({ is_enabled: false })
    const back = await at.ask('GET', provider.comeBack(sent.headers.get('location')!, newPerson()))
    expect(back.status).toBe(404)
    await change({ is_enabled: true })
  })

  it('gets in whatever the length of the parts of their name', async () => {
    const { email } = await buildUnused(realm)
    const part = 'n'.repeat(500)
    const long = newPerson({ email, name: undefined, given_name: part, family_name: part })
    expect((await provider.logIn(long)).status).toBe(302)
  })

  it('gets in by loading the page again, once the provider answers again', async () => {
    const at = new Browser(realm.host)
    const sent = await at.ask('GET', '/accounts/login/social/house')
    const { email } = await buildUnused(realm)
    const path = provider.comeBack(sent.headers.get('location')!, newPerson({ email }))
    provider.atToken = () => Promise.reject(new TypeError('no answer'))
    expect((await at.ask('GET', path)).status).toBe(503)
    provider.atToken = async () => {}
    expect((await at.ask('GET', path)).status).toBe(302)
    expect(at.cookies.has('login_flow')).toBe(false)
  })

  it('is told to come again while D1 is down, not that the log-in has expired', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    // No isolate has met this host.
    const at = new Browser(`new-${crypto.randomUUID()}.example.com`)
    at.cookies.set('login_flow', 'begun')
    world.d1 = down
    expect((await at.ask('GET', '/complete/house/?code=1&state=1')).status).toBe(503)
    expect(at.cookies.has('login_flow')).toBe(true)
  })

  it('stands in the audit log with what let them in', async () => {
    const user = await buildUnused(realm)
    await provider.logIn(newPerson({ email: user.email }))
    const [login, connected] = await logOf()
    expect(login).toMatchObject({
      action: 'login',
      actor_id: user.id,
      details: { user_id: user.id, method: 'provider', provider_id: house },
    })
    expect(connected).toMatchObject({ action: 'login_identity_connected', details: { user_id: user.id } })
  })
})

describe('a person without an account', () => {
  it('gets none by themself', async () => {
    const person = newPerson()
    const { status, refusal } = await provider.logIn(person)
    expect([status, refusal]).toEqual([
      403,
      `There’s no account here for ${person.email}. Ask an administrator for an invitation, or choose another account at The house.`,
    ])
  })

  it('joins with a fitting name if the owner admits everyone at the provider', async () => {
    await change({ auto_signup: true })
    const person = newPerson({ name: undefined, given_name: 'Zoë *', family_name: 'of <b>"Rome"</b>|12' })
    const { browser } = await provider.logIn(person)
    const own = await whoIs(browser)
    expect(own).toMatchObject({ delivery_email: person.email, full_name: 'Zoë  of <bRome</b 12', role: 400 })
    const nameless = newPerson({ name: '\u0000' })
    expect((await whoIs((await provider.logIn(nameless)).browser)).full_name).toBe(
      nameless.email.split('@')[0],
    )
    const entries = await logOf()
    expect(entries.map(({ action }) => action).slice(0, 3)).toEqual([
      'login',
      'login_identity_connected',
      'user_joined',
    ])
    await change({ auto_signup: false })
  })

  it('joins by that only with an address that the organization admits', async () => {
    const strict = await buildRealm()
    await provider.add(strict.owner, 'house', { auto_signup: true })
    expectSuccess(
      await strict.owner.api.post('/realm/domains', { domain: 'corp.example', allow_subdomains: false }),
    )
    expectSuccess(await strict.owner.api.patch('/realm', { emails_restricted_to_domains: true }))
    const { host } = strict.realm
    const outside = await provider.logIn(newPerson(), { host })
    expect([outside.status, outside.refusal]).toEqual([
      403,
      expect.stringMatching(/^This organization doesn’t allow/),
    ])
    expect((await provider.logIn(newPerson({ email: 'zoe@corp.example' }), { host })).status).toBe(302)
  })

  it('joins with the link of an invitation, and what that promises', async () => {
    const { invite_link } = expectSuccess(
      await owner.api.post('/invites/multiuse', {
        stream_ids: [],
        invite_as: 600,
        invite_expires_in_minutes: null,
      }),
    )
    const query = `?multiuse_object_key=${/join\/(\w+)/.exec(invite_link)![1]}`
    const { browser } = await provider.logIn(newPerson(), { query })
    expect((await whoIs(browser)).role).toBe(600)
    const wrong = await provider.logIn(newPerson(), { query: `?multiuse_object_key=${'0'.repeat(32)}` })
    expect(wrong.status).toBe(403)
  })

  it('joins by an invitation that was mailed to the address', async () => {
    const person = newPerson()
    const invited = { invitee_emails: person.email, stream_ids: [], invite_as: 300 }
    expectSuccess(await owner.api.post('/invites', invited))
    expect((await whoIs((await provider.logIn(person)).browser)).role).toBe(300)
  })
})

describe('claims of a provider', () => {
  const guided = useRealm({ ann: 'member' })
  let group: number
  beforeAll(async () => {
    const made = { name: 'Editors', description: '', members: [] }
    await changeRealm(guided.realm, ({ sql }) => sql.run(`UPDATE user SET awaits_login = 1`))
    group = expectSuccess(await guided.owner.api.post('/user_groups/create', made)).group_id
  })

  const memberIds = async (): Promise<number[]> =>
    expectSuccess(await guided.owner.api.get(`/user_groups/${group}/members`)).members

  it('give roles and groups and take them away, with the events of a change', async () => {
    const settings = {
      groups_claim: 'groups',
      group_map: { editors: group },
      role_claim: 'realm_access.roles',
      role_map: { admins: 200, crew: 400 },
    }
    await provider.add(guided.owner, 'house', settings)
    const queue = expectSuccess(
      await guided.owner.api.post('/register', { event_types: ['realm_user', 'user_group'] }),
    )
    const logIn = (groups: unknown, roles: unknown) =>
      provider.logIn(newPerson({ sub: 'ann', email: guided.ann.email, groups, realm_access: { roles } }), {
        host: guided.realm.host,
      })
    const { browser } = await logIn(['editors', 'unknown', 7], ['crew', 'admins', 'owners'])
    expect((await whoIs(browser)).role).toBe(200)
    expect(await memberIds()).toEqual([guided.ann.id])
    const poll = { queue_id: queue.queue_id, last_event_id: -1, dont_block: true }
    const { events } = expectSuccess(await guided.owner.api.get('/events', poll))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'realm_user',
        op: 'update',
        person: { user_id: guided.ann.id, role: 200 },
      }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({ op: 'add_members', group_id: group, user_ids: [guided.ann.id] }),
    )
    await logIn([], [])
    expect((await whoIs(browser)).role).toBe(400)
    expect(await memberIds()).toEqual([])
  })

  it('make no one an owner without a mapped value, and demote no owner', async () => {
    const sub = { sub: 'owner', email: guided.owner.email, realm_access: { roles: ['crew'] } }
    const { browser } = await provider.logIn(newPerson(sub), { host: guided.realm.host })
    // The only owner stays one.
    expect((await whoIs(browser)).role).toBe(100)
  })

  it('of more roles than a token has room for change none', async () => {
    const { id } = guided.ann
    const claims = expectSuccess(await guided.owner.api.get('/login_providers')).login_providers[0]
    const byGroups = { role_claim: 'groups', role_map: { admins: 200 } }
    expectSuccess(await guided.owner.api.patch(`/login_providers/${claims.id}`, byGroups))
    const role = async () => expectSuccess(await guided.owner.api.get(`/users/${id}`)).user.role
    await provider.logIn({ sub: 'ann', groups: ['admins'] }, { host: guided.realm.host })
    expect(await role()).toBe(200)
    await provider.logIn({ sub: 'ann', _claim_names: { groups: 'src1' } }, { host: guided.realm.host })
    expect(await role()).toBe(200)
    await provider.logIn({ sub: 'ann', groups: [] }, { host: guided.realm.host })
    expect(await role()).toBe(400)
  })

  it('of more groups than a token has room for change none', async () => {
    expectSuccess(await guided.owner.api.post(`/user_groups/${group}/members`, { add: [guided.ann.id] }))
    const overflow = { _claim_names: { groups: 'src1' } }
    await provider.logIn({ sub: 'ann', ...overflow }, { host: guided.realm.host })
    expect(await memberIds()).toEqual([guided.ann.id])
  })
})

describe('a user who is logged in', () => {
  const begin = (browser: Browser, purpose: string, headers?: Record<string, string>, slug = 'house') => {
    const token = browser.cookies.get('csrftoken') ?? ''
    return browser.ask('POST', `/accounts/login/social/${slug}`, {
      body: new URLSearchParams({ purpose, next: '/#settings' }),
      headers: headers ?? { 'X-CSRFToken': token },
    })
  }
  const loggedIn = async (user: TestUser) => {
    const browser = new Browser(realm.host)
    await browser.logIn(user.email, 'a fine password')
    return browser
  }

  it('connects another address at the provider, which is a way in from then on', async () => {
    const user = await buildUnused(realm)
    const browser = await loggedIn(user)
    const { url } = await readJson<{ url: string }>(await begin(browser, 'connect'))
    const person = newPerson({ email_verified: false })
    const back = await browser.ask('GET', provider.comeBack(url, person))
    expect([back.status, back.headers.get('location')]).toEqual([302, '/#settings'])
    expect((await whoIs((await provider.logIn(person)).browser)).user_id).toBe(user.id)
    const second = await readJson<{ url: string }>(await begin(browser, 'connect'))
    const refused = await browser.ask('GET', provider.comeBack(second.url, newPerson()))
    expect(refused.status).toBe(403)
  })

  it('connects an account only with a proof, at the beginning and the end', async () => {
    const user = await buildUnused(realm)
    const browser = await loggedIn(user)
    const { url } = await readJson<{ url: string }>(await begin(browser, 'connect'))
    world.clockOffset += 15 * 60 + 1
    const again = await begin(browser, 'connect')
    expect([again.status, (await readJson<{ code: string }>(again)).code]).toEqual([
      403,
      'REAUTHENTICATION_REQUIRED',
    ])
    const person = newPerson()
    expect((await browser.ask('GET', provider.comeBack(url, person))).status).toBe(403)
    expect((await provider.logIn(person)).refusal).toMatch(/^There’s no account here for/)
    expectSuccess(await browser.json('POST', '/reauthentication', { password: 'a fine password' }))
    expect((await begin(browser, 'connect')).status).toBe(200)
    world.clockOffset = 0
  })

  it('gets a mail of what their account was connected with', async () => {
    const user = await buildUnused(realm)
    const browser = await loggedIn(user)
    const { url } = await readJson<{ url: string }>(await begin(browser, 'connect'))
    await browser.ask('GET', provider.comeBack(url, newPerson()))
    const subjects = (await mailsTo(realm.host, user.email)).map(({ subject }) => subject)
    expect(subjects).toContainEqual(expect.stringContaining('New way to log in'))
  })

  it('cannot take what belongs to another user, nor be made to', async () => {
    const [user, other] = [await buildUnused(realm), await buildUnused(realm)]
    const theirs = newPerson({ email: other.email })
    await provider.logIn(theirs)
    const browser = await loggedIn(user)
    const { url } = await readJson<{ url: string }>(await begin(browser, 'connect'))
    expect((await browser.ask('GET', provider.comeBack(url, theirs))).status).toBe(403)
    expect((await begin(browser, 'connect', {})).status).toBe(403)
    expect((await begin(new Browser(realm.host), 'connect')).status).toBe(401)
  })

  it('comes back to the session that has begun it, and to no other', async () => {
    const browser = await loggedIn(await buildUnused(realm))
    const { url } = await readJson<{ url: string }>(await begin(browser, 'connect'))
    const other = await loggedIn(await buildUnused(realm))
    other.cookies.set('login_flow', browser.cookies.get('login_flow')!)
    expect((await other.ask('GET', provider.comeBack(url, newPerson()))).status).toBe(400)
  })

  it('proves again who they are only by logging in at the provider just now', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    const { browser } = await provider.logIn(person)
    await changeRealm(realm, ({ sql }) => {
      sql.run(`UPDATE browser_session SET proved_at = 7 WHERE user_id = ?`, user.id)
    })
    const provedAt = () =>
      changeRealm(realm, ({ sql }) =>
        sql.first<{ at: number }>(`SELECT proved_at AS at FROM browser_session WHERE user_id = ?`, user.id),
      )
    const prove = async (claims: Person) => {
      const { url } = await readJson<{ url: string }>(await begin(browser, 'prove'))
      const asked = new URL(url).searchParams
      expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0'])
      return (await browser.ask('GET', provider.comeBack(url, claims))).status
    }
    const now = Math.floor(Date.now() / 1_000)
    for (const auth_time of [now - 600, 0, 'now', null]) {
      expect(await prove({ ...person, auth_time })).toBe(400)
    }
    expect(await prove({ ...newPerson(), auth_time: now })).toBe(403)
    expect((await provedAt())?.at).toBe(7)
    expect(await prove({ ...person, auth_time: now })).toBe(302)
    expect((await provedAt())?.at).toBeGreaterThan(7)
    expect((await logOf())[0]).toMatchObject({
      action: 'identity_proved',
      details: { user_id: user.id, provider_id: house },
    })
  })

  it('does not prove it if the provider does not say when it happened', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    const { browser } = await provider.logIn(person)
    world.clockOffset += 15 * 60 + 1
    const asked = async () => expectSuccess(await browser.json('GET', '/reauthentication'))
    expect(await asked()).toMatchObject({
      proved_until: null,
      providers: [{ slug: 'house', display_name: 'The house' }],
    })
    const { url } = await readJson<{ url: string }>(await begin(browser, 'prove'))
    const back = await browser.ask('GET', provider.comeBack(url, person))
    expect(back.status).toBe(400)
    expect((await asked()).proved_until).toBeNull()
    world.clockOffset = 0
  })

  it('has proved by a log-in no more than what the provider says of theirs there', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    const now = Math.floor(Date.now() / 1_000)
    const proved = async (auth_time: number) => {
      const { browser } = await provider.logIn({ ...person, auth_time })
      return expectSuccess(await browser.json('GET', '/reauthentication')).proved_until as number | null
    }
    expect(await proved(now - 3_600)).toBeNull()
    expect(await proved(now - 300)).toBeLessThan(now + 15 * 60 - 200)
    expect(await proved(now + 3_600)).toBeLessThan(now + 16 * 60)
  })

  it('has proved nothing by a log-in of unknown age beside another way', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    const proved = async () => {
      const { browser } = await provider.logIn(person)
      return expectSuccess(await browser.json('GET', '/reauthentication')).proved_until as number | null
    }
    expect(await proved()).toBeNull()
    await changeRealm(realm, ({ sql }) => {
      sql.run(`UPDATE user SET password_hash = NULL WHERE id = ?`, user.id)
    })
    expect(await proved()).toBeGreaterThan(Date.now() / 1_000)
  })

  it('is asked for the time of the log-in there', async () => {
    const sent = await new Browser(realm.host).ask('GET', '/accounts/login/social/house')
    const asked = new URL(sent.headers.get('location')!).searchParams
    expect([asked.get('max_age'), asked.get('prompt')]).toEqual([String(365 * 86_400), null])
  })

  it('is logged out in the session in which they have proved it', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email, auth_time: Math.floor(Date.now() / 1_000) })
    const { browser } = await provider.logIn({ ...person, sid: 'first' })
    const { url } = await readJson<{ url: string }>(await begin(browser, 'prove'))
    const back = await browser.ask('GET', provider.comeBack(url, { ...person, sid: 'second' }))
    expect(back.status).toBe(302)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const claims = { events, jti: 'of the second', sid: 'second' }
    const body = new URLSearchParams({ logout_token: await provider.sign(claims, { typ: 'logout+jwt' }) })
    const posted = await new Browser(realm.host).ask('POST', '/accounts/logout/backchannel/house', { body })
    expect(posted.status).toBe(200)
    expect((await browser.json('GET', '/users/me')).status).toBe(401)
  })

  it('is refused if the provider’s settings change meanwhile', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    const other = { issuer: 'https://other.example.com', client_secret: 'another secret' }
    const id = await provider.add(owner, 'moving', { client_secret: 'a secret' })
    provider.atToken = async () => {
      expectSuccess(await owner.api.patch(`/login_providers/${id}`, other))
    }
    const { status, browser } = await provider.logIn(person, { slug: 'moving' })
    expect(status).toBe(404)
    expect((await browser.json('GET', '/users/me')).status).toBe(401)
    expectSuccess(await owner.api.delete(`/login_providers/${id}`))
  })

  it('is asked to prove it by a provider that asks again: not by GitHub', async () => {
    const github = { preset: 'github', client_secret: 'a secret', issuer: provider.issuer() }
    const id = await provider.add(owner, 'hub', github)
    const user = await buildUnused(realm)
    await connectTo(realm, id, user)
    const browser = await loggedIn(user)
    expect(expectSuccess(await browser.json('GET', '/reauthentication')).providers).toEqual([])
    expect((await begin(browser, 'prove', undefined, 'hub')).status).toBe(400)
    expectSuccess(await owner.api.delete(`/login_providers/${id}`))
  })
})

describe('GitHub', () => {
  it('says who a user is by its API, with the address to which it writes', async () => {
    const github = { preset: 'github', client_secret: 'a secret' }
    await provider.add(owner, 'github', github)
    const user = await buildUnused(realm)
    const emails = [
      { email: 'other@example.com', primary: false, verified: true },
      { email: user.email, primary: true, verified: true },
    ]
    const { browser } = await provider.logIn({ sub: '77', login: 'ann', emails }, { slug: 'github' })
    expect((await whoIs(browser)).user_id).toBe(user.id)
    const unverified = [{ email: user.email, primary: true, verified: false }]
    const { refusal } = await provider.logIn(
      { sub: '78', login: 'eve', emails: unverified },
      { slug: 'github' },
    )
    expect(refusal).toMatch(/^The house didn’t share your email address/)
  })

  it('lets in with a callback that names it or nobody, not one of another server', async () => {
    const { email } = await buildUnused(realm)
    const emails = [{ email, primary: true, verified: true }]
    const statusWith = async (iss: string | undefined) => {
      const browser = new Browser(realm.host)
      const sent = await browser.ask('GET', '/accounts/login/social/github')
      const back = new URL(
        provider.comeBack(sent.headers.get('location')!, { sub: '79', login: 'cy', emails }),
        `http://${realm.host}`,
      )
      if (iss === undefined) back.searchParams.delete('iss')
      else back.searchParams.set('iss', iss)
      return (await browser.ask('GET', `${back.pathname}${back.search}`)).status
    }
    expect(await statusWith(`${provider.issuer()}/login/oauth`)).toBe(302)
    expect(await statusWith(undefined)).toBe(302)
    expect(await statusWith(provider.issuer())).toBe(400)
    expect(await statusWith('https://github.com/login/oauth')).toBe(400)
  })
})

describe('a provider in the private network', () => {
  it('is asked by no server that is not told to', async () => {
    const settings = { issuer: 'http://127.0.0.1:9999' }
    world.settings = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1:9999' }
    const private_ = await buildRealm()
    await provider.add(private_.owner, 'house', settings)
    world.settings = {}
    const { status } = await provider.logIn(newPerson(), { host: private_.realm.host })
    expect(status).toBe(400)
    expect(provider.asked).toEqual([])
  })
})

describe('a log-out at the provider', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  let tokens = 0
  const post = async (claims: object, slug = 'house', header = {}) => {
    tokens += 1
    const logout_token = await provider.sign({ jti: `jti-${tokens}`, events: EVENTS, ...claims }, header)
    return { logout_token, status: await send(logout_token, slug) }
  }
  const send = async (logout_token: string, slug = 'house') => {
    const body = new URLSearchParams({ logout_token })
    return (await new Browser(realm.host).ask('POST', `/accounts/logout/backchannel/${slug}`, { body }))
      .status
  }
  const isIn = async (browser: Browser) => (await browser.json('GET', '/users/me')).status === 200
  const hasKey = async ({ api }: TestUser) => (await api.get('/users/me')).status === 200

  it('of one session ends its browsers, and the key that an app got in it', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    const [one, two] = [
      await provider.logIn({ ...person, sid: 'one' }),
      await provider.logIn({ ...person, sid: 'two' }),
    ]
    expect((await post({ sub: person.sub, sid: 'one' })).status).toBe(200)
    expect([await isIn(one.browser), await isIn(two.browser), await hasKey(user)]).toEqual([
      false,
      true,
      true,
    ])
    await provider.logIn({ ...person, sid: 'three' }, { query: `?mobile_flow_otp=${'ab'.repeat(32)}` })
    expect((await post({ sid: 'three' })).status).toBe(200)
    expect([await isIn(two.browser), await hasKey(user)]).toEqual([true, false])
  })

  it('of one session ends what the desktop app would begin in it', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    const key = 'ab'.repeat(32)
    const ticketOf = async (sid: string) => {
      const browser = new Browser(realm.host)
      const query = `?desktop_flow_otp=${key}`
      const sent = await browser.ask('GET', `/accounts/login/social/house${query}`)
      const path = provider.comeBack(sent.headers.get('location')!, { ...person, sid })
      return decryptedFor(key, await (await browser.ask('GET', path)).text())
    }
    const enter = async (ticket: string) => {
      const app = new Browser(realm.host)
      const headers = { 'User-Agent': 'ZulipElectron/5.12.0' }
      await app.ask('GET', '/accounts/login/social/house', { headers })
      return (await app.ask('GET', `/accounts/login/subdomain/${ticket}`)).status
    }
    const [ended, other] = [await ticketOf('one'), await ticketOf('two')]
    expect((await post({ sub: person.sub, sid: 'one' })).status).toBe(200)
    expect([await enter(ended), await enter(other)]).toEqual([400, 302])
    const last = await ticketOf('three')
    expect((await post({ sub: person.sub })).status).toBe(200)
    expect(await enter(last)).toBe(400)
  })

  it('of an account ends sessions, key and queues, once', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    const { browser } = await provider.logIn(person)
    const { queue_id } = expectSuccess(await user.api.post('/register'))
    const { logout_token, status } = await post({ sub: person.sub })
    expect([status, await isIn(browser), await hasKey(user)]).toEqual([200, false, false])
    const again = await provider.logIn(person)
    const poll = { queue_id, last_event_id: -1, dont_block: true }
    expect((await again.browser.json('GET', '/events', poll)).body.code).toBe('BAD_EVENT_QUEUE_ID')
    expect([await send(logout_token), await isIn(again.browser)]).toEqual([200, true])
    const entry = (await logOf()).find(({ action }) => action === 'logged_out')
    expect(entry?.details).toEqual({ provider_id: house, user_ids: [user.id] })
  })

  it('is believed only with a token that is for that', async () => {
    const user = await buildUnused(realm)
    const person = newPerson({ email: user.email })
    const { browser } = await provider.logIn({ ...person, sid: 'mine' })
    const about = { sub: person.sub, sid: 'mine' }
    const wrong = [
      { ...about, events: undefined },
      { ...about, events: { other: {} } },
      { ...about, nonce: 'x' },
      { ...about, aud: 'another' },
      { ...about, iss: 'https://another.example.com' },
      { ...about, jti: undefined },
      { ...about, iat: Math.floor(Date.now() / 1_000) - 3_600 },
      { ...about, exp: Math.floor(Date.now() / 1_000) - 3_600 },
      {},
    ]
    for (const claims of wrong) expect((await post(claims)).status).toBe(400)
    expect((await post(about, 'house', { kid: 'two' })).status).toBe(400)
    expect([await send('no token'), await send(''), (await post(about, 'never')).status]).toEqual([
      400, 400, 400,
    ])
    expect(await isIn(browser)).toBe(true)
  })
})

describe('the log-ins of one network', () => {
  const at = (ip: string, more: HeadersInit = {}) => ({
    headers: { 'CF-Connecting-IP': ip, ...more },
  })

  it('that come to nothing keep others of it from providers, and from nothing else', async () => {
    const callback = (ip: string, isBegun = true) => {
      const browser = new Browser(realm.host)
      if (isBegun) browser.cookies.set('login_flow', 'begun')
      return browser.ask('GET', '/complete/house/?code=1&state=1', at(ip))
    }
    for (let tried = 0; tried < 300; tried += 1) await callback('192.0.2.77')
    expect((await callback('192.0.2.77')).status).toBe(429)
    expect((await callback('192.0.2.78')).status).toBe(400)
    expect((await new Browser(realm.host).ask('GET', '/accounts/login/', at('192.0.2.77'))).status).toBe(200)
    // A page of another site can make its readers ask for it, without having begun anything.
    for (let tried = 0; tried < 300; tried += 1) await callback('192.0.2.79', false)
    expect((await callback('192.0.2.79')).status).toBe(400)
  })

  it('are not used up by pages of other sites', async () => {
    const browser = new Browser(realm.host)
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site' }
    const begin = async (more: HeadersInit) =>
      (await browser.ask('GET', '/accounts/login/social/house', at('192.0.2.80', more))).status
    for (let tried = 0; tried < 1_000; tried += 1) await begin(elsewhere)
    expect([await begin(elsewhere), await begin({})]).toEqual([429, 302])
    const posted = async (more: HeadersInit) => {
      const body = new URLSearchParams({ logout_token: 'none' })
      const init = { ...at('192.0.2.81', more), body }
      return (await browser.ask('POST', '/accounts/logout/backchannel/house', init)).status
    }
    for (let tried = 0; tried < 300; tried += 1) await posted(elsewhere)
    expect([await posted(elsewhere), await posted({})]).toEqual([429, 400])
    for (let tried = 0; tried < 299; tried += 1) await posted({})
    expect(await posted({})).toBe(429)
  })
})
