import { describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { ApiClient } from '../../support/api.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { joinByLink } from '../../support/joining.ts'
import { mailedLink, mailsTo, type Page, postForm, visit } from '../../support/pages.ts'
import { openQueue } from '../../support/queues.ts'
import { turnRealmSettings } from '../../support/realm-settings.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, owner, ann } = useRealm({ ann: 'member' })
const PASSWORD = 'a very fine password'
let made = 0

function newMember() {
  made += 1
  return { email: `new-member-${made}@example.com`, full_name: `Newcomer ${made}`, password: PASSWORD }
}

/** An address from which nothing was asked before. */
function newIp(): string {
  made += 1
  return `198.51.100.${made}`
}

async function linkOf(inviter: TestUser, terms: Record<string, number> = {}): Promise<string> {
  return expectSuccess(await inviter.api.post('/invites/multiuse', { stream_ids: [], ...terms })).invite_link
}

async function accountOf({ owner }: TestRealm, email: string) {
  const { members } = expectSuccess(await owner.api.get('/users', { client_gravatar: false }))
  return members.find((user: { delivery_email: string }) => user.delivery_email === email)
}

const subjectsTo = async ({ host }: TestRealm, email: string) =>
  (await mailsTo(host, email)).map(({ subject }) => subject)

const isLoggedIn = ({ headers }: Page) => headers.has('set-cookie')

describe('an invitation link', () => {
  it('makes no account for a typed address, whatever else the form has', async () => {
    const account = newMember()
    const link = await linkOf(owner)
    const asked = await postForm(link, account, newIp())
    expect([asked.status, isLoggedIn(asked)]).toEqual([200, false])
    expect(asked.text).toContain(`We sent an email to ${account.email}.`)
    expect(await accountOf(realm, account.email)).toBeUndefined()
    expect(await subjectsTo(realm, account.email)).toEqual([expect.stringMatching(/^Join /)])
  })

  it('asks only for the address; the mailed link has the rest of the form', async () => {
    const account = newMember()
    const link = await linkOf(owner)
    const door = await visit(link)
    expect([door.text.includes('name="email"'), door.text.includes('name="password"')]).toEqual([true, false])
    await postForm(link, { email: account.email }, newIp())
    const form = await visit(await mailedLink(realm.host, account.email))
    expect(form.text).toContain(`value="${account.email}"`)
    expect(form.text).toContain('name="password"')
  })

  it('makes the account of the mailed address, even if the form names another one', async () => {
    const [account, other] = [newMember(), newMember()]
    await postForm(await linkOf(owner, { invite_as: 600 }), { email: account.email }, newIp())
    const mailed = await mailedLink(realm.host, account.email)
    expect((await postForm(mailed, { ...account, email: other.email })).status).toBe(200)
    expect(await accountOf(realm, account.email)).toMatchObject({ role: 600, full_name: account.full_name })
    expect(await accountOf(realm, other.email)).toBeUndefined()
    expect((await postForm(mailed, account)).status).toBe(404)
  })

  it('ends invitations of others to the address only when the mailed link is used', async () => {
    const account = newMember()
    expectSuccess(await ann.api.post('/invites', { invitee_emails: account.email, stream_ids: [] }))
    const isOpen = async () =>
      expectSuccess(await ann.api.get('/invites')).invites.some(
        (one: { email?: string }) => one.email === account.email,
      )
    await postForm(await linkOf(owner), account, newIp())
    expect(await isOpen()).toBe(true)
    const queue = await openQueue(ann)
    expect((await postForm(await mailedLink(realm.host, account.email), account)).status).toBe(200)
    expect(await isOpen()).toBe(false)
    expect(await queue.eventsOf('invites_changed')).toHaveLength(1)
  })

  it('sends five mails a day to one address, and five hundred for one network', async () => {
    const link = await linkOf(owner)
    const { email } = newMember()
    const toOne = []
    for (let at = 0; at < 7; at += 1) toOne.push((await postForm(link, { email }, newIp())).status)
    expect(toOne).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await mailsTo(realm.host, email)).toHaveLength(5)
    const ip = newIp()
    await joinBefore(realm, ip, 499)
    expect((await postForm(link, newMember(), ip)).status).toBe(200)
    const refused = newMember()
    expect((await postForm(link, refused, ip)).status).toBe(429)
    expect(await mailsTo(realm.host, refused.email)).toHaveLength(0)
  })

  it('requested twice mails the same link, so that nobody can end another’s', async () => {
    const { email } = newMember()
    const link = await linkOf(owner)
    await postForm(link, { email }, newIp())
    const first = await mailedLink(realm.host, email)
    await postForm(link, { email: email.toUpperCase() }, newIp())
    expect(await mailedLink(realm.host, email.toUpperCase())).toBe(first)
  })

  it('does not tell which addresses have accounts: their owners get a mail that says so', async () => {
    const link = await linkOf(owner)
    const { email } = newMember()
    const [known, unknown] = [
      await postForm(link, { email: ann.email }, newIp()),
      await postForm(link, { email }, newIp()),
    ]
    expect(known.status).toBe(200)
    expect(known.text.replaceAll(ann.email, email)).toBe(unknown.text)
    const [mail] = await mailsTo(realm.host, ann.email)
    expect(mail!.body).toContain('You already have an account')
    expect(mail!.body).not.toContain('/join/')
  })

  it('mails no address outside the organization’s domains', async () => {
    const { realm: closed } = await buildRealm({}, { settings: { emails_restricted_to_domains: true } })
    expectSuccess(
      await closed.owner.api.post('/realm/domains', { domain: 'acme.test', allow_subdomains: false }),
    )
    const link = await linkOf(closed.owner)
    const refused = await postForm(link, { email: 'eve@example.com' }, newIp())
    expect([refused.status, await mailsTo(closed.host, 'eve@example.com')]).toEqual([400, []])
    const account = { ...newMember(), email: 'amy@acme.test' }
    expect((await joinByLink(closed.host, link, account, newIp())).status).toBe(200)
  })

  it('that is revoked ends the links mailed for it; each ends after a day', async () => {
    const [early, late] = [newMember(), newMember()]
    const link = await linkOf(owner)
    await postForm(link, { email: early.email }, newIp())
    await postForm(link, { email: late.email }, newIp())
    world.clockOffset = 86_500
    expect((await postForm(await mailedLink(realm.host, early.email), early)).status).toBe(404)
    world.clockOffset = 0
    const { invites } = expectSuccess(await owner.api.get('/invites'))
    const { id } = invites.find((one: { link_url?: string }) => one.link_url === link)
    expectSuccess(await owner.api.delete(`/invites/multiuse/${id}`))
    expect((await postForm(await mailedLink(realm.host, late.email), late)).status).toBe(404)
  })
})

describe('where no mail can be sent, an account by an invitation link', () => {
  /** An organization without a mail service, with an account that has joined by a link. */
  async function buildUnmailed() {
    const { realm, ann } = await buildRealm({ ann: 'member' })
    const account = newMember()
    expectSuccess(await ann.api.post('/invites', { invitee_emails: account.email, stream_ids: [] }))
    world.sendsMail = false
    const link = await linkOf(realm.owner)
    const joined = await postForm(link, account, newIp())
    const { api_key } = expectSuccess(
      await realm.anonymous.post('/fetch_api_key', { username: account.email, password: PASSWORD }),
    )
    const api = new ApiClient({ host: realm.host, realmId: realm.id, email: account.email, apiKey: api_key })
    return { realm, ann, account, link, joined, api }
  }

  const register = async ({ api }: Awaited<ReturnType<typeof buildUnmailed>>) =>
    expectSuccess(await api.post('/register', { fetch_event_types: ['realm_user'] }))

  it('is made at once, with the whole form, and without a mail', async () => {
    const { realm, link, account, joined } = await buildUnmailed()
    expect((await visit(link)).text).toContain('name="password"')
    expect(joined.status).toBe(200)
    expect(await subjectsTo(realm, account.email)).toEqual([expect.stringContaining('has invited you')])
  })

  it('shows no picture of another service, even if everybody sees the address', async () => {
    const unmailed = await buildUnmailed()
    const { realm, account } = unmailed
    const picture = '/static/images/unconfirmed.png?version=1'
    expect((await accountOf(realm, account.email)).avatar_url).toBe(picture)
    expectSuccess(await unmailed.api.patch('/settings', { email_address_visibility: 1 }))
    const { user } = expectSuccess(
      await realm.owner.api.get(`/users/${account.email}`, { client_gravatar: true }),
    )
    expect(user.avatar_url).toBe(picture)
    const { headers } = await visit(`http://${realm.host}${picture}`)
    expect(headers.get('content-type')).toBe('image/png')
  })

  it('ends no invitation to the address', async () => {
    const { ann, account } = await buildUnmailed()
    const { invites } = expectSuccess(await ann.api.get('/invites'))
    expect(invites.map((one: { email?: string }) => one.email)).toEqual([account.email])
  })

  it('is not made where nobody logs in with a password', async () => {
    const { realm: closed } = await buildRealm()
    world.sendsMail = false
    const link = await linkOf(closed.owner)
    const methods = { Email: false, 'OpenID Connect': true, GitHub: true, RemoteUser: true }
    await turnRealmSettings(closed, { authentication_methods: methods })
    const account = newMember()
    expect((await postForm(link, account, newIp())).status).toBe(400)
    expect(await accountOf(closed, account.email)).toBeUndefined()
  })

  it('is not made where addresses are restricted to domains', async () => {
    const { realm: closed } = await buildRealm({}, { settings: { emails_restricted_to_domains: true } })
    expectSuccess(
      await closed.owner.api.post('/realm/domains', { domain: 'acme.test', allow_subdomains: false }),
    )
    world.sendsMail = false
    const account = { ...newMember(), email: 'amy@acme.test' }
    const refused = await postForm(await linkOf(closed.owner), account, newIp())
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('this server can’t send email to confirm one.')
    expect(await accountOf(closed, account.email)).toBeUndefined()
  })

  it('gets no mail before its address is confirmed, once mail can be sent', async () => {
    const unmailed = await buildUnmailed()
    const { realm, ann, account, api } = unmailed
    expect(await register(unmailed)).toMatchObject({
      delivery_email_unconfirmed: false,
      server_sends_mail: false,
    })
    world.sendsMail = true
    expect(await register(unmailed)).toMatchObject({
      delivery_email_unconfirmed: true,
      server_sends_mail: true,
    })
    expectSuccess(await api.patch('/settings', { old_password: PASSWORD, new_password: `${PASSWORD}!` }))
    expectSuccess(
      await realm.anonymous.post('/fetch_api_key', { username: account.email, password: `${PASSWORD}!` }),
    )
    expect(await subjectsTo(realm, account.email)).toEqual([expect.stringContaining('has invited you')])
    await runAlarms(realm, 1, 3_700)
    expect(await subjectsTo(realm, account.email)).toEqual([
      expect.stringMatching(/^Confirm your address in /),
      expect.stringContaining('has invited you'),
    ])
    const queue = await openQueue(ann)
    const link = await mailedLink(realm.host, account.email)
    const page = await visit(link)
    expect(page.text).toContain(account.full_name)
    expect((await accountOf(realm, account.email)).avatar_url).toContain('/unconfirmed.png')
    expect((await postForm(link, {})).text).toContain('is confirmed')
    expect((await accountOf(realm, account.email)).avatar_url).toContain('gravatar')
    expect((await register(unmailed)).delivery_email_unconfirmed).toBe(false)
    const events = await queue.events()
    expect(events.map(({ type, op }) => [type, op])).toEqual([
      ['realm_user', 'update'],
      ['invites_changed', undefined],
    ])
    expect(expectSuccess(await ann.api.get('/invites')).invites).toEqual([])
  })

  it('can ask for the mail that confirms it, by its own address', async () => {
    const { realm, account, api } = await buildUnmailed()
    const ask = () => api.patch('/settings', { email: account.email })
    expectSuccess(await ask())
    expect(await mailsTo(realm.host, account.email)).toHaveLength(1)
    world.sendsMail = true
    expectSuccess(await ask())
    expect((await subjectsTo(realm, account.email))[0]).toMatch(/^Confirm your address in /)
    expectSuccess(await ask())
    expect((await ask()).body.msg).toMatch(/^You're making too many attempts!/)
  })

  it('belongs to whoever sets a password by a mail to the address', async () => {
    const { realm, account, api } = await buildUnmailed()
    const reset = `http://${realm.host}/accounts/password/reset/`
    await postForm(reset, { email: account.email }, newIp())
    expect(await mailsTo(realm.host, account.email)).toHaveLength(1)
    world.sendsMail = true
    await postForm(reset, { email: account.email }, newIp())
    await postForm(await mailedLink(realm.host, account.email), { password: 'that of the owner' })
    expect((await api.get('/users/me')).status).toBe(401)
    expect((await accountOf(realm, account.email)).avatar_url).toContain('gravatar')
  })

  it('is one of five hundred a day for one network', async () => {
    const { realm } = await buildRealm()
    world.sendsMail = false
    const link = await linkOf(realm.owner)
    const ip = newIp()
    await joinBefore(realm, ip, 499)
    expect((await postForm(link, newMember(), ip)).status).toBe(200)
    const refused = newMember()
    expect((await postForm(link, refused, ip)).status).toBe(429)
    expect(await accountOf(realm, refused.email)).toBeUndefined()
  })
})

/** Adds requests to join, as if so many had come from this network just now. */
function joinBefore(realm: TestRealm, ip: string, count: number): Promise<unknown> {
  return changeRealm(realm, ({ sql, now }) => {
    for (let at = 0; at < count; at += 1) {
      sql.run('INSERT INTO mail_request (bucket, at) VALUES (?, ?)', `joining:${ip}`, Math.floor(now))
    }
  })
}
