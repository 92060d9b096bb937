import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { countRows } from '../support/counted-rows.ts'
import { expectSuccess } from '../support/factories.ts'
import { inRealm, insertUsers } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'

/** Numbers of subscribers: rows that must not depend on their number are counted with both. */

const { realm, small, large } = useRealm({}, { channels: { small: ['owner'], large: ['owner'] } })
const channels = new Map([
  [10, small],
  [500, large],
])

neverEvict()
useReliableD1()
beforeAll(async () => {
  for (const [size, channel] of channels) await insertUsers(realm, size - 1, channel.id)
})

/** Returns the rows written by one request, and by its writes to D1 afterwards. */
async function written(
  method: string,
  path: string,
  params: Record<string, ParameterValue>,
): Promise<{ object: number; d1: number; body: Record<string, unknown> }> {
  const projected = () =>
    inRealm(realm, async (object) => {
      const { written: rows } = await object.projectedRows()
      return rows
    })
  const before = await projected()
  const { object, d1, body } = await countRows(realm.owner.api, method, path, params)
  return { object: object.written, d1: d1.written + (await projected()) - before, body }
}

async function send(size: number, topic: string): Promise<number> {
  const { id } = channels.get(size)!
  const params = { type: 'channel', to: id, topic, content: 'hello' }
  return expectSuccess(await realm.owner.api.post('/messages', params)).id as number
}

describe('rows written', () => {
  it('by a channel message: eight at most, body and index included, for any audience', async () => {
    const counts: number[] = []
    for (const size of channels.keys()) {
      await send(size, 'counted')
      const params = { type: 'channel', to: channels.get(size)!.id, topic: 'counted', content: 'hello' }
      const { object, d1 } = await written('POST', '/messages', params)
      counts.push(object + d1)
    }
    expect(counts[0]).toBe(counts[1])
    expect(counts[0]).toBeLessThanOrEqual(8)
  })

  it('by a message to be mailed: two at most for each recipient, none for others', async () => {
    const { id } = channels.get(500)!
    const people = await insertUsers(realm, 40, id)
    const params = { type: 'channel', to: id, topic: 'mailed', content: 'hello' }
    await written('POST', '/messages', params)
    const quiet = (await written('POST', '/messages', params)).object
    const counts: number[] = []
    for (const notified of [people.slice(0, 10), people.slice(10)]) {
      for (const { api } of notified) {
        const wanted = [{ stream_id: id, property: 'email_notifications', value: true }]
        expectSuccess(await api.post('/users/me/subscriptions/properties', { subscription_data: wanted }))
      }
      counts.push((await written('POST', '/messages', params)).object - quiet)
    }
    // First the ten, with the job that mails; then the same ten, for whom something waits already, and thirty more.
    expect(counts[0]).toBeGreaterThanOrEqual(10)
    expect(counts[0]).toBeLessThanOrEqual(2 * 10 + 4)
    expect(counts[1]).toBeLessThanOrEqual(10 + 2 * 30 + 4)
  })

  it('by moving part of a topic: about three a message, none in D1', async () => {
    for (const size of channels.keys()) {
      const ids: number[] = []
      for (let count = 0; count < 21; count += 1) ids.push(await send(size, 'long'))
      const { object, d1, body } = await written('PATCH', `/messages/${ids[1]}`, {
        topic: `moved ${size}`,
        propagate_mode: 'change_later',
        send_notification_to_new_thread: false,
      })
      expect(body.detached_uploads).toEqual([])
      expect(object).toBeLessThanOrEqual(20 * 3 + 12)
      expect(d1).toBe(0)
    }
  })

  it('by resolving a topic: no more for many subscribers', async () => {
    const counts: number[] = []
    for (const size of channels.keys()) {
      const id = await send(size, `bug ${size}`)
      const params = { topic: `✔ bug ${size}`, propagate_mode: 'change_all' }
      counts.push((await written('PATCH', `/messages/${id}`, params)).object)
    }
    expect(counts[0]).toBe(counts[1])
  })
})
