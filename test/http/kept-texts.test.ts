import { beforeEach, describe, expect, it, vi } from 'vitest'
import { quotedText } from '../../src/core/json.ts'
import type { MessageText } from '../../src/core/message-bodies.ts'
import { KeptTexts, type TextEpoch } from '../../src/http/operations/kept-texts.ts'
import { TEXT_EPOCH } from '../../src/realm/projection/text-epoch.ts'
import { evictRealm } from '../support/api.ts'
import { bodyDatabase } from '../support/body-database.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { sendTo, untilProjected } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { down } from '../support/outages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { usePerTest, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const known = useRealm({ ann: 'member', ben: 'member' })
const { realm, ann, ben } = known
const { channel } = usePerTest(
  known,
  {},
  { channel: { subscribers: ['owner', 'ann', 'ben'], invite_only: true } },
)
neverEvict()
useReliableD1()
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

/** Returns the texts of the channel that a user fetches. */
async function textsFor(user: TestUser): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channel.id },
    { operator: 'topic', operand: 'topic' },
  ]
  const asked = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false }
  const { messages } = expectSuccess(await user.api.get('/messages', asked))
  return messages.map(({ content }: { content: string }) => content)
}

/** Sends messages that D1 has and the Worker keeps. */
async function sendAndKeep(...texts: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const text of texts) ids.push(await sendTo(ann, channel.name, 'topic', text))
  await untilProjected(realm, ids)
  expect(await textsFor(ann)).toEqual(texts)
  return ids
}

/** Puts another text into D1, in the version of a message that has not been edited. */
async function putAnotherText(id: number): Promise<void> {
  await bodyDatabase
    .prepare('UPDATE message_body SET content = ?, version = 0 WHERE realm_id = ? AND message_id = ?')
    .bind('another text', realm.id, id)
    .run()
}

async function versionInD1(id: number): Promise<number | undefined> {
  const row = await bodyDatabase
    .prepare('SELECT version FROM message_body WHERE realm_id = ? AND message_id = ?')
    .bind(realm.id, id)
    .first<{ version: number }>()
  return row?.version
}

describe('a text that the Worker keeps', () => {
  it('is not fetched from D1 again, and is shown while D1 is down', async () => {
    await sendAndKeep('one', 'two')
    world.d1 = down
    expect(await textsFor(ben)).toEqual(['one', 'two'])
  })

  it('is replaced by its edit for everybody at once, and once D1 has it', async () => {
    const [id] = (await sendAndKeep('one', 'two')) as [number, number]
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'edited' }))
    for (const user of [ann, ben]) expect(await textsFor(user)).toEqual(['edited', 'two'])
    await expect.poll(() => versionInD1(id)).toBe(1)
    for (const user of [ann, ben]) expect(await textsFor(user)).toEqual(['edited', 'two'])
  })

  it('is shown to nobody after its message was deleted', async () => {
    const [id] = (await sendAndKeep('one', 'two')) as [number, number]
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    for (const user of [ann, ben]) expect(await textsFor(user)).toEqual(['two'])
    expect((await ann.api.get(`/messages/${id}`)).status).toBe(400)
  })

  it('is not shown to those who may not see its message', async () => {
    const [id] = (await sendAndKeep('one')) as [number]
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'after Ben left' }))
    expect(await textsFor(ann)).toEqual(['after Ben left'])
    const { messages } = expectSuccess(await ben.api.get('/messages', { message_ids: [id] }))
    expect(messages).toEqual([])
  })

  it('is of an epoch that ends when the object starts again', async () => {
    const epoch = () => inRealm(realm, ({ parts }) => parts.memory.recall(TEXT_EPOCH, parts.sql).epoch)
    const before = await epoch()
    await sendAndKeep('one')
    expect(await epoch()).toBe(before)
    await evictRealm(realm.id)
    expect(await epoch()).not.toBe(before)
    expect(await textsFor(ben)).toEqual(['one'])
  })

  it('is read anew after a repair took over an older version', async () => {
    const [id] = (await sendAndKeep('one')) as [number]
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'edited, then lost' }))
    await expect.poll(() => versionInD1(id)).toBe(1)
    expect(await textsFor(ann)).toEqual(['edited, then lost'])
    await putAnotherText(id)
    let after: string | undefined
    do {
      const answer = expectSuccess(await realm.owner.api.post('/realm/verify', { after, repair: true }))
      after = answer.next ?? undefined
    } while (after !== undefined)
    expect(await textsFor(ben)).toEqual(['another text'])
    // This edit has the number of the one that was lost.
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'edited again' }))
    await expect.poll(() => versionInD1(id)).toBe(1)
    expect(await textsFor(ben)).toEqual(['edited again'])
  })
})

describe('the texts that an isolate keeps', () => {
  const limits = { bytes: 10_000, milliseconds: 1_000, besides: 100 }
  /** Returns a text of so many characters, with its quotes. */
  const text = (id: number, { version = 0, length = 400 } = {}): MessageText => ({
    id,
    version,
    text: quotedText('x'.repeat(length - 2)),
    editHistory: [],
  })
  const html = 'renderedContent'
  const wanted = (...ids: number[]) => ids.map((id) => ({ id, version: 0 }))

  const one = { realmId: 1, epoch: 'epoch' }
  const another = { realmId: 2, epoch: 'epoch of another' }
  /** Returns the ids that are kept, of those up to 100. */
  const heldOf = (kept: KeptTexts, of: TextEpoch) => [
    ...kept.find(of, wanted(...Array(101).keys()), html).keys(),
  ]

  it('stay below their limit, without the oldest ones', () => {
    const kept = new KeptTexts(limits)
    for (let id = 1; id <= 50; id += 1) {
      kept.keep(one, text(id), html)
      expect(kept.size).toBeLessThanOrEqual(limits.bytes)
    }
    // Each takes 900 bytes.
    expect(heldOf(kept, one)).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50])
    kept.keep(one, text(51, { length: 20_000 }), html)
    expect(kept.find(one, wanted(51), html).size).toBe(0)
  })

  it('of a busy organization do not displace those of others', () => {
    const kept = new KeptTexts(limits)
    const quiet = Array.from({ length: 3 }, (_, at) => ({ realmId: 10 + at, epoch: `quiet ${at}` }))
    for (const [at, each] of quiet.entries()) kept.keep(each, text(at), html)
    for (let id = 1; id <= 100; id += 1) kept.keep(one, text(id), html)
    expect(quiet.map((each) => heldOf(kept, each))).toEqual([[0], [1], [2]])
    expect(heldOf(kept, one)).toEqual([93, 94, 95, 96, 97, 98, 99, 100])
    // Two busy ones come to about the same.
    for (let id = 1; id <= 100; id += 1) kept.keep(another, text(id), html)
    expect(quiet.map((each) => heldOf(kept, each))).toEqual([[0], [1], [2]])
    const shares = [heldOf(kept, one).length, heldOf(kept, another).length]
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(3)
    expect(kept.size).toBeLessThanOrEqual(limits.bytes)
  })

  it('make room for a long one, of whomever', () => {
    const kept = new KeptTexts(limits)
    for (let id = 1; id <= 5; id += 1) kept.keep(one, text(id), html)
    for (let id = 1; id <= 5; id += 1) kept.keep(another, text(id), html)
    kept.keep(one, text(6, { length: 4_800 }), html)
    expect([heldOf(kept, one), heldOf(kept, another), kept.size]).toEqual([[6], [], 9_700])
  })

  it('are the source or the HTML of a message, each by itself', () => {
    const kept = new KeptTexts(limits)
    kept.keep(one, text(1), html)
    expect(kept.find(one, wanted(1), 'content').size).toBe(0)
    kept.keep(one, text(1, { length: 600 }), 'content')
    expect(kept.find(one, wanted(1), 'content').get(1)?.text.length).toBe(600)
    expect(kept.find(one, wanted(1), html).get(1)?.text.length).toBe(400)
    expect(kept.size).toBe(2_200)
  })

  it('count each message once, whatever its version', () => {
    const kept = new KeptTexts(limits)
    for (let version = 0; version < 5; version += 1) kept.keep(one, text(1, { version }), html)
    expect(kept.size).toBe(900)
    expect(kept.find(one, wanted(1), html).size).toBe(0)
    expect(kept.find(one, [{ id: 1, version: 4 }], html).get(1)?.version).toBe(4)
  })

  it('belong to one organization and its newest epoch', () => {
    const kept = new KeptTexts(limits)
    kept.keep(one, text(1), html)
    expect(heldOf(kept, { ...one, realmId: 2 })).toEqual([])
    expect(heldOf(kept, { ...one, epoch: 'another' })).toEqual([])
    expect(heldOf(kept, one)).toEqual([1])
    kept.keep({ ...one, epoch: 'another' }, text(2), html)
    expect([heldOf(kept, one), heldOf(kept, { ...one, epoch: 'another' }), kept.size]).toEqual([[], [2], 900])
  })

  it('are gone after their time, regardless of reads', () => {
    let now = 0
    const kept = new KeptTexts(limits, () => now)
    kept.keep(one, text(1), html)
    now = 600
    kept.keep(one, text(2), html)
    now = 1_000
    expect([...kept.find(one, wanted(1, 2), html).keys()]).toEqual([2])
    now = 1_600
    kept.find(another, [], html)
    expect(kept.size).toBe(0)
  })
})
