import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { DAY } from '../../support/times.ts'
import { useRealm, useRealmPerTest } from '../../support/use-realm.ts'
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
  const { realm } = useRealm()

  it('is unknown in the first week, then an average of up to four', async () => {
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
  const { realm } = useRealm()

  it('is marked inactive after half a year, until a message comes', async () => {
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

/** Returns when the organization's alarm goes off, in UNIX milliseconds of the test's clock; null if it never does. */
const alarmAt = (realm: TestRealm) => inRealm(realm, (_, { storage }) => storage.getAlarm())

/** Lets all alarms go off until none is set; returns the day of each, counted from the start. */
async function daysOfAlarms(realm: TestRealm): Promise<number[]> {
  const days: number[] = []
  for (let at = await alarmAt(realm); at !== null && days.length < 200; at = await alarmAt(realm)) {
    world.clockOffset = Math.max((at - Date.now()) / 1_000 + 1, world.clockOffset)
    days.push(Math.round(world.clockOffset / DAY))
    await dayPasses(realm)
  }
  return days
}

describe('an organization in which nothing happens', () => {
  const { realm } = useRealmPerTest()

  it('sets no alarm any more', async () => {
    const days = await daysOfAlarms(realm)
    // Weekly looks find no traffic, and after half a year one finds that the channels are dormant.
    expect(new Set(days.filter((day) => day > 7)).size).toBeLessThanOrEqual(3)
    // Each look is followed by a note of it, and by the next night's backup.
    expect(days.length).toBeLessThan(20)
    expect((await channel(realm)).is_recently_active).toBe(false)
    expect((await channel(realm)).stream_weekly_traffic).toBe(0)
  })

  it('sets one for within a day when something happens, then rests again', async () => {
    await daysOfAlarms(realm)
    await send(realm)
    expect((await alarmAt(realm))! / 1_000).toBeLessThanOrEqual(
      Date.now() / 1_000 + world.clockOffset + DAY + 1,
    )
    world.clockOffset += DAY + 2
    await dayPasses(realm)
    expect((await channel(realm)).stream_weekly_traffic).toBe(1)
    // Four weeks of daily looks.
    expect((await daysOfAlarms(realm)).length).toBeLessThan(130)
    expect(await alarmAt(realm)).toBe(null)
    expect((await channel(realm)).stream_weekly_traffic).toBe(0)
  })
})
