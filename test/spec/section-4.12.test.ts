import { describe, expect, it } from 'vitest'
import { ApiClient, askWorker, type ParameterValue } from '../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'
import { whileSettings } from './while-settings.ts'

const { realm, ann, admin, moderator, guest } = useRealm({
  ann: 'member',
  admin: 'administrator',
  moderator: 'moderator',
  guest: 'guest',
})

let addresses = 0
function newAddress(): string {
  addresses += 1
  return `invited-${addresses}@example.com`
}

function invite(user: TestUser, params: Record<string, ParameterValue | undefined>) {
  return user.api.post('/invites', { invitee_emails: newAddress(), stream_ids: [], ...params })
}

/** Returns the link in the mail to an address. */
async function linkTo(email: string): Promise<string> {
  const page = await (await askWorker(new Request(`http://${realm.host}/dev/emails`))).text()
  const link = /http:\/\/[^\s<]+\/join\/[0-9a-f]+/.exec(page.slice(page.indexOf(`To ${email},`)))
  return link![0]
}

/** Invites a user, who then joins. */
async function inviteAndJoin(
  inviter: TestUser,
  params: Record<string, ParameterValue>,
): Promise<{ id: number; role: number; api: ApiClient }> {
  const email = newAddress()
  expectSuccess(await invite(inviter, { ...params, invitee_emails: email }))
  const body = new URLSearchParams({ full_name: `Invited ${addresses}`, password: 'a good one' })
  const joined = await askWorker(new Request(await linkTo(email), { method: 'POST', body }))
  expect(joined.status).toBe(200)
  const { api_key } = expectSuccess(await realm.anonymous.post('/dev_fetch_api_key', { username: email }))
  const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey: api_key })
  const { user_id, role } = expectSuccess(await api.get('/users/me'))
  return { id: user_id, role, api }
}

async function channelsOf({ api }: { api: ApiClient }): Promise<string[]> {
  const { subscriptions } = expectSuccess(await api.get('/users/me/subscriptions'))
  return subscriptions.map(({ name }: { name: string }) => name).sort()
}

async function pending(email: string) {
  const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
  return invites.filter((one: { email: string }) => one.email === email)
}

const LOW = 'Insufficient permission'
const NO_OWNER = 'Must be an organization owner'
const NO_ADMIN = 'Must be an organization administrator'

describe('4.12 Send invitations', () => {
  it('response: the standard envelope; the address has an invitation', async () => {
    const email = newAddress()
    expect(expectSuccess(await invite(ann, { invitee_emails: email }))).toEqual({
      result: 'success',
      msg: '',
    })
    expect(await pending(email)).toMatchObject([{ invited_by_user_id: ann.id, invited_as: 400 }])
  })

  it.each([',', '\n', ', \n'])('invitee_emails: separated by %j', async (separator) => {
    const emails = [newAddress(), newAddress()]
    expectSuccess(await invite(ann, { invitee_emails: emails.join(separator) }))
    for (const email of emails) expect(await pending(email)).toHaveLength(1)
  })

  it.each([undefined, '', ' , \n'])('invitee_emails %j: BAD_REQUEST', async (invitee_emails) => {
    expectRefusal(await invite(ann, { invitee_emails }), 'You must specify at least one email address.')
  })

  it('invite_expires_in_minutes: the invitation ends then', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email, invite_expires_in_minutes: 30 }))
    const link = await linkTo(email)
    world.clockOffset = 29 * 60
    expect((await askWorker(new Request(link))).status).toBe(200)
    world.clockOffset = 31 * 60
    expect((await askWorker(new Request(link))).status).toBe(404)
  })

  it('invite_expires_in_minutes null: it never ends', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email, invite_expires_in_minutes: null }))
    expect(await pending(email)).toMatchObject([{ expiry_date: null }])
    const link = await linkTo(email)
    world.clockOffset = 400 * 86_400
    expect((await askWorker(new Request(link))).status).toBe(200)
  })

  it('invite_expires_in_minutes omitted: 14400', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email }))
    const [{ invited, expiry_date }] = await pending(email)
    expect(expiry_date - invited).toBe(14_400 * 60)
  })

  it.each([100, 200, 300, 400, 600])('invite_as %i: the role of the new user', async (role) => {
    expect((await inviteAndJoin(realm.owner, { invite_as: role })).role).toBe(role)
  })

  it('invite_as: 400 is the default, and no other number is a role', async () => {
    expect((await inviteAndJoin(realm.owner, {})).role).toBe(400)
    for (const role of [0, 250, 500]) {
      expectRefusal(await invite(realm.owner, { invite_as: role }), 'Invalid invite_as')
    }
  })

  it('invite_as: nobody invites to a role that may do more than their own', async () => {
    const cases: [TestUser, number, string | null][] = [
      [admin, 100, NO_OWNER],
      [admin, 200, null],
      [moderator, 100, NO_OWNER],
      [moderator, 200, NO_ADMIN],
      [moderator, 300, null],
      [ann, 100, NO_OWNER],
      [ann, 200, NO_ADMIN],
      [ann, 300, NO_ADMIN],
      [ann, 400, null],
      [ann, 600, null],
    ]
    for (const [inviter, invite_as, refusal] of cases) {
      const answer = await invite(inviter, { invite_as })
      if (refusal === null) expectSuccess(answer)
      else expectRefusal(answer, refusal)
    }
  })

  it('stream_ids: the new user is subscribed to them', async () => {
    const channel = await buildChannel([ann])
    expect(await channelsOf(await inviteAndJoin(ann, { stream_ids: [channel.id] }))).toEqual([channel.name])
  })

  it('stream_ids may be empty, but not absent', async () => {
    expect(await channelsOf(await inviteAndJoin(ann, { stream_ids: [] }))).toEqual([])
    expectRefusal(await invite(ann, { stream_ids: undefined }), "Missing 'stream_ids' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
  })

  it('stream_ids: a channel that is invalid or inaccessible: BAD_REQUEST, no invitation is sent', async () => {
    const secret = await buildChannel([realm.owner], { invite_only: true })
    for (const id of [987_654, secret.id]) {
      const email = newAddress()
      expectRefusal(
        await invite(ann, { invitee_emails: email, stream_ids: [id] }),
        `Invalid channel ID ${id}. No invites were sent.`,
      )
      expect(await pending(email)).toEqual([])
    }
  })

  it('stream_ids: who may not subscribe others may name default channels only', async () => {
    const channel = await buildChannel([realm.owner, ann])
    const { stream_id: general } = expectSuccess(await ann.api.get('/get_stream_id', { stream: 'general' }))
    await whileSettings(realm, { can_add_subscribers_group: 3 }, async () => {
      expectRefusal(
        await invite(ann, { stream_ids: [general, channel.id] }),
        'You do not have permission to subscribe other users to channels.',
      )
      expect(await channelsOf(await inviteAndJoin(ann, { stream_ids: [general] }))).toEqual(['general'])
    })
  })

  it('group_ids: the new user is in them; the inviter must be allowed to add members', async () => {
    const create = async (name: string, user: TestUser) =>
      expectSuccess(await user.api.post('/user_groups/create', { name, description: '', members: [] }))
        .group_id
    const [own, foreign] = [await create('own', ann), await create('foreign', admin)]
    const { id } = await inviteAndJoin(ann, { group_ids: [own] })
    expect(expectSuccess(await ann.api.get(`/user_groups/${own}/members`)).members).toEqual([id])
    for (const group of [foreign, 5]) expectRefusal(await invite(ann, { group_ids: [group] }), LOW)
    expectRefusal(await invite(ann, { group_ids: [987_654] }), 'Invalid user group')
  })

  it('include_realm_default_subscriptions: false by default', async () => {
    expect(await channelsOf(await inviteAndJoin(ann, {}))).toEqual([])
    const joined = await inviteAndJoin(ann, { include_realm_default_subscriptions: true })
    expect(await channelsOf(joined)).toContain('general')
  })

  it('include_realm_default_subscriptions: also by who cannot subscribe others', async () => {
    await whileSettings(realm, { can_add_subscribers_group: 3 }, async () => {
      const joined = await inviteAndJoin(ann, { include_realm_default_subscriptions: true })
      expect(await channelsOf(joined)).toContain('general')
    })
  })

  it.each([
    [undefined, 1],
    [true, 1],
    [false, 0],
  ])('notify_referrer_on_join %j: %i direct messages of the notification bot', async (notify, count) => {
    const queue = await openQueue(ann)
    await inviteAndJoin(ann, notify === undefined ? {} : { notify_referrer_on_join: notify })
    const notices = (await queue.eventsOf('message')).filter(({ message }) => message.type === 'private')
    expect(notices).toHaveLength(count)
    for (const { message } of notices) {
      expect(message).toMatchObject({ sender_full_name: 'Notification Bot' })
      expect(message.content).toContain('accepted your invitation')
    }
  })

  describe('welcome_message_custom_text', () => {
    /** Returns the texts of a new user's direct messages. */
    async function welcomes(inviter: TestUser, text: string | null | undefined): Promise<string[]> {
      const { api } = await inviteAndJoin(
        inviter,
        text === undefined ? {} : { welcome_message_custom_text: text },
      )
      const narrow = [{ operator: 'is', operand: 'dm' }]
      const params = { anchor: 'newest', num_before: 10, narrow, apply_markdown: false }
      const { messages } = expectSuccess(await api.get('/messages', params))
      return messages.map(({ content }: { content: string }) => content)
    }

    it('the text of an administrator is what the new user gets', async () => {
      expect(await welcomes(admin, 'a text of its *own*')).toContain('a text of its *own*')
    })

    it('null and absent: the organization’s default; the empty string: none', async () => {
      await whileSettings(realm, { welcome_message_custom_text: 'the house text' }, async () => {
        expect(await welcomes(admin, null)).toContain('the house text')
        expect(await welcomes(admin, undefined)).toContain('the house text')
        expect(await welcomes(admin, '')).not.toContain('the house text')
      })
    })

    it('of others it is always null', async () => {
      await whileSettings(realm, { welcome_message_custom_text: 'the house text' }, async () => {
        for (const text of ['mine', 'x'.repeat(8_001)]) {
          const got = await welcomes(ann, text)
          expect(got).toContain('the house text')
          expect(got).not.toContain(text)
        }
      })
    })

    it('at most 8000 characters', async () => {
      expectSuccess(await invite(admin, { welcome_message_custom_text: 'x'.repeat(8_000) }))
      expectRefusal(
        await invite(admin, { welcome_message_custom_text: 'x'.repeat(8_001) }),
        'welcome_message_custom_text is too long (limit: 8000 characters)',
      )
    })
  })

  it('INVITATION_FAILED: some have accounts; the others are invited', async () => {
    const email = newAddress()
    const answer = await invite(ann, { invitee_emails: `${email}, ${guest.email}` })
    const msg =
      "Some of those addresses are already using Parley, so we didn't send them an invitation. We did send invitations to everyone else!"
    expectRefusal(answer, msg, {
      code: 'INVITATION_FAILED',
      errors: [[guest.email, 'Already has an account.', false]],
      daily_limit_reached: false,
      license_limit_reached: false,
      sent_invitations: true,
    })
    expect(await pending(email)).toHaveLength(1)
  })

  it('INVITATION_FAILED: the third field is true for a deactivated account', async () => {
    const dan = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect((await invite(ann, { invitee_emails: dan.email })).body).toMatchObject({
      code: 'INVITATION_FAILED',
      msg: "We weren't able to invite anyone.",
      errors: [[dan.email, 'Account has been deactivated.', true]],
      sent_invitations: false,
    })
  })

  it('insufficient permission: BAD_REQUEST', async () => {
    await whileSettings(realm, { can_invite_users_group: 3 }, async () => {
      expectRefusal(await invite(ann, {}), LOW)
      expectSuccess(await invite(admin, {}))
    })
    expectRefusal(await invite(guest, {}), 'Not allowed for guest users')
  })

  it('administrators and the inviter hear that invitations have changed', async () => {
    const queues = [await openQueue(ann), await openQueue(admin), await openQueue(moderator)]
    expectSuccess(await invite(ann, {}))
    const counts: number[] = []
    for (const queue of queues) counts.push((await queue.eventsOf('invites_changed')).length)
    expect(counts).toEqual([1, 1, 0])
  })

  it('refuses callers without credentials', async () => {
    expectUnauthorized(await realm.anonymous.post('/invites', { stream_ids: [] }))
  })
})
