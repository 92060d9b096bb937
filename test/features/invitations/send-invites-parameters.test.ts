import { describe, expect, it } from 'vitest'
import { ApiClient, askWorker, type ParameterValue } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { whileSettings } from '../../support/while-settings.ts'
import { world } from '../../support/world.ts'

const { realm, ann, admin, moderator, guest, robot } = useRealm({
  ann: 'member',
  admin: 'administrator',
  moderator: 'moderator',
  guest: 'guest',
  robot: { botOf: 'ann' },
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

describe('an invitation', () => {
  it('is answered without more, and is listed', async () => {
    const email = newAddress()
    expect(expectSuccess(await invite(ann, { invitee_emails: email }))).toEqual({
      result: 'success',
      msg: '',
    })
    expect(await pending(email)).toMatchObject([{ invited_by_user_id: ann.id, invited_as: 400 }])
  })

  it.each([',', '\n', ', \n'])('goes to each address, separated by %j', async (separator) => {
    const emails = [newAddress(), newAddress()]
    expectSuccess(await invite(ann, { invitee_emails: emails.join(separator) }))
    for (const email of emails) expect(await pending(email)).toHaveLength(1)
  })

  it('ends after invite_expires_in_minutes', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email, invite_expires_in_minutes: 30 }))
    const link = await linkTo(email)
    world.clockOffset = 29 * 60
    expect((await askWorker(new Request(link))).status).toBe(200)
    world.clockOffset = 31 * 60
    expect((await askWorker(new Request(link))).status).toBe(404)
  })

  it('never ends with invite_expires_in_minutes null', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email, invite_expires_in_minutes: null }))
    expect(await pending(email)).toMatchObject([{ expiry_date: null }])
    const link = await linkTo(email)
    world.clockOffset = 400 * 86_400
    expect((await askWorker(new Request(link))).status).toBe(200)
  })

  it('lasts 14400 minutes by default', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email }))
    const [{ invited, expiry_date }] = await pending(email)
    expect(expiry_date - invited).toBe(14_400 * 60)
  })

  it.each([100, 200, 300, 400, 600])('gives role %i where invite_as says so', async (role) => {
    expect((await inviteAndJoin(realm.owner, { invite_as: role })).role).toBe(role)
  })

  it('gives role 400 by default, and no number that is no role', async () => {
    expect((await inviteAndJoin(realm.owner, {})).role).toBe(400)
    for (const role of [0, 250, 500]) {
      expectRefusal(await invite(realm.owner, { invite_as: role }), 'Invalid invite_as')
    }
  })

  it('gives no role that may do more than the inviter’s', async () => {
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

  it('subscribes the new user to stream_ids', async () => {
    const channel = await buildChannel([ann])
    expect(await channelsOf(await inviteAndJoin(ann, { stream_ids: [channel.id] }))).toEqual([channel.name])
  })

  it('may have an empty list of channels, but not none', async () => {
    expect(await channelsOf(await inviteAndJoin(ann, { stream_ids: [] }))).toEqual([])
    expectRefusal(await invite(ann, { stream_ids: undefined }), "Missing 'stream_ids' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
  })

  it('is not sent with a channel that is missing or out of reach', async () => {
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

  it('of those who may not subscribe others leads to default channels only', async () => {
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

  it('adds to groups to which the inviter may add members', async () => {
    const create = async (name: string, user: TestUser) =>
      expectSuccess(await user.api.post('/user_groups/create', { name, description: '', members: [] }))
        .group_id
    const [own, foreign] = [await create('own', ann), await create('foreign', admin)]
    const { id } = await inviteAndJoin(ann, { group_ids: [own] })
    expect(expectSuccess(await ann.api.get(`/user_groups/${own}/members`)).members).toEqual([id])
    for (const group of [foreign, 5]) expectRefusal(await invite(ann, { group_ids: [group] }), LOW)
    expectRefusal(await invite(ann, { group_ids: [987_654] }), 'Invalid user group')
  })

  it('leads to default channels only where that is asked for', async () => {
    expect(await channelsOf(await inviteAndJoin(ann, {}))).toEqual([])
    const joined = await inviteAndJoin(ann, { include_realm_default_subscriptions: true })
    expect(await channelsOf(joined)).toContain('general')
  })

  it('leads to default channels also by who cannot subscribe others', async () => {
    await whileSettings(realm, { can_add_subscribers_group: 3 }, async () => {
      const joined = await inviteAndJoin(ann, { include_realm_default_subscriptions: true })
      expect(await channelsOf(joined)).toContain('general')
    })
  })

  it.each([
    [undefined, 1],
    [true, 1],
    [false, 0],
  ])('with notify_referrer_on_join %j gives its sender %i messages', async (notify, count) => {
    const queue = await openQueue(ann)
    await inviteAndJoin(ann, notify === undefined ? {} : { notify_referrer_on_join: notify })
    const notices = (await queue.eventsOf('message')).filter(({ message }) => message.type === 'private')
    expect(notices).toHaveLength(count)
    for (const { message } of notices) {
      expect(message).toMatchObject({ sender_full_name: 'Notification Bot' })
      expect(message.content).toContain('accepted your invitation')
    }
  })

  describe('the welcome text of an invitation', () => {
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

    it('is that of an administrator', async () => {
      expect(await welcomes(admin, 'a text of its *own*')).toContain('a text of its *own*')
    })

    it('is the organization’s without one, and none where it is empty', async () => {
      await whileSettings(realm, { welcome_message_custom_text: 'the house text' }, async () => {
        expect(await welcomes(admin, null)).toContain('the house text')
        expect(await welcomes(admin, undefined)).toContain('the house text')
        expect(await welcomes(admin, '')).not.toContain('the house text')
      })
    })

    it('is never that of others than administrators', async () => {
      await whileSettings(realm, { welcome_message_custom_text: 'the house text' }, async () => {
        for (const text of ['mine', 'x'.repeat(8_001)]) {
          const got = await welcomes(ann, text)
          expect(got).toContain('the house text')
          expect(got).not.toContain(text)
        }
      })
    })

    it('has at most 8000 characters', async () => {
      expectSuccess(await invite(admin, { welcome_message_custom_text: 'x'.repeat(8_000) }))
      expectRefusal(
        await invite(admin, { welcome_message_custom_text: 'x'.repeat(8_001) }),
        'welcome_message_custom_text is too long (limit: 8000 characters)',
      )
    })
  })

  it('fails if some have accounts, and invites the others', async () => {
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

  it('needs can_invite_users_group, and is not for guests and bots', async () => {
    await whileSettings(realm, { can_invite_users_group: 3 }, async () => {
      expectRefusal(await invite(ann, {}), LOW)
      expectSuccess(await invite(admin, {}))
    })
    expectRefusal(await invite(guest, {}), 'Not allowed for guest users')
    expectRefusal(await invite(robot, {}), 'This endpoint does not accept bot requests.')
  })

  it('is an event for its sender and administrators', async () => {
    const queues = [await openQueue(ann), await openQueue(admin), await openQueue(moderator)]
    expectSuccess(await invite(ann, {}))
    const counts: number[] = []
    for (const queue of queues) counts.push((await queue.eventsOf('invites_changed')).length)
    expect(counts).toEqual([1, 1, 0])
  })

  it('by link gives no role that may do more than the inviter’s', async () => {
    await whileSettings(realm, { create_multiuse_invite_group: 4 }, async () => {
      expectSuccess(await moderator.api.post('/invites/multiuse', { invite_as: 300 }))
      expect((await moderator.api.post('/invites/multiuse', { invite_as: 200 })).body.code).toBe(
        'BAD_REQUEST',
      )
    })
  })

  it('of others than administrators is listed without a welcome text', async () => {
    const body = expectSuccess(await invite(ann, { welcome_message_custom_text: 'x'.repeat(9_000) }))
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    const { invites } = expectSuccess(await ann.api.get('/invites'))
    expect(invites.at(-1)).toMatchObject({ welcome_message_custom_text: null })
    expect((await invite(admin, { welcome_message_custom_text: 'x'.repeat(8_001) })).body.code).toBe(
      'BAD_REQUEST',
    )
  })
})
