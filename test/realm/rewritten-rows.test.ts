import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { evictRealm } from '../support/api.ts'
import { expectSuccess, type TestRealm } from '../support/factories.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import {
  OPEN_REWRITE,
  type Rewrite,
  SCHEMA_STEPS,
  type SchemaStep,
  UNQUALIFIED_REACTIONS,
  upgradeSchema,
} from '../support/inside-schema.ts'
import { ENTRIES_AT_ONCE } from '../support/limits.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { rowsOfTransactions } from '../support/rows-of-transactions.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

// The rows of the object that wakes are counted.
neverEvict()

const FLAG = { emoji_name: 'rainbow_flag', emoji_code: '1f3f3-200d-1f308', reaction_type: 'unicode_emoji' }
const OLD_CODE = '1f3f3-fe0f-200d-1f308'

/** Steps of the next build that rewrite the names of reactions, one after another. */
const [FIRST, SECOND] = [1, 2].map((number): SchemaStep => {
  const version = SCHEMA_STEPS.length + number
  const rewrite: Rewrite = {
    ...{ step: version, table: 'reaction', keys: UNQUALIFIED_REACTIONS.keys },
    statement: `UPDATE reaction SET emoji_name = 'name ${number}' WHERE emoji_name = 'name ${number - 1}'`,
  }
  return { version, name: `names-${number}`, statements: [], rewrite }
}) as [SchemaStep, SchemaStep]

/** Enters reactions of people who are not there to messages that are not there. */
function insertReactions(realm: TestRealm, count: number): Promise<void> {
  return changeRealm(realm, ({ sql }) => {
    sql.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO reaction SELECT 100000 + i / 10, 'unicode_emoji', '1f44d', i, 'name 0', i FROM n`,
      count,
    )
  })
}

/** Returns the numbers of reactions by name, and how far the rewrites have come. */
function standing(realm: TestRealm) {
  return inRealm(realm, ({ parts: { sql } }) => ({
    names: Object.fromEntries(
      sql
        .all<{ name: string; count: number }>(
          `SELECT emoji_name AS name, count(*) AS count FROM reaction GROUP BY emoji_name ORDER BY emoji_name`,
        )
        .map(({ name, count }) => [name, count]),
    ),
    open: sql.value<string>(`SELECT value FROM meta WHERE key = 'rewrites'`),
    jobs: sql.value<number>(`SELECT count(*) FROM job WHERE kind = 'rewrite-rows'`),
  }))
}

describe('rows that a step rewrites', () => {
  it('are rewritten in pieces behind requests, by one step after another, whatever stops the object', async () => {
    const { realm, owner } = await buildRealm()
    const count = 25 * ENTRIES_AT_ONCE + 10
    await insertReactions(realm, count)
    world.furtherSteps = [FIRST, SECOND]
    // A request waits for none of them, even if the alarm never comes.
    world.alarm = async () => {}
    await evictRealm(realm.id)
    expectSuccess(await owner.api.get('/users/me'))
    expect((await standing(realm)).names).toEqual({ 'name 0': count })
    await evictRealm(realm.id)
    world.alarm = (run) => run()
    const found = await rowsOfTransactions(realm, () => runAlarms(realm, 1))
    const { names, open } = await standing(realm)
    expect(Object.keys(names)).toEqual(['name 0', 'name 1'])
    expect(open).toContain(`"step":${FIRST.version}`)
    expect(Math.max(...found.map(({ read }) => read))).toBeLessThan(2.2 * ENTRIES_AT_ONCE)
    expect(Math.max(...found.map(({ written }) => written))).toBeLessThan(1.1 * ENTRIES_AT_ONCE)
    await evictRealm(realm.id)
    expectSuccess(await owner.api.get('/users/me'))
    for (let run = 0; run < 10 && (await standing(realm)).jobs !== 0; run += 1) await runAlarms(realm, 1, 61)
    expect(await standing(realm)).toEqual({ names: { 'name 2': count }, open: undefined, jobs: 0 })
  })

  it('are none in a new organization', async () => {
    world.furtherSteps = [FIRST]
    const { realm } = await buildRealm()
    expect(await standing(realm)).toEqual({ names: {}, open: undefined, jobs: 0 })
  })
})

describe('a reaction of an earlier build, before its rewrite', () => {
  const { realm, ann, ben, channel } = useRealm(
    { ann: 'member', ben: 'member' },
    { channels: { channel: ['ann', 'ben'] } },
  )

  /** Returns a message to which Ann has reacted with an earlier build. */
  async function reactedByAnn(): Promise<number> {
    const id = await sendTo(ann, channel.id, 'react to me')
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { ...FLAG }))
    await changeRealm(realm, ({ sql }) => {
      sql.run(`UPDATE reaction SET emoji_code = ? WHERE message_id = ?`, OLD_CODE, id)
      sql.run(OPEN_REWRITE, UNQUALIFIED_REACTIONS.step)
    })
    return id
  }
  const reactionsTo = async (id: number) =>
    expectSuccess(await ben.api.get(`/messages/${id}`)).message.reactions

  it('has its present code for readers', async () => {
    const id = await reactedByAnn()
    expect(await reactionsTo(id)).toMatchObject([{ ...FLAG, user_id: ann.id }])
  })

  it('is joined and taken back under its present code', async () => {
    const id = await reactedByAnn()
    expect((await ann.api.post(`/messages/${id}/reactions`, { ...FLAG })).body.code).toBe(
      'REACTION_ALREADY_EXISTS',
    )
    expectSuccess(await ben.api.post(`/messages/${id}/reactions`, { ...FLAG }))
    expect(await reactionsTo(id)).toMatchObject([
      { ...FLAG, user_id: ann.id },
      { ...FLAG, user_id: ben.id },
    ])
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.delete(`/messages/${id}/reactions`, { emoji_code: FLAG.emoji_code }))
    expect(await queue.eventsOf('reaction')).toMatchObject([{ ...FLAG, op: 'remove' }])
    expect(await reactionsTo(id)).toMatchObject([{ ...FLAG, user_id: ben.id }])
  })
})

/** Tables that grow with the messages, the people's marks and what they send. */
const GROWING = ['message_index', 'message_flag', 'reaction', 'submessage', 'attachment_message', 'log']

it('no step reads rows that grow with the messages before the next call', async () => {
  const among = await rowsReadBySteps(5_000)
  expect(among).toEqual(await rowsReadBySteps(5))
})

/** Returns the rows that each step reads when the object wakes, where each table that grows has `count` rows. */
function rowsReadBySteps(count: number): Promise<(readonly [string, number])[]> {
  return runInDurableObject(env.REALM.get(env.REALM.newUniqueId()), (_, { storage: { sql } }) => {
    upgradeSchema(sql, SCHEMA_STEPS.slice(0, 1))
    for (const table of GROWING) fill(sql, table, count)
    let rows = 0
    const exec = (query: string, ...values: unknown[]) => {
      const cursor = sql.exec(query, ...values)
      const found = cursor.toArray()
      rows += cursor.rowsRead
      return { toArray: () => found }
    }
    const counted = new Proxy(sql, { get: () => exec })
    return SCHEMA_STEPS.map(({ version, name }) => {
      rows = 0
      upgradeSchema(counted, SCHEMA_STEPS.slice(0, version))
      return [name, rows] as const
    })
  })
}

/** Fills a table with rows that differ in every column. */
function fill(sql: SqlStorage, table: string, count: number): void {
  const columns = sql
    .exec<{ type: string }>(`SELECT type FROM pragma_table_info(?)`, table)
    .toArray()
    .map(({ type }) => (type === 'TEXT' ? `'text ' || i` : 'i'))
  sql.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO ${table} SELECT ${columns.join(', ')} FROM n`,
    count,
  )
}
