import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { whileSettings } from './while-settings.ts'

const { realm, ann, ben, robot } = useRealm({ ann: 'member', ben: 'member', robot: { botOf: 'ann' } })

type Params = Record<string, ParameterValue>

function preset(params: Params) {
  return realm.owner.api.patch('/realm/user_settings_defaults', params)
}

async function ping(params: Params = {}, user = ann) {
  return expectSuccess(await user.api.post('/users/me/presence', { status: 'active', ...params }))
}

function setStatus(params: Params) {
  return ann.api.post('/users/me/status', params)
}

async function status() {
  return expectSuccess(await ben.api.get(`/users/${ann.id}/status`)).status
}

describe('Decisions 5: Settings, presence, status, push', () => {
  it('4.6 the default of drafts sync deletes no drafts of anybody', async () => {
    const draft = { type: '', to: [], topic: '', content: 'kept', timestamp: 1_700_000_000 }
    expectSuccess(await ann.api.post('/drafts', { drafts: [draft] }))
    expectSuccess(await preset({ enable_drafts_synchronization: false }))
    expect(expectSuccess(await ann.api.get('/drafts')).count).toBe(1)
    expectSuccess(await preset({ enable_drafts_synchronization: true }))
  })

  it('4.6 turning the own setting off is what deletes them', async () => {
    const draft = { type: '', to: [], topic: '', content: 'gone', timestamp: 1_700_000_000 }
    expectSuccess(await ben.api.post('/drafts', { drafts: [draft] }))
    expectSuccess(await ben.api.patch('/settings', { enable_drafts_synchronization: false }))
    expectSuccess(await ben.api.patch('/settings', { enable_drafts_synchronization: true }))
    expect(expectSuccess(await ben.api.get('/drafts')).count).toBe(0)
  })

  it.each([
    ['web_mark_read_on_scroll_policy', 2],
    ['web_left_sidebar_show_channel_folders', false],
    ['web_left_sidebar_unreads_count_summary', false],
    ['web_inbox_show_channel_folders', false],
  ])('4.6 the public settings are accepted too: %s', async (name, value) => {
    expect(expectSuccess(await preset({ [name]: value }))).not.toHaveProperty(
      'ignored_parameters_unsupported',
    )
    const { snapshot } = await openQueue(await buildUser(realm), { fetch_event_types: ['user_settings'] })
    expect(snapshot.user_settings[name]).toBe(value)
  })

  it('4.6 emojiset: google, twitter, text, and the legacy google-blob', async () => {
    for (const emojiset of ['google', 'twitter', 'text', 'google-blob'])
      expectSuccess(await preset({ emojiset }))
    expectRefusal(await preset({ emojiset: 'apple' }), 'Invalid emojiset')
  })

  it('4.6 realm_name_in_email_notifications_policy: 1, 2, 3', async () => {
    const name = 'realm_name_in_email_notifications_policy'
    for (const value of [1, 2, 3]) expectSuccess(await preset({ [name]: value }))
    for (const value of [0, 4]) expectRefusal(await preset({ [name]: value }), `Invalid ${name}`)
  })

  it('4.10 with ping_only the id is sent too: the passed value, else -1', async () => {
    expect((await ping({ ping_only: true })).presence_last_update_id).toBe(-1)
    expect((await ping({ ping_only: true, last_update_id: 3 })).presence_last_update_id).toBe(3)
  })

  it('4.10 the organization’s presence off: no data, and the passed id, -1 if none', async () => {
    await whileSettings(realm, { presence_disabled: true }, async () => {
      expect(await ping({ last_update_id: 3 })).toMatchObject({ presences: {}, presence_last_update_id: 3 })
      expect(await ping()).toMatchObject({ presences: {}, presence_last_update_id: -1 })
    })
  })

  it('4.10 legacy_mirror_active is false always', async () => {
    for (const params of [{}, { slim_presence: true }, { last_update_id: -1 }, { ping_only: true }]) {
      expect((await ping(params as Params)).legacy_mirror_active).toBe(false)
    }
  })

  it.each([
    ['4.10', 'POST', '/users/me/presence'],
    ['4.13', 'POST', '/users/me/status'],
    ['4.12', 'POST', '/invites'],
    ['4.17', 'POST', '/mobile_push/register'],
  ])('%s bots are refused: %s %s', async (_section, method, path) => {
    expectRefusal(await robot.api.request(method, path), 'This endpoint does not accept bot requests.')
  })

  it('4.13 an empty status_text clears the text only; an empty emoji_name the emoji', async () => {
    expectSuccess(await setStatus({ status_text: 'out', emoji_name: 'car' }))
    expectSuccess(await setStatus({ status_text: '' }))
    expect(await status()).toMatchObject({ emoji_name: 'car' })
    expect(await status()).not.toHaveProperty('status_text')
    expectSuccess(await setStatus({ emoji_name: '' }))
    expect(await status()).toEqual({})
  })

  it('4.13 a code or a type alone: no new values; BAD_REQUEST', async () => {
    const alone: Params[] = [{ emoji_code: '1f697' }, { reaction_type: 'unicode_emoji' }]
    for (const params of alone) {
      expectRefusal(await setStatus(params), 'Client did not pass any new values.')
    }
  })

  it('4.13 away sets presence_enabled, with its events first', async () => {
    const queue = await openQueue(ann)
    expectSuccess(await setStatus({ away: true, status_text: 'gone' }))
    const types = (await queue.events()).map(({ type }) => type).filter((type) => type !== 'presence')
    expect(types.at(0)).toBe('user_settings')
    expect(types.at(-1)).toBe('user_status')
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['user_settings'] })
    expect(snapshot.user_settings.presence_enabled).toBe(false)
    expectSuccess(await setStatus({ away: false }))
  })

  it('4.17 parameters are checked before PUSH_SERVICE_NOT_CONFIGURED', async () => {
    const params = { token_kind: 'x', push_account_id: 1, push_public_key: 'a', bouncer_public_key: 'a' }
    expectRefusal(await ann.api.post('/mobile_push/register', params), 'Invalid token_kind')
    const device = { ...params, token_kind: 'fcm' }
    expect((await ann.api.post('/mobile_push/register', device)).body.code).toBe('REQUEST_VARIABLE_MISSING')
    const whole = { ...device, encrypted_push_registration: 'a' }
    expect((await ann.api.post('/mobile_push/register', whole)).body.code).toBe('PUSH_SERVICE_NOT_CONFIGURED')
  })
})
