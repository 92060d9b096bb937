import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm, realmStub } from '../support/api.ts'
import { BLANK_EVENT } from '../support/blank-event.ts'
import { finishExport, listedExport, startExport } from '../support/exports.ts'
import { expectSuccess } from '../support/factories.ts'
import { forgetTexts } from '../support/forget-texts.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import type { D1Write } from '../support/inside-types.ts'
import { fromJson } from '../support/json.ts'
import { D1_ANSWER_MS } from '../support/limits.ts'
import { down, useOutages } from '../support/outages.ts'
import { pngOf } from '../support/pictures.ts'
import { openQueue } from '../support/queues.ts'
import { postFiles, readStatus, upload, uploadKey } from '../support/uploads.ts'
import { world } from '../support/world.ts'

const outages = useOutages()
async function found(word: string): Promise<number[]> {
  const narrow = [{ operator: 'search', operand: word }]
  const asked = { anchor: 'newest', num_before: 1_000, num_after: 0, narrow }
  const { messages } = expectSuccess(await outages.realm.owner.api.get('/messages', asked))
  return messages.map(({ id }: { id: number }) => id)
}

describe('a batch for D1', () => {
  it('has few statements, with those of one message in order', async () => {
    const id = await outages.send('first')
    await inRealm(outages.realm, ({ parts }) => {
      const insert = (entry: number, writes: unknown[]) =>
        parts.sql.run('INSERT INTO log (id, at, writes) VALUES (?, 0, ?)', entry, JSON.stringify(writes))
      const from = parts.ids.next(1_000) - 1_000
      for (let version = 1; version <= 150; version += 1) {
        const row = [id, version, `v${version}`, `${version}`, '[]']
        insert(from + 2 * version, [{ statement: 'replace-message-body', row }])
        insert(from + 2 * version + 1, [{ statement: 'replace-rendering', row }])
      }
    })
    let batches = 0
    world.d1 = (call, kind) => {
      if (kind === 'batch') batches += 1
      return call()
    }
    await outages.send('after them')
    await outages.untilCaughtUp()
    expect(Object.values(await outages.bodies())).toEqual(['v150', 'after them'])
    // 300 statements for bodies, at most 40 together with those for the search.
    expect(batches).toBeGreaterThanOrEqual(8)
  })
})

describe('what D1 refuses for good', () => {
  it.each([
    ['a row that breaks a rule', '{"statement":"insert-message-body","row":[900,null,""]}'],
    ['a statement of a newer build', '{"statement":"insert-something-new","row":[900,"x"]}'],
  ])('%s is set aside, and everything else continues', async (_, write) => {
    world.d1 = down
    const before = [await outages.send('one'), await outages.send('two')]
    const refused = await changeRealm(outages.realm, (tx) => {
      tx.writeToD1(fromJson<D1Write>(write))
      return tx.emit(BLANK_EVENT, {})
    })
    const after = [await outages.send('three'), await outages.send('four')]
    await outages.comeBack()
    expect(await outages.bodies()).toEqual(
      Object.fromEntries(
        [...before, ...after].map((id, index) => [id, ['one', 'two', 'three', 'four'][index]]),
      ),
    )
    const kept = `SELECT id, writes FROM refused_entry`
    expect(await inRealm(outages.realm, ({ parts }) => parts.sql.all(kept))).toEqual([
      { id: refused, writes: `[${write}]` },
    ])
    expect(await outages.health()).toMatchObject({ log: { refused_entries: 1 }, tail: { entries: 0 } })
  })

  it('is still readable, also after the object wakes', async () => {
    const id = await outages.send('is edited')
    await outages.untilCaughtUp()
    await inRealm(outages.realm, ({ parts }) =>
      parts.sql.run('UPDATE message_index SET version = 1 WHERE id = ?', id),
    )
    const row = [id, 1, 'kept aside', null, '[]']
    const refused = fromJson<D1Write>(JSON.stringify({ statement: 'replace-message-body', row }))
    await changeRealm(outages.realm, (tx) => tx.writeToD1(refused))
    await expect.poll(async () => (await outages.health()).log.refused_entries).toBe(1)
    expect(await outages.contents([id])).toEqual(['kept aside'])
    await evictRealm(outages.realm.id)
    expect(await outages.contents([id])).toEqual(['kept aside'])
    expectSuccess(await outages.realm.owner.api.patch(`/messages/${id}`, { content: 'edited again' }))
    await outages.untilCaughtUp()
    expect(await outages.contents([id])).toEqual(['edited again'])
    await evictRealm(outages.realm.id)
    expect(await outages.contents([id])).toEqual(['edited again'])
  })
})

describe('while D1 is gone for a day', () => {
  it('a waking object reads a summary instead of a long tail', async () => {
    world.d1 = down
    await inRealm(outages.realm, ({ parts }) => {
      for (let id = 1_001; id <= 5_500; id += 1) {
        const write: D1Write = { statement: 'insert-message-body', row: [id, `body ${id}`, ''] }
        const entry = parts.ids.next()
        const writes = JSON.stringify([write])
        parts.sql.run('INSERT INTO log (id, at, writes) VALUES (?, 0, ?)', entry, writes)
        parts.tail.add([{ id: entry, writes: [write], bytes: writes.length }])
      }
    })
    const { tail: before } = await outages.health()
    await evictRealm(outages.realm.id)
    await outages.realm.owner.api.get('/users/me')
    expect((await outages.health()).tail).toMatchObject({ entries: before.entries, bytes: before.bytes })
    const blocks = `SELECT COUNT(*) AS count FROM tail_block`
    expect(await inRealm(outages.realm, ({ parts }) => parts.sql.first(blocks))).toEqual({ count: 4 })
    expect(await inRealm(outages.realm, ({ parts }) => parts.tail.get(1_001)?.content)).toBe('body 1001')
    expect(await inRealm(outages.realm, ({ parts }) => parts.tail.get(5_500)?.content)).toBe('body 5500')
    await outages.comeBack()
    expect(await inRealm(outages.realm, ({ parts }) => parts.sql.first(blocks))).toEqual({ count: 0 })
  })

  it('searches page through the tail, and then the index, in order', async () => {
    const ids: number[] = []
    world.d1 = (call, kind) => (kind === 'batch' ? Promise.reject(new Error('D1 takes nothing')) : call())
    for (let count = 0; count < 4; count += 1) ids.push(await outages.send(`search term ${count}`))
    await changeRealm(outages.realm, (tx) => {
      for (let id = 1_001; id <= 2_600; id += 1) {
        tx.writeToD1({ statement: 'insert-message-body', row: [id, `other ${id}`, ''] })
      }
    })
    expect(await found('search term')).toEqual(ids)
    await outages.comeBack()
    expect(await found('search term')).toEqual(ids)
  })

  it('messages, evictions and alarms: nothing is lost or out of order', async () => {
    const sent: Record<number, string> = {}
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed / 2 ** 31
    }
    for (let hour = 0; hour < 24; hour += 1) {
      world.d1 = hour < 12 ? down : (call) => (random() < 0.7 ? down(call, 'read') : call())
      world.clockOffset += 3_600
      for (let count = 0; count < 2; count += 1) sent[await outages.send(`hour ${hour}`)] = `hour ${hour}`
      await runDurableObjectAlarm(realmStub(outages.realm.id))
      if (hour % 6 === 5) await evictRealm(outages.realm.id)
      const known = Object.keys(await outages.bodies()).map(Number)
      expect(known).toEqual(Object.keys(sent).map(Number).slice(0, known.length))
    }
    const ids = Object.keys(sent).map(Number)
    await outages.comeBack()
    expect(await outages.bodies()).toEqual(sent)
    expect(await outages.contents(ids)).toEqual(Object.values(sent))
    expect(await found('hour')).toEqual(ids)
  })
})

describe('while D1 does not answer at all', () => {
  afterEach(() => vi.restoreAllMocks())
  beforeEach(() => {
    // The time for an answer of D1 passes at once.
    const wait = setTimeout
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms?: number) =>
      wait(act, ms === D1_ANSWER_MS ? 50 : ms)) as typeof setTimeout)
  })

  it('a batch that hangs is given up, and all catches up', async () => {
    const first = await outages.send('before')
    await outages.untilCaughtUp()
    world.d1 = (call, kind) => (kind === 'batch' ? new Promise(() => {}) : call())
    const second = await outages.send('meanwhile')
    await expect.poll(async () => (await outages.health()).d1_failing_since).not.toBeNull()
    await outages.comeBack()
    expect(await outages.bodies()).toEqual({ [first]: 'before', [second]: 'meanwhile' })
  })

  it('a request whose text hangs is refused with 503', async () => {
    const id = await outages.send('before')
    await outages.untilCaughtUp()
    await forgetTexts()
    world.d1 = () => new Promise(() => {})
    const ask = () => outages.realm.owner.api.get(`/messages/${id}`)
    expect((await ask()).status).toBe(503)
    world.d1 = (call) => call()
    expect((await ask()).status).toBe(200)
  })
})

describe('while R2 is gone for a day', () => {
  it('files are refused with 503, everything else works, and pending work catches up', async () => {
    const { realm } = outages
    const { owner } = realm
    const [kept, doomed] = [
      await upload(owner, { content: 'to keep' }),
      await upload(owner, { content: 'to delete' }),
    ]
    const picture = await upload(owner, pngOf(8, 8))
    const thumbnail = `${picture.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
    const attachments = async () => expectSuccess(await owner.api.get('/attachments')).attachments
    const idOf = async (path: string) =>
      (await attachments()).find(({ path_id }: { path_id: string }) => path.endsWith(path_id)).id
    const doomedKey = uploadKey(doomed)
    const queue = await openQueue(owner, {
      event_types: ['message'],
      idle_queue_timeout: 86_400,
      apply_markdown: false,
    })
    const sent: string[] = []
    const heard: string[] = []

    world.storeIsDown = true
    const removed = await idOf(doomed)
    expectSuccess(await owner.api.delete(`/attachments/${removed}`))
    const exported = await startExport(owner)
    for (let hour = 0; hour < 24; hour += 1) {
      world.clockOffset += 3_600
      const at = Math.floor(Date.now() / 1_000 + world.clockOffset) + 60
      expectSuccess(
        await owner.api.post('/scheduled_messages', {
          ...outages.note(`scheduled ${hour}`),
          scheduled_delivery_timestamp: at,
        }),
      )
      await outages.send(`hour ${hour} [file](${kept})`)
      world.clockOffset += 61
      await runDurableObjectAlarm(realmStub(realm.id))
      sent.push(`hour ${hour} [file](${kept})`, `scheduled ${hour}`)
      const events = await queue.eventsOf('message')
      heard.push(...events.map(({ message }) => (message as { content: string }).content))
      if (hour % 8 !== 0) continue
      for (const path of ['/user_uploads', '/users/me/avatar']) {
        const refused = await postFiles(owner, path, [pngOf(8, 8)])
        expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 503, '1'])
      }
      for (const path of [kept, thumbnail]) expect(await readStatus(realm, path, owner)).toBe(503)
      await evictRealm(realm.id)
    }
    // A file that is deleted while the store is down cannot be read any more; its bytes are removed later.
    expect(await readStatus(realm, doomed, owner)).toBe(404)
    expect(await attachments()).toHaveLength(2)
    expect((await listedExport(owner, exported)).pending).toBe(true)
    expect(heard).toEqual(sent)

    world.storeIsDown = false
    expect(await env.UPLOADS.head(doomedKey)).not.toBeNull()
    world.clockOffset += 3 * 86_400
    await expect
      .poll(async () => {
        world.clockOffset += 60
        await runDurableObjectAlarm(realmStub(realm.id))
        return env.UPLOADS.head(doomedKey)
      })
      .toBeNull()
    const { all } = await finishExport(realm, exported)
    expect(all('user')).not.toEqual([])
    for (const path of [kept, thumbnail]) expect(await readStatus(realm, path, owner)).toBe(200)
    expectSuccess(await postFiles(owner, '/user_uploads', [{ content: 'and again' }]))
  })
})
