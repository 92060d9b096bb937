import { beforeAll, describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { fillPostings } from '../../support/inside-rows.ts'
import type { RawNarrowTerm } from '../../support/inside-types.ts'
import { IDS_PER_POSTING } from '../../support/limits.ts'
import { MESSAGE_BIT } from '../../support/message-bits.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { useRealm } from '../../support/use-realm.ts'

/** Number of messages in a busy channel; the narrows here ask for the last few at most. */
const CROWD = 5_000
/** Rows for authentication, settings, and presenting what was found. */
const OVERHEAD = 500

const { realm, ben, rare, quiet, busy, room } = useRealm(
  { ben: 'member', rare: 'member' },
  { channels: { quiet: ['ben'], busy: ['ben'], room: ['owner', 'ben', 'rare'] } },
)
let whisper: number

neverEvict()
beforeAll(async () => {
  whisper = await sendTo(ben, quiet.id, 'whisper', 'hush')
  await sendTo(ben, quiet.id, '✔ settled')
  await sendDirect(ben, [realm.owner])
  await sendTo(ben, busy.id, 'crowd')
  await insertInIndex(realm, ben, { channelId: busy.id, topic: 'crowd', count: CROWD })
  expectSuccess(await ben.api.post('/mark_all_as_read'))
})

/** Returns the messages found around an anchor, and the rows read for them. */
async function cost(anchor: string, ...narrow: RawNarrowTerm[]) {
  const { outcome, rows } = await inRealm(realm, (object) =>
    object.call({
      host: realm.host,
      operation: 'get-messages',
      credentials: { kind: 'basic', email: ben.email, apiKey: ben.apiKey },
      parameters: {
        ok: true,
        value: {
          anchor,
          include_anchor: true,
          num_before: 50,
          num_after: 50,
          narrow,
          use_first_unread_anchor: false,
          client_gravatar: true,
          apply_markdown: true,
          allow_empty_topic_name: true,
        },
      },
      source: { origin: `http://${realm.host}`, userAgent: 'ParleyTest', ip: '' },
    }),
  )
  if (!outcome.ok) throw new Error(outcome.error.msg)
  const { messages } = outcome.value as { messages: { ids: number[] } }
  return { ids: messages.ids, rows: rows.read }
}

describe('a narrow never reads the whole organization', () => {
  it.each([
    ['a quiet channel', [{ operator: 'channel', operand: 'quiet' }], 3],
    ['one topic', [{ operator: 'topic', operand: 'whisper' }], 1],
    ['direct messages, the starred welcome among them', [{ operator: 'is', operand: 'dm' }], 2],
    ['resolved topics', [{ operator: 'is', operand: 'resolved' }], 1],
    ['followed topics: its own, since it began them', [{ operator: 'is', operand: 'followed' }], 50],
    ['stars', [{ operator: 'is', operand: 'starred' }], 1],
    ['mentions', [{ operator: 'is', operand: 'mentioned' }], 0],
    ['what is unread', [{ operator: 'is', operand: 'unread' }], 0],
    ['a busy channel: its newest', [{ operator: 'topic', operand: 'crowd' }], 50],
    ['everything: its newest', [], 50],
  ] as [string, RawNarrowTerm[], number][])('%s', async (_name, narrow, expected) => {
    const terms = narrow.map((term) => (term.operand === 'quiet' ? { ...term, operand: quiet.id } : term))
    const { ids, rows } = await cost('newest', ...terms)
    expect(ids).toHaveLength(expected)
    expect(rows).toBeLessThan(OVERHEAD)
  })
})

describe('messages by sender or content are found in the index of postings', () => {
  const MANY = 3 * IDS_PER_POSTING
  let ids: number[]

  beforeAll(async () => {
    const first = await insertInIndex(realm, realm.owner, { channelId: room.id, topic: 'noise', count: MANY })
    ids = [3, MANY / 2, MANY - 5_000].map((position) => first + position)
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `UPDATE message_index SET sender_id = ?, bits = ? WHERE id IN (SELECT value FROM json_each(?))`,
        rare.id,
        MESSAGE_BIT.hasImage,
        JSON.stringify(ids),
      ),
    )
    expectSuccess(await ben.api.post('/mark_all_as_read'))
  })

  const narrows = (): [string, RawNarrowTerm[]][] => [
    ['sender', [{ operator: 'sender', operand: rare.id }]],
    ['has', [{ operator: 'has', operand: 'image' }]],
    [
      'sender in a channel',
      [
        { operator: 'channel', operand: room.id },
        { operator: 'sender', operand: rare.id },
      ],
    ],
    [
      'both',
      [
        { operator: 'has', operand: 'image' },
        { operator: 'sender', operand: rare.id },
      ],
    ],
    [
      'somebody else in direct messages',
      [
        { operator: 'is', operand: 'dm' },
        { operator: 'sender', operand: rare.id },
      ],
    ],
  ]

  it('which finds the same messages as before, from every anchor', async () => {
    const found = async () => {
      const all: unknown[] = []
      for (const [, narrow] of narrows()) {
        for (const anchor of ['newest', 'oldest', 'first_unread', String(ids[1]), String(ids[1]! + 1)]) {
          all.push([narrow, anchor, (await cost(anchor, ...narrow)).ids])
        }
      }
      return all
    }
    const before = await found()
    expect(before[0]).toEqual([narrows()[0]![1], 'newest', ids])
    // The job, which the first message of a block enqueues, runs only now, as if the object had been busy.
    while (await changeRealm(realm, (tx) => fillPostings(tx) !== undefined));
    expect(await found()).toEqual(before)
    for (const [name, narrow] of narrows()) {
      for (const anchor of ['newest', 'oldest', String(ids[1])]) {
        const { rows } = await cost(anchor, ...narrow)
        expect([name, anchor, rows < IDS_PER_POSTING + OVERHEAD]).toEqual([name, anchor, true])
      }
    }
  })

  it('which follows later changes of old messages', async () => {
    const [old, image] = [ids[0]! + 1, ids[1]!]
    const holders = async (operand: string) => (await cost('oldest', { operator: 'has', operand })).ids
    expect(await holders('reaction')).toEqual([])
    expectSuccess(await ben.api.post(`/messages/${old}/reactions`, { emoji_name: 'tada' }))
    expect(await holders('reaction')).toEqual([old])
    expectSuccess(await ben.api.delete(`/messages/${old}/reactions`, { emoji_name: 'tada' }))
    expect(await holders('reaction')).toEqual([])
    expect(await holders('link')).toEqual([])
    expectSuccess(await ben.api.patch(`/messages/${whisper}`, { content: 'https://example.com/x' }))
    expect(await holders('link')).toEqual([whisper])
    expectSuccess(await realm.owner.api.delete(`/messages/${image}`))
    expect(await holders('image')).toEqual(ids.filter((id) => id !== image))
  })

  it('which a job fills when a message begins a new block', async () => {
    const posted = () =>
      inRealm(
        realm,
        ({ parts: { sql } }) =>
          sql.first<{ value: number }>(`SELECT value FROM meta WHERE key = 'posted_below'`)?.value ?? 0,
      )
    const before = await posted()
    const missing = IDS_PER_POSTING - 1 - (await sendTo(ben, quiet.id, 'next block')) + before
    await insertInIndex(realm, ben, { channelId: quiet.id, topic: 'next block', count: missing })
    await sendTo(ben, quiet.id, 'next block')
    await expect.poll(posted, { timeout: 10_000 }).toBe(before + IDS_PER_POSTING)
  })
})
