import { describe, expect, it } from 'vitest'
import {
  applyEvents,
  beginFetch,
  type ChatState,
  channelNarrow,
  closeWindow,
  type Message,
  type Narrow,
  openWindow,
  renewState,
  settleAround,
  settleNewer,
  settleOlder,
  topicNarrow,
  windowOf,
} from '../../web/state/index.ts'
import { buildEvent, buildMessage, buildSnapshot, buildState, messageEvent, NOW } from './build.ts'

const LUNCH = topicNarrow(1, 'lunch')

function load(
  state: ChatState,
  narrow: Narrow,
  messages: readonly Message[],
  ends: { oldest?: boolean; newest?: boolean } = {},
) {
  const window = windowOf(state, narrow)
  const answer = { messages, found_oldest: ends.oldest ?? true, found_newest: ends.newest ?? true }
  settleAround(state, window, beginFetch(state), answer)
  return window
}

function move(ids: readonly number[], facts: Record<string, unknown>) {
  return buildEvent('update_message', {
    message_id: ids[0],
    message_ids: ids,
    stream_id: 1,
    orig_subject: 'lunch',
    propagate_mode: 'change_all',
    flags: [],
    rendering_only: false,
    edit_timestamp: 5,
    ...facts,
  })
}

describe('a window of messages', () => {
  it('gets a new message at its newest end, and only there', () => {
    const state = buildState()
    const whole = load(state, LUNCH, [buildMessage(10)])
    const middle = load(state, channelNarrow(1), [buildMessage(10)], { newest: false })
    applyEvents(
      state,
      [messageEvent(buildMessage(11)), messageEvent(buildMessage(12, { subject: 'tea' }))],
      NOW,
    )
    expect(whole.ids).toEqual([10, 11])
    expect(middle.ids).toEqual([10])
  })

  it('loses messages moved away; the window of the new topic gets them in order', () => {
    const state = buildState()
    const lunch = load(state, LUNCH, [buildMessage(10), buildMessage(12)])
    const tea = load(state, topicNarrow(1, 'Tea'), [
      buildMessage(9, { subject: 'Tea' }),
      buildMessage(13, { subject: 'Tea' }),
    ])
    applyEvents(state, [move([10], { subject: 'tea', topic_links: [] })], NOW)
    expect(lunch.ids).toEqual([12])
    expect(tea.ids).toEqual([9, 10, 13])
    expect(state.messages.get(10)?.subject).toBe('tea')
  })

  it('asks for messages moved into its range that are not known', () => {
    const state = buildState()
    load(state, topicNarrow(2, 'tea'), [buildMessage(9, { stream_id: 2, subject: 'tea' })], { oldest: false })
    applyEvents(state, [move([5, 20], { new_stream_id: 2, subject: 'tea', topic_links: [] })], NOW)
    expect([...state.wanted]).toEqual([20])
  })

  it('removes deleted messages', () => {
    const state = buildState()
    const window = load(state, LUNCH, [buildMessage(10), buildMessage(12)])
    const event = { message_ids: [10], message_type: 'stream', stream_id: 1, topic: 'lunch' }
    applyEvents(state, [buildEvent('delete_message', event)], NOW)
    expect(window.ids).toEqual([12])
    expect(state.messages.has(10)).toBe(false)
  })

  it('grows at both ends', () => {
    const state = buildState()
    const window = load(state, LUNCH, [buildMessage(10)], { oldest: false, newest: false })
    const older = { messages: [buildMessage(8), buildMessage(10)], found_oldest: true, found_newest: false }
    settleOlder(state, window, beginFetch(state), older)
    const newer = { messages: [buildMessage(10), buildMessage(14)], found_oldest: false, found_newest: true }
    settleNewer(state, window, beginFetch(state), newer)
    expect(window).toMatchObject({ ids: [8, 10, 14], atOldest: true, atNewest: true })
  })

  it('can jump elsewhere, and merges overlapping ranges', () => {
    const state = buildState()
    const window = load(state, LUNCH, [buildMessage(10), buildMessage(11)], { oldest: false })
    load(state, LUNCH, [buildMessage(3)], { newest: false })
    expect(window).toMatchObject({ ids: [3], atOldest: true, atNewest: false })
    load(state, LUNCH, [buildMessage(3), buildMessage(6)], { oldest: false, newest: false })
    expect(window).toMatchObject({ ids: [3, 6], atOldest: true, atNewest: false })
  })
})

describe('an answer that was in flight', () => {
  it('includes every message that came meanwhile', () => {
    const state = buildState()
    const window = windowOf(state, LUNCH)
    const fetch = beginFetch(state)
    applyEvents(state, [messageEvent(buildMessage(11))], NOW)
    settleAround(state, window, fetch, {
      messages: [buildMessage(10)],
      found_oldest: true,
      found_newest: true,
    })
    expect(window.ids).toEqual([10, 11])
  })

  it('restores nothing that was deleted meanwhile', () => {
    const state = buildState()
    const window = windowOf(state, LUNCH)
    const fetch = beginFetch(state)
    const event = { message_ids: [10], message_type: 'stream', stream_id: 1, topic: 'lunch' }
    applyEvents(state, [buildEvent('delete_message', event)], NOW)
    settleAround(state, window, fetch, {
      messages: [buildMessage(10)],
      found_oldest: true,
      found_newest: true,
    })
    expect(window.ids).toEqual([])
  })

  it('does not undo a concurrent edit, and fetches again what was missing', () => {
    const state = buildState()
    const window = load(state, LUNCH, [buildMessage(10)])
    const fetch = beginFetch(state)
    const edit = (id: number) =>
      buildEvent('update_message', {
        message_id: id,
        message_ids: [id],
        rendered_content: '<p>new</p>',
        flags: [],
        rendering_only: false,
        edit_timestamp: 5,
      })
    applyEvents(state, [edit(10), edit(12)], NOW)
    const messages = [buildMessage(10), buildMessage(12)]
    settleAround(state, window, fetch, { messages, found_oldest: true, found_newest: true })
    expect(state.messages.get(10)?.content).toBe('<p>new</p>')
    expect([...state.wanted]).toEqual([12])
  })

  it('is ignored after a new registration', () => {
    const state = buildState()
    const window = windowOf(state, LUNCH)
    const fetch = beginFetch(state)
    renewState(state, buildSnapshot({ queue_id: 'queue-2' }))
    const answer = { messages: [buildMessage(11)], found_oldest: true, found_newest: true }
    expect(settleAround(state, window, fetch, answer)).toBe(false)
    expect(window).toMatchObject({ ids: [], isLoaded: false })
    expect(state.queueId).toBe('queue-2')
  })

  it('shows nothing of a channel that has gone meanwhile', () => {
    const state = buildState()
    const windows = [LUNCH, []].map((narrow) => windowOf(state, narrow))
    const fetches = windows.map(() => beginFetch(state))
    applyEvents(
      state,
      [buildEvent('stream', { op: 'delete', stream_ids: [1], streams: [{ stream_id: 1 }] })],
      NOW,
    )
    const answer = { messages: [buildMessage(11)], found_oldest: true, found_newest: true }
    for (const [at, window] of windows.entries()) settleAround(state, window, fetches[at]!, answer)
    expect(windows.map(({ ids, isLoaded }) => ({ ids, isLoaded }))).toEqual([
      { ids: [], isLoaded: false },
      { ids: [], isLoaded: true },
    ])
    expect(state.messages.has(11)).toBe(false)
  })
})

describe('after a new registration', () => {
  it('the screen keeps what it shows until reloaded; the rest loads when visited', () => {
    const state = buildState()
    const shown = load(state, LUNCH, [buildMessage(10), buildMessage(11)])
    openWindow(state, LUNCH)
    const other = load(state, channelNarrow(2), [buildMessage(5, { stream_id: 2 })])
    renewState(state, buildSnapshot({ queue_id: 'queue-2' }))
    expect(shown).toMatchObject({ ids: [10, 11], isLoaded: true, isStale: true, atNewest: false })
    expect(other).toMatchObject({ ids: [], isLoaded: false })
    expect([...state.messages.keys()]).toEqual([10, 11])
    // Meanwhile 10 was deleted, 11 was edited and 12 has arrived.
    const messages = [buildMessage(11, { content: '<p>new</p>' }), buildMessage(12)]
    settleAround(state, shown, beginFetch(state), { messages, found_oldest: true, found_newest: true })
    expect(shown).toMatchObject({ ids: [11, 12], isStale: false, atNewest: true })
    expect(state.messages.get(11)?.content).toBe('<p>new</p>')
  })

  it('notifies everybody that everything may have changed', () => {
    const state = buildState()
    let changed: readonly string[] = []
    state.changes.listen((_touched, wholes) => {
      changed = [...wholes]
    })
    renewState(state, buildSnapshot({ queue_id: 'queue-2' }))
    state.changes.flush()
    expect(changed).toContain('user')
    expect(changed).toContain('unread of channel')
  })
})

describe('a page that is open for a long time', () => {
  it('drops messages outside open windows', () => {
    const state = buildState()
    const open = load(state, LUNCH, [buildMessage(1)])
    openWindow(state, LUNCH)
    const closed = load(state, channelNarrow(1), [buildMessage(1)])
    for (let id = 2; id <= 500; id += 1) applyEvents(state, [messageEvent(buildMessage(id))], NOW)
    for (let id = 501; id <= 8_000; id += 1) {
      applyEvents(state, [messageEvent(buildMessage(id, { subject: `topic ${id % 9}` }))], NOW)
    }
    expect(open.ids).toHaveLength(500)
    expect(open.ids.every((id) => state.messages.has(id))).toBe(true)
    expect(state.messages.size).toBeLessThan(3_000)
    expect(state.messages.has(8_000)).toBe(true)
    expect(closed.ids.length).toBeLessThan(3_000)
    expect(closed.ids.filter((id) => id > 7_000).every((id) => state.messages.has(id))).toBe(true)
    expect(closed.atOldest).toBe(false)
  })

  it('reloads a channel without subscription, which gets no events', () => {
    const state = buildState()
    const narrow = topicNarrow(3, 'lunch')
    const window = load(state, narrow, [buildMessage(10, { stream_id: 3 })])
    openWindow(state, narrow)
    closeWindow(state, narrow)
    expect(window.isLoaded).toBe(false)
  })
})
