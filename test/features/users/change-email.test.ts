import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { mailedLink, mailsTo, postForm, visit } from '../../support/pages.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PASSWORD = 'a fine password'

const { realm } = useRealm()
let addresses = 0

function newAddress(): string {
  addresses += 1
  return `new-${addresses}@example.com`
}

const ask = (user: TestUser, email: string) => user.api.patch('/settings', { email })
const own = async (user: TestUser, email = user.email) =>
  expectSuccess(
    await user.api.request(
      'GET',
      '/users/me',
      {},
      {
        headers: { Authorization: `Basic ${btoa(`${email}:${user.apiKey}`)}` },
      },
    ),
  )

/** Returns a queue's events about e-mail addresses. */
async function addressesIn(queue: Awaited<ReturnType<typeof openQueue>>) {
  return (await queue.eventsOf('realm_user', 'update')).map(({ person }) => person)
}

describe('changing one’s address', () => {
  it('takes effect by the link mailed to the new one, with an event', async () => {
    const user = await buildUser(realm)
    const member = await buildUser(realm)
    expectSuccess(await user.api.patch('/settings', { email_address_visibility: 3 }))
    const email = newAddress()
    const queues = [await openQueue(user), await openQueue(realm.owner), await openQueue(member)]
    expectSuccess(await ask(user, ` ${email} `))
    for (const queue of queues) expect(await queue.events()).toEqual([])
    expect((await own(user)).delivery_email).toBe(user.email)

    const link = await mailedLink(realm.host, email)
    const page = await visit(link)
    expect(page.text).toContain(user.email)
    expect(page.text).toContain(email)
    expect((await own(user)).delivery_email).toBe(user.email)
    expect((await postForm(link, {})).status).toBe(200)

    const person = { user_id: user.id, delivery_email: email }
    const [ownQueue, ownerQueue, memberQueue] = queues as [
      (typeof queues)[0],
      (typeof queues)[0],
      (typeof queues)[0],
    ]
    // The user's own queue is read with the new address, since the old address has no account any more.
    expect((await user.api.get('/users/me')).status).toBe(401)
    const headers = { Authorization: `Basic ${btoa(`${email}:${user.apiKey}`)}` }
    const params = { queue_id: ownQueue!.id, last_event_id: ownQueue!.lastEventId, dont_block: true }
    const { events } = expectSuccess(await user.api.request('GET', '/events', params, { headers }))
    expect(events).toMatchObject([{ type: 'realm_user', op: 'update', person: person }])
    expect(await addressesIn(ownerQueue!)).toEqual([person])
    expect(await memberQueue!.events()).toEqual([])

    expect(await own(user, email)).toMatchObject({
      email: `user${user.id}@${realm.host}`,
      delivery_email: email,
    })
    const { user: seen } = expectSuccess(await member.api.get(`/users/${user.id}`))
    expect(seen.delivery_email).toBeNull()
    expectSuccess(await realm.anonymous.post('/fetch_api_key', { username: email, password: PASSWORD }))
    expect((await postForm(link, {})).status).toBe(404)
    const [word] = await mailsTo(realm.host, user.email)
    expect(word!.body).toContain(email)
  })

  it('changes the address everybody sees, and the Gravatar that follows from it', async () => {
    const user = await buildUser(realm)
    const guest = await buildUser(realm, { role: 600 })
    const email = newAddress()
    expectSuccess(await ask(user, email))
    const queue = await openQueue(guest)
    await postForm(await mailedLink(realm.host, email), {})
    const people = await addressesIn(queue)
    expect(people.slice(0, 2)).toEqual([
      { user_id: user.id, delivery_email: email },
      { user_id: user.id, new_email: email },
    ])
    expect(people[2]).toMatchObject({ user_id: user.id, avatar_source: 'G', avatar_url: expect.any(String) })
    expect(people).toHaveLength(3)
    const { user: seen } = expectSuccess(await guest.api.get(`/users/${user.id}`, { client_gravatar: false }))
    expect(seen).toMatchObject({ email, delivery_email: email, avatar_url: people[2]!.avatar_url })
  })

  it('does nothing for an empty address or the present one', async () => {
    const user = await buildUser(realm)
    for (const email of ['', '  ', user.email]) expectSuccess(await ask(user, email))
    expect(await mailsTo(realm.host, user.email)).toHaveLength(0)
  })

  it('accepts one’s own address in another case', async () => {
    const user = await buildUser(realm)
    const email = user.email.toUpperCase()
    expectSuccess(await ask(user, email))
    await postForm(await mailedLink(realm.host, email), {})
    expect((await own(user)).delivery_email).toBe(email)
  })

  it('refuses invalid addresses, and those in use', async () => {
    const user = await buildUser(realm)
    const closed = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    for (const [email, msg] of [
      ['nonsense', 'Invalid address.'],
      [realm.owner.email.toUpperCase(), 'Already has an account.'],
      [closed.email, 'Account has been deactivated.'],
      [`welcome-bot@${realm.host}`, 'Reserved for system bots.'],
    ] as const) {
      expect((await ask(user, email)).body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' })
    }
  })

  it('refuses addresses outside the organization’s domains', async () => {
    const { realm: strict, user } = await buildRealm({ user: 'member' })
    expectSuccess(
      await strict.owner.api.post('/realm/domains', { domain: 'corp.test', allow_subdomains: false }),
    )
    expectSuccess(await strict.owner.api.patch('/realm', { emails_restricted_to_domains: true }))
    expect((await ask(user, 'a@else.test')).body.msg).toBe('Outside your domain.')
    expect((await ask(user, 'a+b@corp.test')).body.msg).toBe('Email addresses containing + are not allowed.')
    expectSuccess(await ask(user, 'a@corp.test'))
  })

  it('is for administrators alone when disabled, also with links sent before', async () => {
    const { realm: fixed, user, admin } = await buildRealm({ user: 'member', admin: 'administrator' })
    const [before, after] = [newAddress(), newAddress()]
    expectSuccess(await ask(user, before))
    expectSuccess(await fixed.owner.api.patch('/realm', { email_changes_disabled: true }))
    const msg = 'Email address changes are disabled in this organization.'
    expect((await ask(user, newAddress())).body.msg).toBe(msg)
    const late = await postForm(await mailedLink(fixed.host, before), {})
    expect([late.status, late.text.includes('Changing your address is turned off')]).toEqual([400, true])
    expectSuccess(await ask(admin, after))
    expect((await postForm(await mailedLink(fixed.host, after), {})).status).toBe(200)
  })

  it('can be requested twice an hour and five times a day, evictions regardless', async () => {
    const user = await buildUser(realm)
    const outcomes: (number | string)[] = []
    for (const hour of [0, 0, 0, 1, 1, 2, 2, 25]) {
      world.clockOffset = hour * 3_601
      await evictRealm(realm.id)
      const { status, body } = await ask(user, newAddress())
      outcomes.push(status === 200 ? 200 : body.msg.replace(/\d+/, 'n'))
    }
    const refusal = "You're making too many attempts! Try again in n seconds."
    expect(outcomes).toEqual([200, 200, refusal, 200, 200, 200, refusal, 200])
  })

  it('has one valid link, the newest, for a day', async () => {
    const user = await buildUser(realm)
    const [first, second] = [newAddress(), newAddress()]
    expectSuccess(await ask(user, first))
    expectSuccess(await ask(user, second))
    expect((await visit(await mailedLink(realm.host, first))).status).toBe(404)
    const link = await mailedLink(realm.host, second)
    expect((await visit(link)).status).toBe(200)
    world.clockOffset = 86_405
    expect((await visit(link)).status).toBe(404)
  })

  it('fails when the address is taken meanwhile, or the account deactivated', async () => {
    const [user, closed] = [await buildUser(realm), await buildUser(realm)]
    const [email, other] = [newAddress(), newAddress()]
    expectSuccess(await ask(user, email))
    expectSuccess(await ask(closed, other))
    await buildUser(realm, { email })
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    expect((await postForm(await mailedLink(realm.host, email), {})).text).toContain(
      'Already has an account.',
    )
    expect((await postForm(await mailedLink(realm.host, other), {})).status).toBe(404)
    expect((await own(user)).delivery_email).toBe(user.email)
  })

  it('invalidates a link for a new password', async () => {
    const user = await buildUser(realm)
    await postForm(`http://${realm.host}/accounts/password/reset`, { email: user.email }, '203.0.113.9')
    const reset = await mailedLink(realm.host, user.email)
    const email = newAddress()
    expectSuccess(await ask(user, email))
    await postForm(await mailedLink(realm.host, email), {})
    expect((await postForm(reset, { password: 'of the old owner' })).status).toBe(404)
  })

  it('is not for bots, nor for callers without credentials', async () => {
    expect((await realm.anonymous.patch('/settings', { email: newAddress() })).status).toBe(401)
    const user = await buildUser(realm)
    const bot = expectSuccess(await user.api.post('/bots', { full_name: 'Robot', short_name: 'robot' }))
    const { members } = expectSuccess(await user.api.get('/users'))
    const { email } = members.find(({ user_id }: { user_id: number }) => user_id === bot.user_id)
    const headers = { Authorization: `Basic ${btoa(`${email}:${bot.api_key}`)}` }
    const refused = await user.api.request('PATCH', '/settings', { email: newAddress() }, { headers })
    expect(refused.body.msg).toBe('This endpoint does not accept bot requests.')
  })
})

describe('PATCH /users/{id} new_email', () => {
  const UNAUTHORIZED = 'User not authorized to change user emails'
  const change = (by: TestUser, user: { id: number }, new_email: string) =>
    by.api.patch(`/users/${user.id}`, { new_email })

  it('changes it at once for an administrator with the right', async () => {
    const user = await buildUser(realm)
    const email = newAddress()
    const queue = await openQueue(realm.owner)
    expectSuccess(await change(realm.owner, user, email))
    expect((await addressesIn(queue)).slice(0, 2)).toEqual([
      { user_id: user.id, delivery_email: email },
      { user_id: user.id, new_email: email },
    ])
    expect((await own(user, email)).delivery_email).toBe(email)
    const [word] = await mailsTo(realm.host, user.email)
    expect(word!.body).toContain(email)
    expectSuccess(await change(realm.owner, user, email))
    expect(await queue.events()).toEqual([])
  })

  it('is refused to everybody else', async () => {
    const [admin, user] = [await buildUser(realm, { role: 200 }), await buildUser(realm)]
    expect((await change(admin, user, newAddress())).body.msg).toBe(UNAUTHORIZED)
    expect((await change(user, user, newAddress())).body.msg).toBe('Insufficient permission')
    const bot = expectSuccess(await user.api.post('/bots', { full_name: 'Robot two', short_name: 'robot2' }))
    expect((await change(user, { id: bot.user_id }, newAddress())).body.msg).toBe(UNAUTHORIZED)
    expect((await change(realm.owner, { id: bot.user_id }, newAddress())).body.msg).toBe(
      'Insufficient permission',
    )
  })

  it('is allowed by the deployment to one administrator, never for owners’ accounts', async () => {
    const admin = await buildUser(realm, { role: 200 })
    world.settings = { CAN_CHANGE_EMAILS: `${realm.host}/${admin.email}` }
    const user = await buildUser(realm)
    expectSuccess(await change(admin, user, newAddress()))
    const other = await buildUser(realm, { role: 200 })
    expect((await change(other, user, newAddress())).body.msg).toBe(UNAUTHORIZED)
    const refused = await change(admin, realm.owner, newAddress())
    expect(refused.body).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization owner',
    })
    expectSuccess(await realm.owner.api.patch(`/users/${admin.id}`, { role: 400 }))
    expect((await change(admin, realm.owner, newAddress())).body.msg).toBe('Insufficient permission')
  })

  it('says what is wrong with the address, and changes nothing then', async () => {
    const user = await buildUser(realm)
    for (const [email, msg] of [
      ['nonsense', 'Invalid new email address.'],
      [realm.owner.email, 'New email value error: Already has an account.'],
    ] as const) {
      const params = { full_name: 'Another Name', new_email: email }
      expect((await realm.owner.api.patch(`/users/${user.id}`, params)).body.msg).toBe(msg)
    }
    expect((await own(user)).full_name).toBe(user.fullName)
  })
})
