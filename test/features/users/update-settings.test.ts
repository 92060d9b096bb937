import { describe, expect, it } from 'vitest'
import { atLevel, buildUser, expectSuccess } from '../../support/factories.ts'
import { ALL_CAPABILITIES, openQueue, type TestQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm, ben, member } = useRealmPerTest({ ben: 'member', member: 'member' })

const OLD_CLIENT = { client_capabilities: { ...ALL_CAPABILITIES, user_settings_object: false } }

describe('changing settings', () => {
  it('notifies one’s own clients alone, older ones with two events', async () => {
    const [own, old, other] = [
      await openQueue(member),
      await openQueue(atLevel(member, 438), OLD_CLIENT),
      await openQueue(realm.owner),
    ]
    expectSuccess(
      await member.api.patch('/settings', {
        twenty_four_hour_time: true,
        enable_desktop_notifications: false,
        web_font_size_px: 18,
      }),
    )
    const setting = (property: string, value: unknown) => ({
      type: 'user_settings',
      op: 'update',
      property,
      value,
    })
    const events = await own.events()
    expect(events).toMatchObject([
      setting('twenty_four_hour_time', true),
      setting('web_font_size_px', 18),
      setting('enable_desktop_notifications', false),
    ])
    expect(events.filter((event) => 'language_name' in event)).toEqual([])
    expect(await old.events()).toMatchObject([
      setting('twenty_four_hour_time', true),
      {
        type: 'update_display_settings',
        user: member.email,
        setting_name: 'twenty_four_hour_time',
        setting: true,
      },
      setting('web_font_size_px', 18),
      setting('enable_desktop_notifications', false),
      {
        type: 'update_global_notifications',
        user: member.email,
        notification_name: 'enable_desktop_notifications',
        setting: false,
      },
    ])
    expect(await other.events()).toEqual([])
    const { snapshot } = await openQueue(member)
    expect(snapshot.user_settings).toMatchObject({ twenty_four_hour_time: true, web_font_size_px: 18 })
  })

  it('emits nothing for values that stay the same', async () => {
    const queue = await openQueue(member)
    expectSuccess(await member.api.patch('/settings', { twenty_four_hour_time: false, color_scheme: 1 }))
    expect(await queue.events()).toEqual([])
  })

  it('sends the name of the language', async () => {
    const queue = await openQueue(atLevel(member, 438), OLD_CLIENT)
    expectSuccess(await member.api.patch('/settings', { default_language: 'de' }))
    expect(await queue.events()).toMatchObject([
      { type: 'user_settings', property: 'default_language', value: 'de', language_name: 'German' },
      { type: 'update_display_settings', setting_name: 'default_language', language_name: 'German' },
    ])
  })

  it('refuses with each setting’s own message, and then changes nothing', async () => {
    const queue = await openQueue(member)
    for (const [params, msg] of [
      [{ twenty_four_hour_time: 'yes' }, 'twenty_four_hour_time is not valid JSON'],
      [{ twenty_four_hour_time: 1 }, 'twenty_four_hour_time is not a boolean'],
      [{ color_scheme: true }, 'color_scheme is not an integer'],
      [{ color_scheme: 9 }, 'Invalid color_scheme'],
      [{ emojiset: 'apple' }, 'Invalid emojiset'],
      [{ default_language: 'xx-nothing' }, 'Invalid default_language'],
      [{ notification_sound: 'trumpet' }, "Invalid notification sound 'trumpet'"],
      [{ email_notifications_batching_period_seconds: 0 }, 'Invalid email batching period: 0 seconds'],
      [{ timezone: 'Europe/Atlantis' }, 'Invalid timezone'],
      [{ enter_sends: true, web_home_view: 'nowhere' }, 'Invalid web_home_view'],
    ] as const) {
      expect((await member.api.patch('/settings', params)).body).toEqual({
        result: 'error',
        code: 'BAD_REQUEST',
        msg,
      })
    }
    expect(await queue.events()).toEqual([])
  })

  it('lists unsupported parameters', async () => {
    const body = expectSuccess(await member.api.patch('/settings', { enter_sends: true, dense_mode: true }))
    expect(body.ignored_parameters_unsupported).toEqual(['dense_mode'])
  })

  it('works at the older addresses too', async () => {
    const queue = await openQueue(member)
    expectSuccess(await member.api.patch('/settings/display', { fluid_layout_width: true }))
    expectSuccess(await member.api.patch('/settings/notifications', { enable_sounds: false }))
    expect((await queue.events()).map(({ property }) => property)).toEqual([
      'fluid_layout_width',
      'enable_sounds',
    ])
  })

  it('needs an account', async () => {
    expect((await realm.anonymous.patch('/settings', { enter_sends: true })).status).toBe(401)
  })
})

describe('changing the time zone', () => {
  it('is sent to everybody, in the canonical spelling', async () => {
    const other = await openQueue(realm.owner)
    expectSuccess(await member.api.patch('/settings', { timezone: 'europe/berlin' }))
    expect(await other.events()).toMatchObject([
      {
        type: 'realm_user',
        op: 'update',
        person: { user_id: member.id, email: member.email, timezone: 'Europe/Berlin' },
      },
    ])
    expect(expectSuccess(await realm.owner.api.get(`/users/${member.id}`)).user.timezone).toBe(
      'Europe/Berlin',
    )
    expect((await openQueue(member)).snapshot.user_settings.timezone).toBe('Europe/Berlin')
  })
})

describe('changing the name', () => {
  it('is sent to everybody', async () => {
    const other = await openQueue(realm.owner)
    expectSuccess(await member.api.patch('/settings', { full_name: ' Mara Member ' }))
    expect(await other.events()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: member.id, full_name: 'Mara Member' } },
    ])
    expect((await member.api.patch('/settings', { full_name: 'a' })).body.msg).toBe('Name too short!')
    expectSuccess(await member.api.patch('/settings', { full_name: '' }))
  })

  it('is ignored where name changes are disabled, except from administrators', async () => {
    expectSuccess(await realm.owner.api.patch('/realm', { name_changes_disabled: true }))
    expectSuccess(await member.api.patch('/settings', { full_name: 'Another Name' }))
    expect(expectSuccess(await member.api.get('/users/me')).full_name).toBe(member.fullName)
    expectSuccess(await realm.owner.api.patch('/settings', { full_name: 'Another Name' }))
    expect(expectSuccess(await realm.owner.api.get('/users/me')).full_name).toBe('Another Name')
  })
})

describe('hiding the address', () => {
  it('notifies those who lose it, and everybody of the substitute address', async () => {
    const moderator = await buildUser(realm, { role: 300 })
    const [own, gone, kept] = [
      await openQueue(member),
      await openQueue(await buildUser(realm)),
      await openQueue(moderator),
    ]
    gone.lastEventId = (await openQueue(gone.user)).lastEventId
    await Promise.all([own.events(), gone.events(), kept.events()])
    expectSuccess(await member.api.patch('/settings', { email_address_visibility: 5 }))
    const dummy = `user${member.id}@${realm.host}`
    const persons = async (queue: typeof own) =>
      (await queue.eventsOf('realm_user', 'update')).map(({ person }) => person)
    const lost = { user_id: member.id, delivery_email: null }
    const api = { user_id: member.id, new_email: dummy }
    expect(await persons(gone)).toMatchObject([lost, api, { user_id: member.id, avatar_source: 'G' }])
    expect(await persons(kept)).toMatchObject([api, { avatar_version: 1 }])
    expect(await persons(own)).toMatchObject([api, { avatar_version: 1 }])

    const seen = expectSuccess(await gone.user.api.get(`/users/${member.id}`)).user
    expect(seen).toMatchObject({ email: dummy, delivery_email: null })
    expect(seen.avatar_url).toContain('gravatar.com')
    expect((await gone.user.api.get(`/users/${member.email}`)).body.msg).toBe('No such user')
    expect(expectSuccess(await gone.user.api.get(`/users/${dummy}`)).user.user_id).toBe(member.id)
    const known = expectSuccess(await moderator.api.get(`/users/${member.email}`)).user
    expect(known).toMatchObject({ email: dummy, delivery_email: member.email, avatar_url: null })
    expect(expectSuccess(await member.api.get(`/users/${member.email}`)).user.email).toBe(dummy)
  })

  it('notifies those who gain it back', async () => {
    expectSuccess(await member.api.patch('/settings', { email_address_visibility: 4 }))
    const queue = await openQueue(realm.owner)
    expectSuccess(await member.api.patch('/settings', { email_address_visibility: 3 }))
    expect(await queue.events()).toMatchObject([
      { type: 'realm_user', person: { user_id: member.id, delivery_email: member.email } },
    ])
    expect(expectSuccess(await realm.owner.api.get(`/users/${member.id}`)).user.delivery_email).toBe(
      member.email,
    )
  })

  it('keeps the key valid with either address', async () => {
    expectSuccess(await member.api.patch('/settings', { email_address_visibility: 4 }))
    expect(expectSuccess(await member.api.get('/users/me')).delivery_email).toBe(member.email)
  })

  it('sends everybody the substitute address, and the real one at visibility 1', async () => {
    const shy = await buildUser(realm)
    const queues = [await openQueue(ben), await openQueue(realm.owner)]
    const newEmailsFor = async (queue: TestQueue) =>
      (await queue.eventsOf('realm_user', 'update'))
        .filter(({ person }) => 'new_email' in person)
        .map(({ person }) => person.new_email)
    const dummy = `user${shy.id}@${realm.host}`
    for (const [visibility, email] of [
      [3, [dummy]],
      [4, []],
      [1, [shy.email]],
    ] as const) {
      expectSuccess(await shy.api.patch('/settings', { email_address_visibility: visibility }))
      for (const queue of queues) expect(await newEmailsFor(queue)).toEqual(email)
    }
  })
})

describe('changing the password', () => {
  const change = (old_password: string, new_password: string) =>
    member.api.patch('/settings', { old_password, new_password })
  const login = (password: string) =>
    realm.anonymous.post('/fetch_api_key', { username: member.email, password })

  it('requires the old one and keeps the key', async () => {
    expectSuccess(await change('a fine password', 'another password'))
    expect((await login('a fine password')).status).toBe(401)
    expect(expectSuccess(await login('another password')).api_key).toBe(member.apiKey)
  })

  it('refuses a wrong old one before it checks the new one', async () => {
    expect((await change('wrong', 'x')).body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Wrong password!' })
    expect((await change('a fine password', 'short')).body.msg).toBe('New password is too weak!')
    expectSuccess(await login('a fine password'))
  })

  it('is stopped after five wrong ones', async () => {
    for (let attempt = 1; attempt <= 5; attempt += 1) await change('wrong', 'another password')
    const { status, body } = await change('a fine password', 'another password')
    expect(status).toBe(400)
    expect(body.msg).toMatch(/^You're making too many attempts! Try again in 1\d{3} seconds\.$/)
  })

  it('changes nothing when something else is refused', async () => {
    const { body } = await member.api.patch('/settings', {
      old_password: 'a fine password',
      new_password: 'another password',
      color_scheme: 9,
    })
    expect(body.msg).toBe('Invalid color_scheme')
    expectSuccess(await login('a fine password'))
  })
})
