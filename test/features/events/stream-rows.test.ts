import { expect, it } from 'vitest'
import { openStream } from '../../support/event-streams.ts'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm, insertUsers } from '../../support/inside.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { useRealm } from '../../support/use-realm.ts'
import { READ_ROWS } from '../../support/whole-rows.ts'

const { realm, ann, channel } = useRealm({ ann: 'member' }, { channels: { channel: ['ann'] } })
neverEvict()
useReliableD1()

const MESSAGES = 20
const LISTENERS = 20

/** Sends messages, and returns the rows that the object reads until all of them are heard. */
async function rowsOf(hear: () => Promise<unknown>): Promise<number> {
  const rows = () => inRealm(realm, ({ parts }) => parts.sql.counts.read)
  const before = await rows()
  for (let count = 0; count < MESSAGES; count += 1) {
    const message = { type: 'stream', to: channel.id, topic: 'rows', content: `Message ${count}` }
    expectSuccess(await ann.api.post('/messages', message))
    await hear()
  }
  return (await rows()) - before
}

it('an event reads hardly any rows for each stream that hears it', async () => {
  const people = await insertUsers(realm, LISTENERS, channel.id)
  const queues = await Promise.all(people.map((user) => openQueue(user, { event_types: ['message'] })))
  const unheard = await rowsOf(async () => {})
  const streams = await Promise.all(queues.map(openStream))
  await Promise.all(streams.map((stream) => stream.next(MESSAGES)))
  const heard = await rowsOf(() =>
    Promise.all(
      streams.map(async (stream) => {
        await stream.next()
        stream.acknowledge()
      }),
    ),
  )
  const each = (heard - unheard) / (MESSAGES * LISTENERS)
  expect(each).toBeLessThanOrEqual(READ_ROWS['an event heard by a stream'])
  for (const stream of streams) stream.close()
})
