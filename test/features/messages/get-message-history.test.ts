import { afterEach, describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import type { Json } from '../../support/json.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, room } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { room: ['owner', 'ann', 'ben'] } },
)

afterEach(() => setPolicy('all'))

async function setPolicy(message_edit_history_visibility_policy: string): Promise<void> {
  expectSuccess(await realm.owner.api.patch('/realm', { message_edit_history_visibility_policy }))
}

async function historyOf(id: number, params: object = {}): Promise<Json[]> {
  return expectSuccess(await ben.api.get(`/messages/${id}/history`, { ...params })).message_history
}

async function messageOf(id: number): Promise<Json> {
  return expectSuccess(await ben.api.get(`/messages/${id}`)).message
}

/** Edited, then moved by the owner, then edited and renamed at once. */
async function editedMessage(): Promise<number> {
  const id = await sendTo(ann, room.id, 'first', 'one')
  expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'one two' }))
  expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { topic: '' }))
  expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'two', topic: 'last' }))
  return id
}

describe('a message’s history', () => {
  it('that was never edited is the original alone', async () => {
    const id = await sendTo(ann, room.id, 't', 'so *be* it')
    expect(await historyOf(id)).toEqual([
      {
        topic: 't',
        content: 'so *be* it',
        rendered_content: '<p>so <em>be</em> it</p>',
        timestamp: expect.any(Number),
        user_id: ann.id,
      },
    ])
    expect(await messageOf(id)).not.toHaveProperty('edit_history')
  })

  it('lists its states oldest first, each with what changed', async () => {
    const id = await editedMessage()
    const expected = [
      { topic: 'first', content: 'one', rendered_content: '<p>one</p>', user_id: ann.id },
      {
        topic: 'first',
        content: 'one two',
        user_id: ann.id,
        prev_content: 'one',
        prev_rendered_content: '<p>one</p>',
        content_html_diff: expect.stringContaining('highlight_text_inserted'),
      },
      { topic: 'general chat', content: 'one two', user_id: realm.owner.id, prev_topic: 'first' },
      {
        topic: 'last',
        content: 'two',
        user_id: ann.id,
        prev_topic: 'general chat',
        prev_content: 'one two',
        content_html_diff: expect.stringContaining('highlight_text_deleted'),
      },
    ]
    expect(await historyOf(id)).toMatchObject(expected)
    await evictRealm(realm.id)
    expect(await historyOf(id)).toMatchObject(expected)
    const shown = await historyOf(id, { allow_empty_topic_name: true })
    expect(shown[2].topic).toBe('')
    expect(shown[3].prev_topic).toBe('')
    expect(shown[0]).not.toHaveProperty('prev_topic')
    for (const key of ['content_html_diff', 'prev_content', 'prev_rendered_content']) {
      expect(shown[2]).not.toHaveProperty(key)
    }
  })

  it('in edit_history is newest first, with the times of last edit and move', async () => {
    const message = await messageOf(await editedMessage())
    expect(message.edit_history).toMatchObject([
      { user_id: ann.id, prev_content: 'one two', prev_topic: 'general chat', topic: 'last' },
      { user_id: realm.owner.id, prev_topic: 'first', topic: 'general chat' },
      { user_id: ann.id, prev_content: 'one', prev_rendered_content: '<p>one</p>' },
    ])
    expect(message).toMatchObject({
      last_edit_timestamp: expect.any(Number),
      last_moved_timestamp: expect.any(Number),
    })
  })

  it('of a direct message has no topics', async () => {
    const id = await sendDirect(ann, [ben], 'a')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'b' }))
    expect((await historyOf(id)).map(({ topic }) => topic)).toEqual(['', ''])
  })

  it('shows channels by id', async () => {
    const target = await buildChannel([realm.owner, ann, ben])
    const id = await sendTo(ann, room.id, 'goes')
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { stream_id: target.id }))
    expect((await historyOf(id))[1]).toMatchObject({ prev_stream: room.id, stream: target.id })
  })
})

describe('an organization that shows moves only', () => {
  it('leaves out edits of the content, and the content of edits that moved it', async () => {
    const id = await editedMessage()
    await setPolicy('moves')
    const history = await historyOf(id)
    expect(history.map(({ topic }) => topic)).toEqual(['first', 'general chat', 'last'])
    for (const state of history) {
      expect(state).toMatchObject({ content: 'two', rendered_content: '<p>two</p>' })
      for (const field of ['prev_content', 'prev_rendered_content', 'content_html_diff']) {
        expect(state).not.toHaveProperty(field)
      }
    }
    const { edit_history } = await messageOf(id)
    expect(edit_history).toHaveLength(2)
    expect(edit_history[0]).not.toHaveProperty('prev_content')
    expect(edit_history[0]).not.toHaveProperty('prev_rendered_content')
  })

  it('omits the history of a message that was only edited; its time stays', async () => {
    const id = await sendTo(ann, room.id, 't', 'a')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'b' }))
    await setPolicy('moves')
    const message = await messageOf(id)
    expect(message).not.toHaveProperty('edit_history')
    expect(message.last_edit_timestamp).toEqual(expect.any(Number))
  })
})

it.each(['moves', 'none'])(
  'old texts can be read nowhere under the policy `%s`, by anybody',
  async (policy) => {
    const id = await sendTo(ann, room.id, 'login', 'it is hunter2-of-old')
    await setPolicy(policy)
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'it is secret', topic: 'log in' }))
    const everything = { anchor: id, num_before: 0, num_after: 0, apply_markdown: false }
    for (const user of [ann, ben, realm.owner]) {
      const answers = [
        await user.api.get(`/messages/${id}/history`),
        await user.api.get(`/messages/${id}`),
        await user.api.get('/messages', everything),
        await user.api.get('/messages', { ...everything, narrow: [['search', 'hunter2']] }),
      ]
      expect(JSON.stringify(answers)).not.toContain('hunter2-of-old')
    }
    const events = await queue.events()
    expect(events[0]).toMatchObject({ type: 'update_message', content: 'it is secret' })
    expect(JSON.stringify(events)).not.toContain('hunter2')
  },
)

describe('who may not', () => {
  it('anyone, if history is off: refused before the message is looked up', async () => {
    const id = await editedMessage()
    await setPolicy('none')
    for (const one of [id, 99_999_999]) {
      expectRefusal(
        await ben.api.get(`/messages/${one}/history`),
        'Message edit history is disabled in this organization',
      )
    }
    expect(await messageOf(id)).not.toHaveProperty('edit_history')
  })

  it('users who may not read the message, and callers without an account', async () => {
    const id = await sendDirect(ann, [realm.owner])
    expectRefusal(await ben.api.get(`/messages/${id}/history`), 'Invalid message(s)')
    expectUnauthorized(await realm.anonymous.get(`/messages/${id}/history`))
  })
})
