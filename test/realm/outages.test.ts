import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storageState } from '../../src/realm/storage-state.ts'
import { evictRealm, realmStub } from '../support/api.ts'
import { calmD1 } from '../support/calm-d1.ts'
import { buildRealm, expectSuccess, type TestRealm } from '../support/factories.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { stayAwake } from '../support/stay-awake.ts'
import { type D1Interceptor, world } from '../support/world.ts'

let realm: TestRealm
stayAwake()
calmD1()
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  realm = await buildRealm()
  await expect.poll(isCaughtUp).toBe(true)
  await realm.owner.api.get('/users/me')
})

const note = (content: string) => ({ type: 'direct', to: [realm.owner.id], content })

async function send(content: string): Promise<number> {
  return expectSuccess(await realm.owner.api.post('/messages', note(content))).id
}

async function contents(ids: readonly number[]): Promise<string[]> {
  const asked = { message_ids: ids, apply_markdown: false }
  const { messages } = expectSuccess(await realm.owner.api.get('/messages', asked))
  return messages.map(({ content }: { content: string }) => content)
}

async function found(word: string): Promise<number[]> {
  const narrow = [{ operator: 'search', operand: word }]
  const asked = { anchor: 'newest', num_before: 1_000, num_after: 0, narrow }
  const { messages } = expectSuccess(await realm.owner.api.get('/messages', asked))
  return messages.map(({ id }: { id: number }) => id)
}

async function bodies(): Promise<Record<number, string>> {
  const { results } = await env.DB.prepare(
    'SELECT message_id, content FROM message_body WHERE realm_id = ? ORDER BY message_id',
  )
    .bind(realm.id)
    .all<{ message_id: number; content: string }>()
  return Object.fromEntries(results.map(({ message_id, content }) => [message_id, content]))
}

const down: D1Interceptor = async () => {
  throw new Error('D1 is down')
}

async function comeBack(): Promise<void> {
  world.d1 = (call) => call()
  world.clockOffset += 100
  await runDurableObjectAlarm(realmStub(realm.id))
  await expect.poll(isCaughtUp).toBe(true)
}

const isCaughtUp = () =>
  inRealm(realm, ({ parts }) => {
    parts.projector.passEvents()
    return parts.projector.projected === parts.sql.first<{ id: number }>('SELECT MAX(id) AS id FROM log')!.id
  })

const state = () => inRealm(realm, ({ parts }) => storageState(parts))
describe('a batch for D1', () => {
  it('has few statements, whatever is written, and what is written of one message stays in order', async () => {
    const id = await send('first')
    await inRealm(realm, ({ parts }) => {
      const insert = (entry: number, writes: unknown[]) =>
        parts.sql.run('INSERT INTO log (id, at, writes) VALUES (?, 0, ?)', entry, JSON.stringify(writes))
      const from = parts.ids.next(1_000) - 1_000
      for (let version = 1; version <= 150; version += 1) {
        const row = [id, version, `v${version}`, `${version}`, 1, '[]']
        insert(from + 2 * version, [{ statement: 'replace-message-body', row }])
        insert(from + 2 * version + 1, [{ statement: 'replace-rendering', row }])
      }
    })
    let batches = 0
    world.d1 = (call, kind) => {
      if (kind === 'batch') batches += 1
      return call()
    }
    await send('after them')
    await expect.poll(isCaughtUp).toBe(true)
    expect(Object.values(await bodies())).toEqual(['v150', 'after them'])
    // 300 statements for bodies, at most 40 together with those for the search.
    expect(batches).toBeGreaterThanOrEqual(8)
  })
})

describe('what D1 refuses for good', () => {
  it.each([
    ['a row that breaks a rule', { statement: 'insert-message-body', row: [900, null, '', 1] }],
    ['a statement of a newer build', { statement: 'insert-something-new', row: [900, 'x'] }],
  ])('%s is set aside, and all else goes on', async (_, write) => {
    world.d1 = down
    const before = [await send('one'), await send('two')]
    const refused = await changeRealm(realm, (tx) => {
      tx.writeToD1(write)
      return tx.emit({ type: 'typing' }, {})
    })
    const after = [await send('three'), await send('four')]
    await comeBack()
    expect(await bodies()).toEqual(
      Object.fromEntries(
        [...before, ...after].map((id, index) => [id, ['one', 'two', 'three', 'four'][index]]),
      ),
    )
    const kept = `SELECT id, writes FROM refused_entry`
    expect(await inRealm(realm, ({ parts }) => parts.sql.all(kept))).toEqual([
      { id: refused, writes: JSON.stringify([write]) },
    ])
    expect(await state()).toMatchObject({ refusedEntries: 1, tail: { entries: 0 } })
  })

  it('is read from where it is kept, by an object that wakes too', async () => {
    const id = await send('is edited')
    await expect.poll(isCaughtUp).toBe(true)
    await inRealm(realm, ({ parts }) =>
      parts.sql.run('UPDATE message_index SET version = 1 WHERE id = ?', id),
    )
    const row = [id, 1, 'kept aside', '<p>kept aside</p>', null, '[]']
    await changeRealm(realm, (tx) => tx.writeToD1({ statement: 'replace-message-body', row }))
    await expect.poll(async () => (await state()).refusedEntries).toBe(1)
    expect(await contents([id])).toEqual(['kept aside'])
    await evictRealm(realm.id)
    expect(await contents([id])).toEqual(['kept aside'])
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { content: 'edited again' }))
    await expect.poll(isCaughtUp).toBe(true)
    expect(await contents([id])).toEqual(['edited again'])
    await evictRealm(realm.id)
    expect(await contents([id])).toEqual(['edited again'])
  })
})

describe('while D1 is gone for a day', () => {
  it('an object that wakes reads what it knows of a long tail, and not the tail', async () => {
    world.d1 = down
    await inRealm(realm, ({ parts }) => {
      for (let id = 1_001; id <= 5_500; id += 1) {
        const write = { statement: 'insert-message-body', row: [id, `body ${id}`, '', 1] }
        const entry = parts.ids.next()
        const writes = JSON.stringify([write])
        parts.sql.run('INSERT INTO log (id, at, writes) VALUES (?, 0, ?)', entry, writes)
        parts.tail.add([{ id: entry, writes: [write], bytes: writes.length }])
      }
    })
    const before = await state()
    await evictRealm(realm.id)
    await realm.owner.api.get('/users/me')
    expect((await state()).tail).toEqual(before.tail)
    const blocks = `SELECT COUNT(*) AS count FROM tail_block`
    expect(await inRealm(realm, ({ parts }) => parts.sql.first(blocks))).toEqual({ count: 4 })
    expect(await inRealm(realm, ({ parts }) => parts.tail.get(1_001)?.content)).toBe('body 1001')
    expect(await inRealm(realm, ({ parts }) => parts.tail.get(5_500)?.content)).toBe('body 5500')
    await comeBack()
    expect(await inRealm(realm, ({ parts }) => parts.sql.first(blocks))).toEqual({ count: 0 })
  })

  it('what is searched for is found in the tail page by page, and after it in order', async () => {
    const ids: number[] = []
    world.d1 = (call, kind) => (kind === 'batch' ? Promise.reject(new Error('D1 takes nothing')) : call())
    for (let count = 0; count < 4; count += 1) ids.push(await send(`needle ${count}`))
    await changeRealm(realm, (tx) => {
      for (let id = 1_001; id <= 2_600; id += 1) {
        tx.writeToD1({ statement: 'insert-message-body', row: [id, `other ${id}`, '', 1] })
      }
    })
    expect(await found('needle')).toEqual(ids)
    await comeBack()
    expect(await found('needle')).toEqual(ids)
  })

  it('a day of messages, evictions and alarms: nothing is lost, and the order is right', async () => {
    const sent: Record<number, string> = {}
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed / 2 ** 31
    }
    for (let hour = 0; hour < 24; hour += 1) {
      world.d1 = hour < 12 ? down : (call) => (random() < 0.7 ? down(call, 'read') : call())
      world.clockOffset += 3_600
      for (let count = 0; count < 2; count += 1) sent[await send(`hour ${hour}`)] = `hour ${hour}`
      await runDurableObjectAlarm(realmStub(realm.id))
      if (hour % 6 === 5) await evictRealm(realm.id)
      const known = Object.keys(await bodies()).map(Number)
      expect(known).toEqual(Object.keys(sent).map(Number).slice(0, known.length))
    }
    const ids = Object.keys(sent).map(Number)
    await comeBack()
    expect(await bodies()).toEqual(sent)
    expect(await contents(ids)).toEqual(Object.values(sent))
    expect(await found('hour')).toEqual(ids)
  })
})
