import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import { evictRealm, realmStub } from '../support/api.ts'
import { bindNextDatabase, bodyDatabase } from '../support/body-database.ts'
import { expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { measureDatabase } from '../support/inside-deployment.ts'
import { D1_FULL, D1_FULL_FOR_EDITS, D1_NEARLY_FULL } from '../support/limits.ts'
import { captureLog } from '../support/log-lines.ts'
import { useOutages } from '../support/outages.ts'
import { world } from '../support/world.ts'

const outages = useOutages()
const api = () => outages.realm.owner.api

async function sizeOfD1(): Promise<number> {
  return (await measureDatabase(bodyDatabase)).size_bytes
}

/** Lets D1 have so many bytes that it is filled to this fraction. */
async function fillD1To(fraction: number): Promise<void> {
  world.settings = { ...world.settings, D1_MAX_MIB: String((await sizeOfD1()) / fraction / 2 ** 20) }
}

async function trySend(content: string): Promise<[status: number, code?: string]> {
  const { status, body } = await api().post('/messages', outages.note(content))
  return [status, body.code]
}

/** Tries every ten seconds, as an eager client would, until a message is accepted. */
async function sendWhenPossible(content: string): Promise<number> {
  let id: number | undefined
  await expect
    .poll(async () => {
      world.clockOffset += 10
      await runDurableObjectAlarm(realmStub(outages.realm.id))
      const { status, body } = await api().post('/messages', outages.note(content))
      id = body.id
      return status
    })
    .toBe(200)
  return id!
}

/** Sends until a message is refused, since others may write to the same D1, and returns the ids of those that were accepted. */
async function sendUntilRefused(): Promise<number[]> {
  const accepted: number[] = []
  await expect
    .poll(async () => {
      const { status, body } = await api().post('/messages', outages.note('too much'))
      if (status === 200) accepted.push(body.id)
      return [status, body.code]
    }, PATIENT)
    .toEqual(FULL)
  return accepted
}

const PATIENT = { interval: 10, timeout: 10_000 }

const FULL = [507, 'STORAGE_FULL'] as const

describe('a D1 that comes near its size', () => {
  it('gets no new texts, while people read, react, flag and delete', async () => {
    const [kept, doomed] = [await outages.send('kept'), await outages.send('doomed')]
    await outages.untilCaughtUp()
    await fillD1To(1)
    expect(await trySend('too much')).toEqual(FULL)
    expect((await api().patch(`/messages/${kept}`, { content: 'too much' })).status).toBe(507)
    expect(await outages.contents([kept, doomed])).toEqual(['kept', 'doomed'])
    expectSuccess(await api().post(`/messages/${kept}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await api().post('/messages/flags', { messages: [kept], op: 'add', flag: 'starred' }))
    expectSuccess(await api().delete(`/messages/${doomed}`))
    await outages.untilCaughtUp()
    expect(await outages.bodies()).toEqual({ [kept]: 'kept' })
  })

  it('is reported before it refuses anything', async () => {
    const { lines } = captureLog()
    await fillD1To((D1_NEARLY_FULL + D1_FULL) / 2)
    await outages.send('still accepted')
    await outages.untilCaughtUp()
    expect((await outages.health()).is_nearly_full).toEqual({ object: false, d1: true })
    expect(lines('D1 is nearly full')).not.toEqual([])
  })

  it('gets texts again when people have deleted some', async () => {
    const ids: number[] = []
    for (let count = 0; count < 60; count += 1) {
      ids.push(await outages.send(`${count} ${crypto.randomUUID().repeat(250)}`))
    }
    await outages.untilCaughtUp()
    await fillD1To(1)
    ids.push(...(await sendUntilRefused()))
    for (const id of ids) expectSuccess(await api().delete(`/messages/${id}`))
    await outages.untilCaughtUp()
    const id = await sendWhenPossible('now there is room')
    await outages.untilCaughtUp()
    expect(await outages.bodies()).toEqual({ [id]: 'now there is room' })
  })

  it('gets edited texts as long as there is room, once new ones go elsewhere', async () => {
    const id = await outages.send('old')
    const edit = async (content: string) => {
      const { status } = await api().patch(`/messages/${id}`, { content })
      await outages.untilCaughtUp()
      return status
    }
    await fillD1To((D1_FULL + D1_FULL_FOR_EDITS) / 2)
    await sendUntilRefused()
    expect(await edit('refused')).toBe(507)
    await bindNextDatabase()
    await evictRealm(outages.realm.id)
    await outages.send('new')
    for (const content of ['edited', 'edited again']) expect(await edit(content)).toBe(200)
    expect(await outages.contents([id])).toEqual(['edited again'])
    await fillD1To(1)
    expect(await edit('too much')).toBe(507)
  })

  it('gets texts again when it may have more', async () => {
    await outages.send('first')
    await outages.untilCaughtUp()
    await fillD1To(1)
    await sendUntilRefused()
    world.settings = {}
    await sendWhenPossible('larger plan')
  })
})

describe('a D1 that has no room', () => {
  const trigger = () => `full_${outages.realm.id}`

  /** Makes D1 refuse further texts of the organization, beyond a number of them, in the words that it has for this. */
  async function allow(texts: number): Promise<void> {
    await bodyDatabase
      .prepare(
        `CREATE TRIGGER ${trigger()} BEFORE INSERT ON message_body
       WHEN NEW.realm_id = ${outages.realm.id}
         AND (SELECT COUNT(*) FROM message_body WHERE realm_id = ${outages.realm.id}) >= ${texts}
       BEGIN SELECT RAISE(ABORT, 'Exceeded maximum DB size'); END`,
      )
      .run()
    world.d1 = (call) =>
      call().catch((error: unknown) => {
        if (!String(error).includes('Exceeded maximum DB size')) throw error
        throw new Error('D1_ERROR: Exceeded maximum DB size')
      })
  }

  afterEach(() => bodyDatabase.exec(`DROP TRIGGER IF EXISTS ${trigger()}`))

  /** Sends until a message is refused, and returns the texts that were accepted. */
  async function fill(): Promise<Record<number, string>> {
    const accepted: Record<number, string> = {}
    await expect
      .poll(async () => {
        const content = `message ${Object.keys(accepted).length}`
        const { status, body } = await api().post('/messages', outages.note(content))
        if (status === 200) accepted[body.id] = content
        return [status, body.code]
      }, PATIENT)
      .toEqual(FULL)
    return accepted
  }

  it('loses nothing that was accepted, and sends are refused at once', async () => {
    await allow(3)
    const accepted = await fill()
    const ids = Object.keys(accepted).map(Number)
    expect(ids.length).toBeGreaterThan(3)
    expect(Object.keys(await outages.bodies()).length).toBeLessThanOrEqual(3)
    expect(await outages.contents(ids)).toEqual(Object.values(accepted))
    expect(await outages.health()).toMatchObject({
      log: { refused_entries: 0 },
      is_nearly_full: { d1: true },
    })
    await evictRealm(outages.realm.id)
    expect(await outages.contents(ids)).toEqual(Object.values(accepted))
    await bodyDatabase.exec(`DROP TRIGGER ${trigger()}`)
    accepted[await sendWhenPossible('room')] = 'room'
    await outages.untilCaughtUp()
    expect(await outages.bodies()).toEqual(accepted)
  })

  it('is given room by deletions, which go before the texts that wait', async () => {
    await allow(20)
    const accepted = await fill()
    // The last of these waits for room itself.
    for (const id of Object.keys(accepted).map(Number).slice(0, 21)) {
      expectSuccess(await api().delete(`/messages/${id}`))
      delete accepted[id]
    }
    const id = await sendWhenPossible('room')
    await outages.untilCaughtUp()
    expect(await outages.bodies()).toEqual({ ...accepted, [id]: 'room' })
  })

  it('delays scheduled messages until there is room', async () => {
    await allow(1)
    await fill()
    const at = Math.floor(Date.now() / 1_000 + world.clockOffset) + 60
    const scheduled = { ...outages.note('scheduled'), scheduled_delivery_timestamp: at }
    expectSuccess(await api().post('/scheduled_messages', scheduled))
    for (let minutes = 0; minutes < 3; minutes += 1) {
      world.clockOffset += 61
      await runDurableObjectAlarm(realmStub(outages.realm.id))
    }
    const listed = async () => expectSuccess(await api().get('/scheduled_messages')).scheduled_messages
    expect(await listed()).toMatchObject([{ content: 'scheduled', failed: false }])
    await bodyDatabase.exec(`DROP TRIGGER ${trigger()}`)
    await sendWhenPossible('room')
    world.clockOffset += 61
    await runDurableObjectAlarm(realmStub(outages.realm.id))
    expect(await listed()).toEqual([])
    await outages.untilCaughtUp()
    expect(Object.values(await outages.bodies())).toContain('scheduled')
  })

  it('delays reminders until there is room, however often they are tried', async () => {
    const message = await outages.send('quoted')
    await outages.untilCaughtUp()
    await allow(1)
    await fill()
    const at = Math.floor(Date.now() / 1_000 + world.clockOffset) + 60
    const reminder = { message_id: message, note: 'look', scheduled_delivery_timestamp: at }
    expectSuccess(await api().post('/reminders', reminder))
    const round = async () => {
      world.clockOffset += 601
      await runDurableObjectAlarm(realmStub(outages.realm.id))
    }
    for (let tries = 0; tries < 14; tries += 1) await round()
    const listed = async () => expectSuccess(await api().get('/reminders')).reminders
    expect(await listed()).toHaveLength(1)
    expect(expectSuccess(await api().get('/dead_letters')).dead_letters).toEqual([])
    await bodyDatabase.exec(`DROP TRIGGER ${trigger()}`)
    await sendWhenPossible('room')
    await round()
    expect(await listed()).toEqual([])
    await outages.untilCaughtUp()
    const texts = Object.values(await outages.bodies())
    expect(texts.filter((text) => text.includes('look') && text.includes('quoted'))).toHaveLength(1)
  })

  it('is left behind by new texts once a further database is bound', async () => {
    await allow(1)
    const accepted = await fill()
    const next = await bindNextDatabase()
    await evictRealm(outages.realm.id)
    const id = await outages.send('in the next')
    const ids = Object.keys(accepted).map(Number)
    expect(await outages.contents([...ids, id])).toEqual([...Object.values(accepted), 'in the next'])
    const stored = next.prepare('SELECT content FROM message_body WHERE realm_id = ?')
    await expect
      .poll(async () => (await stored.bind(outages.realm.id).all()).results)
      .toEqual([{ content: 'in the next' }])
    expect((await api().patch(`/messages/${ids[0]}`, { content: 'old' })).status).toBe(507)
    expect(await inRealm(outages.realm, ({ parts }) => parts.tail.isFull)).toBe(false)
  })
})
