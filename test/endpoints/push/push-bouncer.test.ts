import { beforeEach, describe, expect, it } from 'vitest'
import { useCastle } from '../../support/castle.ts'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { BOUNCER_SETTINGS } from '../../support/push-bouncer.ts'
import { enterDevice } from '../../support/push-devices.ts'
import { world } from '../../support/world.ts'

const castle = useCastle()
const { bouncer } = castle

describe('a bouncer', () => {
  it('that refuses a notification is not asked for it again', async () => {
    const { ann, ben } = castle
    bouncer.failures.push('PUSH_NOTIFICATIONS_DISALLOWED')
    await castle.say(ann, '@**Ben**')
    await castle.bring()
    const id = await castle.say(ann, '@**Ben**')
    await castle.bring()
    expect(bouncer.told).toEqual([[ben.id, id]])
  })

  it('names tokens that are dead: they are used no more', async () => {
    const { realm, ann, cat } = castle
    const tokens = [await enterDevice(realm, cat), await enterDevice(realm, cat, 'apns')] as const
    for (const token of [undefined, tokens[1], tokens[0]]) {
      if (token) bouncer.dead.add(token)
      await castle.say(ann, '@**Cat**')
      await castle.bring()
    }
    await castle.say(ann, '@**Cat**')
    await castle.bring()
    const used = bouncer.notices.map(({ android_devices, apple_devices }) => [
      ...android_devices,
      ...apple_devices,
    ])
    expect(used).toEqual([tokens, tokens, [tokens[0]]])
  })

  it('is told of tokens that are taken off; nothing goes to them from then on', async () => {
    const { realm, ann, cat } = castle
    const token = await enterDevice(realm, cat, 'apns')
    expect(await castle.notifiedOf(castle.say(ann, '@**Cat**'))).toEqual([cat.id])
    bouncer.forgetRequests()
    expectSuccess(await cat.api.delete('/users/me/apns_device_token', { token }))
    await castle.say(ann, '@**Cat**')
    await castle.bring()
    expect(bouncer.devices.has(token)).toBe(false)
    expect(bouncer.notices).toEqual([])
  })

  it('that refuses a token has no such device', async () => {
    const { ann, cat } = castle
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token: 'refused' }))
    await castle.bring()
    expect(await castle.notifiedOf(castle.say(ann, '@**Cat**'))).toEqual([])
    const { body } = await cat.api.delete('/users/me/android_gcm_reg_id', { token: 'refused' })
    expect(body.msg).toBe('Token does not exist')
  })

  it('gets tokens that were entered before there was one', async () => {
    const { realm, ann, ben, cat } = castle
    world.settings = {}
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token: 'early' }))
    world.settings = BOUNCER_SETTINGS
    await enterDevice(realm, ann)
    expect(bouncer.devices.has('early')).toBe(true)
    expect(await castle.notifiedOf(castle.say(ben, '@**Cat**'))).toEqual([cat.id])
  })
})

describe('a bouncer that is away', () => {
  // The clock is turned far, and back: each test has an organization of its own.
  beforeEach(async () => {
    world.evictable = false
    await castle.build()
  })

  it('is asked again later, not for every message, and told everything then', async () => {
    const { ann, ben } = castle
    bouncer.failures.push(new Error('no connection'), 503, new Error('no connection'), 503)
    const told: [number, number][] = []
    for (let n = 0; n < 6; n += 1) {
      told.push([ben.id, await castle.say(ann, '@**Ben**')])
      await castle.bring(1)
    }
    // After three in a row it is let be.
    expect(bouncer.requests).toBe(3)
    await castle.bring(20)
    await castle.bring(60)
    expect(bouncer.told.toSorted((a, b) => a[1] - b[1])).toEqual(told)
  })

  it('for one notification only holds up no other', async () => {
    const { ann, ben } = castle
    bouncer.failures.push(500)
    const first = await castle.say(ann, '@**Ben**')
    const second = await castle.say(ann, '@**Ben**')
    await castle.bring()
    expect(bouncer.told).toEqual([[ben.id, second]])
    await castle.bring(20)
    expect(bouncer.told).toEqual([
      [ben.id, second],
      [ben.id, first],
    ])
  })

  it('for a day is told no more of what is old', async () => {
    bouncer.failures.push(500)
    await castle.say(castle.ann, '@**Ben**')
    await castle.bring()
    await castle.bring(90_000)
    expect(bouncer.notices).toEqual([])
  })

  it('as one that does not know this server is asked again', async () => {
    bouncer.failures.push('INVALID_ZULIP_SERVER')
    const id = await castle.say(castle.ann, '@**Ben**')
    await castle.bring()
    await castle.bring(60)
    expect(bouncer.told).toEqual([[castle.ben.id, id]])
  })

  it('is asked again to take a notification away', async () => {
    const { ann, ben } = castle
    const id = await castle.say(ann, '@**Ben**')
    await castle.bring()
    bouncer.failures.push(502)
    await castle.read(ben, [id])
    await castle.bring()
    expect(bouncer.removed).toEqual([])
    await castle.bring(60)
    expect(bouncer.removed).toEqual([[ben.id, [id]]])
  })
})

describe('what it costs', () => {
  const written = () => inRealm(castle.realm, ({ parts }) => parts.sql.counts.written)
  const rowsOf = async (act: () => Promise<unknown>) => {
    const before = await written()
    await act()
    return (await written()) - before
  }

  /** Who is called has a row for that way, too. */
  const wantNoMail = async () => {
    const { realm, ben, cat } = castle
    for (const user of [realm.owner, ben, cat]) {
      await castle.set(user, { enable_offline_email_notifications: false })
    }
  }

  it('a message that calls nobody with a device is as cheap as without any device', async () => {
    world.evictable = false
    const { realm, ann, cat } = castle
    await wantNoMail()
    await castle.say(ann)
    expect(await rowsOf(() => castle.say(ann))).toBe(4)
    // The index of wildcard mentions; and the note, the job and the alarm, however many are called.
    expect(await rowsOf(() => castle.say(ann, '@**all**'))).toBe(4 + 1 + 3)
    await castle.bring()
    await enterDevice(realm, cat)
    expect(await rowsOf(() => castle.say(ann, '@**all**'))).toBe(4 + 1 + 3)
  })

  it('without a push service nothing is written for it, whoever had a device', async () => {
    world.evictable = false
    const { ann } = castle
    await wantNoMail()
    world.settings = {}
    await castle.say(ann, '@**all**')
    await castle.bring()
    expect(await rowsOf(() => castle.say(ann, '@**all**'))).toBe(4 + 1)
    expect(bouncer.notices).toEqual([])
  })
})
