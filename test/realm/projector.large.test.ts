import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm, realmStub } from '../support/api.ts'
import { BLANK_EVENT } from '../support/blank-event.ts'
import { bodyDatabase } from '../support/body-database.ts'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { applyBatch, readApplied } from '../support/inside-deployment.ts'
import { TEXT_OF_SLICE } from '../support/limits.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { type D1Interceptor, world } from '../support/world.ts'

const { realm } = useRealmPerTest()
neverEvict()
useReliableD1()
beforeEach(async () => {
  await expect.poll(isCaughtUp).toBe(true)
  // The Worker learns from D1, once, which realm answers at this host.
  await realm.owner.api.get('/users/me')
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

async function send(content: string): Promise<number> {
  const sent = { type: 'direct', to: [realm.owner.id], content }
  return expectSuccess(await realm.owner.api.post('/messages', sent)).id
}

async function bodies(): Promise<Record<number, string>> {
  const { results } = await bodyDatabase
    .prepare('SELECT message_id, content FROM message_body WHERE realm_id = ? ORDER BY message_id')
    .bind(realm.id)
    .all<{ message_id: number; content: string }>()
  return Object.fromEntries(results.map(({ message_id, content }) => [message_id, content]))
}

const newest = () =>
  inRealm(realm, ({ parts }) => parts.sql.first<{ id: number }>('SELECT MAX(id) AS id FROM log')!.id)
const isCaughtUp = () =>
  inRealm(realm, ({ parts }) => {
    parts.projector.passEvents()
    return parts.projector.projected === parts.sql.first<{ id: number }>('SELECT MAX(id) AS id FROM log')!.id
  })
const applied = () => readApplied(bodyDatabase, realm.id)
const alarm = () => runDurableObjectAlarm(realmStub(realm.id))
const logIds = () =>
  inRealm(realm, ({ parts }) =>
    parts.sql.all<{ id: number }>('SELECT id FROM log ORDER BY id').map(({ id }) => id),
  )

const down: D1Interceptor = async () => {
  throw new Error('D1 is down')
}

/** No retry is left that could run in the middle of the next test, which counts calls. */
afterEach(async () => {
  world.d1 = (call) => call()
  world.clockOffset += 1_000
  await alarm()
  await expect.poll(isCaughtUp).toBe(true)
})

describe('the projection', () => {
  it('writes every text to D1, and records how far it is', async () => {
    const sent: Record<number, string> = {}
    for (const content of ['one', 'two', 'three']) sent[await send(content)] = content
    await expect.poll(bodies).toEqual(sent)
    expect(await applied()).toBe(await newest())
  })

  it('continues behind any number of events that need no write', async () => {
    await changeRealm(realm, (tx) => {
      for (let count = 0; count < 1_200; count += 1) tx.emit(BLANK_EVENT, {})
    })
    const id = await send('behind them')
    await expect.poll(bodies).toEqual({ [id]: 'behind them' })
    await expect.poll(isCaughtUp).toBe(true)
  })

  it('sends many writes in few batches', async () => {
    let batches = 0
    world.d1 = (call, kind) => {
      if (kind === 'batch') batches += 1
      return call()
    }
    await changeRealm(realm, (tx) => {
      for (let id = 1_001; id <= 2_200; id += 1) {
        tx.writeToD1({ statement: 'insert-message-body', row: [id, `body ${id}`, ''] })
        tx.emit(BLANK_EVENT, {})
      }
    })
    await expect.poll(isCaughtUp).toBe(true)
    expect(Object.keys(await bodies())).toHaveLength(1_200)
    expect(batches).toBe(1)
  })

  it('prepares long texts for several batches, in turns of their own', async () => {
    const [content, html] = ['two words '.repeat(1_000), '<p>html</p>'.repeat(1_000)]
    const texts: number[] = []
    world.wrote = (statements) => {
      const rows = statements
        .filter(({ sql }) => sql.includes('INTO message_body'))
        .map(({ values }) => values[1])
      if (rows.length > 0) texts.push(rows.reduce<number>((sum, each) => sum + String(each).length, 0))
    }
    await inRealm(realm, (object) => {
      for (let id = 1_001; id <= 1_200; id += 1) {
        object.change((tx) => tx.writeToD1({ statement: 'insert-message-body', row: [id, content, html] }))
      }
    })
    await expect.poll(isCaughtUp).toBe(true)
    expect(Object.keys(await bodies())).toHaveLength(200)
    expect(Math.max(...texts)).toBeLessThanOrEqual(TEXT_OF_SLICE)
    // As large as they may be: the first goes alone, before the others are there.
    const all = texts.reduce((sum, length) => sum + length)
    expect(texts.length).toBeLessThanOrEqual(Math.ceil(all / TEXT_OF_SLICE) + 2)
  })

  it('rests between batches, so that what is written in a row goes together', async () => {
    let batches = 0
    world.d1 = (call, kind) => {
      if (kind === 'batch') batches += 1
      return call()
    }
    await inRealm(realm, async (object) => {
      const write = (id: number) =>
        object.change((tx) => tx.writeToD1({ statement: 'insert-message-body', row: [id, `body ${id}`, ''] }))
      write(1)
      await object.parts.projector.kick()
      // No timer goes off while only promises are waited for.
      for (let id = 2; id <= 20; id += 1) {
        write(id)
        for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
      }
      expect(batches).toBe(1)
    })
    await expect.poll(isCaughtUp).toBe(true)
    expect(Object.keys(await bodies())).toHaveLength(20)
    expect(batches).toBe(2)
  })

  it('keeps writes of one row in their order', async () => {
    await changeRealm(realm, (tx) => {
      tx.writeToD1({ statement: 'insert-message-body', row: [7, 'first', ''] })
      tx.writeToD1({ statement: 'replace-message-body', row: [7, 1, 'second', '', '[]'] })
      tx.writeToD1({ statement: 'delete-message-body', row: [7] })
      tx.writeToD1({ statement: 'insert-message-body', row: [7, 'third', ''] })
    })
    await expect.poll(bodies).toEqual({ 7: 'third' })
  })
})

describe('while D1 is down', () => {
  beforeEach(() => {
    world.d1 = down
  })

  it('sends succeed, queues get them, and they can be read', async () => {
    const queue = await openQueue(realm.owner, { event_types: ['message'], apply_markdown: false })
    const id = await send('*from the tail*')
    expect(await queue.events()).toMatchObject([{ message: { id, content: '*from the tail*' } }])
    const { messages } = expectSuccess(
      await realm.owner.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
    )
    expect(messages).toMatchObject([{ id, content: '<p><em>from the tail</em></p>' }])
    expect(await bodies()).toEqual({})
  })

  it('texts are read from the tail, after an eviction too', async () => {
    const id = await send('still here')
    await evictRealm(realm.id)
    const { message } = expectSuccess(await realm.owner.api.get(`/messages/${id}`, { apply_markdown: false }))
    expect(message.content).toBe('still here')
  })

  it('it is retried by the alarm, and not by every send', async () => {
    let calls = 0
    world.d1 = (call, kind) => {
      calls += 1
      return down(call, kind)
    }
    for (const content of ['one', 'two', 'three', 'four']) await send(content)
    await expect.poll(() => calls).toBe(1)
    world.clockOffset = 2
    await alarm()
    expect(calls).toBe(2)
    // Each further pause is twice as long.
    const dueIn = () =>
      inRealm(realm, ({ parts }) => {
        const job = parts.sql.first<{ due_at: number }>(`SELECT due_at FROM job WHERE kind = 'project'`)
        return Math.round((job!.due_at - parts.now()) / 2) * 2
      })
    expect(await dueIn()).toBe(2)
    for (const [offset, wait] of [
      [6, 4],
      [12, 8],
      [24, 16],
      [48, 32],
      [90, 60],
      [160, 60],
    ] as const) {
      world.clockOffset = offset
      await alarm()
      expect(await dueIn()).toBe(wait)
    }
  })

  it('a send is written at once after a clock that was ahead is set back', async () => {
    world.clockOffset = 3_600
    const sent = { [await send('while it is ahead')]: 'while it is ahead' }
    const isFailing = () => inRealm(realm, ({ parts }) => parts.projector.failingSince !== undefined)
    await expect.poll(isFailing).toBe(true)
    world.d1 = (call) => call()
    world.clockOffset = 0
    sent[await send('afterwards')] = 'afterwards'
    await expect.poll(bodies).toEqual(sent)
  })

  it('everything is written when it returns, without a new message', async () => {
    const sent: Record<number, string> = {}
    for (let count = 0; count < 20; count += 1) sent[await send(`late ${count}`)] = `late ${count}`
    world.d1 = (call) => call()
    world.clockOffset = 5
    expect(await alarm()).toBe(true)
    await expect.poll(bodies).toEqual(sent)
  })

  it('everything is written when the object wakes', async () => {
    const id = await send('late')
    world.d1 = (call) => call()
    await evictRealm(realm.id)
    await realm.owner.api.get('/users/me')
    await expect.poll(bodies).toEqual({ [id]: 'late' })
  })

  it('an organization that is cached keeps working', async () => {
    expectSuccess(await realm.owner.api.get('/users/me'))
    const { status, body } = await realm.anonymous.request(
      'GET',
      '/users/me',
      {},
      { headers: { Authorization: `Basic ${btoa(`nobody@x.y:${'k'.repeat(32)}`)}` } },
    )
    expect([status, body.msg]).toEqual([401, 'Invalid API key'])
  })
})

describe('a failure that leaves open whether a batch was applied', () => {
  it('leads to a check, not to a second write', async () => {
    let lost = 0
    world.d1 = async (call, kind) => {
      const answer = await call()
      if (kind === 'batch' && lost === 0) {
        lost += 1
        throw new Error('The connection was lost')
      }
      return answer
    }
    const first = await send('applied, but not acknowledged')
    await expect.poll(() => lost).toBe(1)
    const second = await send('after it')
    world.clockOffset = 5
    await alarm()
    await expect.poll(bodies).toEqual({ [first]: 'applied, but not acknowledged', [second]: 'after it' })
    await expect.poll(isCaughtUp).toBe(true)
  })

  it('may be a late batch, which is then refused as a whole', async () => {
    const from = (await applied())!
    await send('moves the cursor')
    await expect.poll(isCaughtUp).toBe(true)
    const before = await bodies()
    const zombie = applyBatch(bodyDatabase, realm.id, {
      from,
      to: from + 1,
      groups: [{ statement: 'insert-message-body', rows: [JSON.stringify([99, 'too late', ''])] }],
    })
    await expect(zombie).rejects.toThrow(/NOT NULL/)
    expect(await bodies()).toEqual(before)
    expect(await applied()).toBe(await newest())
  })
})

describe('with a D1 that fails and loses answers at random', () => {
  it('everything arrives exactly once and in order', async () => {
    const written: number[] = []
    let seed = 12_345
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed / 2 ** 31
    }
    world.d1 = async (call, kind) => {
      if (random() < 0.3) throw new Error('before')
      await scheduler.wait(random() * 5)
      const answer = await call()
      if (kind === 'batch' && random() < 0.3) throw new Error('after')
      return answer
    }
    const sent: Record<number, string> = {}
    for (let count = 0; count < 60; count += 1) {
      const id = await send(`message ${count}`)
      sent[id] = `message ${count}`
      if (random() < 0.2) {
        world.clockOffset += 70
        await alarm()
      }
      if (random() < 0.1) await evictRealm(realm.id)
      const known = Object.keys(await bodies()).map(Number)
      // No body is written before an earlier one.
      expect(known).toEqual(Object.keys(sent).map(Number).slice(0, known.length))
      written.push(known.length)
    }
    world.d1 = (call) => call()
    const bodiesAfterRetry = async () => {
      world.clockOffset += 70
      await alarm()
      return bodies()
    }
    // More than once, since a run that the old D1 lets fail may still be under way.
    await expect.poll(bodiesAfterRetry).toEqual(sent)
    await expect.poll(isCaughtUp).toBe(true)
    // The cursor advanced on the way.
    expect(written.some((count) => count > 0 && count < 60)).toBe(true)
  })
})

describe('the log', () => {
  const keepHouse = async () => {
    world.clockOffset += 301
    await alarm()
  }

  it('is trimmed to the slowest cursor, except its newest row', async () => {
    const [slow, fast] = [await openQueue(realm.owner), await openQueue(realm.owner)]
    for (const content of ['one', 'two', 'three']) await send(content)
    await expect.poll(isCaughtUp).toBe(true)
    await fast.events()
    await fast.events()
    await keepHouse()
    expect((await slow.eventsOf('message')).length).toBe(3)
    // This poll acknowledges the events of `slow`.
    await slow.events()
    await keepHouse()
    await keepHouse()
    expect(await logIds()).toEqual([await newest()])
    expect(await slow.events()).toEqual([])
  })

  it('is overwritten only where every cursor has passed', async () => {
    const [slow, fast] = [await openQueue(realm.owner), await openQueue(realm.owner)]
    await send('read by both')
    for (const queue of [slow, fast, slow, fast]) await queue.events()
    await send('read by one')
    for (let time = 0; time < 2; time += 1) await fast.events()
    await expect.poll(isCaughtUp).toBe(true)
    await keepHouse()
    const [oldest] = await logIds()
    const { length } = await logIds()
    for (const content of ['over', 'and over']) await send(content)
    expect(await logIds()).not.toContain(oldest)
    for (let count = 0; count < 10; count += 1) await send(`more ${count}`)
    expect((await logIds()).length).toBeGreaterThan(length)
    await evictRealm(realm.id)
    const contents = (await slow.eventsOf('message')).map(({ message }) => message.content)
    expect(contents.slice(0, 3)).toEqual(['<p>read by one</p>', '<p>over</p>', '<p>and over</p>'])
    expect(contents).toHaveLength(13)
    expect(await fast.eventsOf('message')).toHaveLength(12)
  })

  it('is kept for idle cursors the shorter, the fuller the object is', async () => {
    const { id, lastEventId } = await openQueue(realm.owner)
    const asked = { queue_id: id, last_event_id: lastEventId, dont_block: true }
    const ask = () => realm.owner.api.get('/events', asked)
    await send('nobody acknowledges this')
    await expect.poll(isCaughtUp).toBe(true)
    for (let minutes = 0; minutes < 70; minutes += 10) {
      world.clockOffset += 600
      expect(expectSuccess(await ask()).events).toHaveLength(1)
    }
    await keepHouse()
    expect(expectSuccess(await ask()).events).toHaveLength(1)
    world.databaseSize = 7_000_000_000
    await keepHouse()
    world.databaseSize = undefined
    expect((await ask()).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  })

  it('is kept until D1 has it', async () => {
    const queue = await openQueue(realm.owner, { queue_lifespan_secs: 86_400 })
    const before = await newest()
    world.d1 = down
    for (const content of ['one', 'two']) await send(content)
    for (let time = 0; time < 2; time += 1) await queue.events()
    await keepHouse()
    expect((await logIds()).filter((id) => id > before)).toHaveLength(2)
    world.d1 = (call) => call()
    await keepHouse()
    await expect.poll(isCaughtUp).toBe(true)
    await keepHouse()
    await keepHouse()
    expect(await logIds()).toEqual([await newest()])
  })

  it('is trimmed when it is long, though there is no queue', async () => {
    await changeRealm(realm, (tx) => {
      for (let count = 0; count < 1_000; count += 1) tx.emit(BLANK_EVENT, {})
    })
    await keepHouse()
    await keepHouse()
    expect(await logIds()).toEqual([await newest()])
    const again = `SELECT * FROM job WHERE kind = 'housekeeping'`
    expect(await inRealm(realm, ({ parts }) => parts.sql.all(again))).toEqual([])
  })

  it('continues with higher ids after trimming everything and an eviction', async () => {
    await send('one')
    await openQueue(realm.owner)
    await expect.poll(isCaughtUp).toBe(true)
    world.clockOffset = 5_000
    await keepHouse()
    const before = await newest()
    await evictRealm(realm.id)
    await send('two')
    expect(await newest()).toBeGreaterThan(before)
  })
})
