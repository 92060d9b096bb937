import { applyD1Migrations, runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm, realmStub } from '../support/api.ts'
import { finishExport, keepAlarmsAway, startExport } from '../support/exports.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { findingsIn } from '../support/findings.ts'
import { forgetTexts } from '../support/forget-texts.ts'
import { inRealm } from '../support/inside.ts'
import { deleteOrganization } from '../support/inside-deployment.ts'
import type { D1Write } from '../support/inside-types.ts'
import { interceptD1With } from '../support/intercepted-d1.ts'
import { fromJson } from '../support/json.ts'
import { TAIL } from '../support/limits.ts'
import { captureLog } from '../support/log-lines.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { visit } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/*
 * An organization whose texts are in three databases, DB, BODIES_1 and BODIES_2, and one with the same history whose object
 * knows DB only.
 */

const KITCHEN = { channels: { kitchen: ['owner', 'ann'] } } as const

interface House {
  readonly realm: TestRealm
  readonly ann: TestUser
  readonly channel: { id: number; name: string }
  /** In the order in which they were sent; each database has three. */
  readonly ids: number[]
}

const databases = () => [env.DB, env.SPARE_1, env.SPARE_2]

// The object learns its databases when it wakes up, so the tests decide when it is evicted.
neverEvict()
useReliableD1()
beforeAll(async () => {
  for (const spare of [env.SPARE_1, env.SPARE_2]) await applyD1Migrations(spare, env.TEST_MIGRATIONS)
  world.bodyDatabases = 0
})
const three = useHouse()
const one = useHouse()
beforeAll(async () => {
  for (const bound of [0, 1, 2]) {
    if (bound > 0) await bind(bound)
    for (const house of [three, one]) {
      for (const number of [1, 2, 3]) {
        house.ids.push(
          await sendTo(house.ann, house.channel.name, `topic ${number}`, `bread ${bound} ${number}`),
        )
      }
    }
  }
  await untilCaughtUp()
}, 60_000)
beforeEach(() => {
  world.bodyDatabases = 2
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

function useHouse(): House {
  const { realm, ann, kitchen } = useRealm({ ann: 'member' }, KITCHEN)
  return { realm, ann, channel: kitchen, ids: [] }
}

/** Simulates a deployment with this number of databases besides `DB`. */
async function bind(count: number): Promise<void> {
  await untilCaughtUp()
  world.bodyDatabases = count
  await evictRealm(three.realm.id)
  expectSuccess(await three.ann.api.get('/users/me'))
}

/** Makes one of the databases fail to answer. */
function takeDown(name: string): void {
  world.d1 = (call, _, asked) => (asked === name ? Promise.reject(new Error(`${name} is down`)) : call())
}

async function comeBack(): Promise<void> {
  world.d1 = (call) => call()
  world.clockOffset += 100
  await runDurableObjectAlarm(realmStub(three.realm.id))
  await untilCaughtUp()
}

async function untilCaughtUp(): Promise<void> {
  for (const { realm } of [three, one]) {
    await vi.waitUntil(() => inRealm(realm, ({ parts }) => parts.tail.size.entries === 0), 10_000)
  }
}

/** Returns the messages whose texts each database has, and can find. */
async function stored({ realm, ids }: House): Promise<number[][]> {
  const all = databases().map(async (db) => {
    const { results } = await db
      .prepare(
        `SELECT message_id AS id FROM message_body JOIN message_search ON rowid = (realm_id << 32) + message_id
         WHERE realm_id = ? ORDER BY id`,
      )
      .bind(realm.id)
      .all<{ id: number }>()
    return results.map(({ id }) => id).filter((id) => id >= ids[0]!)
  })
  return Promise.all(all)
}

interface Shown {
  readonly id: number
  readonly content: string
  readonly subject: string
}

/** Returns the messages that a user gets who reads the whole channel, or searches it; undefined for a 503. */
async function look({ ann, channel }: House, operand?: string, params = {}): Promise<Shown[] | undefined> {
  await forgetTexts()
  const narrow = [
    { operator: 'channel', operand: channel.id },
    ...(operand === undefined ? [] : [{ operator: 'search', operand }]),
  ]
  const asked = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false }
  const answer = await ann.api.get('/messages', { ...asked, ...params })
  if (answer.status === 503) return undefined
  const { messages } = expectSuccess(answer) as { messages: Shown[] }
  return messages.map(({ id, content, subject }) => ({ id, content, subject }))
}

const verify = ({ realm }: House, repair = false) => findingsIn(realm, repair)

/** Does the same in both organizations. */
async function inBoth(act: (house: House) => Promise<unknown>): Promise<void> {
  for (const house of [three, one]) await act(house)
}

/** Checks that both organizations return the same: the whole channel, a page that begins in the middle, and a search. */
async function expectTheSame(): Promise<void> {
  for (const params of [{}, { anchor: three.ids[4], num_before: 3, num_after: 2 }]) {
    expect(await look(three, undefined, params)).toEqual(await look(one, undefined, params))
  }
  for (const words of ['bread', 'bread 1', 'crumbs', 'topic bread', '"ead 2"']) {
    expect(await look(three, words), words).toEqual(await look(one, words))
    const oldest = { anchor: 'oldest', num_before: 0, num_after: 4 }
    expect(await look(three, words, oldest), words).toEqual(await look(one, words, oldest))
  }
}

describe('an organization with texts in three databases', () => {
  it('keeps each message in the database that was newest when it was sent', async () => {
    const [a, b, c] = [three.ids.slice(0, 3), three.ids.slice(3, 6), three.ids.slice(6)]
    expect(await stored(three)).toEqual([a, b, c])
    expect(await stored(one)).toEqual([one.ids, [], []])
    const rows = `SELECT number, first_message FROM body_database`
    expect(await inRealm(three.realm, ({ parts }) => parts.sql.all(rows))).toEqual([
      { number: 1, first_message: b[0] },
      { number: 2, first_message: c[0] },
    ])
    expect(await inRealm(one.realm, ({ parts }) => parts.sql.all(rows))).toEqual([])
  })

  it('reads, searches and verifies like one with a single database', async () => {
    expect((await look(three))!.map(({ id }) => id).slice(-9)).toEqual(three.ids)
    expect((await look(three, 'bread'))!.map(({ id }) => id)).toEqual(three.ids)
    await expectTheSame()
    expect(await verify(three)).toEqual([])
  })

  it('is read and searched in parallel, in as many trips as a single one', async () => {
    const tripsOf = async (house: House, operand?: string) => {
      const log = captureLog()
      expect((await look(house, operand))!.length).toBeGreaterThanOrEqual(9)
      const line = log.lines('request').at(-1)!
      return [line.far_trips, line.near_trips]
    }
    for (const house of [three, one]) {
      expect(await tripsOf(house)).toEqual([1, 1])
      expect(await tripsOf(house, 'bread')).toEqual([1, 2])
    }
  })

  it('is exported whole', async () => {
    keepAlarmsAway()
    const exported = await Promise.all(
      [three, one].map(async ({ realm }) => {
        const { all } = await finishExport(realm, await startExport(realm.owner))
        return all('message').map(({ id, content }) => [Number(id), content])
      }),
    )
    expect(exported[0]).toEqual(exported[1])
    expect(exported[0]!.map(([id]) => id)).toEqual(expect.arrayContaining(three.ids))
  })

  it('keeps doing so through edits, moves and deletions in each of them', async () => {
    await inBoth(async ({ realm, ann, ids }) => {
      for (const at of [0, 3, 6]) {
        expectSuccess(await ann.api.patch(`/messages/${ids[at]}`, { content: `crumbs of bread ${at}` }))
      }
      for (const at of [1, 4, 7]) expectSuccess(await realm.owner.api.delete(`/messages/${ids[at]}`))
      const move = { topic: 'topic 4', propagate_mode: 'change_all' }
      expectSuccess(await realm.owner.api.patch(`/messages/${ids[2]}`, move))
    })
    // First from the log, then from the databases.
    await expectTheSame()
    await untilCaughtUp()
    await expectTheSame()
    const [a, b, c] = [0, 3, 6].map((at) => [three.ids[at], three.ids[at + 2]])
    // The ids include the notice of the move.
    expect(await stored(three)).toEqual([a, b, [...c!, expect.any(Number)]])
    expect(await verify(three)).toEqual([])
  })

  it('loses nothing when it wakes before they have the latest writes', async () => {
    world.d1 = () => Promise.reject(new Error('all are down'))
    await inBoth(async ({ ann, channel, ids }) => {
      ids.push(await sendTo(ann, channel.name, 'topic 1', 'bread by night'))
    })
    await evictRealm(three.realm.id)
    expectSuccess(await three.ann.api.get('/users/me'))
    const stillThere = { message_ids: [three.ids.at(-1)], apply_markdown: false }
    expect(expectSuccess(await three.ann.api.get('/messages', stillThere)).messages[0].content).toBe(
      'bread by night',
    )
    await comeBack()
    await expect.poll(async () => (await stored(three))[2]!.at(-1)).toBe(three.ids.at(-1))
    world.clockOffset += 100
    await runDurableObjectAlarm(realmStub(one.realm.id))
    await untilCaughtUp()
    await expectTheSame()
  })

  it('sends again what a database has lost, as far as the log reaches', async () => {
    await inBoth(async ({ ann, ids }) => {
      expectSuccess(await ann.api.patch(`/messages/${ids[3]}`, { content: 'bread after all' }))
    })
    await untilCaughtUp()
    const { id } = three.realm
    await env.SPARE_1.batch([
      env.SPARE_1.prepare('DELETE FROM message_body WHERE realm_id = ?').bind(id),
      env.SPARE_1.prepare('DELETE FROM projection WHERE realm_id = ?').bind(id),
    ])
    await inRealm(three.realm, ({ parts }) => parts.projector.look())
    await untilCaughtUp()
    await expectTheSame()
    const recorded = await inRealm(three.realm, ({ parts }) =>
      parts.sql.first<{ value: string }>(`SELECT value FROM meta WHERE key = 'd1_restored'`),
    )
    expect(fromJson(recorded!.value)).toMatchObject({ kind: 'behind', database: 'BODIES_1' })
    expect(await verify(three, true)).toHaveLength(1)
  })

  it('finds and removes a text in the wrong database', async () => {
    const id = three.ids[6]!
    await env.DB.prepare(`INSERT INTO message_body VALUES (?, ?, 0, 'stray', 'stray', '[]')`)
      .bind(three.realm.id, id)
      .run()
    const what = { check: 'bodies', what: `message ${id}`, problem: expect.any(String) }
    expect(await verify(three, true)).toEqual([{ ...what, repaired: true }])
    await untilCaughtUp()
    expect(await verify(three)).toEqual([])
    expect((await stored(three))[2]).toContain(id)
  })
})

describe('GET /health?deep=1', () => {
  const health = async () => {
    const headers = { Authorization: 'Bearer token' }
    const page = await visit(`http://${three.realm.host}/health?deep=1`, { headers })
    return { status: page.status, body: fromJson(page.text) }
  }

  it('reports on each of them, and when the newest is nearly full', async () => {
    world.settings = { HEALTH_TOKEN: 'token' }
    const { status, body } = await health()
    expect([status, body.notes]).toEqual([200, []])
    const reachable = { reachable: true, size_bytes: expect.any(Number) }
    expect(body.d1_for_texts).toMatchObject([
      { name: 'BODIES_1', ...reachable },
      { name: 'BODIES_2', ...reachable },
    ])
    expect(body.organization.texts).toMatchObject([
      { database: 'BODIES_1', from_message: three.ids[3], tail_entries: 0, failing_since: null },
      { database: 'BODIES_2', from_message: three.ids[6], tail_entries: 0, failing_since: null },
    ])
    world.settings = { HEALTH_TOKEN: 'token', D1_MAX_MIB: '0.01' }
    expect((await health()).body.notes).toEqual([
      'BODIES_2 is two thirds full: npm run deploy binds a further D1 database for texts',
    ])
  })

  it('reports the deployment as unhealthy while one of them is down', async () => {
    world.settings = { HEALTH_TOKEN: 'token' }
    takeDown('BODIES_1')
    const { status, body } = await health()
    expect([status, body.problems]).toEqual([503, ['BODIES_1 cannot be reached']])
  })
})

describe('while one of three databases is down', () => {
  it('sends succeed, other texts are read and found, and its own are 503', async () => {
    takeDown('BODIES_1')
    const sent = await sendTo(three.ann, three.channel.name, 'topic 1', `bread without one`)
    three.ids.push(sent)
    await vi.waitUntil(async () => (await stored(three))[2]!.includes(sent))
    expect(await look(three, undefined, { num_before: 3 })).toHaveLength(3)
    const [page, hits, edit] = await Promise.all([
      look(three),
      look(three, 'bread'),
      three.ann.api.patch(`/messages/${three.ids[3]}`, { content: 'not now' }),
    ])
    expect([page, hits, edit.status]).toEqual([undefined, undefined, 503])
    expect((await look(three, 'bread', { num_before: 2 }))!.at(-1)!.id).toBe(sent)
    await comeBack()
    expect((await look(three))!.at(-1)!.id).toBe(sent)
  })

  it('pending writes to it arrive afterwards', async () => {
    takeDown('BODIES_1')
    const [gone] = [three.ids[5]!]
    expectSuccess(await three.realm.owner.api.delete(`/messages/${gone}`))
    expectSuccess(await three.ann.api.patch(`/messages/${three.ids[6]}`, { content: 'bread anew' }))
    const contents = { message_ids: [three.ids[6]], apply_markdown: false }
    await expect
      .poll(() =>
        env.SPARE_2.prepare('SELECT content FROM message_body WHERE realm_id = ? AND message_id = ?')
          .bind(three.realm.id, three.ids[6])
          .first('content'),
      )
      .toBe('bread anew')
    expect((await stored(three))[1]).toContain(gone)
    const tail = await inRealm(three.realm, ({ parts }) =>
      parts.tail.databases.map((each) => each.tail.size.entries),
    )
    expect(tail).toEqual([0, 1, 0])
    await comeBack()
    expect((await stored(three))[1]).not.toContain(gone)
    expect(expectSuccess(await three.ann.api.get('/messages', contents)).messages[0].content).toBe(
      'bread anew',
    )
    expect(await verify(three)).toEqual([])
  })

  it('only writes to it are refused when too many are pending', async () => {
    takeDown('BODIES_1')
    await inRealm(three.realm, ({ parts }) => {
      const writes: D1Write[] = [{ statement: 'replace-message-body', row: [three.ids[3]!, 9, '', '', '[]'] }]
      parts.tail.databases[1]!.tail.add([{ id: parts.ids.next(), writes, bytes: TAIL.bytes }])
    })
    world.d1 = (call) => call()
    const edit = (at: number) =>
      three.ann.api.patch(`/messages/${three.ids[at]}`, { content: `edit of ${at}` })
    expect((await edit(3)).status).toBe(503)
    expectSuccess(await edit(0))
    expectSuccess(await edit(6))
    await sendTo(three.ann, three.channel.name, 'topic 1', 'bread to the last')
    await evictRealm(three.realm.id)
    expectSuccess(await edit(3))
    await untilCaughtUp()
    expect(await verify(three)).toEqual([])
  })
})

it('deleting an organization removes it from all, retrying until each has answered', async () => {
  const { realm } = three
  const identity = await inRealm(realm, ({ parts }) => {
    parts.projector.stop()
    return parts.realm
  })
  const parts = (bodies: D1Database[]) => ({
    db: env.DB,
    bodies,
    uploads: env.UPLOADS,
    realm: identity,
    begunAt: 0,
  })
  const down = interceptD1With(env.SPARE_2, () => Promise.reject(new Error('down')))
  const broken = [env.DB, env.SPARE_1, down]
  await expect(deleteOrganization({ ...parts(broken), now: () => 1_000 })).rejects.toThrow('down')
  expect(await env.DB.prepare('SELECT 1 FROM realm WHERE id = ?').bind(realm.id).first()).not.toBeNull()
  expect(await deleteOrganization({ ...parts(databases()), now: () => 1_000 })).toBeUndefined()
  expect(await stored(three)).toEqual([[], [], []])
  for (const db of databases()) {
    const left = db.prepare('SELECT 1 FROM projection WHERE realm_id = ?').bind(realm.id).first()
    expect(await left).toBeNull()
  }
})
