import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'
import { whileSettings } from './while-settings.ts'

const { realm, ann, ben, admin, moderator, guest, shy } = useRealm({
  ann: 'member',
  ben: 'member',
  admin: 'administrator',
  moderator: 'moderator',
  guest: 'guest',
  /** A user whose API email is a dummy, since only moderators and above may see the address. */
  shy: 'member',
})
beforeAll(async () => {
  expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 5 }))
})

const LOW = 'Insufficient permission'

let names = 0
function newName(): string {
  names += 1
  return `decided ${names}`
}

type Params = Record<string, ParameterValue | undefined>

function subscribe(user: TestUser, name: string, params: Params = {}) {
  return user.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...params })
}

function unsubscribe(user: TestUser, channels: readonly string[], params: Params = {}) {
  return user.api.delete('/users/me/subscriptions', { subscriptions: channels, ...params })
}

async function channelOf(user: TestUser, name: string) {
  const { subscriptions } = expectSuccess(await user.api.get('/users/me/subscriptions'))
  return subscriptions.find((one: { name: string }) => one.name === name)
}

function invite(user: TestUser, params: Params = {}) {
  names += 1
  return user.api.post('/invites', { invitee_emails: `new-${names}@example.com`, stream_ids: [], ...params })
}

async function createGroup(user: TestUser, params: Params = {}): Promise<number> {
  const group = { name: newName(), description: '', members: [], ...params }
  return expectSuccess(await user.api.post('/user_groups/create', group)).group_id
}

describe('Decisions 4: Channels, subscriptions, groups, invitations, users', () => {
  it('4.3, 4.4 principals: ids, API emails, or visible real addresses, unmixed', async () => {
    const { name } = await buildChannel([admin])
    const dummy = `user${shy.id}@${realm.host}`
    for (const principal of [shy.id, dummy, shy.email]) {
      expect(expectSuccess(await subscribe(admin, name, { principals: [principal] })).subscribed).toEqual({
        [shy.id]: [name],
      })
      expectSuccess(await unsubscribe(admin, [name], { principals: [principal] }))
    }
    const open = await buildChannel([ann])
    expectRefusal(await subscribe(ann, open.name, { principals: [shy.email] }), 'No such user')
    expect((await subscribe(admin, name, { principals: [ann.id, ben.email] })).status).toBe(400)
  })

  it('4.3 authorization_errors_fatal false: channels refused to the caller are listed and skipped', async () => {
    const secret = await buildChannel([ben], { invite_only: true })
    const open = await buildChannel([ben])
    const names = [secret.name, open.name, newName()]
    const params = { subscriptions: names.map((name) => ({ name })), authorization_errors_fatal: false }
    await whileSettings(realm, { can_add_subscribers_group: 3 }, async () => {
      const body = expectSuccess(
        await ann.api.post('/users/me/subscriptions', { ...params, principals: [ben.id] }),
      )
      expect(body.unauthorized.toSorted()).toEqual([secret.name, open.name].toSorted())
      expect(body.subscribed).toEqual({ [ben.id]: [names[2]] })
    })
  })

  it('4.3 authorization_errors_fatal true: they are errors', async () => {
    const secret = await buildChannel([ben], { invite_only: true })
    expectRefusal(await subscribe(ann, secret.name), 'Channel name is already in use.')
    expectRefusal(await subscribe(realm.owner, secret.name), `Unable to access channel (${secret.name}).`)
    const open = await buildChannel([ben])
    await whileSettings(realm, { can_add_subscribers_group: 3 }, async () => {
      expectRefusal(await subscribe(ann, open.name, { principals: [guest.id] }), LOW)
    })
  })

  it('4.3 refusals of creation are errors either way', async () => {
    await whileSettings(realm, { can_create_public_channel_group: 3 }, async () => {
      for (const authorization_errors_fatal of [true, false]) {
        expectRefusal(await subscribe(ann, newName(), { authorization_errors_fatal }), LOW)
      }
    })
  })

  it('4.3 creation parameters are not checked if no channel is created; malformed JSON fails', async () => {
    const { name } = await buildChannel([ben])
    const params = { is_default_stream: true, can_add_subscribers_group: 987_654, message_retention_days: 5 }
    const body = expectSuccess(await subscribe(ann, name, params))
    expect(body.subscribed).toEqual({ [ann.id]: [name] })
    expect((await subscribe(guest, name, { invite_only: 'perhaps' })).status).toBe(400)
    expect((await subscribe(ann, name, { invite_only: 'perhaps' })).body.msg).toBe(
      'invite_only is not valid JSON',
    )
  })

  it('4.3 can_delete_*_group at creation: needs can_set_delete_message_policy_group, for other values than nobody', async () => {
    for (const name of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
      expectRefusal(await subscribe(ann, newName(), { [name]: 5 }), LOW)
      expectSuccess(await subscribe(ann, newName(), { [name]: 1 }))
      expectSuccess(await subscribe(moderator, newName(), { [name]: 5 }))
    }
  })

  it('4.3 can_delete_*_group later: needs access to the content and that group', async () => {
    const anns = { direct_members: [ann.id, moderator.id], direct_subgroups: [] }
    const { id } = await buildChannel([ann, moderator], { can_administer_channel_group: anns })
    const params = { can_delete_any_message_group: { new: 5 } }
    expect((await ann.api.patch(`/streams/${id}`, params)).status).toBe(400)
    expectSuccess(await moderator.api.patch(`/streams/${id}`, params))
    const secret = await buildChannel([ann], { invite_only: true })
    expectRefusal(
      await realm.owner.api.patch(`/streams/${secret.id}`, params),
      'Channel content access is required.',
    )
  })

  it('4.3 retention is for owners, default channels for administrators', async () => {
    expectRefusal(
      await subscribe(admin, newName(), { message_retention_days: 5 }),
      'Must be an organization owner',
      {
        code: 'UNAUTHORIZED_PRINCIPAL',
      },
    )
    expectRefusal(await subscribe(moderator, newName(), { is_default_stream: true }), LOW)
    expectSuccess(await subscribe(realm.owner, newName(), { message_retention_days: 5 }))
    expectSuccess(await subscribe(admin, newName(), { is_default_stream: true }))
  })

  it('4.3 the first notice of an empty_topic_only channel goes to the empty topic', async () => {
    const { id } = await buildChannel([ann], { topics_policy: 'empty_topic_only' })
    const { topics } = expectSuccess(
      await ann.api.get(`/users/me/${id}/topics`, { allow_empty_topic_name: true }),
    )
    expect(topics.map(({ name }: { name: string }) => name)).toEqual([''])
  })

  it('4.4 a missing channel: STREAM_DOES_NOT_EXIST with the first missing name; nothing is removed', async () => {
    const { name } = await buildChannel([ann])
    expectRefusal(await unsubscribe(ann, [name, 'gone a', 'gone b']), "Channel 'gone a' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'gone a',
    })
    expect(await channelOf(ann, name)).toBeDefined()
  })

  it('4.4 an own bot: from channels the owner can see, else a missing name', async () => {
    const { user_id } = expectSuccess(
      await ann.api.post('/bots', { full_name: newName(), short_name: `own-${names}` }),
    )
    const [open, secret] = [await buildChannel([ben]), await buildChannel([ben], { invite_only: true })]
    for (const { name } of [open, secret])
      expectSuccess(await subscribe(ben, name, { principals: [user_id] }))
    expect(expectSuccess(await unsubscribe(ann, [open.name], { principals: [user_id] })).removed).toEqual([
      open.name,
    ])
    const absent = `Channel '${secret.name}' does not exist`
    const code = 'STREAM_DOES_NOT_EXIST'
    expectRefusal(await unsubscribe(ann, [secret.name], { principals: [user_id] }), absent, { code })
  })

  it('4.4 oneself: no access is needed, only visibility of the channel', async () => {
    const secret = await buildChannel([ben], { invite_only: true })
    expect(expectSuccess(await unsubscribe(realm.owner, [secret.name])).not_removed).toEqual([secret.name])
    const absent = `Channel '${secret.name}' does not exist`
    expectRefusal(await unsubscribe(ann, [secret.name]), absent, { code: 'STREAM_DOES_NOT_EXIST' })
  })

  it('4.4 administrators of the channel may remove others', async () => {
    const { name } = await buildChannel([ann, ben])
    expect(expectSuccess(await unsubscribe(ann, [name], { principals: [ben.id] })).removed).toEqual([name])
  })

  it.each([
    ['#ABCDEF', '#abcdef'],
    ['#1aF', '#11aaff'],
    ['#1234', null],
    ['#12345', null],
    ['red', null],
  ])('4.7 colour %s is stored as %s', async (value, stored) => {
    const { id, name } = await buildChannel([ann])
    const data = [{ stream_id: id, property: 'color', value }]
    const answer = await ann.api.post('/users/me/subscriptions/properties', { subscription_data: data })
    if (stored === null) expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST'])
    else expect(await channelOf(ann, name)).toMatchObject({ color: stored })
  })

  it('4.8 deactivated true counts as data given: success, no event', async () => {
    const id = await createGroup(ann)
    const queue = await openQueue(ann)
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { deactivated: true }))
    expect(await queue.events()).toEqual([])
    expectRefusal(await ann.api.patch(`/user_groups/${id}`), 'No new data supplied')
  })

  it('4.8 old is the expected value: mismatch 400 EXPECTATION_MISMATCH', async () => {
    const id = await createGroup(ann)
    expectRefusal(
      await ann.api.patch(`/user_groups/${id}`, { can_join_group: { new: 5, old: 3 } }),
      "'old' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH' },
    )
  })

  it('4.8 owners and the group’s managers may; administrators as such, guests, bots may not', async () => {
    const managers = { direct_members: [ben.id], direct_subgroups: [] }
    const id = await createGroup(ann, { can_manage_group: managers })
    const rename = (user: TestUser) => user.api.patch(`/user_groups/${id}`, { name: newName() })
    for (const user of [ben, realm.owner]) expectSuccess(await rename(user))
    for (const user of [ann, admin]) expectRefusal(await rename(user), LOW)
    expectRefusal(await rename(guest), 'Not allowed for guest users')
  })

  it('4.15 guests are refused, and who is not in can_create_groups', async () => {
    const params = { name: newName(), description: '', members: [] }
    expectRefusal(await guest.api.post('/user_groups/create', params), 'Not allowed for guest users')
    await whileSettings(realm, { can_create_groups: 3 }, async () => {
      expectRefusal(await ann.api.post('/user_groups/create', params), LOW)
      expectSuccess(await admin.api.post('/user_groups/create', params))
    })
  })

  it.each([
    [200, 100, false],
    [200, 200, true],
    [300, 200, false],
    [300, 300, true],
    [400, 300, false],
    [400, 400, true],
    [400, 600, true],
  ])('4.12 role %i inviting as %i: %j', async (role, invite_as, allowed) => {
    const inviter = { 200: admin, 300: moderator, 400: ann }[role]!
    const answer = await invite(inviter, { invite_as })
    expect(answer.body.result).toBe(allowed ? 'success' : 'error')
    if (!allowed) expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('4.12 the same rule for POST /invites/multiuse', async () => {
    await whileSettings(realm, { create_multiuse_invite_group: 4 }, async () => {
      expectSuccess(await moderator.api.post('/invites/multiuse', { invite_as: 300 }))
      expect((await moderator.api.post('/invites/multiuse', { invite_as: 200 })).body.code).toBe(
        'BAD_REQUEST',
      )
    })
  })

  it('4.12 the refusal of the owner’s role: BAD_REQUEST with the public text', async () => {
    expectRefusal(await invite(admin, { invite_as: 100 }), 'Must be an organization owner')
  })

  it('4.12 others’ welcome text is null unless administrators’: no error, check or listing', async () => {
    const body = expectSuccess(await invite(ann, { welcome_message_custom_text: 'x'.repeat(9_000) }))
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    const { invites } = expectSuccess(await ann.api.get('/invites'))
    expect(invites.at(-1)).toMatchObject({ welcome_message_custom_text: null })
    expect((await invite(admin, { welcome_message_custom_text: 'x'.repeat(8_001) })).body.code).toBe(
      'BAD_REQUEST',
    )
  })

  it('4.12 stream_ids: default channels always pass, any other without the right is BAD_REQUEST', async () => {
    const { id } = await buildChannel([realm.owner, ann])
    const { stream_id: general } = expectSuccess(await ann.api.get('/get_stream_id', { stream: 'general' }))
    await whileSettings(realm, { can_add_subscribers_group: 3 }, async () => {
      expectSuccess(await invite(ann, { stream_ids: [general] }))
      expectRefusal(
        await invite(ann, { stream_ids: [id] }),
        'You do not have permission to subscribe other users to channels.',
      )
    })
  })

  it('4.12 no address: absent is as empty', async () => {
    for (const invitee_emails of [undefined, '', ' ']) {
      expectRefusal(await invite(ann, { invitee_emails }), 'You must specify at least one email address.')
    }
  })

  it('4.12 INVITATION_FAILED also for malformed and for known addresses: four fields, always 400', async () => {
    for (const [invitee_emails, sent_invitations] of [
      ['not an address', false],
      [ben.email, false],
      [`${ben.email}, fresh@example.com`, true],
    ] as const) {
      expect(await invite(ann, { invitee_emails })).toMatchObject({
        status: 400,
        body: {
          code: 'INVITATION_FAILED',
          errors: [expect.any(Array)],
          daily_limit_reached: false,
          license_limit_reached: false,
          sent_invitations,
        },
      })
    }
  })

  it('4.18 the founder may create users, other administrators not; members fail by role first', async () => {
    const account = () => ({
      email: `${newName().replace(' ', '-')}@example.com`,
      password: 'a fine one',
      full_name: 'New',
    })
    expectSuccess(await realm.owner.api.post('/users', account()))
    const secondOwner = await buildUser(realm, { role: 100 })
    for (const user of [admin, secondOwner]) {
      expectRefusal(await user.api.post('/users', account()), 'User not authorized to create users')
    }
    world.settings = { CAN_CREATE_USERS: [admin, ann].map(({ email }) => `${realm.host}/${email}`).join(' ') }
    expectSuccess(await admin.api.post('/users', account()))
    expectRefusal(await ann.api.post('/users', account()), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
  })

  it('4.18 a password is judged by its length alone: 6 to 100', async () => {
    for (const [password, created] of [
      ['aaaaa', false],
      ['aaaaaa', true],
      ['a'.repeat(100), true],
      ['a'.repeat(101), false],
    ] as const) {
      const email = `${newName().replace(' ', '-')}@example.com`
      const { body } = await realm.owner.api.post('/users', { email, password, full_name: 'Weak One' })
      expect([password.length, body.result]).toEqual([password.length, created ? 'success' : 'error'])
      if (!created) expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'The password is too weak.' })
    }
  })

  it('4.21 an unknown user: 400 No such user', async () => {
    expectRefusal(await ann.api.get('/users/987654'), 'No such user')
  })

  it('4.22 one’s own address is always found; the dummy works beside a real one', async () => {
    const hidden = await buildUser(realm)
    expectSuccess(await hidden.api.patch('/settings', { email_address_visibility: 4 }))
    expect(expectSuccess(await hidden.api.get(`/users/${hidden.email}`)).user.user_id).toBe(hidden.id)
    expectRefusal(await ann.api.get(`/users/${hidden.email}`), 'No such user')
    const dummy = `/users/user${ben.id}@${realm.host}`
    expect(expectSuccess(await ann.api.get(dummy)).user).toMatchObject({ user_id: ben.id, email: ben.email })
  })

  it('4.23 realm_icon is an absolute URL', async () => {
    const { realm_icon } = expectSuccess(await realm.anonymous.get('/server_settings'))
    expect(realm_icon).toMatch(/^https?:\/\/[^/]/)
  })

  it('4.23 external_authentication_methods is always an array; the provider keys are always booleans', async () => {
    const settings = expectSuccess(await realm.anonymous.get('/server_settings'))
    expect(settings.external_authentication_methods).toEqual([])
    for (const name of ['apple', 'azuread', 'github', 'gitlab', 'google']) {
      expect(settings.authentication_methods[name]).toBe(false)
    }
  })
})
