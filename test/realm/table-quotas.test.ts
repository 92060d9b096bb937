import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { QUOTAS } from '../../src/core/quotas.ts'
import { COUNTED_KINDS, recountQuery } from '../../src/store/schema/quotas.ts'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { QUOTA_OF_TABLE } from '../support/inside-table-quotas.ts'
import { useRealm } from '../support/use-realm.ts'

/** Tables of SQLite, the platform and full-text search, which no statement of ours writes. */
const INTERNAL = /^(sqlite_|_cf_|d1_migrations$|message_search_)/

const { realm, user } = useRealm({ user: 'member' })

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table'`

it('every table of the object and of D1 has a quota or a reason', async () => {
  const inObject = await inRealm(realm, (_, { storage }) =>
    storage.sql.exec<{ name: string }>(TABLES).toArray(),
  )
  const { results: inD1 } = await env.DB.prepare(TABLES).all<{ name: string }>()
  const names = [...inObject, ...inD1].map(({ name }) => name).filter((name) => !INTERNAL.test(name))
  expect([...new Set(names)].sort()).toEqual(Object.keys(QUOTA_OF_TABLE).sort())
})

it('every quota belongs to a table', () => {
  const used = Object.values(QUOTA_OF_TABLE).flatMap((quotas) => (typeof quotas === 'string' ? [] : quotas))
  expect([...new Set(used)].sort()).toEqual(Object.keys(QUOTAS).sort())
})

it('everything with a quota is counted by triggers of its table', async () => {
  const triggers = await inRealm(realm, (_, { storage }) =>
    storage.sql.exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).toArray(),
  )
  const expected = Object.entries(QUOTA_OF_TABLE).flatMap(([table, quotas]) =>
    // Queues are counted by an index: to register costs no row more.
    typeof quotas === 'string' || table === 'queue'
      ? []
      : quotas.flatMap((kind) => ['added', 'changed', 'removed'].map((when) => `${table}_${kind}_${when}`)),
  )
  expect(
    triggers
      .map(({ name }) => name)
      .filter(
        (name) =>
          !name.endsWith('_changed') && !name.startsWith('block_of_') && !name.endsWith('_ends_web_push'),
      )
      .sort(),
  ).toEqual(expected.filter((name) => !name.endsWith('_changed')).sort())
})

it('the triggers count what adding up the rows finds', async () => {
  const { id: stream_id } = await buildChannel([user], { description: 'Über alles' })
  for (const [topic, visibility_policy] of [
    ['a', 3],
    ['b', 1],
    ['c', 3],
    ['A', 1],
    ['b', 0],
  ] as const) {
    expectSuccess(await user.api.post('/user_topics', { stream_id, topic, visibility_policy }))
  }
  const draft = (content: string) => ({ type: '', to: [], topic: '', content })
  const { ids } = expectSuccess(
    await user.api.post('/drafts', { drafts: [draft('a'), draft('é'), draft('c')] }),
  )
  expectSuccess(await user.api.patch(`/drafts/${ids[0]}`, { draft: draft('longer') }))
  expectSuccess(await user.api.delete(`/drafts/${ids[1]}`))
  const group = { name: 'g', description: 'd', members: [user.id] }
  const { group_id } = expectSuccess(await user.api.post('/user_groups/create', group))
  expectSuccess(
    await user.api.post(`/user_groups/${group_id}/members`, { add: [realm.owner.id], delete: [user.id] }),
  )
  const [kept, counted] = await inRealm(realm, (_, { storage: { sql } }) => {
    const isAny = ({ count, bytes }: Record<string, unknown>) => count !== 0 || bytes !== 0
    const added = COUNTED_KINDS.flatMap((kind) =>
      sql
        .exec(`SELECT ? AS kind, account AS account_id, count, bytes FROM (${recountQuery(kind)})`, kind)
        .toArray(),
    )
    return [sql.exec(`SELECT * FROM quota_use`).toArray().filter(isAny), added.filter(isAny)]
  })
  for (const account_id of [0, user.id]) {
    expect(kept).toContainEqual({ kind: 'topicSettings', account_id, count: 2, bytes: 0 })
  }
  expect(kept).toContainEqual({ kind: 'drafts', account_id: user.id, count: 2, bytes: 11 })
  expect(kept).toHaveLength(counted.length)
  expect(kept).toEqual(expect.arrayContaining(counted))
})
