import { describe, expect, it } from 'vitest'
import {
  mergeEditHistory,
  presentEditHistory,
  presentSnapshots,
  type StoredContentEdit,
  withEdit,
} from '../../src/model/messages/read/edit-history.ts'
import type { MessageMove } from '../../src/store/messages/move/message-move-rows.ts'

function edit(seq: number, prev: string): StoredContentEdit {
  return { user_id: 1, timestamp: seq, prev_content: prev, prev_rendered_content: `<p>${prev}</p>`, seq }
}

function move(seq: number, change: Partial<MessageMove>): MessageMove {
  return {
    id: seq,
    previousId: null,
    userId: 2,
    at: seq,
    seq,
    prevTopic: null,
    topic: null,
    prevChannelId: null,
    channelId: null,
    subscribersReceived: false,
    ...change,
  }
}

const renamed = { prevTopic: 'a', topic: 'b' }
const edits = [edit(50, 'two'), edit(10, 'one')]
const moves = [move(50, { ...renamed, userId: 1 }), move(30, { prevChannelId: 7, channelId: 8 })]

describe('the history of a message', () => {
  it('has edits and moves in one order, and one entry for what one request did', () => {
    expect(mergeEditHistory(edits, { moves })).toEqual([
      {
        user_id: 1,
        timestamp: 50,
        prev_content: 'two',
        prev_rendered_content: '<p>two</p>',
        prev_topic: 'a',
        topic: 'b',
      },
      { user_id: 2, timestamp: 30, prev_stream: 7, stream: 8 },
      { user_id: 1, timestamp: 10, prev_content: 'one', prev_rendered_content: '<p>one</p>' },
    ])
  })

  it('shows only what the organization’s policy allows', () => {
    const history = mergeEditHistory(edits, { moves })
    expect(presentEditHistory(history, 'all', true)).toHaveLength(3)
    expect(presentEditHistory(history, 'moves', true)).toEqual([
      { user_id: 1, timestamp: 50, prev_topic: 'a', topic: 'b' },
      { user_id: 2, timestamp: 30, prev_stream: 7, stream: 8 },
    ])
    expect(presentEditHistory(history, 'none', true)).toBeUndefined()
    expect(presentEditHistory(mergeEditHistory(edits, { moves: [] }), 'moves', true)).toBeUndefined()
    expect(presentEditHistory([], 'all', true)).toBeUndefined()
  })

  it('lists the message’s states, oldest first', async () => {
    const past = {
      senderId: 1,
      sentAt: 5,
      topic: 'b',
      isDirect: false,
      content: 'three',
      renderedContent: '<p>three</p>',
      entries: mergeEditHistory(edits, { moves }),
    }
    const states = await presentSnapshots(past, 'all', true)
    expect(states.map(({ topic, content, timestamp }) => [topic, content, timestamp])).toEqual([
      ['a', 'one', 5],
      ['a', 'two', 10],
      ['a', 'two', 30],
      ['b', 'three', 50],
    ])
    expect(states[2]).toMatchObject({ prev_stream: 7, stream: 8 })
    expect(states[3]?.content_html_diff).toContain('highlight_text_inserted')
    const movesOnly = await presentSnapshots(past, 'moves', true)
    expect(movesOnly.map(({ timestamp }) => timestamp)).toEqual([5, 30, 50])
    expect(movesOnly[2]).not.toHaveProperty('prev_content')
    expect(movesOnly.map(({ content }) => content)).toEqual(['three', 'three', 'three'])
  })
})

describe('the history of a message that is edited very often', () => {
  const long = (seq: number) => edit(seq, `${seq} ${'x'.repeat(20_000)}`)

  it('keeps the original and the newest edits, within its size limit', () => {
    let history: readonly StoredContentEdit[] = []
    for (let seq = 1; seq <= 50; seq += 1) history = withEdit(long(seq), history)
    const kept = history.map(({ seq }) => seq)
    expect(kept).toEqual([...Array.from(kept.slice(0, -1), (_, index) => 50 - index), 1])
    expect(kept.length).toBeGreaterThan(10)
    expect(JSON.stringify(JSON.stringify(history)).length).toBeLessThan(710_000)
  })

  it('keeps all edits while they fit', () => {
    expect(withEdit(edit(3, 'three'), [edit(2, 'two'), edit(1, 'one')]).map(({ seq }) => seq)).toEqual([
      3, 2, 1,
    ])
    expect(withEdit(edit(1, 'one'), [])).toEqual([edit(1, 'one')])
  })
})
