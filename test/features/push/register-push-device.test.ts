import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiClient, evictRealm } from '../../support/api.ts'
import { atLevel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { BOUNCER_PUBLIC_KEY, BOUNCER_SETTINGS, PushBouncer } from '../../support/push-bouncer.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })
/** Another organization. */
const { realm: other } = useRealm()
let bouncer: PushBouncer

beforeEach(() => {
  bouncer = new PushBouncer()
  bouncer.open()
  world.settings = BOUNCER_SETTINGS
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  bouncer.close()
  vi.restoreAllMocks()
})

let accounts = 1_000

function device(changes: Record<string, unknown> = {}) {
  accounts += 1
  return {
    token_kind: 'fcm',
    push_account_id: accounts,
    push_public_key: btoa('device key'),
    bouncer_public_key: BOUNCER_PUBLIC_KEY,
    encrypted_push_registration: btoa(`registration ${accounts}`),
    ...changes,
  }
}

/**
 * Runs due jobs. Their times are whole seconds and none runs early, so two seconds later everything of this moment is due.
 */
async function runJobs(later = 2): Promise<void> {
  world.clockOffset += later
  await inRealm(realm, (object) => object.alarm())
}

async function devicesOf(user: TestUser): Promise<Record<string, unknown>> {
  return (await openQueue(atLevel(user, 467))).snapshot.push_devices
}

describe('registering a device', () => {
  it('is answered at once, sent to the bouncer, and its user notified when active', async () => {
    const [anns, bens] = [await openQueue(atLevel(ann, 467)), await openQueue(atLevel(ben, 467))]
    const asked = device({ push_account_id: 2408 })
    expect((await ann.api.post('/mobile_push/register', asked)).body).toEqual({ result: 'success', msg: '' })
    expect((await devicesOf(ann))[2408]).toEqual({ status: 'pending', error_code: null })
    await runJobs()
    expect(bouncer.registrations).toMatchObject([
      {
        accountId: '2408',
        encryptedRegistration: asked.encrypted_push_registration,
        bouncerPublicKey: BOUNCER_PUBLIC_KEY,
      },
    ])
    expect(await anns.events()).toEqual([
      { id: expect.any(Number), type: 'push_device', push_account_id: '2408', status: 'active' },
    ])
    expect(await bens.events()).toEqual([])
    expect((await devicesOf(ann))[2408]).toEqual({ status: 'active', error_code: null })
    expect(await devicesOf(ben)).toEqual({})
  })

  it('is not told to clients of level 468 and later, whose devices have keys', async () => {
    const named = { event_types: ['push_device'] }
    const queues = [
      await openQueue(atLevel(ben, 467)),
      await openQueue(ben, named),
      await openQueue(ben),
      await openQueue(atLevel(ben, 468), named),
    ]
    const asked = device()
    expectSuccess(await ben.api.post('/mobile_push/register', asked))
    await runJobs()
    const events = await Promise.all(queues.map((queue) => queue.eventsOf('push_device')))
    expect(events.map((some) => some.map(({ status }) => status))).toEqual([['active'], ['active'], [], []])
    const snapshots = [
      await openQueue(atLevel(ben, 467)),
      await openQueue(ben, named),
      await openQueue(ben),
      await openQueue(atLevel(ben, 468), named),
    ]
    expect(snapshots.map(({ snapshot }) => snapshot.push_devices)).toEqual([
      { [asked.push_account_id]: { status: 'active', error_code: null } },
      { [asked.push_account_id]: { status: 'active', error_code: null } },
      undefined,
      undefined,
    ])
    expect(snapshots[2]!.snapshot.devices).toEqual({})
  })

  it('takes tokens of both kinds of phones', async () => {
    const asked = ['fcm', 'apns'].map((token_kind) => device({ token_kind }))
    for (const one of asked) expectSuccess(await ann.api.post('/mobile_push/register', one))
    await runJobs()
    const registered = await devicesOf(ann)
    for (const { push_account_id } of asked) {
      expect(registered[push_account_id]).toEqual({ status: 'active', error_code: null })
    }
  })

  it('keeps every digit of a 64-bit account number', async () => {
    const asked = { ...device(), push_account_id: '9007199254740993' }
    expectSuccess(await guest.api.post('/mobile_push/register', asked))
    await runJobs()
    expect(bouncer.registrations[0]!.accountId).toBe('9007199254740993')
    expect(Object.keys(await devicesOf(guest))).toEqual(['9007199254740993'])
  })

  it('twice does nothing while the first is pending or active', async () => {
    const asked = device()
    expectSuccess(await ann.api.post('/mobile_push/register', asked))
    expectSuccess(
      await ann.api.post('/mobile_push/register', { ...asked, encrypted_push_registration: 'new' }),
    )
    await runJobs()
    expectSuccess(await ann.api.post('/mobile_push/register', asked))
    await runJobs()
    expect(bouncer.registrations.map(({ encryptedRegistration }) => encryptedRegistration)).toEqual([
      asked.encrypted_push_registration,
    ])
  })

  it('identifies the organization to the bouncer consistently and uniquely', async () => {
    expectSuccess(await ann.api.post('/mobile_push/register', device()))
    expectSuccess(await ben.api.post('/mobile_push/register', device()))
    await runJobs()
    expectSuccess(await other.owner.api.post('/mobile_push/register', device()))
    world.clockOffset += 2
    await inRealm(other, (object) => object.alarm())
    const uuids = bouncer.registrations.map(({ realmUuid }) => realmUuid)
    expect(uuids[0]).toBe(uuids[1])
    expect(uuids[2]).not.toBe(uuids[0])
  })
})

describe('several devices that register at the same time', () => {
  it('are all registered', async () => {
    const queue = await openQueue(atLevel(ann, 467))
    expectSuccess(await ann.api.post('/mobile_push/register', device()))
    expectSuccess(await ann.api.post('/mobile_push/register', device()))
    await runJobs()
    expect((await queue.events()).map(({ status }) => status)).toEqual(['active', 'active'])
  })
})

describe('a registration that the bouncer refuses', () => {
  const outcomes = [
    ['INVALID_BOUNCER_PUBLIC_KEY', { bouncer_public_key: btoa('an older key') }],
    ['BAD_REQUEST', { encrypted_push_registration: 'not base64!' }],
    ['REQUEST_EXPIRED', { encrypted_push_registration: btoa('expired') }],
  ] as const

  it.each(outcomes)('fails with %s, and can be repeated', async (code, changes) => {
    const queue = await openQueue(atLevel(ann, 467))
    const asked = device(changes)
    const id = String(asked.push_account_id)
    expectSuccess(await ann.api.post('/mobile_push/register', asked))
    await runJobs()
    expect(await queue.events()).toMatchObject([
      { type: 'push_device', push_account_id: id, status: 'failed', error_code: code },
    ])
    expect((await devicesOf(ann))[id]).toEqual({ status: 'failed', error_code: code })
    await runJobs(3_600)
    expect(bouncer.requests).toBe(1)
    expectSuccess(await ann.api.post('/mobile_push/register', { ...device(), push_account_id: id }))
    await runJobs()
    expect((await devicesOf(ann))[id]).toEqual({ status: 'active', error_code: null })
  })
})

describe('a bouncer that answers a registration with no outcome', () => {
  it('is retried with growing pauses until it answers', async () => {
    bouncer.failures.push(new Error('no connection'), 503, 429, 401, 500)
    const asked = device()
    expectSuccess(await ann.api.post('/mobile_push/register', asked))
    const queue = await openQueue(atLevel(ann, 467))
    for (const [attempt, wait] of [2, 6, 11, 21, 41].entries()) {
      await runJobs(wait)
      expect(bouncer.requests).toBe(attempt + 1)
    }
    await runJobs(1)
    expect(bouncer.requests).toBe(5)
    expect(await queue.events()).toEqual([])
    await evictRealm(realm.id)
    await runJobs(81)
    expect(await queue.events()).toMatchObject([{ status: 'active' }])
  })

  it('is not retried after a day', async () => {
    bouncer.failures.push(...Array.from({ length: 10 }, () => 503))
    const asked = device()
    expectSuccess(await ann.api.post('/mobile_push/register', asked))
    const queue = await openQueue(atLevel(ann, 467), { queue_lifespan_secs: 604_800 })
    await runJobs()
    await runJobs(86_400)
    expect(await queue.events()).toMatchObject([{ status: 'failed', error_code: 'REQUEST_EXPIRED' }])
    await runJobs(86_400)
    expect(bouncer.requests).toBe(2)
  })
})

describe('a registration is refused', () => {
  it('by a server without a push service, after the parameters have been checked', async () => {
    world.settings = {}
    expectRefusal(
      await ann.api.post('/mobile_push/register', device()),
      'Server is not configured to use push notification service.',
      { code: 'PUSH_SERVICE_NOT_CONFIGURED' },
    )
    expectRefusal(
      await ann.api.post('/mobile_push/register', device({ token_kind: 'web' })),
      'Invalid token_kind',
    )
    expect(await devicesOf(ann)).toEqual({})
    expect((await openQueue(ann)).snapshot.realm_push_notifications_enabled).toBe(false)
    const settings = await realm.anonymous.get('/server_settings')
    expect(settings.body.push_notifications_enabled).toBe(false)
  })

  it('of a part of the older form, in the words of the client’s level', async () => {
    const missing = async (user: TestUser, without: string, name: string) => {
      const asked = Object.fromEntries(Object.entries(device()).filter(([key]) => key !== without))
      expectRefusal(await user.api.post('/mobile_push/register', asked), `Missing '${name}' argument`, {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: name,
      })
    }
    for (const name of Object.keys(device())) {
      await missing(ann, name, 'device_id')
      await missing(atLevel(ann, 468), name, 'device_id')
      await missing(atLevel(ann, 467), name, name)
    }
    expectRefusal(await ann.api.post('/mobile_push/register'), "Missing 'device_id' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'device_id',
    })
  })

  it('for the first invalid parameter, in order', async () => {
    const withId = (push_account_id: unknown) =>
      ann.api.post('/mobile_push/register', device({ push_account_id, push_public_key: undefined }))
    expectRefusal(await withId('abc'), 'push_account_id is not valid JSON')
    for (const wrong of ['1.5', '"7"', 'true', '99999999999999999999']) {
      expectRefusal(await withId(wrong), 'push_account_id is not an integer')
    }
  })

  it('for bots, and without credentials', async () => {
    const bot = expectSuccess(await ann.api.post('/bots', { full_name: 'Bot', short_name: 'pusher' }))
    const email = `pusher-bot@${realm.host}`
    const client = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey: bot.api_key })
    expectRefusal(
      await client.post('/mobile_push/register', device()),
      'This endpoint does not accept bot requests.',
    )
    expectUnauthorized(await realm.anonymous.post('/mobile_push/register', device()))
  })
})

describe('a server with a push service', () => {
  it('announces it before and after login', async () => {
    expect((await openQueue(ann)).snapshot.realm_push_notifications_enabled).toBe(true)
    const settings = await realm.anonymous.get('/server_settings')
    expect(settings.body.push_notifications_enabled).toBe(true)
  })
})
