import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { PRESETTABLE_USER_SETTING_NAMES, USER_SETTINGS } from '../../support/inside-declarations.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm, member } = useRealmPerTest({ member: 'member' })

const change = (params: Record<string, string | number | boolean>, user = realm.owner) =>
  user.api.patch('/realm/user_settings_defaults', params)

describe('defaults of settings', () => {
  it('let Enter send in a new organization, for its founder too', async () => {
    for (const user of [realm.owner, member, await buildUser(realm, { role: 600 })]) {
      const { snapshot } = await openQueue(user)
      expect(snapshot.realm_user_settings_defaults.enter_sends).toBe(true)
      expect(snapshot.user_settings.enter_sends).toBe(true)
    }
    expectSuccess(await change({ enter_sends: false }))
    expect((await openQueue(await buildUser(realm))).snapshot.user_settings.enter_sends).toBe(false)
    expect((await openQueue(member)).snapshot.user_settings.enter_sends).toBe(true)
  })

  it('are sent to everybody, and apply to new users only', async () => {
    const guest = await buildUser(realm, { role: 600 })
    const queue = await openQueue(guest)
    expectSuccess(await change({ twenty_four_hour_time: true, emojiset: 'twitter', color_scheme: 1 }))
    expect(await queue.events()).toMatchObject([
      {
        type: 'realm_user_settings_defaults',
        op: 'update',
        property: 'twenty_four_hour_time',
        value: true,
      },
      { type: 'realm_user_settings_defaults', op: 'update', property: 'emojiset', value: 'twitter' },
    ])
    const { snapshot } = await openQueue(member)
    expect(snapshot.realm_user_settings_defaults).toMatchObject({
      twenty_four_hour_time: true,
      emojiset: 'twitter',
      color_scheme: 1,
    })
    expect(snapshot.user_settings).toMatchObject({ twenty_four_hour_time: false, emojiset: 'google' })
    const { snapshot: later } = await openQueue(await buildUser(realm))
    expect(later.user_settings).toMatchObject({ twenty_four_hour_time: true, emojiset: 'twitter' })
  })

  it('can be reset', async () => {
    expectSuccess(await change({ twenty_four_hour_time: true }))
    expectSuccess(await change({ twenty_four_hour_time: false }))
    const { snapshot } = await openQueue(await buildUser(realm))
    expect(snapshot.user_settings.twenty_four_hour_time).toBe(false)
  })

  it('accept every documented setting, and no value outside its list', async () => {
    const rounds: Record<string, string | number | boolean>[] = []
    for (const name of PRESETTABLE_USER_SETTING_NAMES) {
      const { type, values } = USER_SETTINGS[name]
      if (type !== 'boolean' && !values) continue
      const wrong = type === 'boolean' ? 5 : type === 'integer' ? 77 : 'nonsense'
      const refusal = type === 'boolean' ? `${name} is not a boolean` : `Invalid ${name}`
      expect((await change({ [name]: wrong })).body.msg).toBe(refusal)
      const all = type === 'boolean' ? [true, false] : values!
      for (const [round, value] of all.entries()) rounds[round] = { ...rounds[round], [name]: value }
    }
    for (const round of rounds) expectSuccess(await change(round))
  })

  it('have their own refusals for sound and delay', async () => {
    expect((await change({ notification_sound: 'trumpet' })).body.msg).toBe(
      "Invalid notification sound 'trumpet'",
    )
    expectSuccess(await change({ notification_sound: 'none' }))
    expect((await change({ email_notifications_batching_period_seconds: 604_801 })).body.msg).toBe(
      'Invalid email batching period: 604801 seconds',
    )
  })

  it('exclude settings that are only personal', async () => {
    const body = expectSuccess(
      await change({ default_language: 'de', timezone: 'UTC', enable_login_emails: false }),
    )
    expect(body.ignored_parameters_unsupported).toEqual([
      'default_language',
      'enable_login_emails',
      'timezone',
    ])
  })

  it('change nothing when one value is wrong, or none is given', async () => {
    const queue = await openQueue(member)
    expect((await change({ enter_sends: false, color_scheme: 9 })).status).toBe(400)
    expectSuccess(await change({}))
    expect(await queue.events()).toEqual([])
  })

  it('are for administrators', async () => {
    const guest = await buildUser(realm, { role: 600 })
    for (const user of [member, guest]) {
      expect((await change({ color_scheme: 'x' }, user)).body).toMatchObject({
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization administrator',
      })
    }
    expect((await realm.anonymous.patch('/realm/user_settings_defaults')).status).toBe(401)
    expectSuccess(await change({ color_scheme: 2 }, await buildUser(realm, { role: 200 })))
  })
})
