import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { MessageBody } from '../../src/core/command.ts'
import { TEXT_EPOCH } from '../../src/domain/messages/text-epoch.ts'
import { KeptTexts } from '../../src/http/kept-texts.ts'
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
  const body = (id: number, { version = 0, length = 200 } = {}): MessageBody => ({
    id,
    version,
    content: 'x'.repeat(length),
    renderedContent: 'y'.repeat(length),
    editHistory: [],
  })
  const wanted = (...ids: number[]) => ids.map((id) => ({ id, version: 0 }))

  it('stay below their limit, without the oldest ones', () => {
    const kept = new KeptTexts(limits)
    for (let id = 1; id <= 50; id += 1) {
      kept.keep(id % 2 ? 'one organization' : 'another', body(id))
      expect(kept.size).toBeLessThanOrEqual(limits.bytes)
    }
    const held = [...Array(51).keys()].filter((id) =>
      ['one organization', 'another'].some((epoch) => kept.find(epoch, wanted(id)).size > 0),
    )
    // Each takes 900 bytes.
    expect(held).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50])
    kept.keep('another', body(51, { length: 10_000 }))
    expect(kept.find('another', wanted(51)).size).toBe(0)
  })

  it('count each message once, whatever its version', () => {
    const kept = new KeptTexts(limits)
    for (let version = 0; version < 5; version += 1) kept.keep('epoch', body(1, { version }))
    expect(kept.size).toBe(900)
    expect(kept.find('epoch', wanted(1)).size).toBe(0)
    expect(kept.find('epoch', [{ id: 1, version: 4 }]).get(1)?.version).toBe(4)
  })

  it('belong to the organization that named the epoch', () => {
    const kept = new KeptTexts(limits)
    kept.keep('epoch', body(1))
    expect(kept.find('another', wanted(1)).size).toBe(0)
    expect(kept.find('epoch', wanted(1, 2)).size).toBe(1)
  })

  it('are gone after their time, whoever asks', () => {
    let now = 0
    const kept = new KeptTexts(limits, () => now)
    kept.keep('epoch', body(1))
    now = 600
    kept.keep('epoch', body(2))
    now = 1_000
    expect([...kept.find('epoch', wanted(1, 2)).keys()]).toEqual([2])
    now = 1_600
    kept.find('another', [])
    expect(kept.size).toBe(0)
  })
})
