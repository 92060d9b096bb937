import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiClient, askWorker, evictRealm, realmStub } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })
let addresses = 0
afterEach(() => {
  world.clockOffset = 0
})

function newAddress(): string {
  addresses += 1
  return `new-${addresses}@example.com`
}

function invite(user: TestUser, params: Record<string, unknown>) {
  return user.api.post('/invites', { stream_ids: [], ...(params as Record<string, string>) })
}

/** Returns the link in the newest mail to an address. */
async function mailedLink(host: string, email: string): Promise<string> {
  const page = await askWorker(new Request(`http://${host}/dev/emails`))
  const text = await page.text()
  const mail = text.slice(text.indexOf(`To ${email},`))
  return /http:\/\/[^\s<]+\/join\/[0-9a-f]+/.exec(mail)![0]
}

async function join(link: string, fields: Record<string, string>) {
  const response = await askWorker(new Request(link, { method: 'POST', body: new URLSearchParams(fields) }))
  return { status: response.status, text: await response.text() }
}

describe('POST /invites', () => {
  it('mails a link to an account with its role, channels and groups; notifies the referrer', async () => {
    const channel = await buildChannel([ann])
    const { group_id } = expectSuccess(
      await ann.api.post('/user_groups/create', { name: 'newcomers', description: '', members: [] }),
    )
    const email = newAddress()
    const annQueue = await openQueue(ann)
    const ownerQueue = await openQueue(realm.owner)
    const guestQueue = await openQueue(guest)
    expectSuccess(
      await invite(ann, {
        invitee_emails: `New Comer <${email}>`,
        invite_as: 600,
        stream_ids: [channel.id],
        group_ids: [group_id],
      }),
    )
    expect(await annQueue.eventsOf('invites_changed')).toHaveLength(1)
    expect(await ownerQueue.eventsOf('invites_changed')).toHaveLength(1)
    expect(await guestQueue.eventsOf('invites_changed')).toEqual([])

    const link = await mailedLink(realm.host, email)
    const page = await askWorker(new Request(link))
    expect(await page.text()).toContain(email)
    const { status } = await join(link, { full_name: 'New Comer', password: 'a good one' })
    expect(status).toBe(200)

    const { user } = expectSuccess(await realm.owner.api.get(`/users/${email}`))
    expect(user).toMatchObject({ full_name: 'New Comer', role: 600, delivery_email: email })
    const { subscribers } = expectSuccess(await ann.api.get(`/streams/${channel.id}/members`))
    expect(subscribers).toContain(user.user_id)
    const { members } = expectSuccess(await ann.api.get(`/user_groups/${group_id}/members`))
    expect(members).toEqual([user.user_id])
    const messages = await annQueue.eventsOf('message')
    expect(messages.at(-1)?.message.content).toContain('accepted your invitation')
    expectSuccess(await realm.anonymous.post('/fetch_api_key', { username: email, password: 'a good one' }))
  })

  it('costs the same for each address however many there are, at most 200', async () => {
    const addressesOf = (count: number) => Array.from({ length: count }, newAddress).join(',')
    const rows = async (count: number) => {
      const params = { stream_ids: [], invitee_emails: addressesOf(count) }
      return (await countRows(realm.owner.api, 'POST', '/invites', params)).object.read
    }
    const one = await rows(1)
    // The mails that wait are counted once for all addresses.
    expect(await rows(101)).toBeLessThan(one + 100 * 20)
    expectRefusal(
      await invite(realm.owner, { invitee_emails: addressesOf(201) }),
      'At most 200 people can be invited at once.',
    )
  })

  it('notifies no referrer who disabled that', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email, notify_referrer_on_join: false }))
    const queue = await openQueue(ann)
    await join(await mailedLink(realm.host, email), { full_name: 'Quiet One', password: 'a good one' })
    expect(await queue.eventsOf('message')).toEqual([])
  })

  it('joins the default channels only when asked to', async () => {
    for (const [include, expected] of [
      [true, true],
      [false, false],
    ]) {
      const email = newAddress()
      expectSuccess(
        await invite(ann, { invitee_emails: email, include_realm_default_subscriptions: include }),
      )
      await join(await mailedLink(realm.host, email), { full_name: `Def ${include}`, password: 'a good one' })
      const { user } = expectSuccess(await realm.owner.api.get(`/users/${email}`))
      const { stream_id } = expectSuccess(await ann.api.get('/get_stream_id', { stream: 'general' }))
      const { subscribers } = expectSuccess(await ann.api.get(`/streams/${stream_id}/members`))
      expect(subscribers.includes(user.user_id)).toBe(expected)
    }
  })

  it('is used up by joining, and so are others to the same address', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email }))
    expectSuccess(await invite(realm.owner, { invitee_emails: email }))
    const link = await mailedLink(realm.host, email)
    expect((await join(link, { full_name: 'Only Once', password: 'a good one' })).status).toBe(200)
    expect((await join(link, { full_name: 'Only Once', password: 'a good one' })).status).toBe(404)
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    expect(invites.filter((one: { email: string }) => one.email === email)).toEqual([])
  })

  it('expires after ten days by default, and with null never', async () => {
    const [short, never] = [newAddress(), newAddress()]
    expectSuccess(await invite(ann, { invitee_emails: short }))
    expectSuccess(await invite(ann, { invitee_emails: never, invite_expires_in_minutes: null }))
    const links = [await mailedLink(realm.host, short), await mailedLink(realm.host, never)]
    world.clockOffset = 14_400 * 60 + 5
    const answers = await Promise.all(links.map((link) => askWorker(new Request(link))))
    expect(answers.map(({ status }) => status)).toEqual([404, 200])
  })

  it('needs an expiry date that is representable and in the future', async () => {
    const ways = [
      ['/invites', { invitee_emails: newAddress(), stream_ids: [] }],
      ['/invites/multiuse', {}],
    ] as const
    for (const [path, params] of ways) {
      const last = { ...params, invite_expires_in_minutes: 4_000_000_000 }
      expectSuccess(await realm.owner.api.post(path, last))
      const beyond = { ...params, invite_expires_in_minutes: 1_000_000_000_000 }
      expectRefusal(await realm.owner.api.post(path, beyond), 'invite_expires_in_minutes is too large')
      const before = { ...params, invite_expires_in_minutes: -1_000_000_000_000 }
      expectRefusal(await realm.owner.api.post(path, before), 'invite_expires_in_minutes is too small')
    }
  })

  it('stays valid when a name or password is refused', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email }))
    const link = await mailedLink(realm.host, email)
    const refused = await join(link, { full_name: 'X', password: 'a good one' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('The name is too short.')
    expect((await join(link, { full_name: 'Xena', password: 'short' })).text).toContain(
      'This password is too weak.',
    )
    expect((await join(link, { full_name: 'Xena', password: 'long enough' })).status).toBe(200)
  })

  it('delivers its mail after an eviction too', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email }))
    await evictRealm(realm.id)
    // Work that the object had begun before the eviction is due again a little later.
    world.clockOffset = 60
    await runDurableObjectAlarm(realmStub(realm.id))
    const page = await (await askWorker(new Request(`http://${realm.host}/dev/emails`))).text()
    const mail = page.slice(page.indexOf(`To ${email},`)).split('</p>')[0]
    expect(mail).not.toContain('waiting')
  })

  it('uses the welcome text of administrators, and ignores that of others', async () => {
    for (const [inviter, text, expected] of [
      [realm.owner, 'Be **welcome**', 1],
      [ann, 'x'.repeat(9_000), 0],
    ] as const) {
      const email = newAddress()
      const answer = expectSuccess(
        await invite(inviter, {
          invitee_emails: email,
          welcome_message_custom_text: text,
          notify_referrer_on_join: false,
        }),
      )
      expect(answer).not.toHaveProperty('ignored_parameters_unsupported')
      await join(await mailedLink(realm.host, email), { full_name: 'Wel Come', password: 'a good one' })
      const { api_key } = expectSuccess(await realm.anonymous.post('/dev_fetch_api_key', { username: email }))
      const newMember = new ApiClient({
        host: realm.host,
        realmId: realm.id,
        email,
        apiKey: api_key,
      })
      const { messages } = expectSuccess(
        await newMember.get('/messages', {
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          narrow: [{ operator: 'is', operand: 'dm' }],
        }),
      )
      expect(
        messages.filter(({ content }: { content: string }) => content.includes('Be <strong>welcome')),
      ).toHaveLength(expected)
    }
  })

  describe('refusals', () => {
    it.each([
      [{}, 'You must specify at least one email address.'],
      [{ invitee_emails: ' ' }, 'You must specify at least one email address.'],
      [{ invitee_emails: 'a@example.com', invite_as: 500 }, 'Invalid invite_as'],
      [{ invitee_emails: 'a@example.com', invite_as: 100 }, 'Must be an organization owner'],
      [{ invitee_emails: 'a@example.com', invite_as: 300 }, 'Must be an organization administrator'],
      [
        { invitee_emails: 'a@example.com', stream_ids: [4711] },
        'Invalid channel ID 4711. No invites were sent.',
      ],
      [{ invitee_emails: 'a@example.com', group_ids: [4711] }, 'Invalid user group'],
      [{ invitee_emails: 'a@example.com', group_ids: [6] }, 'Insufficient permission'],
    ])('%j', async (params, msg) => {
      const { status, body } = await invite(ann, params)
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
    })

    it('a moderator may invite moderators, an administrator no owners', async () => {
      const mod = await buildUser(realm, { role: 300 })
      const admin = await buildUser(realm, { role: 200 })
      expectSuccess(await invite(mod, { invitee_emails: newAddress(), invite_as: 300 }))
      expect((await invite(mod, { invitee_emails: newAddress(), invite_as: 200 })).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Must be an organization administrator',
      })
      expect((await invite(admin, { invitee_emails: newAddress(), invite_as: 100 })).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Must be an organization owner',
      })
    })

    it('some have accounts: an error with four fields, and the others are invited', async () => {
      const email = newAddress()
      const { status, body } = await invite(ann, { invitee_emails: `${email}\n${guest.email}` })
      expect(status).toBe(400)
      expect(body).toMatchObject({
        code: 'INVITATION_FAILED',
        errors: [[guest.email, 'Already has an account.', false]],
        sent_invitations: true,
        daily_limit_reached: false,
        license_limit_reached: false,
      })
      const { invites } = expectSuccess(await ann.api.get('/invites'))
      expect(invites.some((one: { email: string }) => one.email === email)).toBe(true)
    })

    it('a malformed address: nobody is invited', async () => {
      const email = newAddress()
      const { body } = await invite(ann, { invitee_emails: `${email}, not an address` })
      expect(body).toMatchObject({
        code: 'INVITATION_FAILED',
        msg: "Some emails did not validate, so we didn't send any invitations.",
        errors: [['not an address', 'Invalid address.', false]],
        sent_invitations: false,
      })
      const { invites } = expectSuccess(await ann.api.get('/invites'))
      expect(invites.some((one: { email: string }) => one.email === email)).toBe(false)
    })

    it('all have accounts: nobody is invited', async () => {
      const { body } = await invite(ann, { invitee_emails: ann.email })
      expect(body).toMatchObject({
        code: 'INVITATION_FAILED',
        msg: "We weren't able to invite anyone.",
        sent_invitations: false,
      })
    })

    it('a deactivated account is named as such', async () => {
      const dan = await buildUser(realm)
      expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
      const { body } = await invite(ann, { invitee_emails: dan.email })
      expect(body.errors).toEqual([[dan.email, 'Account has been deactivated.', true]])
    })
  })

  describe('who may not', () => {
    it('a guest', async () => {
      expect((await invite(guest, { invitee_emails: 'a@example.com' })).body.msg).toBe(
        'Not allowed for guest users',
      )
    })

    it('a caller without an account', async () => {
      expect((await realm.anonymous.post('/invites', { stream_ids: [] })).status).toBe(401)
    })
  })
})
