import { describe, expect, it } from 'vitest'
import {
  applyEvents,
  beginFetch,
  type Narrow,
  presentNarrow,
  settleLinked,
  showsMessage,
  topicNarrow,
  windowOf,
} from '../../web/state/index.ts'
import { buildDirectMessage, buildEvent, buildMessage, buildState, messageEvent, NOW } from './build.ts'

const LUNCH = topicNarrow(1, 'lunch')
const STARRED: Narrow = [{ operator: 'is', operand: 'starred' }]
const WHOLE = { found_oldest: true, found_newest: true }

describe('the messages around a linked one', () => {
  it('are those of the conversation where it is now', () => {
    const state = buildState()
    const messages = [10, 11].map((id) => buildMessage(id, { stream_id: 2, subject: 'dinner' }))
    const found = settleLinked(state, beginFetch(state), LUNCH, 10, { messages, ...WHOLE })
    expect(found).toEqual(topicNarrow(2, 'dinner'))
    expect(windowOf(state, found!).ids).toEqual([10, 11])
    expect(windowOf(state, LUNCH).isLoaded).toBe(false)
  })

  it('are those of the address when it is gone', () => {
    const state = buildState()
    const answer = { messages: [buildMessage(9), buildMessage(11)], ...WHOLE }
    expect(settleLinked(state, beginFetch(state), LUNCH, 10, answer)).toBeUndefined()
    expect(windowOf(state, LUNCH).ids).toEqual([9, 11])
  })

  it('follow a move, and a deletion, during the request', () => {
    const state = buildState()
    const moved = beginFetch(state)
    applyEvents(
      state,
      [messageEvent(buildMessage(10, { subject: 'supper' })), messageEvent(buildMessage(11))],
      NOW,
    )
    const answer = { messages: [buildMessage(10), buildMessage(11)], ...WHOLE }
    expect(settleLinked(state, moved, LUNCH, 10, answer)).toEqual(topicNarrow(1, 'supper'))
    expect(windowOf(state, LUNCH).ids).toEqual([11])
    const deleted = beginFetch(state)
    const event = { message_ids: [11], message_type: 'stream', stream_id: 1, topic: 'lunch' }
    applyEvents(state, [buildEvent('delete_message', event)], NOW)
    expect(settleLinked(state, deleted, LUNCH, 11, answer)).toBeUndefined()
  })
})

describe('a linked message', () => {
  it('that is known is found without a request, where events would report its moves', () => {
    const state = buildState()
    const elsewhere = buildMessage(12, { stream_id: 3 })
    for (const one of [buildMessage(10), buildDirectMessage(11, [9, 4]), elsewhere])
      state.messages.set(one.id, one)
    expect(presentNarrow(state, 10)).toEqual(LUNCH)
    expect(presentNarrow(state, 11)).toEqual([{ operator: 'dm', operand: [4] }])
    expect(presentNarrow(state, 12)).toBeUndefined()
    expect(presentNarrow(state, 13)).toBeUndefined()
    state.stale.add(10)
    expect(presentNarrow(state, 10)).toBeUndefined()
  })

  it('is in its conversation, and in selections to which it belongs', () => {
    const state = buildState()
    state.messages.set(10, buildMessage(10, { flags: ['starred'] }))
    expect(showsMessage(state, topicNarrow(1, 'Lunch'), 10)).toBe(true)
    expect(showsMessage(state, topicNarrow(1, 'dinner'), 10)).toBe(false)
    expect(showsMessage(state, STARRED, 10)).toBe(true)
    expect(showsMessage(state, [{ operator: 'search', operand: 'soup' }], 10)).toBe(false)
  })

  it('with an address that names nothing else is shown in its conversation', () => {
    const state = buildState()
    state.messages.set(10, buildMessage(10))
    expect(showsMessage(state, [], 10)).toBe(false)
    expect(showsMessage(state, [{ operator: 'id', operand: 10 }], 10)).toBe(false)
  })
})
