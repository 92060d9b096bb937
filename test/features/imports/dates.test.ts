import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { headOf, importArchive, type Line } from '../../support/imports.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { changeRealm } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { idsIn, sendTo } from '../../support/messages.ts'
import { DAY, HOUR } from '../../support/times.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const DAY_MS = 86_400_000
const day = (text: string) => Date.parse(`${text}T12:00:00Z`)

const PEOPLE: readonly Line[] = [
  { type: 'user', id: 'u1', full_name: 'Ada Amsel' },
  { type: 'channel', id: 'c1', name: 'sandbox' },
]
const said = (id: string, time_ms: number): Line => ({
  type: 'message',
  id,
  sender: 'u1',
  channel: 'c1',
  topic: 'old',
  content: id,
  time_ms,
})

/** Returns the text of the message to which a date leads. */
async function firstSince(
  user: TestUser,
  anchor_date: string,
  channel?: string,
): Promise<string | undefined> {
  const { messages } = expectSuccess(
    await user.api.get('/messages', {
      anchor: 'date',
      anchor_date,
      num_before: 0,
      num_after: 0,
      apply_markdown: false,
      narrow: channel === undefined ? [] : [{ operator: 'channel', operand: channel }],
    }),
  )
  return messages[0]?.content
}

describe('after an import of old messages', () => {
  const { realm } = useRealmPerTest()
  beforeEach(keepAlarmsAway)

  it('a date leads to the first message of that time, new or imported', async () => {
    await sendTo(realm.owner, 'sandbox', 'new', 'before it')
    const ids = Array.from({ length: 60 }, (_, at) => said(`old ${at}`, day('2015-01-01') + at * 10 * DAY_MS))
    await importArchive(realm, [headOf('old'), ...PEOPLE, ...ids])
    await sendTo(realm.owner, 'sandbox', 'new', 'after it')
    const { owner } = realm
    expect(await firstSince(owner, '2014-01-01T00:00:00Z', 'sandbox')).toBe('old 0')
    expect(await firstSince(owner, '2015-01-20T00:00:00Z', 'sandbox')).toBe('old 2')
    expect(await firstSince(owner, '2016-03-01T00:00:00Z', 'sandbox')).toBe('old 43')
    expect(await firstSince(owner, '2018-01-01T00:00:00Z', 'sandbox')).toBe('before it')
    expect(await firstSince(owner, '2100-01-01T00:00:00Z', 'sandbox')).toBeUndefined()
    // A second one has older ones again.
    await importArchive(realm, [headOf('older'), ...PEOPLE, said('oldest', day('2012-05-05'))])
    expect(await firstSince(owner, '2010-01-01T00:00:00Z', 'sandbox')).toBe('oldest')
    expect(await firstSince(owner, '2014-01-01T00:00:00Z', 'sandbox')).toBe('old 0')
  })

  it('a channel’s traffic counts the messages of the last weeks', async () => {
    const now = Date.now()
    const channel: Line = { type: 'channel', id: 'c1', name: 'boats', created_ms: now - 200 * DAY_MS }
    const old = Array.from({ length: 40 }, (_, at) => said(`old ${at}`, now - (150 - at) * DAY_MS))
    const recent = Array.from({ length: 12 }, (_, at) => said(`recent ${at}`, now - (20 - at) * DAY_MS))
    await importArchive(realm, [headOf('traffic'), PEOPLE[0]!, channel, ...old, ...recent])
    const reader = await buildUser(realm)
    const { streams } = expectSuccess(await reader.api.get('/streams'))
    expect(streams.find(({ name }: Json) => name === 'boats')).toMatchObject({
      stream_weekly_traffic: 3,
      is_recently_active: true,
    })
  })

  it('what people sent between parts of an import outlives it, holding up none', async () => {
    const { owner } = realm
    await importArchive(realm, [headOf('first'), ...PEOPLE, said('one', day('2015-01-01'))])
    const { streams } = expectSuccess(await owner.api.get('/streams'))
    const channelId = streams.find(({ name }: Json) => name === 'sandbox').stream_id
    const narrow = [{ operator: 'channel', operand: channelId }]
    const [first] = await idsIn(owner, narrow)
    const between = await insertInIndex(realm, owner, { channelId, topic: 'new', count: 300 })
    await importArchive(realm, [headOf('second'), ...PEOPLE, said('two', day('2015-02-01'))])
    const last = (await idsIn(owner, narrow)).at(-1)!
    expect(last).toBeGreaterThanOrEqual(between + 300)
    // Imports that lie so near together are kept as one.
    await changeRealm(realm, ({ sql }) => {
      const ranges = JSON.stringify([[first, last, 2]])
      sql.run(`UPDATE meta SET value = ? WHERE key = 'imported_ranges'`, ranges)
    })
    expectSuccess(await owner.api.patch(`/streams/${channelId}`, { message_retention_days: 30 }))
    world.clockOffset += DAY + HOUR
    for (let run = 0; run < 5; run += 1) {
      world.clockOffset += 2
      await runDurableObjectAlarm(realmStub(realm.id))
    }
    const left = await idsIn(owner, narrow)
    expect([first, last].filter((id) => left.includes(id!))).toEqual([])
    expect(left).toContain(between + 299)
  })
})
