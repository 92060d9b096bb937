import { describe, expect, it, vi } from 'vitest'
import { evictRealm } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { fromJson } from '../support/json.ts'
import { MAX_OBJECT, TAIL } from '../support/limits.ts'
import { addLoginProvider } from '../support/login-identities.ts'
import { untilProjected } from '../support/messages.ts'
import { visit } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm } = useRealm()
useReliableD1()

const TOKEN = 'a-token-of-the-deployment'

async function ask(authorization: string | undefined = `Bearer ${TOKEN}`, host = realm.host) {
  const headers = authorization === undefined ? undefined : { Authorization: authorization }
  const page = await visit(`http://${host}/health?deep=1`, { headers })
  return { status: page.status, body: fromJson(page.text) }
}

const write = () =>
  realm.owner.api.post('/messages', { type: 'direct', to: [realm.owner.id], content: 'hello' })

describe('GET /health?deep=1', () => {
  it('is refused while no token is configured, or with another one', async () => {
    const { status, body } = await ask()
    expect([status, body.msg]).toEqual([404, 'Not found'])
    world.settings = { HEALTH_TOKEN: TOKEN }
    const key = btoa(`${realm.owner.email}:${realm.owner.apiKey}`)
    for (const wrong of [undefined, '', TOKEN, 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${key}`]) {
      expect(await ask(wrong ?? 'none')).toEqual({ status, body })
    }
    const bare = await visit(`http://${realm.host}/health?deep=1`)
    expect([bare.status, fromJson(bare.text)]).toEqual([404, body])
    world.settings = { HEALTH_TOKEN: '' }
    expect((await ask('Bearer ')).status).toBe(404)
  })

  it('reports on D1, R2 and the organization at the host', async () => {
    world.settings = { HEALTH_TOKEN: TOKEN }
    await openQueue(realm.owner, { event_types: ['message'] })
    expectSuccess(await write())
    const { status, body } = await ask()
    expect([status, body.result, body.problems]).toEqual([200, 'success', []])
    expect(body.d1).toMatchObject({ reachable: true, organizations: expect.any(Number) })
    expect(body.d1.size_bytes).toBeGreaterThan(10_000)
    expect(body.r2.reachable).toBe(true)
    expect([body.d1_for_texts, body.organization.texts]).toEqual([[], []])
    // The deployment has no setting for the location, and the local runtime does not know one.
    expect(body.organization.place).toEqual({ location: null, jurisdiction: null })
    expect([body.d1.region, body.d1.jurisdiction, body.r2.jurisdiction]).toEqual([null, null, null])
    expect(body.organization).toMatchObject({
      host: realm.host,
      reachable: true,
      jobs: { due: 0, oldest: null },
    })
    expect(body.organization.size_bytes).toBeGreaterThan(100_000)
    expect(body.organization.queues.registered).toBe(1)
    expect(body.organization.log.newest_id).toBeGreaterThan(0)
    expect(body.organization).toMatchObject({
      is_nearly_full: { object: false, d1: false },
      tail: { is_full: false, limit: { entries: TAIL.entries, bytes: TAIL.bytes } },
      log: { refused_entries: 0 },
      restored: null,
      dead_letters: 0,
    })
    expect(body.notes).toEqual([])
  })

  it('reports on the deployment alone where no organization exists', async () => {
    world.settings = { HEALTH_TOKEN: TOKEN }
    const { status, body } = await ask(undefined, 'nobody.test')
    expect([status, body.organization, body.d1.reachable]).toEqual([200, null, true])
  })

  it('counts what D1 lacks, and reports when that is too old', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.settings = { HEALTH_TOKEN: TOKEN }
    world.evictable = false
    world.d1 = (call, kind) => (kind === 'batch' ? Promise.reject(new Error('D1_ERROR: down')) : call())
    expectSuccess(await write())
    expectSuccess(await write())
    await expect.poll(async () => (await ask()).body.organization.d1_failing_since).toBeTypeOf('number')
    const fresh = await ask()
    expect(fresh.status).toBe(200)
    expect(fresh.body.organization.tail.entries).toBeGreaterThanOrEqual(2)
    expect(fresh.body.organization.tail.bytes).toBeGreaterThan(50)
    world.clockOffset = 900
    const late = await ask()
    expect(late.status).toBe(503)
    expect(late.body.problems).toContain('D1 is behind the log for more than five minutes')
    expect(late.body.organization.tail.oldest_age_s).toBeGreaterThanOrEqual(900)
    expect(late.body.organization.d1_failing_since).toBeGreaterThan(1_700_000_000)
  })

  it('counts nothing that D1 has, though the question wakes the object and D1 is slow', async () => {
    world.settings = { HEALTH_TOKEN: TOKEN }
    const { realm: asleep } = await buildRealm()
    const sent = { type: 'direct', to: [asleep.owner.id], content: 'good night' }
    await untilProjected(asleep, [expectSuccess(await asleep.owner.api.post('/messages', sent)).id])
    await evictRealm(asleep.id)
    world.clockOffset = 3_600
    world.d1 = async (call) => {
      await scheduler.wait(100)
      return call()
    }
    const { status, body } = await ask(undefined, asleep.host)
    expect([status, body.problems]).toEqual([200, []])
    expect(body.organization.tail).toMatchObject({ entries: 0, bytes: 0, oldest_age_s: null })
  })

  it('answers while D1 does not, also about the object', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.settings = { HEALTH_TOKEN: TOKEN }
    expectSuccess(await write())
    // Calls of D1 that hang never end.
    world.evictable = false
    world.d1 = (call, kind) => (kind === 'read' ? new Promise(() => {}) : call())
    const { status, body } = await ask()
    expect([status, body.problems]).toEqual([503, ['D1 cannot be reached']])
    expect([body.d1.reachable, body.r2.reachable]).toEqual([false, true])
    expect(body.organization).toMatchObject({ host: realm.host, reachable: true, d1_cursor: null })
    expect((await visit(`http://${realm.host}/health`)).status).toBe(503)
  }, 20_000)

  it('names the oldest job that is overdue', async () => {
    world.settings = { HEALTH_TOKEN: TOKEN }
    await inRealm(realm, ({ parts }) =>
      parts.sql.run(
        `INSERT INTO job (kind, key, due_at) VALUES ('a-job', 'left-over', ?)`,
        Math.floor(Date.now() / 1_000) - 1_000,
      ),
    )
    const { status, body } = await ask()
    expect([status, body.problems]).toEqual([503, ['A job is overdue for more than five minutes']])
    expect(body.organization.jobs).toMatchObject({ oldest: { kind: 'a-job', attempts: 0 } })
    expect(JSON.stringify(body)).not.toContain('left-over')
  })

  it('counts dead letters, D1 refusals and restored copies without becoming unhealthy', async () => {
    world.settings = { HEALTH_TOKEN: TOKEN }
    const { realm: ill } = await buildRealm()
    const now = Math.floor(Date.now() / 1_000)
    await inRealm(ill, ({ parts: { sql } }) => {
      sql.run(
        `INSERT INTO dead_letter (kind, description, first_tried_at, last_tried_at, attempts, error, payload)
         VALUES ('mail', 'To somebody', ?1, ?1, 3, 'No', '{}'), ('mail', 'Long ago', 1, 1, 3, 'No', '{}')`,
        now,
      )
      const finding = { kind: 'behind', noticedAt: now, d1Cursor: 1, knownCursor: 9, lostUpTo: 5 }
      sql.run(`INSERT OR REPLACE INTO meta (key, value) VALUES ('d1_restored', ?)`, JSON.stringify(finding))
    })
    const { status, body } = await ask(undefined, ill.host)
    expect([status, body.problems]).toEqual([200, []])
    expect(body.notes).toEqual([
      'D1 was restored from a copy',
      'What D1 had before it was restored could not all be sent again',
      'Something was given up, and can be tried again',
    ])
    expect(body.organization).toMatchObject({
      dead_letters: 1,
      restored: { kind: 'behind', noticed_at: now, lost_up_to: 5 },
    })
    expect(JSON.stringify(body)).not.toContain('somebody')
  })

  it('notes that SECRETS_KEY is missing, a problem once people log in by it', async () => {
    world.settings = { HEALTH_TOKEN: TOKEN, SECRETS_KEY: '' }
    const { realm: young } = await buildRealm()
    const before = await ask(undefined, young.host)
    expect([before.status, before.body.notes]).toEqual([
      200,
      ['SECRETS_KEY is missing: nobody can set up log-in providers or authenticator apps'],
    ])
    await addLoginProvider(young, 'work')
    const needed = await ask(undefined, young.host)
    expect([needed.status, needed.body.problems, needed.body.notes]).toEqual([
      503,
      ['SECRETS_KEY is missing, which opens what people log in with'],
      [],
    ])
    world.settings = { HEALTH_TOKEN: TOKEN }
    expect((await ask(undefined, young.host)).body).toMatchObject({ problems: [], notes: [] })
  })

  it('reports when the object is nearly full', async () => {
    world.settings = { HEALTH_TOKEN: TOKEN }
    world.databaseSize = MAX_OBJECT
    const { status, body } = await ask()
    expect([status, body.problems]).toEqual([
      503,
      expect.arrayContaining(['The realm object is nearly full']),
    ])
  })

  it('reports what cannot be reached', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.settings = { HEALTH_TOKEN: TOKEN }
    world.storeIsDown = true
    world.reach = () => Promise.reject(Object.assign(new Error('overloaded'), { overloaded: true }))
    const { status, body } = await ask()
    expect([status, body.problems]).toEqual([
      503,
      ['R2 cannot be reached', 'The realm object cannot be reached'],
    ])
    world.d1 = () => Promise.reject(new Error('D1_ERROR: down'))
    expect((await ask()).body.problems).toContain('D1 cannot be reached')
  })
})
