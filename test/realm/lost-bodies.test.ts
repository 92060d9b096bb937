import { beforeEach, describe, expect, it, vi } from 'vitest'
import { bodyDatabase } from '../support/body-database.ts'
import { expectSuccess } from '../support/factories.ts'
import { sendTo, untilProjected } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const MISSING = '*The text of this message is missing.*'

const { realm, ann, channel } = useRealm({ ann: 'member' }, { channels: { channel: ['owner', 'ann'] } })
// An object that wakes reads from its log what D1 has lost.
neverEvict()
useReliableD1()
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

async function sendAll(count: number, topic: string): Promise<number[]> {
  const ids: number[] = []
  for (let each = 0; each < count; each += 1) ids.push(await sendTo(ann, channel.name, topic, `text ${each}`))
  await untilProjected(realm, ids)
  return ids
}

/** Deletes texts from D1, as if it had been damaged. */
async function lose(ids: readonly number[]): Promise<void> {
  await bodyDatabase
    .prepare('DELETE FROM message_body WHERE realm_id = ? AND message_id IN (SELECT value FROM json_each(?))')
    .bind(realm.id, JSON.stringify(ids))
    .run()
}

async function page(topic: string): Promise<{ id: number; content: string; sender_id: number }[]> {
  const narrow = [
    { operator: 'channel', operand: channel.id },
    { operator: 'topic', operand: topic },
  ]
  const asked = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false }
  return expectSuccess(await ann.api.get('/messages', asked)).messages
}

describe('a message whose text is lost', () => {
  it('has a substitute, in a page that is otherwise complete', async () => {
    const ids = await sendAll(30, 'page')
    const lost = new Set(ids.filter((_, index) => index % 3 === 1))
    await lose([...lost])
    const messages = await page('page')
    expect(messages.map(({ id }) => id)).toEqual(ids)
    expect(messages.map(({ content }) => content)).toEqual(
      ids.map((id, index) => (lost.has(id) ? MISSING : `text ${index}`)),
    )
    expect(messages.every(({ sender_id }) => sender_id === ann.id)).toBe(true)
  })

  it('has it also where D1 has only an older version', async () => {
    const [id] = (await sendAll(1, 'older')) as [number]
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'newer' }))
    const version = () =>
      bodyDatabase
        .prepare('SELECT version FROM message_body WHERE realm_id = ? AND message_id = ?')
        .bind(realm.id, id)
        .first<{ version: number }>()
    await expect.poll(async () => (await version())?.version).toBe(1)
    await bodyDatabase
      .prepare('UPDATE message_body SET version = 0 WHERE realm_id = ? AND message_id = ?')
      .bind(realm.id, id)
      .run()
    expect(await page('older')).toMatchObject([{ id, content: MISSING }])
  })

  it('can be fetched alone, with its history and its HTML', async () => {
    const [id] = (await sendAll(1, 'alone')) as [number]
    await lose([id])
    const { message, raw_content } = expectSuccess(await ann.api.get(`/messages/${id}`))
    expect([message.content, raw_content]).toEqual([
      '<p><em>The text of this message is missing.</em></p>',
      MISSING,
    ])
    const { message_history } = expectSuccess(await ann.api.get(`/messages/${id}/history`))
    expect(message_history).toMatchObject([{ content: MISSING, user_id: ann.id }])
  })

  it('can be edited, which repairs it', async () => {
    const [id] = (await sendAll(1, 'edited')) as [number]
    await lose([id])
    const queue = await openQueue(ann, { event_types: ['update_message'] })
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'written again' }))
    expect(await queue.events()).toMatchObject([{ orig_content: MISSING, content: 'written again' }])
    expect(await page('edited')).toMatchObject([{ id, content: 'written again' }])
    await untilProjected(realm, [id])
    expect(await page('edited')).toMatchObject([{ id, content: 'written again' }])
  })

  it('can be moved, quoted in a reminder, flagged and deleted', async () => {
    const [id] = (await sendAll(1, 'moved')) as [number]
    await lose([id])
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'moved on' }))
    expect((await page('moved on'))[0]).toMatchObject({ id, content: MISSING })
    const soon = Math.floor(Date.now() / 1_000) + world.clockOffset + 1_000
    const reminder = { message_id: id, scheduled_delivery_timestamp: soon }
    expectSuccess(await ann.api.post('/reminders', reminder))
    expectSuccess(await ann.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    expect((await page('moved on')).map((message) => message.id)).not.toContain(id)
  })

  it('does not prevent searches', async () => {
    const ids = await sendAll(3, 'searched')
    await lose([ids[1]!])
    const narrow = [
      { operator: 'topic', operand: 'searched' },
      { operator: 'search', operand: 'text' },
    ]
    const asked = { anchor: 'newest', num_before: 10, num_after: 0, narrow }
    const { messages } = expectSuccess(await ann.api.get('/messages', asked))
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(ids)
  })

  it('is distinguished from one still being written, which pages contain', async () => {
    const [id] = (await sendAll(1, 'on its way')) as [number]
    let [isWritten, reads] = [false, 0]
    world.d1 = async (call, kind) => {
      if (kind === 'batch') await vi.waitUntil(() => reads >= 3, 5_000)
      const answer = await call()
      if (kind === 'batch') isWritten = true
      return answer
    }
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'slowly' }))
    for (let wasWritten = false; !wasWritten; ) {
      wasWritten = isWritten
      expect(await page('on its way')).toMatchObject([{ id, content: 'slowly' }])
      reads += 1
      // Requests that follow each other without a pause leave timers no time.
      await scheduler.wait(1)
    }
  })
})
