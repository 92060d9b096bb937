import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { evictRealm, realmStub } from '../support/api.ts'
import { expectSuccess, type TestRealm } from '../support/factories.ts'
import { INTERFACE_VERSION, inRealm } from '../support/inside.ts'
import {
  CountedSql,
  OtherSchemaError,
  rewriteNext,
  SCHEMA_STEPS,
  type SchemaStep,
  upgradeSchema,
} from '../support/inside-schema.ts'
import { captureLog } from '../support/log-lines.ts'
import { MINUTE } from '../support/times.ts'
import { buildRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** A step as the next build might have one. */
const NEXT: SchemaStep = {
  version: SCHEMA_STEPS.length + 1,
  name: 'next',
  statements: [
    `ALTER TABLE client ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0`,
    `CREATE INDEX client_by_seen ON client (seen_at)`,
  ],
}

/** Runs in the storage of an object without an organization. */
function inStorage<R>(run: (storage: DurableObjectStorage) => R): Promise<R> {
  return runInDurableObject(env.REALM.get(env.REALM.newUniqueId()), (_, { storage }) => run(storage))
}

const stepsOf = ({ sql }: DurableObjectStorage) =>
  sql
    .exec<{ name: string }>(`SELECT name FROM schema_step ORDER BY version`)
    .toArray()
    .map(({ name }) => name)
const clients = ({ sql }: DurableObjectStorage) => sql.exec(`SELECT * FROM client`).toArray()
const own = SCHEMA_STEPS.map(({ name }) => name)

describe('a step that is added to the schema', () => {
  it('is applied once, to what there is', async () => {
    await inStorage((storage) => {
      upgradeSchema(storage.sql)
      storage.sql.exec(`INSERT INTO client (name) VALUES ('phone')`)
      for (const _ of ['first', 'again']) {
        storage.transactionSync(() => upgradeSchema(storage.sql, [...SCHEMA_STEPS, NEXT]))
        expect(stepsOf(storage)).toEqual([...own, 'next'])
        expect(clients(storage)).toEqual([{ id: 1, name: 'phone', seen_at: 0 }])
      }
    })
  })

  it('leaves nothing of itself when a statement fails', async () => {
    await inStorage((storage) => {
      upgradeSchema(storage.sql)
      storage.sql.exec(`INSERT INTO client (name) VALUES ('phone')`)
      const broken = {
        ...NEXT,
        statements: [...NEXT.statements, `INSERT INTO client (name) VALUES ('phone')`],
      }
      const upgrade = () => upgradeSchema(storage.sql, [...SCHEMA_STEPS, broken])
      expect(() => storage.transactionSync(upgrade)).toThrow('UNIQUE constraint failed')
      expect(stepsOf(storage)).toEqual(own)
      expect(clients(storage)).toEqual([{ id: 1, name: 'phone' }])
    })
  })

  it('has the next number, and something to do', async () => {
    await inStorage(({ sql }) => {
      const upgrade = (step: SchemaStep) => () => upgradeSchema(sql, [...SCHEMA_STEPS, step])
      expect(upgrade({ ...NEXT, version: NEXT.version + 1 })).toThrow(`must have version ${NEXT.version}`)
      expect(upgrade({ ...NEXT, statements: [] })).toThrow('Schema step next is empty')
    })
  })

  it('is not known to a build without it, or with another text of it', async () => {
    await inStorage(({ sql }) => {
      upgradeSchema(sql, [...SCHEMA_STEPS, NEXT])
      const edited = { ...NEXT, statements: NEXT.statements.slice(0, 1) }
      for (const [steps, isNewer] of [
        [SCHEMA_STEPS, true],
        [[...SCHEMA_STEPS, edited], false],
      ] as const) {
        const upgrade = () => upgradeSchema(sql, steps)
        expect(upgrade).toThrow(OtherSchemaError)
        expect(upgrade).toThrow(expect.objectContaining({ isNewer }))
      }
    })
  })
})

it('codes of emoji that were stored with variation selectors lose them', async () => {
  await inStorage(({ sql }) => {
    const at = SCHEMA_STEPS.findIndex(({ name }) => name === 'unqualified-emoji')
    upgradeSchema(sql, SCHEMA_STEPS.slice(0, at))
    const custom = ['realm_emoji', '7']
    for (const [seq, [type, code]] of [
      ['unicode_emoji', '1f3f3-fe0f-200d-1f308'],
      ['unicode_emoji', '2764'],
      custom,
    ].entries()) {
      sql.exec(`INSERT INTO reaction VALUES (5, ?, ?, 9, 'name', ?)`, type, code, seq)
      sql.exec(`INSERT INTO user_status VALUES (?, 'text with -fe0f', 'name', ?, ?)`, seq, code, type)
    }
    upgradeSchema(sql)
    expect(rewriteNext(new CountedSql(sql), SCHEMA_STEPS)).toBe(false)
    for (const table of ['reaction', 'user_status']) {
      expect([...sql.exec(`SELECT reaction_type, emoji_code FROM ${table}`).raw()].sort()).toEqual([
        custom,
        ['unicode_emoji', '1f3f3-200d-1f308'],
        ['unicode_emoji', '2764'],
      ])
    }
    expect(sql.exec(`SELECT DISTINCT status_text FROM user_status`).one().status_text).toBe('text with -fe0f')
  })
})

it('steps that states have are never edited', async () => {
  const digests = await inStorage(({ sql }) => {
    upgradeSchema(sql)
    return sql
      .exec<{ digest: string }>(`SELECT digest FROM schema_step ORDER BY version`)
      .toArray()
      .map(({ digest }) => digest)
  })
  expect(digests).toEqual([
    ...['b2ff419d', '294bbadb', '6775e852', 'e95cd09a', '3d57cbcb', 'c3115060', '7c12f5c7', '36667a41'],
    ...['71552005', '3bfaa125', '70d7ba0f', 'f25f860b', '9b5695a2', 'e655f0ae', '532298c7', '612b8559'],
    ...['9044818b', '8db9cb7a', '3e2fc72f'],
  ])
})

describe('an object whose storage was made by another build', () => {
  it('answers 503 until the newer build is back, and loses nothing', async () => {
    const { realm } = await buildRealm()
    world.furtherSteps = [NEXT]
    await evictRealm(realm.id)
    const id = await note(realm, 'by the newer')
    world.furtherSteps = []
    await expectUnreadable(realm, 'The storage was made by a newer Parley: deploy that one again')
    world.furtherSteps = [NEXT]
    await evictRealm(realm.id)
    await expectRead(realm, id, 'by the newer')
  })

  it('keeps due work for the newer build', async () => {
    const { realm } = await buildRealm()
    const { owner } = realm
    world.furtherSteps = [NEXT]
    await evictRealm(realm.id)
    const at = Math.floor(Date.now() / 1_000) + MINUTE
    const later = { type: 'direct', to: [owner.id], content: 'later', scheduled_delivery_timestamp: at }
    expectSuccess(await owner.api.post('/scheduled_messages', later))
    world.furtherSteps = []
    await evictRealm(realm.id)
    await runAlarms(realm, 3, MINUTE)
    world.furtherSteps = [NEXT]
    await evictRealm(realm.id)
    await runAlarms(realm, 2, MINUTE)
    const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
    const { messages } = expectSuccess(await owner.api.get('/messages', page))
    expect(messages).toMatchObject([{ content: 'later' }])
  })

  it('answers 503 also where the build was an earlier one', async () => {
    const { realm } = await buildRealm()
    const id = await note(realm, 'by the earlier')
    const edit = (from: string, to: string) =>
      inRealm(realm, (_, { storage: { sql } }) => {
        sql.exec(`UPDATE schema_step SET digest = replace(digest, ?, ?) WHERE version = 1`, from, to)
      })
    const digest = await inRealm(realm, (_, { storage: { sql } }) =>
      String(sql.exec(`SELECT digest FROM schema_step WHERE version = 1`).one().digest),
    )
    await edit(digest, 'of before')
    await expectUnreadable(realm, /^The storage was made by an earlier Parley: .*`npm run reset`/)
    await edit('of before', digest)
    await evictRealm(realm.id)
    await expectRead(realm, id, 'by the earlier')
  })
})

async function note(realm: TestRealm, content: string): Promise<number> {
  const { owner } = realm
  return expectSuccess(await owner.api.post('/messages', { type: 'direct', to: [owner.id], content })).id
}

async function expectRead({ owner }: TestRealm, id: number, content: string): Promise<void> {
  const { message } = expectSuccess(await owner.api.get(`/messages/${id}`, { apply_markdown: false }))
  expect(message.content).toBe(content)
}

/** Requires that nothing of the organization is served, changed or founded anew, and that the log says why. */
async function expectUnreadable(realm: TestRealm, why: string | RegExp): Promise<void> {
  const log = captureLog()
  await evictRealm(realm.id)
  const { api } = realm.owner
  for (const path of ['/users/me', '/messages', '/server_settings']) {
    const answer = await api.get(path)
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '60'])
  }
  expect(
    (await api.post('/messages', { type: 'direct', to: [realm.owner.id], content: 'lost?' })).status,
  ).toBe(503)
  expect((await api.get('/events', { queue_id: 'x', last_event_id: -1 })).status).toBe(503)
  const stub = realmStub(realm.id)
  expect(await stub.verify(INTERFACE_VERSION, { host: realm.host, repair: false })).toBeUndefined()
  expect(await stub.health(INTERFACE_VERSION, realm.host)).toBe('unreadable')
  const said = log.lines().map(({ what }) => what)
  expect(said).toContainEqual(typeof why === 'string' ? why : expect.stringMatching(why))
}
