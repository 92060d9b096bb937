import { beforeEach, describe, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { headOf, importArchive, type Line } from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

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

  it('the traffic of a channel counts what was sent in the last weeks', async () => {
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
})
