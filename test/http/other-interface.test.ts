import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { realmStub } from '../support/api.ts'
import { askForStream } from '../support/event-streams.ts'
import { expectSuccess } from '../support/factories.ts'
import { INTERFACE_VERSION, inRealm } from '../support/inside.ts'
import { replyIn } from '../support/inside-polls.ts'
import type { JsonText, RealmCall } from '../support/inside-types.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, owner, reader } = useRealm({ reader: 'member' })
const OTHER = INTERFACE_VERSION + 1

/** For the time of a deploy the Worker and the object are of two builds, of which each may be the newer one. */
describe.each([OTHER, INTERFACE_VERSION - 1])('an object that understands version %i alone', (version) => {
  it('refuses every request with 503, and tells when to come again', async () => {
    const queue = await openQueue(reader)
    world.interfaceVersion = version
    const note = { type: 'direct', to: [reader.id], content: 'refused' }
    for (const [method, path, params] of [
      ['GET', '/users/me', {}],
      ['GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0 }],
      ['GET', '/server_settings', {}],
      ['POST', '/messages', note],
      ['POST', '/register', { event_types: ['message'] }],
      ['POST', '/register', {}],
      ['GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId }],
      ['GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }],
      ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'refused' }] }],
    ] as const) {
      const { status, headers, body } = await reader.api.request(method, path, params)
      const said = [method, path, status, headers.get('retry-after'), body.code]
      expect(said).toEqual([method, path, 503, '5', 'SERVICE_UNAVAILABLE'])
    }
    const cursor = { queue_id: queue.id, last_event_id: String(queue.lastEventId) }
    expect((await askForStream(reader.api, cursor)).status).toBe(503)
    world.interfaceVersion = undefined
    const stored = await inRealm(
      realm,
      ({ parts }) => parts.sql.all(`SELECT 1 FROM channel WHERE name = 'refused'`).length,
    )
    expect([stored, await queue.events()]).toEqual([0, []])
  })

  it('loses and doubles nothing of a client that tries again', async () => {
    const queue = await openQueue(reader, { event_types: ['message'] })
    const message = { type: 'direct', to: [reader.id], content: `again ${version}` }
    const send = () =>
      owner.api.request('POST', '/messages', message, { headers: { 'Idempotency-Key': `send ${version}` } })
    const { id } = expectSuccess(await send())
    world.interfaceVersion = version
    expect((await send()).status).toBe(503)
    world.interfaceVersion = undefined
    expect(expectSuccess(await send()).id).toBe(id)
    expect((await queue.events()).map(({ message }) => message.id)).toEqual([id])
  })
})

describe('an object that understands the Worker', () => {
  it('answers 503 for an operation that it does not have', async () => {
    const source = { origin: `https://${realm.host}`, ip: '192.0.2.1', userAgent: '' }
    const call: RealmCall = {
      ...{ operation: 'of-tomorrow', host: realm.host, credentials: { kind: 'none' } },
      ...{ parameters: { ok: true, value: {} }, source },
    }
    const { outcome } = await inRealm(realm, (object) => object.call(call))
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'SERVICE_UNAVAILABLE', status: 503, extra: { 'retry-after': 5 } },
    })
  })
})

describe('what the Worker does besides requests', () => {
  it('is refused by an object of another version, which stays as it is', async () => {
    const stub = realmStub(realm.id)
    const { host } = realm
    const ofTomorrow = 'a form that this build cannot read' as JsonText<RealmCall>
    const polled = replyIn(await stub.poll(OTHER, ofTomorrow, 0))
    expect(polled.answer.outcome).toMatchObject({ ok: false, error: { status: 503 } })
    expect(await stub.health(OTHER, host)).toBe('unreadable')
    expect(await stub.verify(OTHER, { host, repair: false })).toBeUndefined()
    const notCreated = env.REALM.get(env.REALM.newUniqueId())
    const identity = {
      id: 999,
      host: 'nobody.example',
      stringId: 'nobody',
      createdAt: 0,
      location: null,
      jurisdiction: null,
    }
    const founding = { name: 'Nobody', owner: { email: 'n@x.example', fullName: 'N', passwordHash: '' } }
    expect(await notCreated.found(OTHER, identity, founding)).toMatchObject({ founded: null, isOther: true })
    await notCreated.finishDeletion(OTHER, identity)
    const tables = await runInDurableObject(notCreated, (_, { storage: { sql } }) =>
      sql.exec(`SELECT name FROM sqlite_master WHERE name NOT GLOB '_cf_*'`).toArray(),
    )
    expect(tables).toEqual([])
  })
})
