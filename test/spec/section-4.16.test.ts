import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

async function send(to: string | number = 'general', topic = 'history'): Promise<number> {
  return expectSuccess(await ann.api.post('/messages', { type: 'channel', to, topic, content: 'first' })).id
}

async function history(id: number, params = {}, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}/history`, params)).message_history
}

describe('4.16 Get a message’s edit history', () => {
  it('never edited: one snapshot, with these fields only', async () => {
    expect(await history(await send())).toEqual([
      {
        topic: 'history',
        content: 'first',
        rendered_content: '<p>first</p>',
        timestamp: expect.any(Number),
        user_id: ann.id,
      },
    ])
  })

  it('oldest to newest, each the state after its edit', async () => {
    const id = await send()
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'second' }))
    expectSuccess(await ben.api.patch(`/messages/${id}`, { topic: 'moved' }))
    expect(await history(id)).toMatchObject([
      { content: 'first', topic: 'history', user_id: ann.id },
      {
        content: 'second',
        rendered_content: '<p>second</p>',
        topic: 'history',
        user_id: ann.id,
        prev_content: 'first',
        prev_rendered_content: '<p>first</p>',
        content_html_diff: expect.stringContaining('highlight_text_inserted'),
      },
      { content: 'second', topic: 'moved', user_id: ben.id, prev_topic: 'history' },
    ])
  })

  it('content_html_diff only with content edits', async () => {
    const id = await send()
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'elsewhere' }))
    const [, moved] = await history(id)
    for (const key of ['content_html_diff', 'prev_content', 'prev_rendered_content']) {
      expect(moved).not.toHaveProperty(key)
    }
  })

  it('a move to another channel names both', async () => {
    const [from, to] = [await buildChannel([ann, ben]), await buildChannel([ann, ben])]
    const id = await send(from.id)
    expectSuccess(await ann.api.patch(`/messages/${id}`, { stream_id: to.id }))
    expect((await history(id)).at(-1)).toMatchObject({ prev_stream: from.id, stream: to.id })
  })

  it('1.6 the empty topic, with and without allow_empty_topic_name', async () => {
    const id = await send('general', '')
    expect((await history(id))[0].topic).toBe('general chat')
    expect((await history(id, { allow_empty_topic_name: true }))[0].topic).toBe('')
  })

  it('a message that does not exist, or is not visible: BAD_REQUEST', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const hidden = await send(secret.id)
    for (const id of [987_654, hidden]) {
      const { status, body } = await ben.api.get(`/messages/${id}/history`)
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid message(s)'])
    }
  })

  it('under the policy "moves" content edits are left out', async () => {
    const id = await send()
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'second' }))
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'later' }))
    expectSuccess(await realm.owner.api.patch('/realm', { message_edit_history_visibility_policy: 'moves' }))
    try {
      const snapshots = await history(id)
      expect(snapshots.map(({ prev_topic }: { prev_topic?: string }) => prev_topic)).toEqual([
        undefined,
        'history',
      ])
      expect(snapshots.every((one: object) => !('prev_content' in one))).toBe(true)
    } finally {
      expectSuccess(await realm.owner.api.patch('/realm', { message_edit_history_visibility_policy: 'all' }))
    }
  })

  it('under the policy "none" there is none', async () => {
    const id = await send()
    expectSuccess(await realm.owner.api.patch('/realm', { message_edit_history_visibility_policy: 'none' }))
    try {
      expect((await ben.api.get(`/messages/${id}/history`)).body.msg).toBe(
        'Message edit history is disabled in this organization',
      )
    } finally {
      expectSuccess(await realm.owner.api.patch('/realm', { message_edit_history_visibility_policy: 'all' }))
    }
  })
})
