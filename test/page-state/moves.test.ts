import { describe, expect, it } from 'vitest'
import {
  type Address,
  applyEvents,
  beginFetch,
  beginSend,
  type ChatState,
  carryWindow,
  failSend,
  followed,
  type Move,
  openWindow,
  outgoingIn,
  retrySend,
  sendParameters,
  settleAround,
  topicNarrow,
  windowOf,
} from '../../web/state/index.ts'
import { buildEvent, buildMessage, buildState, NOW } from './build.ts'

const LUNCH = topicNarrow(1, 'lunch')
const DINNER = topicNarrow(2, 'dinner')

type NarrowAddress = Extract<Address, { view: 'narrow' }>
const VIEW: NarrowAddress = { view: 'narrow', narrow: LUNCH }

/** Builds a state whose open window of “lunch” has these messages. */
function openLunch(ids: readonly number[]): ChatState {
  const state = buildState()
  const window = openWindow(state, LUNCH)
  settleAround(state, window, beginFetch(state), {
    messages: ids.map((id) => buildMessage(id)),
    found_oldest: true,
    found_newest: true,
  })
  return state
}

/** Applies a move, and returns it as the state reports it. */
function move(state: ChatState, ids: readonly number[], facts: Record<string, unknown> = {}): Move {
  const event = {
    user_id: 4,
    edit_timestamp: NOW / 1_000,
    message_id: ids[0],
    message_ids: ids,
    flags: [],
    rendering_only: false,
    stream_id: 1,
    orig_subject: 'lunch',
    propagate_mode: 'change_all',
    subject: 'dinner',
    new_stream_id: 2,
    topic_links: [],
    ...facts,
  }
  applyEvents(state, [buildEvent('update_message', event)], NOW)
  const [reported] = state.moves.splice(0)
  return reported!
}

describe('a view', () => {
  it('follows its whole topic to another channel and name', () => {
    const state = openLunch([10, 11])
    expect(followed(state, move(state, [10, 11]), VIEW, 10)?.narrow).toEqual(DINNER)
  })

  it('keeps the message of its address if events will report on it', () => {
    const state = openLunch([10, 11])
    const moved = move(state, [10, 11])
    expect(followed(state, moved, { ...VIEW, near: 10 }, 10)).toEqual({ ...VIEW, narrow: DINNER, near: 10 })
    expect(followed(state, moved, { ...VIEW, with: 9 }, 10)).toEqual({ ...VIEW, narrow: DINNER })
    const unheard = move(openLunch([10]), [10], { new_stream_id: 3 })
    expect(followed(state, unheard, { ...VIEW, near: 10 }, 10)).toEqual({
      ...VIEW,
      narrow: topicNarrow(3, 'dinner'),
    })
  })

  it('follows later messages only with the message at which the reader is', () => {
    const later = { propagate_mode: 'change_later' }
    const state = openLunch([10, 11, 12])
    const moved = move(state, [11, 12], later)
    expect(followed(state, moved, VIEW, 12)?.narrow).toEqual(DINNER)
    expect(followed(state, moved, VIEW, 10)).toBeUndefined()
  })

  it('stays when one message leaves a topic, unless the address names it', () => {
    const one = { propagate_mode: 'change_one' }
    const state = openLunch([10, 11])
    const moved = move(state, [11], one)
    expect(followed(state, moved, VIEW, 11)).toBeUndefined()
    expect(followed(state, moved, { ...VIEW, near: 11 }, 11)?.narrow).toEqual(DINNER)
    expect(followed(state, move(state, [10], one), VIEW, undefined)?.narrow).toEqual(DINNER)
  })

  it('of another topic, or of the whole channel, stays', () => {
    const state = openLunch([10])
    const moved = move(state, [10])
    for (const narrow of [topicNarrow(1, 'tea'), topicNarrow(2, 'lunch'), LUNCH.slice(0, 1), []]) {
      expect(followed(state, moved, { view: 'narrow', narrow }, 10)).toBeUndefined()
    }
  })

  it('takes over a new spelling of its name', () => {
    const state = openLunch([10, 11])
    const facts = { propagate_mode: 'change_one', subject: 'Lunch', new_stream_id: undefined }
    expect(followed(state, move(state, [10], facts), { ...VIEW, near: 11 }, 11)).toEqual({
      view: 'narrow',
      narrow: topicNarrow(1, 'Lunch'),
      near: 11,
    })
  })

  it('shows what it has shown until the messages of the other topic are loaded', () => {
    const state = openLunch([10, 11])
    carryWindow(state, move(state, [10, 11]))
    const window = openWindow(state, DINNER)
    expect(window).toMatchObject({ ids: [10, 11], isLoaded: true, isStale: true, atNewest: true })
    settleAround(state, window, beginFetch(state), {
      messages: [8, 10, 11].map((id) => buildMessage(id, { stream_id: 2, subject: 'dinner' })),
      found_oldest: true,
      found_newest: true,
    })
    expect(window).toMatchObject({ ids: [8, 10, 11], isStale: false, atNewest: true })
  })

  it('carries its messages through two moves in one batch', () => {
    const state = openLunch([10, 11])
    carryWindow(state, move(state, [10, 11]))
    const second = { stream_id: 2, orig_subject: 'dinner', subject: 'supper', new_stream_id: undefined }
    carryWindow(state, move(state, [10, 11], second))
    expect(windowOf(state, topicNarrow(2, 'supper')).ids).toEqual([10, 11])
    expect(windowOf(state, DINNER).isLoaded).toBe(false)
  })
})

describe('a message that is not sent yet', () => {
  it('follows its topic, under the same key', () => {
    const state = openLunch([10])
    const conversation = { kind: 'topic' as const, channelId: 1, topic: 'lunch' }
    const outgoing = beginSend(state, { conversation, content: 'Soup' }, { now: NOW, newId: () => 'a' })
    const key = outgoing.idempotencyKey
    failSend(state, 'a', { code: 'NETWORK', text: '', isRefused: false })
    move(state, [10], { propagate_mode: 'change_one' })
    expect(outgoingIn(state, LUNCH)).toHaveLength(1)
    move(state, [10])
    expect(outgoingIn(state, LUNCH)).toEqual([])
    expect(outgoingIn(state, DINNER)).toHaveLength(1)
    const again = retrySend(state, 'a')!
    expect(again.idempotencyKey).toBe(key)
    expect(sendParameters(again)).toMatchObject({ to: 2, topic: 'dinner' })
  })
})
