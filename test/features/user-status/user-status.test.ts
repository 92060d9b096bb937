import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealmPerTest({ ann: 'member', ben: 'member' })

const EMOJI = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }

function setStatus(user: TestUser, params: Record<string, ParameterValue>) {
  return user.api.post('/users/me/status', params)
}

async function statusOf(user: TestUser, reader: TestUser = ben) {
  return expectSuccess(await reader.api.get(`/users/${user.id}/status`)).status
}

async function registered(reader: TestUser) {
  return (await openQueue(reader, { fetch_event_types: ['user_status'] })).snapshot.user_status
}

describe('a status', () => {
  it('is sent to all who see the user, and kept', async () => {
    const queues = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await setStatus(ann, { status_text: '  on holiday ', ...EMOJI }))
    for (const queue of queues) {
      expect(await queue.eventsOf('user_status')).toMatchObject([
        { user_id: ann.id, status_text: 'on holiday', ...EMOJI },
      ])
    }
    expect(await statusOf(ann)).toEqual({ status_text: 'on holiday', ...EMOJI })
    expect((await registered(ben))[ann.id]).toEqual({ status_text: 'on holiday', ...EMOJI })
  })

  it('changes only in the given parts', async () => {
    expectSuccess(await setStatus(ann, { status_text: 'busy', emoji_name: 'tada' }))
    const queue = await openQueue(ben)
    expectSuccess(await setStatus(ann, { status_text: 'very busy' }))
    const [event] = await queue.eventsOf('user_status')
    expect(event).toEqual({
      id: expect.any(Number),
      type: 'user_status',
      user_id: ann.id,
      status_text: 'very busy',
    })
    expect(await statusOf(ann)).toEqual({ status_text: 'very busy', ...EMOJI })
  })

  it('loses its text to the empty text, and its emoji to the empty name', async () => {
    expectSuccess(await setStatus(ann, { status_text: 'busy', emoji_name: 'tada' }))
    expectSuccess(await setStatus(ann, { status_text: '' }))
    expect(await statusOf(ann)).toEqual(EMOJI)
    const queue = await openQueue(ben)
    expectSuccess(await setStatus(ann, { emoji_name: '' }))
    expect(await queue.eventsOf('user_status')).toMatchObject([
      { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' },
    ])
    expect(await statusOf(ann)).toEqual({})
    expect(await registered(ben)).not.toHaveProperty(String(ann.id))
  })
})

describe('away', () => {
  it('hides the user’s presence, with the setting’s event first', async () => {
    const queue = await openQueue(ann, {
      event_types: ['user_settings', 'user_status', 'update_global_notifications'],
      client_capabilities: { notification_settings_null: true },
    })
    expectSuccess(await setStatus(ann, { away: true }))
    expect(await queue.events()).toMatchObject([
      { type: 'user_settings', property: 'presence_enabled', value: false },
      { type: 'update_global_notifications', notification_name: 'presence_enabled', setting: false },
      { type: 'user_status', user_id: ann.id, away: true },
    ])
    expect(await statusOf(ann)).toEqual({ away: true })
    const { presences } = expectSuccess(await ann.api.post('/users/me/presence', { status: 'active' }))
    expect(presences[ann.email].aggregated.timestamp).toBeLessThan(Date.now() / 1_000 - 200)
    expectSuccess(await setStatus(ann, { away: false }))
    expect(await statusOf(ann)).toEqual({})
    const { presences: back } = expectSuccess(await ben.api.post('/users/me/presence', { status: 'active' }))
    expect(back[ann.email].aggregated.status).toBe('active')
  })
})

describe('presence_enabled', () => {
  it('sets the status’s `away`, also when it changes as a setting', async () => {
    const queue = await openQueue(ben, { event_types: ['user_status'] })
    for (const away of [true, false]) {
      expectSuccess(await ann.api.patch('/settings', { presence_enabled: !away }))
      expectSuccess(await ann.api.patch('/settings', { presence_enabled: !away }))
      const event = { type: 'user_status', user_id: ann.id, away }
      expect(await queue.events()).toEqual([{ ...event, id: expect.any(Number) }])
    }
  })
})

describe('a status is refused', () => {
  it.each([
    [{}, 'Client did not pass any new values.'],
    [{ emoji_code: '1f389' }, 'Client did not pass any new values.'],
    [
      { status_text: 'x', emoji_code: '1f389' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_name: 'heart', emoji_code: '1f389', reaction_type: 'unicode_emoji' }, 'Invalid emoji name.'],
    [{ emoji_name: 'mine', emoji_code: '5', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
    [{ emoji_name: 'heart', emoji_code: '1f389', reaction_type: 'sticker' }, 'Invalid emoji type.'],
    [{ away: 'yes' }, 'away is not valid JSON'],
  ])('%j: %s', async (params, msg) => {
    const { status, body } = await setStatus(ann, params as Record<string, ParameterValue>)
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
    expect(await statusOf(ann)).toEqual({})
  })

  it('from bots', async () => {
    const bot = await buildBot(realm, ann)
    expect((await setStatus(bot, { status_text: 'x' })).body.msg).toBe(
      'This endpoint does not accept bot requests.',
    )
  })

  it('without credentials', async () => {
    expect((await realm.anonymous.post('/users/me/status', { status_text: 'x' })).status).toBe(401)
  })
})

describe('the status of another user', () => {
  it('is set by administrators', async () => {
    const queue = await openQueue(ann)
    expectSuccess(await realm.owner.api.post(`/users/${ann.id}/status`, { status_text: 'ill' }))
    expect(await queue.eventsOf('user_status')).toMatchObject([{ user_id: ann.id, status_text: 'ill' }])
    expect(await statusOf(ann)).toEqual({ status_text: 'ill' })
  })

  it('is set by bots that are administrators, and by no others', async () => {
    const bot = await buildBot(realm, await buildUser(realm, { role: 200 }))
    const set = () => bot.api.post(`/users/${ben.id}/status`, { status_text: 'on call' })
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator' }
    expect((await set()).body).toMatchObject(refusal)
    expectSuccess(await realm.owner.api.patch(`/users/${bot.id}`, { role: 200 }))
    expectSuccess(await set())
    expect(await statusOf(ben, ann)).toEqual({ status_text: 'on call' })
  })

  it('cannot be set by others, nor for unknown users', async () => {
    const moderator = await buildUser(realm, { role: 300 })
    for (const user of [ben, moderator]) {
      const { status, body } = await user.api.post(`/users/${ann.id}/status`, { status_text: 'x' })
      expect([status, body.code, body.msg]).toEqual([
        400,
        'UNAUTHORIZED_PRINCIPAL',
        'Must be an organization administrator',
      ])
    }
    const { body } = await realm.owner.api.post('/users/999999/status', { status_text: 'x' })
    expect(body.msg).toBe('No such user')
  })

  it('cannot be fetched for an unknown user', async () => {
    expect((await ben.api.get('/users/999999/status')).body.msg).toBe('No such user')
    expect((await realm.anonymous.get(`/users/${ann.id}/status`)).status).toBe(401)
  })
})
