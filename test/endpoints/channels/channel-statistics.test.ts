import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/core/time.ts'
import { realmStub } from '../../support/api.ts'
import { buildRealm, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { world } from '../../support/world.ts'

afterEach(() => {
  world.clockOffset = 0
})

const send = (realm: TestRealm, to = 'sandbox') =>
  realm.owner.api.post('/messages', { type: 'channel', to, topic: 't', content: 'x' })

/** Lets the daily job run at the present time of the test. */
const dayPasses = (realm: TestRealm) => runDurableObjectAlarm(realmStub(realm.id))

async function channel(realm: TestRealm, name = 'sandbox') {
  const { streams } = expectSuccess(await realm.owner.api.get('/streams'))
  return streams.find((one: { name: string }) => one.name === name)
}

describe('a channel’s traffic', () => {
  it('is not known in its first week, and then an average over up to four', async () => {
    const realm = await buildRealm()
    for (let n = 0; n < 12; n += 1) await send(realm)
    expect((await channel(realm)).stream_weekly_traffic).toBe(null)
    world.clockOffset = 6 * DAY
    await dayPasses(realm)
    expect((await channel(realm)).stream_weekly_traffic).toBe(null)
    world.clockOffset = 14 * DAY + 60
    await dayPasses(realm)
    expect(await channel(realm)).toMatchObject({ stream_weekly_traffic: 5 })
    expect(await channel(realm, 'general')).toMatchObject({ stream_weekly_traffic: 0 })
    world.clockOffset = 40 * DAY
    await dayPasses(realm)
    expect(await channel(realm)).toMatchObject({ stream_weekly_traffic: 0 })
  })
})

describe('a dormant channel', () => {
  it('is told as such after half a year, and wakes with a message', async () => {
    const realm = await buildRealm()
    await send(realm)
    world.clockOffset = 170 * DAY
    await send(realm)
    world.clockOffset = 181 * DAY
    await dayPasses(realm)
    expect(await channel(realm)).toMatchObject({ is_recently_active: true })
    expect(await channel(realm, 'general')).toMatchObject({ is_recently_active: false })
    const queue = await openQueue(realm.owner)
    await send(realm, 'general')
    expect((await queue.events()).slice(0, 2)).toMatchObject([
      { type: 'message' },
      { type: 'stream', op: 'update', property: 'is_recently_active', value: true, name: 'general' },
    ])
    expect(await channel(realm, 'general')).toMatchObject({ is_recently_active: true })
  })
})
