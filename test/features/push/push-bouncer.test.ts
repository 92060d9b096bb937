import { beforeEach, describe, expect, it } from 'vitest'
import { expectSuccess, reopen } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { TRIES } from '../../support/limits.ts'
import { BOUNCER_SETTINGS } from '../../support/push-bouncer.ts'
import { insertDevice } from '../../support/push-devices.ts'
import { usePushRealm } from '../../support/push-realm.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { world } from '../../support/world.ts'

/** The clock goes on by days while these queues are open. */
const LONG = { queue_lifespan_secs: 604_800, event_types: ['message'] }

const org = usePushRealm()
const { bouncer } = org

describe('a push bouncer', () => {
  it('that refuses a notification does not get it again', async () => {
    const { ann, ben } = org
    bouncer.failures.push('BAD_REQUEST')
    await org.say(ann, '@**Ben**')
    await org.deliver()
    const id = await org.say(ann, '@**Ben**')
    await org.deliver()
    expect(bouncer.notified).toEqual([[ben.id, id]])
  })

  it('can report dead tokens, which are then deleted', async () => {
    const { realm, ann, cat } = org
    const tokens = [await insertDevice(realm, cat), await insertDevice(realm, cat, 'apns')] as const
    for (const token of [undefined, tokens[1], tokens[0]]) {
      if (token) bouncer.dead.add(token)
      await org.say(ann, '@**Cat**')
      await org.deliver()
    }
    await org.say(ann, '@**Cat**')
    await org.deliver()
    const used = bouncer.notifications.map(({ android_devices, apple_devices }) => [
      ...android_devices,
      ...apple_devices,
    ])
    expect(used).toEqual([tokens, tokens, [tokens[0]]])
  })

  it('is notified of removed tokens, which get nothing from then on', async () => {
    const { realm, ann, cat } = org
    const token = await insertDevice(realm, cat, 'apns')
    expect(await org.notifiedOf(org.say(ann, '@**Cat**'))).toEqual([cat.id])
    bouncer.forgetRequests()
    expectSuccess(await cat.api.delete('/users/me/apns_device_token', { token }))
    await org.say(ann, '@**Cat**')
    await org.deliver()
    expect(bouncer.devices.has(token)).toBe(false)
    expect(bouncer.notifications).toEqual([])
  })

  it('can refuse a token, which is then not registered', async () => {
    const { ann, cat } = org
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token: 'refused' }))
    await org.deliver()
    expect(await org.notifiedOf(org.say(ann, '@**Cat**'))).toEqual([])
    const { body } = await cat.api.delete('/users/me/android_gcm_reg_id', { token: 'refused' })
    expect(body.msg).toBe('Token does not exist')
  })

  it('gets tokens registered before it was configured', async () => {
    const { realm, ann, ben, cat } = org
    world.settings = {}
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token: 'early' }))
    world.settings = BOUNCER_SETTINGS
    await insertDevice(realm, ann)
    expect(bouncer.devices.has('early')).toBe(true)
    expect(await org.notifiedOf(org.say(ben, '@**Cat**'))).toEqual([cat.id])
  })
})

describe('a bouncer that is down', () => {
  // These tests move the clock far ahead and back, so each has an organization of its own.
  beforeEach(async () => {
    world.evictable = false
    await org.build()
  })

  it('is retried later, not for every message, and gets everything then', async () => {
    const { ann, ben } = org
    bouncer.failures.push(new Error('no connection'), 503, new Error('no connection'), 503)
    const expected: [number, number][] = []
    for (let n = 0; n < 6; n += 1) {
      expected.push([ben.id, await org.say(ann, '@**Ben**')])
      await org.deliver(1)
    }
    // After three failures in a row the server does not call the bouncer for a while.
    expect(bouncer.requests).toBe(3)
    await org.deliver(20)
    await org.deliver(60)
    expect(bouncer.notified.toSorted((a, b) => a[1] - b[1])).toEqual(expected)
  })

  it('for one notification delays no other', async () => {
    const { ann, ben } = org
    bouncer.failures.push(500)
    const first = await org.say(ann, '@**Ben**')
    const second = await org.say(ann, '@**Ben**')
    await org.deliver()
    expect(bouncer.notified).toEqual([[ben.id, second]])
    await org.deliver(20)
    expect(bouncer.notified).toEqual([
      [ben.id, second],
      [ben.id, first],
    ])
  })

  it('for a day gets no outdated notifications', async () => {
    bouncer.failures.push(500)
    await org.say(org.ann, '@**Ben**')
    await org.deliver()
    await org.deliver(90_000)
    expect(bouncer.notifications).toEqual([])
  })

  it('is retried for removals of notifications', async () => {
    const { ann, ben } = org
    const id = await org.say(ann, '@**Ben**')
    await org.deliver()
    bouncer.failures.push(502)
    await org.read(ben, [id])
    await org.deliver()
    expect(bouncer.removed).toEqual([])
    await org.deliver(60)
    expect(bouncer.removed).toEqual([[ben.id, [id]]])
  })
})

describe('a bouncer that refuses this server', () => {
  beforeEach(async () => {
    world.evictable = false
    await org.build()
  })

  const refusal = (status: number, code: string, msg: string) =>
    Response.json({ result: 'error', code, msg }, { status })
  const REFUSALS: [string, () => Response][] = [
    ['INVALID_ZULIP_SERVER', () => refusal(400, 'INVALID_ZULIP_SERVER', 'Not registered')],
    ['PUSH_NOTIFICATIONS_DISALLOWED', () => refusal(400, 'PUSH_NOTIFICATIONS_DISALLOWED', '10+ users')],
    ['MISSING_REMOTE_REALM', () => refusal(403, 'MISSING_REMOTE_REALM', 'Organization not registered')],
    ['UNAUTHORIZED', () => refusal(401, 'UNAUTHORIZED', 'Server auth failure')],
  ]

  /** What the notification bot has written to a user since their queue was opened. */
  const toldTo = async (queue: TestQueue) =>
    (await queue.eventsOf('message'))
      .filter(({ message }) => message.type === 'private')
      .map(({ message }) => message.content as string)

  it.each(REFUSALS)('is told to the owners, and asked again after a day: %s', async (code, answer) => {
    const { realm, ann, ben } = org
    const queues = [await openQueue(realm.owner, LONG), await openQueue(ann, LONG)]
    bouncer.failures.push(answer)
    await org.say(ann, '@**Ben**')
    await org.deliver()
    expect([await toldTo(queues[0]!), await toldTo(queues[1]!)]).toEqual([
      [expect.stringMatching(new RegExp(`refuses this server.*<code>.*${code}: .+</code>`))],
      [],
    ])
    await org.say(ann, '@**Ben**')
    await org.deliver(3_600)
    await org.deliver(80_000)
    expect([bouncer.requests, bouncer.notified]).toEqual([1, []])
    await org.deliver(3_600)
    const id = await org.say(ann, '@**Ben**')
    await org.deliver()
    expect(bouncer.notified).toEqual([[ben.id, id]])
  })

  it('is told again in other words, or after a success', async () => {
    const { realm, ann } = org
    const queue = await openQueue(realm.owner, LONG)
    const [, missing] = REFUSALS[2]!
    const [, unpaid] = REFUSALS[1]!
    const told: number[] = []
    for (const answer of [missing, missing, unpaid, undefined, unpaid]) {
      if (answer) bouncer.failures.push(answer)
      await org.say(ann, '@**Ben**')
      await org.deliver()
      told.push((await toldTo(queue)).length)
      await org.deliver(86_400)
    }
    expect(told).toEqual([1, 0, 1, 0, 1])
  })

  it('gets the tokens of devices a day later', async () => {
    const { cat } = org
    bouncer.failures.push(REFUSALS[3]![1])
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token: 'patient' }))
    await org.deliver()
    await org.deliver(3_600)
    expect([bouncer.requests, bouncer.devices.has('patient')]).toEqual([1, false])
    await org.deliver(86_400)
    expect(bouncer.devices.has('patient')).toBe(true)
  })

  it('may be something else without a code, and is retried', async () => {
    const queue = await openQueue(org.realm.owner, LONG)
    bouncer.failures.push(401, () => new Response('<h1>Forbidden</h1>', { status: 403 }))
    const id = await org.say(org.ann, '@**Ben**')
    for (const seconds of [2, 60, 60]) await org.deliver(seconds)
    expect(bouncer.notified).toEqual([[org.ben.id, id]])
    expect(await toldTo(queue)).toEqual([])
  })
})

describe('what a bouncer does not take with all tries', () => {
  beforeEach(async () => {
    world.evictable = false
    await org.build()
  })

  type Letter = { id: number; kind: string; description: string; attempts: number; error: string }
  const letters = async (): Promise<Letter[]> =>
    expectSuccess(await org.realm.owner.api.get('/dead_letters')).dead_letters
  const retryAll = async () => {
    expectSuccess(await org.realm.owner.api.post('/dead_letters/retry'))
    expect(await letters()).toEqual([])
    await org.deliver()
  }
  /** Lets the try that comes next be the last one, and fail. */
  const fail = async (table: 'pending_push' | 'push_token' | 'push_shown') => {
    bouncer.failures.push(500)
    await org.deliver()
    await inRealm(org.realm, ({ parts }) =>
      parts.sql.run(`UPDATE ${table} SET attempts = ? WHERE attempts > 0`, TRIES.push - 1),
    )
    bouncer.failures.push(500)
    await org.deliver(60)
    bouncer.failures.length = 0
    expect(await letters()).toMatchObject([{ kind: 'push', attempts: TRIES.push, error: expect.any(String) }])
    return (await letters())[0]!.description
  }

  it('is a dead letter: notifications of a message, delivered if they still are of use', async () => {
    const { ann, ben } = org
    const id = await org.say(ann, '@**Ben**')
    expect(await fail('pending_push')).toBe(`Notifications of message ${id}`)
    await org.deliver(3_600)
    expect(bouncer.notified).toEqual([])
    await retryAll()
    expect(bouncer.notified).toEqual([[ben.id, id]])
    const read = await org.say(ann, '@**Ben**')
    await fail('pending_push')
    await org.read(ben, [read])
    await retryAll()
    expect(bouncer.notified).toEqual([[ben.id, id]])
  })

  it('is a dead letter: removals of notifications', async () => {
    const { ann, ben } = org
    const id = await org.say(ann, '@**Ben**')
    await org.deliver()
    await org.read(ben, [id])
    expect(await fail('push_shown')).toBe(`Removal of notifications of user ${ben.id}`)
    await org.deliver(3_600)
    expect(bouncer.removed).toEqual([])
    await retryAll()
    expect(bouncer.removed).toEqual([[ben.id, [id]]])
  })

  it('is a dead letter: devices, and their removal', async () => {
    const { ann, cat } = org
    const token = 'aa'.repeat(8)
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token }))
    expect(await fail('push_token')).toBe(`Registration of a device of user ${cat.id}`)
    expect(await org.notifiedOf(org.say(ann, '@**Cat**'))).toEqual([])
    await retryAll()
    expect(await org.notifiedOf(org.say(ann, '@**Cat**'))).toEqual([cat.id])
    expectSuccess(await cat.api.delete('/users/me/android_gcm_reg_id', { token }))
    expect(await fail('push_token')).toBe(`Removal of a device of user ${cat.id}`)
    expect(bouncer.devices.has(token)).toBe(true)
    await retryAll()
    expect(bouncer.devices.has(token)).toBe(false)
  })

  it('is no dead letter any more once its device is logged out', async () => {
    const { cat } = org
    const token = 'cc'.repeat(8)
    const remove = () => cat.api.delete('/users/me/android_gcm_reg_id', { token })
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token }))
    await fail('push_token')
    expect((await org.ann.api.delete('/users/me/android_gcm_reg_id', { token })).status).toBe(400)
    expect(await letters()).toHaveLength(1)
    expectSuccess(await remove())
    expect(await letters()).toEqual([])
    expect((await remove()).body.msg).toBe('Token does not exist')
  })

  it('is dropped at a retry if its account was closed meanwhile', async () => {
    const { realm, cat } = org
    const token = 'bb'.repeat(8)
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token }))
    await fail('push_token')
    expectSuccess(await realm.owner.api.delete(`/users/${cat.id}`))
    await retryAll()
    expect(bouncer.devices.has(token)).toBe(false)
    await reopen(realm, cat)
  })
})

describe('the cost of push notifications', () => {
  const written = () => inRealm(org.realm, ({ parts }) => parts.sql.counts.written)
  const rowsOf = async (act: () => Promise<unknown>) => {
    const before = await written()
    await act()
    return (await written()) - before
  }

  /** Turns off mail, for which a mentioned user would have a row too. */
  const wantNoMail = async () => {
    const { realm, ben, cat } = org
    for (const user of [realm.owner, ben, cat]) {
      await org.set(user, { enable_offline_email_notifications: false })
    }
  }

  it('is nothing for a message that notifies nobody with a device', async () => {
    world.evictable = false
    const { realm, ann, cat } = org
    await wantNoMail()
    await org.say(ann)
    expect(await rowsOf(() => org.say(ann))).toBe(4)
    // One row for the index of wildcard mentions; and the list of recipients, the job and the alarm, however many are
    // mentioned.
    expect(await rowsOf(() => org.say(ann, '@**all**'))).toBe(4 + 1 + 3)
    await org.deliver()
    await insertDevice(realm, cat)
    expect(await rowsOf(() => org.say(ann, '@**all**'))).toBe(4 + 1 + 3)
  })

  it('is nothing without a push service, whatever devices are registered', async () => {
    world.evictable = false
    const { ann } = org
    await wantNoMail()
    world.settings = {}
    await org.say(ann, '@**all**')
    await org.deliver()
    expect(await rowsOf(() => org.say(ann, '@**all**'))).toBe(4 + 1)
    expect(bouncer.notifications).toEqual([])
  })
})
