import { env } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { buildChannel, expectSuccess, type TestRealm } from '../support/factories.ts'
import { type PurgeBudget, purgeSearchIndex, sweepRealms } from '../support/inside-deployment.ts'
import { sendTo, untilProjected } from '../support/messages.ts'
import { dumpFiles, dumpObject, locationsWith, tablesOfD1With } from '../support/stores.ts'
import { DAY, MINUTE } from '../support/times.ts'
import { upload } from '../support/uploads.ts'
import { buildRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/**
 * Returns where D1 and R2 contain a text, in all organizations: these tests look through what other tests have left, too.
 */
async function locationsAnywhere(mark: string): Promise<string[]> {
  return [...(await tablesOfD1With(mark)), ...locationsWith(await dumpFiles(), mark)]
}

/** A budget of which no part is used up before the other. */
const AMPLE = { pages: 2_000, queries: 100 }

/** Has everything that is deleted by now removed from the index. */
async function purgeAll(): Promise<void> {
  for (let times = 0; times < 50 && !(await purgeSearchIndex(env.DB, AMPLE)); times += 1);
}

/** Returns the messages of the realm that some term of the index still names. */
async function indexed(realm: TestRealm, ids: readonly number[]): Promise<number[]> {
  await env.DB.prepare(`CREATE VIRTUAL TABLE words USING fts5vocab(message_search, instance)`).run()
  try {
    const { results } = await env.DB.prepare(
      `SELECT DISTINCT doc - (?1 << 32) AS id FROM words WHERE doc >> 32 = ?1`,
    )
      .bind(realm.id)
      .all<{ id: number }>()
    return results.flatMap(({ id }) => (ids.includes(id) ? [id] : [])).sort((a, b) => a - b)
  } finally {
    await env.DB.prepare(`DROP TABLE words`).run()
  }
}

it('the nightly job removes deleted messages from every term of the search index', async () => {
  const { realm, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const ids: number[] = []
  for (let nth = 0; nth < 20; nth += 1)
    ids.push(await sendTo(realm.owner, channel.id, 'plans', `zqword${nth} of mine`))
  await untilProjected(realm, ids)
  expect(await indexed(realm, ids)).toEqual(ids)
  const [kept, ...deleted] = ids as [number, ...number[]]
  for (const id of deleted) expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
  for (let tries = 0; tries < 500; tries += 1) {
    const left = await env.DB.prepare(`SELECT 1 FROM message_body WHERE realm_id = ? AND message_id = ?`)
      .bind(realm.id, ids.at(-1)!)
      .first()
    if (left === null) break
    await scheduler.wait(10)
  }
  await sweepRealms(env, Date.now() / 1_000)
  expect(await indexed(realm, ids)).toEqual([kept])
}, 120_000)

/** Returns the tables of the text index whose bytes contain a text: pages, first terms of pages, sizes. */
async function indexHas(text: string): Promise<string[]> {
  return (await tablesOfD1With(text)).filter((table) => table.startsWith('message_search'))
}

describe('the bytes of the index', () => {
  // Words in runes, which no other text uses. The index stores terms without the beginning that they share with the term
  // before, so the test looks for their ends.
  const GONE = ['ᚠᚢᚦᚨᚱᚲ', 'ᛗᛚᛝᛟᛞᛃ'] as const
  const KEPT = 'ᛏᛒᛖᛈᛉᛊ'
  const tail = (word: string) => word.slice(-2)

  it('contain nothing of deleted or edited texts after the nightly job', async () => {
    const { realm, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
    const send = (text: string) => sendTo(realm.owner, channel.id, 'plans', text)
    const ids = [await send(GONE[0]), await send(`${GONE[1]} first`), await send(KEPT)] as const
    await untilProjected(realm, ids)
    for (const word of [...GONE, KEPT]) expect(await indexHas(tail(word))).toContain('message_search_data')
    expectSuccess(await realm.owner.api.delete(`/messages/${ids[0]}`))
    expectSuccess(await realm.owner.api.patch(`/messages/${ids[1]}`, { content: 'second' }))
    await vi.waitFor(async () => {
      const { results } = await env.DB.prepare(
        `SELECT version FROM message_body WHERE realm_id = ? AND message_id IN (?, ?)`,
      )
        .bind(realm.id, ids[0], ids[1])
        .all()
      expect(results).toEqual([{ version: 1 }])
    })
    await sweepRealms(env, Date.now() / 1_000)
    for (const word of GONE) expect(await indexHas(tail(word))).toEqual([])
    expect(await indexHas(tail(KEPT))).toContain('message_search_data')
    const narrow = [{ operator: 'search', operand: KEPT }]
    const found = await realm.owner.api.get('/messages', {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow,
    })
    expect(expectSuccess(found).messages).toMatchObject([{ id: ids[2] }])
  }, 120_000)

  it('contain nothing of it after a week of partial runs during use', async () => {
    // The organization does not exist; the test looks at the index only.
    let id = 900_000 * 2 ** 32
    const index = (texts: readonly string[], at = id) => {
      id = Math.max(id, at + texts.length)
      return env.DB.prepare(
        `INSERT OR REPLACE INTO message_search (rowid, text) SELECT ? + key, value FROM json_each(?)`,
      )
        .bind(at, JSON.stringify(texts))
        .run()
    }
    const talk = () =>
      Array.from({ length: 100 }, () =>
        Array.from({ length: 12 }, () => Math.random().toString(36).slice(2, 9)).join(' '),
      )
    const word = 'ᚴᚷᚹᚺᚻᚼ'
    await index([word])
    const marked = id - 1
    for (let times = 0; times < 160; times += 1) await index(talk())
    await env.DB.prepare('DELETE FROM message_search WHERE rowid = ?').bind(marked).run()
    expect(await indexHas(tail(word))).toContain('message_search_data')
    const size = await env.DB.prepare('SELECT count(*) AS pages FROM message_search_data').first<{
      pages: number
    }>()
    let nights = 0
    for (; nights < 7 && (await indexHas(tail(word))).length > 0; nights += 1) {
      await purgeSearchIndex(env.DB, { pages: Math.ceil(size!.pages / 6), queries: 1_000 })
      await index(talk())
      await index(['an edit'], id - 50)
    }
    expect(await indexHas(tail(word))).toEqual([])
    expect(nights).toBeGreaterThan(1)
    // Without further changes the job comes to an end, and costs nothing after that.
    await purgeAll()
    const before = await env.DB.prepare(
      'SELECT max(id) AS id, count(*) AS n FROM message_search_data',
    ).first()
    expect(await purgeSearchIndex(env.DB, AMPLE)).toBe(true)
    expect(
      await env.DB.prepare('SELECT max(id) AS id, count(*) AS n FROM message_search_data').first(),
    ).toEqual(before)
  }, 120_000)

  it('are purged by several invocations, each within its queries', async () => {
    const first = 902_000 * 2 ** 32
    await purgeAll()
    for (let at = 0; at < 8_000; at += 500) {
      const talk = () => Array.from({ length: 6 }, () => crypto.randomUUID()).join(' ')
      const texts = Array.from({ length: 500 }, talk)
      await env.DB.prepare(`INSERT INTO message_search (rowid, text) SELECT ? + key, value FROM json_each(?)`)
        .bind(first + at, JSON.stringify(texts))
        .run()
    }
    await env.DB.prepare(
      `DELETE FROM message_search WHERE rowid IN (SELECT ? + value * 50 FROM json_each(?))`,
    )
      .bind(first, JSON.stringify(Array.from({ length: 160 }, (_, at) => at)))
      .run()
    const queries = vi.spyOn(env.DB, 'prepare')
    const purge = async (budget: PurgeBudget) => {
      queries.mockClear()
      const isDone = await purgeSearchIndex(env.DB, budget)
      expect(queries.mock.calls.length).toBeLessThanOrEqual(budget.queries)
      return isDone
    }
    try {
      expect(await purge({ pages: 1_000_000, queries: 1 })).toBe(false)
      let invocations = 1
      for (; invocations < 50 && !(await purge({ pages: 600, queries: 4 })); invocations += 1);
      expect(invocations).toBeGreaterThan(1)
      expect(invocations).toBeLessThan(50)
    } finally {
      queries.mockRestore()
    }
  }, 120_000)

  it('stay as they are while texts are deleted, however many', async () => {
    const first = 901_000 * 2 ** 32
    const talk = Array.from({ length: 600 }, (_, at) => `${at} ${crypto.randomUUID()}`)
    await purgeAll()
    await env.DB.prepare(`INSERT INTO message_search (rowid, text) SELECT ? + key, value FROM json_each(?)`)
      .bind(first, JSON.stringify(talk))
      .run()
    // Pages of segments: below them are two records of the whole index, above them the notes of what is deleted.
    const pages = async () => {
      const sql = `SELECT id, hex(block) AS block FROM message_search_data WHERE id > 10 AND id < (65536 << 37)`
      return (await env.DB.prepare(sql).all()).results
    }
    const before = await pages()
    for (let at = 0; at < 500; at += 250) {
      await env.DB.prepare(`DELETE FROM message_search WHERE rowid >= ?1 AND rowid < ?1 + 250`)
        .bind(first + at)
        .run()
    }
    expect(await pages()).toEqual(before)
    await purgeAll()
    expect((await pages()).length).toBeLessThan(before.length)
  }, 120_000)
})

it('a deleted organization leaves no row in D1 and no file in R2', async () => {
  const { realm } = await buildRealm()
  const mark = `zqorg${crypto.randomUUID().slice(0, 8)}`
  const channel = await buildChannel([realm.owner], { name: `${mark} channel` })
  const file = await upload(realm.owner, { name: `${mark}.txt`, content: `${mark} in a file` })
  await untilProjected(realm, [await sendTo(realm.owner, channel.id, mark, `${mark} [file](${file})`)])
  expect(await locationsAnywhere(mark)).not.toEqual([])
  expectSuccess(await realm.owner.api.post('/realm/deactivate', { deletion_delay_days: 14 }))
  world.clockOffset += 14 * DAY
  await runAlarms(realm, 10)
  world.clockOffset += 11 * MINUTE
  await runAlarms(realm, 10)
  expect([...(await dumpObject(realm)).keys()]).toEqual([])
  for (const text of [mark, realm.host]) expect(await locationsAnywhere(text)).toEqual([])
}, 120_000)
