import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { saveUsage } from '../support/inside-work.ts'
import { sendDirect } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { visit } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { receiveWebhooks } from '../support/webhooks.ts'
import { world } from '../support/world.ts'

const { realm, ann } = useRealm({ ann: 'member' })
const server = receiveWebhooks(realm)
useReliableD1()
neverEvict()

const TOKEN = 'a-token-of-the-deployment'
beforeEach(() => {
  world.settings = { HEALTH_TOKEN: TOKEN }
})

function ask(authorization = `Bearer ${TOKEN}`) {
  return visit(`http://${realm.host}/metrics`, { headers: { Authorization: authorization } })
}

/** Returns the value of a sample of the organization; undefined without one. */
async function figure(metric: string, labels = '', host = realm.host): Promise<number | undefined> {
  const { status, text } = await ask()
  expect(status).toBe(200)
  const all = [`realm="${host}"`, ...(labels === '' ? [] : [labels])].join(',')
  const line = text.split('\n').find((line) => line.startsWith(`parley_${metric}{${all}} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

const save = () => inRealm(realm, ({ parts }) => saveUsage(parts))

/** Has the Worker's counts cross with a further call, and be saved. */
async function settle(): Promise<void> {
  expectSuccess(await ann.api.get('/users/me'))
  await save()
}

describe('GET /metrics', () => {
  it('does not exist for callers without the token of the deployment', async () => {
    const stranger = await visit(`http://${realm.host}/metrics`)
    const key = btoa(`${realm.owner.email}:${realm.owner.apiKey}`)
    for (const wrong of ['', TOKEN, `Bearer ${TOKEN}x`, `Basic ${key}`])
      expect(await ask(wrong)).toMatchObject({ status: stranger.status, text: stranger.text })
    world.settings = { HEALTH_TOKEN: '' }
    expect((await ask('Bearer ')).status).toBe(stranger.status)
    expect([400, 404]).toContain(stranger.status)
    expect(stranger.text).not.toContain('parley_')
  })

  it('counts requests by kind and status, messages, events and rows', async () => {
    const queue = await openQueue(ann)
    await settle()
    const before = {
      sends: (await figure('requests_total', 'kind="send",status="2xx"')) ?? 0,
      refused: (await figure('requests_total', 'kind="send",status="4xx"')) ?? 0,
      messages: (await figure('messages_sent_total')) ?? 0,
      events: (await figure('events_delivered_total')) ?? 0,
      written: (await figure('object_rows_total', 'rows="written"')) ?? 0,
      requests: (await figure('object_requests_total')) ?? 0,
    }
    for (let n = 0; n < 3; n += 1) await sendDirect(ann, [ann], 'hello')
    expect(
      (await ann.api.post('/messages', { type: 'direct', to: [999_999], content: 'hello' })).status,
    ).toBe(400)
    expect(await queue.eventsOf('message')).toHaveLength(3)
    await settle()
    expect(await figure('requests_total', 'kind="send",status="2xx"')).toBe(before.sends + 3)
    expect(await figure('requests_total', 'kind="send",status="4xx"')).toBe(before.refused + 1)
    expect(await figure('messages_sent_total')).toBe(before.messages + 3)
    expect(await figure('events_delivered_total')).toBeGreaterThanOrEqual(before.events + 3)
    expect(await figure('object_rows_total', 'rows="written"')).toBeGreaterThanOrEqual(before.written + 9)
    expect(await figure('object_requests_total')).toBeGreaterThanOrEqual(before.requests + 5)
    expect(await figure('request_seconds_count', 'kind="send"')).toBeGreaterThanOrEqual(before.sends + 4)
    expect(await figure('request_seconds_count', 'kind="register"')).toBeGreaterThan(0)
    expect(await figure('queues')).toBeGreaterThan(0)
    expect(await figure('storage_bytes', 'store="object"')).toBeGreaterThan(10_000)
    expect(await figure('object_awake_seconds_total')).toBeGreaterThanOrEqual(10)
  })

  it('counts log-ins that worked and that were refused, and how long they took', async () => {
    await settle()
    const counts = async () =>
      Promise.all([
        figure('logins_total', 'outcome="ok"'),
        figure('logins_total', 'outcome="refused"'),
        figure('request_seconds_count', 'kind="login"'),
      ])
    const [ok = 0, refused = 0, timed = 0] = await counts()
    const { email: username } = realm.owner
    expectSuccess(await realm.anonymous.post('/fetch_api_key', { username, password: 'correct horse' }))
    expect((await realm.anonymous.post('/fetch_api_key', { username, password: 'wrong' })).status).toBe(401)
    await settle()
    expect(await counts()).toEqual([ok + 1, refused + 1, timed + 2])
  })

  it('counts refusals by rate limits', async () => {
    world.limited = true
    world.settings = { HEALTH_TOKEN: TOKEN, RATE_LIMIT_API_BY_USER: '2/60' }
    await settle()
    const before = (await figure('rate_limit_refusals_total')) ?? 0
    for (let n = 0; n < 4; n += 1) await ann.api.get('/users/me')
    world.limited = false
    await settle()
    expect(await figure('rate_limit_refusals_total')).toBeGreaterThan(before)
    expect(await figure('requests_total', 'kind="read",status="429"')).toBeGreaterThan(0)
  })

  it('counts deliveries that worked, that failed, and that were given up', async () => {
    const webhook = await server.build(ann)
    const outcomes = async () => {
      await settle()
      const of = (outcome: string) => figure('deliveries_total', `kind="webhooks",outcome="${outcome}"`)
      return Promise.all(['ok', 'failed', 'given_up'].map(of))
    }
    await sendDirect(ann, [webhook], 'hello')
    await server.work()
    expect(await outcomes()).toEqual([1, undefined, undefined])
    server.answer = () => new Response('no', { status: 404 })
    await sendDirect(ann, [webhook], 'hello again')
    await server.work()
    expect(await outcomes()).toEqual([1, 1, 1])
    expect(await figure('delivery_seconds_count', 'kind="webhooks"')).toBe(2)
    expect(await figure('dead_letters', 'kind="webhook"')).toBe(1)
    expect(await figure('jobs_total', 'outcome="again_later"')).toBeGreaterThan(0)
  })

  it('wakes no object, and says when each noted its figures', async () => {
    await settle()
    let calls = 0
    world.reach = (call) => {
      calls += 1
      return call()
    }
    const noted = (await figure('noted_timestamp_seconds'))!
    expect(Math.abs(noted - Date.now() / 1_000)).toBeLessThan(60)
    expect(calls).toBe(0)
  })

  it('keeps its counts when the object leaves memory', async () => {
    await sendDirect(ann, [ann], 'hello')
    await settle()
    const before = (await figure('messages_sent_total'))!
    await inRealm(realm, (object) => object.stop()).catch(() => {})
    await sendDirect(ann, [ann], 'hello')
    await settle()
    expect(await figure('messages_sent_total')).toBe(before + 1)
  })

  it('is saved by itself after a moment of quiet', async () => {
    const other = await buildRealm({}, {})
    world.usageQuietMs = 20
    expectSuccess(await other.owner.api.get('/users/me'))
    await expect.poll(() => figure('object_requests_total', '', other.realm.host)).toBeGreaterThan(0)
  })

  it('outlives an outage of D1, after which the next note has all', async () => {
    await settle()
    const before = (await figure('messages_sent_total'))!
    world.d1 = () => Promise.reject(new Error('D1 is down'))
    await sendDirect(ann, [ann], 'hello')
    await save()
    world.d1 = (call) => call()
    await settle()
    expect(await figure('messages_sent_total')).toBe(before + 1)
  })

  it('gives the sums of all organizations when there are more than two hundred', async () => {
    const made = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)`
    await env.DB.batch([
      env.DB.prepare(
        `${made} INSERT INTO realm (id, host, string_id, name, created_at)
         SELECT 60000000 + i, 'noted-' || i || '.test', 'noted-' || i, 'Noted', 1 FROM n`,
      ),
      env.DB.prepare(
        `${made} INSERT INTO organization_usage (realm_id, noted_at, figures)
         SELECT 60000000 + i, 1, '{"queues":4,"logins_total{outcome=\\"lost\\"}":2}' FROM n`,
      ),
    ])
    const { text } = await ask()
    expect(text).not.toContain('realm=')
    expect(text).toContain('parley_logins_total{outcome="lost"} 500\n')
    const queues = Number(/^parley_queues (\d+)$/m.exec(text)![1])
    expect(queues).toBeGreaterThanOrEqual(1_000)
  })

  afterAll(async () => {
    await env.DB.batch([
      env.DB.prepare('DELETE FROM realm WHERE id > 60000000'),
      env.DB.prepare('DELETE FROM organization_usage WHERE realm_id > 60000000'),
    ])
  })
})
