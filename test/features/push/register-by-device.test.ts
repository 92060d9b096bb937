import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm, type ParameterValue } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot, inRealm } from '../../support/inside.ts'
import { type KeyedPhone, logInOnPhone } from '../../support/keyed-phones.ts'
import { BOUNCER_SETTINGS, PushBouncer } from '../../support/push-bouncer.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { base64 } from '../../support/token-bouncer.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })
/** Another organization. */
const { realm: other } = useRealm()
let bouncer: PushBouncer
let phone: KeyedPhone

beforeEach(async () => {
  // Jobs run when a test runs them: what is due by now is done, and the object's own alarm is hours away.
  keepAlarmsAway()
  bouncer = new PushBouncer()
  bouncer.open()
  world.settings = BOUNCER_SETTINGS
  vi.spyOn(console, 'error').mockImplementation(() => {})
  phone = await logInOnPhone(bouncer, ann)
  await runJobs()
  bouncer.forgetRequests()
})

afterEach(() => {
  bouncer.close()
  vi.restoreAllMocks()
})

const register = (user: TestUser, fields: Record<string, ParameterValue | undefined>) =>
  user.api.post('/mobile_push/register', fields)

/** Runs jobs that are due so many seconds from now: with two, everything of this moment is. */
async function runJobs(later = 2): Promise<void> {
  world.clockOffset += later
  await inRealm(realm, (object) => object.alarm())
}

/** Registers the phone, and waits for the bouncer. */
async function setUp(user: TestUser, device: KeyedPhone): Promise<void> {
  expectSuccess(await register(user, await device.fields()))
  await runJobs()
}

async function stateOf(user: TestUser, { deviceId }: KeyedPhone): Promise<Record<string, unknown>> {
  return (await openQueue(user, { fetch_event_types: ['device'] })).snapshot.devices[deviceId]
}

async function updatesIn(queue: TestQueue): Promise<object[]> {
  return (await queue.events()).map(({ id: _id, ...event }) => event)
}

const update = (changes: object) => ({ type: 'device', op: 'update', device_id: phone.deviceId, ...changes })
const NOW = expect.toSatisfy((at) => Math.abs(at - Date.now() / 1_000 - world.clockOffset) < 60)

describe('a device that registers its first key and token', () => {
  it('has the key at once, and the token when the bouncer accepts it', async () => {
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    const tokenId = await phone.tokenId()
    const { id } = phone.keys[0]!
    const fields = await phone.fields()
    expect((await register(ann, fields)).body).toEqual({ result: 'success', msg: '' })
    const asked = { push_key_id: id, pending_push_token_id: tokenId, push_token_last_updated_timestamp: NOW }
    expect(await updatesIn(anns)).toEqual([update(asked)])
    expect(await stateOf(ann, phone)).toEqual({
      ...asked,
      push_token_id: null,
      push_registration_error_code: null,
    })
    await runJobs()
    expect(await updatesIn(anns)).toEqual([update({ push_token_id: tokenId, pending_push_token_id: null })])
    expect(await stateOf(ann, phone)).toEqual({
      ...asked,
      push_token_id: tokenId,
      pending_push_token_id: null,
      push_registration_error_code: null,
    })
    expect(bouncer.keyed.tokens.get(tokenId)).toMatchObject({ token: phone.token, kind: 'fcm' })
    expect(await bens.events()).toEqual([])
    expect((await openQueue(ben)).snapshot.devices).toEqual({})
  })

  it('can belong to a guest', async () => {
    const guests = await logInOnPhone(bouncer, guest, 'apns')
    await setUp(guest, guests)
    expect(await stateOf(guest, guests)).toMatchObject({ push_token_id: await guests.tokenId() })
  })

  it('changes nothing by repeating it within a day', async () => {
    await setUp(ann, phone)
    const queue = await openQueue(ann)
    await setUp(ann, phone)
    expect(await queue.events()).toEqual([])
    expect(bouncer.keyed.registrations).toBe(1)
  })
})

describe('a device that is registered', () => {
  beforeEach(() => setUp(ann, phone))

  it('gets a new key without the bouncer', async () => {
    const queue = await openQueue(ann)
    phone.renewKey()
    const fields = { device_id: phone.deviceId, ...phone.keyFields() }
    expectSuccess(await register(ann, fields))
    expectSuccess(await register(ann, fields))
    await runJobs()
    expect(await updatesIn(queue)).toEqual([update({ push_key_id: phone.keys[1]!.id })])
    expect(bouncer.keyed.registrations).toBe(1)
  })

  it('keeps its former token until the bouncer has accepted the new one', async () => {
    const former = await phone.tokenId()
    const queue = await openQueue(ann)
    phone.renewToken()
    const tokenId = await phone.tokenId()
    expectSuccess(await register(ann, { device_id: phone.deviceId, ...(await phone.tokenFields()) }))
    expect(await stateOf(ann, phone)).toMatchObject({
      push_token_id: former,
      pending_push_token_id: tokenId,
    })
    await runJobs()
    expect(await updatesIn(queue)).toEqual([
      update({ pending_push_token_id: tokenId, push_token_last_updated_timestamp: NOW }),
      update({ push_token_id: tokenId, pending_push_token_id: null }),
    ])
  })

  it('repeats its token after a month, which the bouncer gets again', async () => {
    const { push_token_last_updated_timestamp: first } = await stateOf(ann, phone)
    await runJobs(30 * 86_400)
    expectSuccess(await register(ann, { device_id: phone.deviceId, ...(await phone.tokenFields()) }))
    await runJobs()
    expect(bouncer.keyed.registrations).toBe(2)
    const { push_token_last_updated_timestamp: last, ...state } = await stateOf(ann, phone)
    expect(last).toBeGreaterThanOrEqual(Number(first) + 30 * 86_400)
    expect(state).toMatchObject({ push_token_id: await phone.tokenId(), pending_push_token_id: null })
  })

  it('hands its token to the newest device of the same app', async () => {
    const again = await logInOnPhone(bouncer, ann)
    again.token = phone.token
    const queue = await openQueue(ann)
    await setUp(ann, again)
    expect(await stateOf(ann, phone)).toMatchObject({ push_token_id: null })
    expect(await stateOf(ann, again)).toMatchObject({ push_token_id: await phone.tokenId() })
    expect(await updatesIn(queue)).toContainEqual(update({ push_token_id: null }))
  })
})

describe('a token that the bouncer refuses', () => {
  const refusals = [
    ['INVALID_BOUNCER_PUBLIC_KEY', async () => ({ bouncer_public_key: btoa('an older key') })],
    ['BAD_REQUEST', async () => ({ encrypted_push_registration: btoa('nothing sealed') })],
    ['BAD_REQUEST', () => phone.tokenFields({ token: 'another' })],
    ['REQUEST_EXPIRED', () => phone.tokenFields({ timestamp: 1 })],
  ] as const

  it.each(refusals)('stays pending with %s, and can be registered again', async (code, changesOf) => {
    const fields = await phone.fields(await changesOf())
    const tokenId = await phone.tokenId()
    expectSuccess(await register(ann, fields))
    const queue = await openQueue(ann)
    await runJobs()
    expect(await updatesIn(queue)).toEqual([update({ push_registration_error_code: code })])
    await evictRealm(realm.id)
    expect(await stateOf(ann, phone)).toMatchObject({
      push_token_id: null,
      pending_push_token_id: tokenId,
      push_registration_error_code: code,
    })
    await setUp(ann, phone)
    expect(await updatesIn(queue)).toMatchObject([
      { push_registration_error_code: null },
      { push_token_id: tokenId, pending_push_token_id: null },
    ])
  })

  it('leaves the former token in use', async () => {
    await setUp(ann, phone)
    const former = await phone.tokenId()
    phone.renewToken()
    const fields = { device_id: phone.deviceId, ...(await phone.tokenFields({ timestamp: 1 })) }
    expectSuccess(await register(ann, fields))
    await runJobs()
    expect(await stateOf(ann, phone)).toMatchObject({
      push_token_id: former,
      pending_push_token_id: await phone.tokenId(),
      push_registration_error_code: 'REQUEST_EXPIRED',
    })
  })
})

describe('a token while the bouncer has no answer', () => {
  const elsewhere = () => new Response('<h1>Log in to this network</h1>', { status: 200 })
  const outages = [503, 404, 401, 403, 429, new Error('no connection')] as const

  it.each([...outages, elsewhere])('stays pending across an eviction: %s', async (outage) => {
    bouncer.failures.push(outage)
    expectSuccess(await register(ann, await phone.fields()))
    const queue = await openQueue(ann)
    await runJobs()
    expect(await queue.events()).toEqual([])
    await evictRealm(realm.id)
    expect(await stateOf(ann, phone)).toMatchObject({
      push_token_id: null,
      pending_push_token_id: await phone.tokenId(),
      push_registration_error_code: null,
    })
    await runJobs(60)
    expect(await updatesIn(queue)).toEqual([
      update({ push_token_id: await phone.tokenId(), pending_push_token_id: null }),
    ])
  })

  it('waits for a day where the bouncer refuses this server, and then fails', async () => {
    bouncer.failures.push('MISSING_REMOTE_REALM', 'MISSING_REMOTE_REALM')
    expectSuccess(await register(ann, await phone.fields()))
    const queue = await openQueue(ann, { queue_lifespan_secs: 604_800 })
    await runJobs()
    await runJobs(3_600)
    expect([bouncer.requests, await updatesIn(queue)]).toEqual([1, []])
    await runJobs(82_801)
    expect(await updatesIn(queue)).toEqual([update({ push_registration_error_code: 'REQUEST_EXPIRED' })])
    expect(bouncer.requests).toBe(2)
    world.clockOffset += 86_400
    await setUp(ann, phone)
    expect(await stateOf(ann, phone)).toMatchObject({ push_token_id: await phone.tokenId() })
  })

  it('fails after a day', async () => {
    bouncer.failures.push(...Array.from({ length: 10 }, () => 503))
    expectSuccess(await register(ann, await phone.fields()))
    const queue = await openQueue(ann, { queue_lifespan_secs: 604_800 })
    await runJobs()
    await runJobs(86_401)
    expect(await updatesIn(queue)).toEqual([update({ push_registration_error_code: 'REQUEST_EXPIRED' })])
    await runJobs(86_400)
    expect(bouncer.requests).toBe(2)
  })

  it('cannot be replaced, but the key can', async () => {
    expectSuccess(await register(ann, await phone.fields()))
    phone.renewToken()
    phone.renewKey()
    expectRefusal(
      await register(ann, await phone.fields()),
      'A registration for the device already in progress.',
    )
    expectSuccess(await register(ann, { device_id: phone.deviceId, ...phone.keyFields() }))
    expect(await stateOf(ann, phone)).toMatchObject({ push_key_id: phone.keys[1]!.id })
    await runJobs()
  })

  it('is of no use once its device is removed, and the late answer changes nothing', async () => {
    world.evictable = false
    expectSuccess(await register(ann, await phone.fields()))
    const queue = await openQueue(ann)
    bouncer.meanwhile = () => ann.api.post('/remove_client_device', { device_id: phone.deviceId })
    await runJobs()
    expect(await updatesIn(queue)).toEqual([{ type: 'device', op: 'remove', device_id: phone.deviceId }])
    expect(await stateOf(ann, phone)).toBeUndefined()
  })

  it('does not end a key that was set while the bouncer answered', async () => {
    world.evictable = false
    expectSuccess(await register(ann, await phone.fields()))
    bouncer.meanwhile = () => {
      phone.renewKey()
      return register(ann, { device_id: phone.deviceId, ...phone.keyFields() })
    }
    await runJobs()
    expect(await stateOf(ann, phone)).toMatchObject({
      push_key_id: phone.keys[1]!.id,
      push_token_id: await phone.tokenId(),
    })
  })
})

describe('a registration by device is refused', () => {
  const MISSING = 'Missing parameters: must provide either all push key fields, all token fields, or both.'

  it('without a whole key or a whole token', async () => {
    const fields = await phone.fields()
    const device_id = phone.deviceId
    expectRefusal(await register(ann, { device_id }), MISSING)
    for (const name of Object.keys(fields).filter((name) => name !== 'device_id')) {
      expectRefusal(await register(ann, { ...fields, [name]: undefined }), MISSING)
    }
    expect(bouncer.requests).toBe(0)
  })

  it('for a first registration without a key, or without a token', async () => {
    const device_id = phone.deviceId
    expectRefusal(
      await register(ann, { device_id, ...phone.keyFields() }),
      'No push registration exists to rotate key for.',
    )
    expectRefusal(
      await register(ann, { device_id, ...(await phone.tokenFields()) }),
      'No push registration exists to rotate token for.',
    )
  })

  it('for a key, an id or a kind of another form', async () => {
    const queue = await openQueue(ann)
    const uint32 = 'Invalid push_key_id: Value error, Not a valid unsigned 32-bit integer'
    for (const [changes, message] of [
      [{ push_key: '@abcdefg' }, 'Invalid `push_key`'],
      [{ push_key: 'abcd' }, 'Invalid `push_key`'],
      [{ push_key: base64(new Uint8Array(33).fill(0x32)) }, 'Invalid `push_key`'],
      [{ push_key: base64(new Uint8Array(32).fill(0x31)) }, 'Invalid `push_key`'],
      [{ push_key_id: -1 }, uint32],
      [{ push_key_id: 2 ** 32 }, uint32],
      [{ push_key_id: 1.5 }, 'push_key_id is not an integer'],
      [{ token_id: '@abcdefg' }, '`token_id` is not Base64 encoded'],
      [{ token_id: btoa('seven b') }, 'Invalid `token_id`'],
      [{ token_kind: 'web' }, 'Invalid token_kind'],
      [{ device_id: 'phone' }, 'device_id is not valid JSON'],
      [
        { bouncer_public_key: 'x'.repeat(10_001) },
        'bouncer_public_key is too long (limit: 10000 characters)',
      ],
    ] as const) {
      expectRefusal(await register(ann, await phone.fields(changes)), message)
    }
    expect(await queue.events()).toEqual([])
    expect(bouncer.requests).toBe(0)
  })

  it('for a device that is not the caller’s, or is none', async () => {
    const fields = await phone.fields()
    for (const user of [ben, guest, realm.owner, other.owner]) {
      expectRefusal(await register(user, fields), 'Invalid `device_id`')
    }
    expectRefusal(await register(ann, { ...fields, device_id: 999_999 }), 'Invalid `device_id`')
    expectSuccess(await ann.api.post('/remove_client_device', { device_id: phone.deviceId }))
    expectRefusal(await register(ann, fields), 'Invalid `device_id`')
    expect(bouncer.requests).toBe(0)
  })

  it('for bots, without credentials, and for a closed account', async () => {
    const fields = await phone.fields()
    expectRefusal(
      await register(await buildBot(realm, ann), fields),
      'This endpoint does not accept bot requests.',
    )
    expectUnauthorized(await realm.anonymous.post('/mobile_push/register', fields))
    const dan = await buildUser(realm)
    const dans = await logInOnPhone(bouncer, dan)
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect((await register(dan, await dans.fields())).status).toBe(401)
  })

  it('by a server without a push service', async () => {
    world.settings = {}
    expectRefusal(
      await register(ann, await phone.fields()),
      'Server is not configured to use push notification service.',
      { code: 'PUSH_SERVICE_NOT_CONFIGURED' },
    )
    expect(await stateOf(ann, phone)).toMatchObject({ push_key_id: null })
  })

  it('beyond a hundred tokens of an account in a day', async () => {
    const eve = await buildUser(realm)
    const fields = await phone.fields()
    const next = async () => {
      world.clockOffset += 1
      const { device_id } = expectSuccess(await eve.api.post('/register_client_device'))
      return register(eve, { ...fields, device_id })
    }
    for (let count = 0; count < 100; count += 1) expectSuccess(await next())
    await evictRealm(realm.id)
    const refused = await next()
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } })
    expect(refused.body['retry-after']).toBeGreaterThan(86_000)
    world.clockOffset += 86_400
    expectSuccess(await next())
  })
})
