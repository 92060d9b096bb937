import { runDurableObjectAlarm } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { realmStub } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { MAX_OBJECT } from '../support/limits.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

neverEvict()
useReliableD1()
const { realm } = useRealmPerTest()

/** Bytes of the object's SQLite. */
function size(): Promise<number> {
  return inRealm(realm, (_, { storage }) => storage.sql.databaseSize)
}

function send(content: string) {
  return realm.owner.api.post('/messages', { type: 'stream', to: 'hall', topic: 'long', content })
}

it('an organization that was full can send again minutes after people deleted messages', async () => {
  const { owner } = realm
  expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'hall' }] }))
  // A client that has gone away, and acknowledges nothing.
  await openQueue(owner)
  for (let count = 0; count < 100; count += 1) {
    expectSuccess(await send(`${count} ${crypto.randomUUID().repeat(200)}`))
  }
  // From now on each byte counts for as many as fill the object.
  const scale = MAX_OBJECT / (await size())
  const measure = async () => {
    world.databaseSize = (await size()) * scale
  }
  await measure()
  expect((await send('too much')).body.code).toBe('STORAGE_FULL')

  const { stream_id } = expectSuccess(await owner.api.get('/get_stream_id', { stream: 'hall' }))
  expectSuccess(await owner.api.post(`/streams/${stream_id}/delete_topic`, { topic_name: 'long' }))
  const began = world.clockOffset
  await expect
    .poll(
      async () => {
        world.clockOffset += 10
        await runDurableObjectAlarm(realmStub(realm.id))
        await measure()
        return (await send('again')).status
      },
      { interval: 10, timeout: 20_000 },
    )
    .toBe(200)
  // Housekeeping was due in five minutes when the object became full.
  expect(world.clockOffset - began).toBeLessThanOrEqual(330)
})
