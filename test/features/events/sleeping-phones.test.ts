import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const DAY = 86_400
// What D1 has not taken is tried again, which wakes the object.
useReliableD1()

const castle = useRealm()
const { realm } = castle
const { ben } = usePerTest(castle, { ben: 'member' })

/** Ben's app registers as mobile apps do, and sleeps from then on. */
const openPhone = () =>
  openQueue(ben, { idle_queue_timeout: 'mobile', event_types: ['message'], apply_markdown: false })

async function send(content: string): Promise<void> {
  expectSuccess(await realm.owner.api.post('/messages', { type: 'direct', to: [ben.id], content }))
}

/** Moves the clock, and does what is due by then. */
async function pass(seconds: number): Promise<void> {
  world.clockOffset += seconds
  await inRealm(realm, (object) => object.alarm())
}

/** Returns in how many seconds the object is to do its next housekeeping; undefined if never. */
async function nextHousekeeping(): Promise<number | undefined> {
  const due = await inRealm(realm, ({ parts }) =>
    parts.sql.all<{ due_at: number }>(`SELECT due_at FROM job WHERE kind = 'housekeeping'`),
  )
  return due[0] && due[0].due_at - Date.now() / 1_000 - world.clockOffset
}

/** Lets housekeeping find out that nobody is there: it frees what was read, then deletes it, then looks once more. */
async function settle(): Promise<void> {
  for (let run = 0; run < 3; run += 1) await pass(700)
}

const wake = (queue: TestQueue) =>
  ben.api.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true })

describe('a phone that sleeps', () => {
  it('continues with the same queue after six days of messages and evictions', async () => {
    const phone = await openPhone()
    const sent: string[] = []
    for (let day = 1; day <= 6; day += 1) {
      await pass(DAY / 2)
      sent.push(`day ${day}`)
      await send(sent.at(-1)!)
      await pass(DAY / 2)
      await evictRealm(realm.id)
    }
    expect((await phone.events()).map(({ message }) => message.content)).toEqual(sent)
    // The next poll acknowledges them.
    expect(await phone.events()).toEqual([])
    await pass(6 * DAY)
    await evictRealm(realm.id)
    await send('again')
    expect((await phone.events()).map(({ message }) => message.content)).toEqual(['again'])
  })

  it('loses its queue after more than seven days, and registers again', async () => {
    const phone = await openPhone()
    await pass(7 * DAY + 600)
    expectRefusal(await wake(phone), `Bad event queue ID: ${phone.id}`, { code: 'BAD_EVENT_QUEUE_ID' })
    const { id: queue_id } = await openPhone()
    expect(queue_id).not.toBe(phone.id)
    expectSuccess(await ben.api.delete('/events', { queue_id }))
  })

  it('lets the organization sleep, and keeps nothing that it has read', async () => {
    const phone = await openPhone()
    await settle()
    expect(await nextHousekeeping()).toBeGreaterThan(6 * DAY)
    await send('in the night')
    expect(await nextHousekeeping()).toBeLessThanOrEqual(301)
    await settle()
    expect(await nextHousekeeping()).toBeGreaterThan(6 * DAY)
    await evictRealm(realm.id)
    await pass(DAY)
    expect((await phone.events()).map(({ message }) => message.content)).toEqual(['in the night'])
    expect(await nextHousekeeping()).toBeLessThanOrEqual(301)
    expect(await phone.events()).toEqual([])
    await pass(400)
    await pass(400)
    const [log] = await inRealm(realm, ({ parts }) =>
      parts.sql.all<{ rows: number }>(`SELECT COUNT(*) AS rows FROM log WHERE event LIKE '%in the night%'`),
    )
    expect(log!.rows).toBe(0)
    await settle()
    expect(await nextHousekeeping()).toBeGreaterThan(5 * DAY)
  })

  it('lets an organization sleep that leaves memory between its alarms, and whose D1 is slow', async () => {
    // The phones of other tests are gone by then.
    await pass(8 * DAY)
    world.d1 = async (call) => {
      await scheduler.wait(100)
      return call()
    }
    const phone = await openPhone()
    await send('in the evening')
    expect((await phone.events()).map(({ message }) => message.content)).toEqual(['in the evening'])
    await pass(130)
    // This poll acknowledges the message.
    expect(await phone.events()).toEqual([])
    for (let run = 0; run < 4; run += 1) {
      await evictRealm(realm.id)
      await pass(700)
    }
    expect(await nextHousekeeping()).toBeGreaterThan(5 * DAY)
    const first = { queue_id: phone.id, last_event_id: phone.snapshot.last_event_id, dont_block: true }
    expectRefusal(
      await ben.api.get('/events', first),
      `An event newer than ${first.last_event_id} has already been pruned!`,
    )
  })
})
