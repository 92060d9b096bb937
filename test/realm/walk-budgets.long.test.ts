import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { insertInIndex, insertMessages } from '../support/inserted-messages.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import type { RawNarrowTerm } from '../support/inside-types.ts'
import { ROWS_OF_A_REQUEST } from '../support/inside-work.ts'
import { MESSAGE_BIT } from '../support/message-bits.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'
import { inWatchedSlices } from '../support/watched-slices.ts'

/** Number of random narrows. */
const RUNS = 20

const SUBSCRIBERS = ['owner', 'ben'] as const
const { realm, ben, muted, other, third, fourth } = useRealm(
  { ben: 'member' },
  { channels: { muted: SUBSCRIBERS, other: SUBSCRIBERS, third: SUBSCRIBERS, fourth: SUBSCRIBERS } },
)
const channels = [muted, other, third, fourth]
const TOPICS = ['apples', 'Pears and apples', '✔ plums', 'deploy']

neverEvict()
useReliableD1()
beforeAll(async () => {
  for (const [at, topic] of TOPICS.entries()) {
    for (const channel of channels) {
      const sender = at % 2 === 0 ? realm.owner : ben
      await insertMessages(realm, sender, { channelId: channel.id, topic, count: 12, length: 20 })
    }
  }
  await sendDirect(realm.owner, [ben], 'apples for you')
  const mentioned = await sendTo(realm.owner, other.id, 'deploy', 'hey @**all** pears')
  expectSuccess(
    await ben.api.post('/messages/flags', { messages: [mentioned - 9], op: 'add', flag: 'starred' }),
  )
  expectSuccess(
    await ben.api.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: muted.id, property: 'is_muted', value: true }],
    }),
  )
  for (const [channel, topic, policy] of [
    [muted.id, 'apples', 2],
    [other.id, 'deploy', 1],
    [other.id, 'apples', 3],
  ] as const) {
    const setting = { stream_id: channel, topic, visibility_policy: policy }
    expectSuccess(await ben.api.post('/user_topics', setting))
  }
  await changeRealm(realm, ({ sql }) =>
    sql.run(`UPDATE message_index SET bits = bits | ? WHERE id % 7 = 0`, MESSAGE_BIT.hasLink),
  )
  const read = { anchor: 'oldest', num_before: 0, num_after: 90, narrow: [], op: 'add', flag: 'read' }
  expectSuccess(await ben.api.post('/messages/flags/narrow', read))
})

interface Limits {
  readonly rowsOfTurn: number
  readonly rowsOfRequest?: number
}

/** Acts under other limits, while nothing is remembered. */
async function within<R>(limits: Limits, act: () => Promise<R>): Promise<R> {
  const { limit } = ROWS_OF_A_REQUEST
  const usual = await inRealm(realm, ({ parts: { readings, sql } }) => {
    sql.watch.forget()
    const usual = readings.limits
    readings.limits = { ...usual, rowsOfTurn: limits.rowsOfTurn }
    return usual
  })
  ROWS_OF_A_REQUEST.limit = limits.rowsOfRequest ?? limit
  try {
    return await act()
  } finally {
    ROWS_OF_A_REQUEST.limit = limit
    await inRealm(realm, ({ parts }) => {
      parts.readings.limits = usual
    })
  }
}

interface Fetch {
  readonly anchor: string
  readonly before: number
  readonly after: number
  readonly includeAnchor?: boolean
  readonly narrow: readonly RawNarrowTerm[]
}

/**
 * Returns the found ids and the other facts of the answer, with the rows that the call read in the object; or the refusal.
 */
async function fetch({ anchor, before, after, includeAnchor = true, narrow }: Fetch) {
  const { outcome, rows } = await inRealm(realm, (object) =>
    object.call({
      host: realm.host,
      operation: 'get-messages',
      credentials: { kind: 'basic', email: ben.email, apiKey: ben.apiKey },
      parameters: {
        ok: true,
        value: {
          anchor,
          include_anchor: includeAnchor || (before > 0 && after > 0),
          num_before: before,
          num_after: after,
          narrow,
          use_first_unread_anchor: false,
          client_gravatar: true,
          apply_markdown: true,
          allow_empty_topic_name: true,
        },
      },
      source: { origin: `http://${realm.host}`, userAgent: 'ParleyTest/1.0', ip: '' },
    }),
  )
  if (!outcome.ok) return { error: outcome.error.msg, rows: rows.read }
  const { messages, found } = outcome.value as {
    messages: { ids: number[] }
    found: { found_oldest: boolean; found_newest: boolean; anchor?: number }
  }
  return { ids: messages.ids, found, rows: rows.read }
}

const term = fc.oneof(
  fc.constantFrom<RawNarrowTerm[]>(
    ...['unread', 'muted', 'followed', 'resolved', 'starred', 'mentioned', 'dm', 'alerted'].map(
      (operand) => ({ operator: 'is', operand }),
    ),
    { operator: 'in', operand: 'home' },
    { operator: 'has', operand: 'link' },
    { operator: 'channels', operand: 'public' },
    { operator: 'topic', operand: 'deploy' },
    { operator: 'topic', operand: 'APPLES' },
  ),
  fc
    .constantFrom('apples', 'pears', 'pears apples', '17', '1 2', 'deploy', '"and apples"')
    .map((operand) => ({
      operator: 'search',
      operand,
    })),
  fc.nat(3).map((at) => ({ operator: 'channel', operand: at })),
  fc.nat(1).map((at) => ({ operator: 'sender', operand: at })),
)
const narrows = fc.array(fc.tuple(term, fc.boolean()), { maxLength: 3 }).map((terms) =>
  terms.map(([{ operator, operand }, negated]) => ({
    operator: operator as string,
    operand: operand as string | number,
    negated,
  })),
)
/** Places of channels and senders become their ids, which are only known when the test runs. */
function asked(narrow: readonly RawNarrowTerm[]): RawNarrowTerm[] {
  return narrow.map((one) => {
    if (one.operator === 'channel') return { ...one, operand: channels[Number(one.operand)]!.id }
    if (one.operator === 'sender') return { ...one, operand: [realm.owner.id, ben.id][Number(one.operand)]! }
    return one
  })
}

describe('a search of messages in many short turns', () => {
  it('finds what one long turn finds, for every narrow and anchor', async () => {
    const requests = fc.record({
      anchor: fc.constantFrom('newest', 'oldest', 'first_unread', '1', '60', '100', '150', '190'),
      before: fc.constantFrom(0, 1, 7, 300),
      after: fc.constantFrom(0, 2, 11, 300),
      includeAnchor: fc.boolean(),
      narrow: narrows,
    })
    await fc.assert(
      fc.asyncProperty(requests, async ({ narrow, ...request }) => {
        const wanted = { ...request, narrow: asked(narrow) }
        const { rows: _some, ...whole } = await within({ rowsOfTurn: 1_000_000 }, () => fetch(wanted))
        const { rows: _more, ...inSlices } = await within({ rowsOfTurn: 40 }, () => fetch(wanted))
        expect(inSlices).toEqual(whole)
      }),
      { numRuns: RUNS },
    )
  })

  it('beyond its budget returns what it found, never as complete', async () => {
    const [first] = channels
    const narrow = [{ operator: 'channel', operand: first!.id }]
    const all = await fetch({ anchor: 'newest', before: 300, after: 0, narrow })
    const seen: number[] = []
    let anchor = 'newest'
    for (let calls = 0; calls < 60; calls += 1) {
      const page = await within({ rowsOfTurn: 20, rowsOfRequest: 60 }, () =>
        fetch({ anchor, before: 300, after: 0, includeAnchor: false, narrow }),
      )
      expect(page.error).toBeUndefined()
      seen.unshift(...page.ids!)
      if (page.found!.found_oldest) break
      anchor = String(page.ids![0])
    }
    expect(seen).toEqual(all.ids)
  })

  it('that finds nothing within its budget is refused', async () => {
    const narrow = [
      { operator: 'channel', operand: channels[2]!.id },
      { operator: 'sender', operand: realm.owner.id, negated: true },
      { operator: 'sender', operand: ben.id, negated: true },
    ]
    const { error } = await within({ rowsOfTurn: 10, rowsOfRequest: 1 }, () =>
      fetch({ anchor: '20', before: 0, after: 10, narrow }),
    )
    expect(error).toBe(
      'Too many messages would have to be looked through. Please name a channel, a topic or a person.',
    )
  })

  it('is limited in number for one account', async () => {
    const narrow = [{ operator: 'sender', operand: realm.owner.id, negated: true }]
    const answers = await within({ rowsOfTurn: 10 }, () =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          ben.api.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 200, narrow }),
        ),
      ),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 503]))
  })
})

describe('negated searches', () => {
  it('are refused when they have more words than are looked for', async () => {
    const narrow = Array.from({ length: 31 }, (_, at) => ({
      operator: 'search',
      operand: `word${at}`,
      negated: true,
    }))
    const { error } = await fetch({ anchor: 'newest', before: 10, after: 0, narrow })
    expect(error).toBe('Invalid narrow operator combination: too many words in negated searches')
  })
})

describe('a narrow', () => {
  beforeAll(async () => {
    await insertInIndex(realm, realm.owner, { channelId: fourth.id, topic: 'noise', count: 30_000 })
  })

  it('that excludes every sender reads no more a turn than the limit', async () => {
    const narrow = [
      { operator: 'sender', operand: realm.owner.id, negated: true },
      { operator: 'sender', operand: ben.id, negated: true },
    ]
    const ask = () => fetch({ anchor: 'newest', before: 50, after: 0, narrow })
    const { answer, turns, most } = await inWatchedSlices(realm, ask)
    // These are from the bot that greets new users.
    expect(answer.ids!.length).toBeLessThan(10)
    expect(turns).toBeGreaterThan(5)
    expect(most).toBeLessThan(6_000)
  })

  it('counts messages that SQLite has filtered once more when it gives them out', async () => {
    const narrow = [
      { operator: 'channel', operand: fourth.id },
      { operator: 'sender', operand: realm.owner.id },
      { operator: 'is', operand: 'unread' },
    ]
    // Of 512 rows, which are read at once, SQLite counts each three times.
    const [ONCE_READ, TWICE_READ] = [1_540, 3_070]
    const ask = () => fetch({ anchor: 'newest', before: 5_000, after: 0, narrow })
    const { answer, most } = await within({ rowsOfTurn: 2_000 }, () => inWatchedSlices(realm, ask))
    expect(answer.ids!.length).toBeGreaterThan(0)
    expect(most).toBeGreaterThan(ONCE_READ)
    expect(most).toBeLessThan(TWICE_READ)
  })
})
