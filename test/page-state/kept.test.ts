import { describe, expect, it } from 'vitest'
import {
  applyEvents,
  beginFetch,
  type ChatState,
  channelUnread,
  keptOf,
  type Message,
  type Narrow,
  openWindow,
  settleAround,
  stateOfKept,
  topicNarrow,
  totalUnread,
} from '../../web/state/index.ts'
import { buildMessage, buildSnapshot, buildState, buildUser, ME, messageEvent, NOW } from './build.ts'

const LUNCH = topicNarrow(1, 'lunch')

function load(state: ChatState, narrow: Narrow, messages: readonly Message[]) {
  const window = openWindow(state, narrow)
  settleAround(state, window, beginFetch(state), { messages, found_oldest: true, found_newest: true })
  return window
}

/** What a browser's database makes of it. */
function keptAndRead(state: ChatState): ChatState {
  return stateOfKept(structuredClone(keptOf(state)))
}

describe('what a browser keeps of the state', () => {
  it('shows the same conversations and unread counts', () => {
    const state = buildState()
    load(state, LUNCH, [buildMessage(10, { flags: ['read'] }), buildMessage(11)])
    applyEvents(state, [messageEvent(buildMessage(12, { flags: ['mentioned'] }))], NOW)
    const read = keptAndRead(state)
    expect(read.messages.size).toBe(0)
    expect(totalUnread(read)).toEqual(totalUnread(state))
    expect(channelUnread(read, 1)).toEqual(channelUnread(state, 1))
    expect([...read.channels.keys()]).toEqual([1, 2])
    expect(read.users.get(4)?.full_name).toBe('Person 4')
  })

  it('goes on as a state with its first events', () => {
    const state = buildState()
    load(state, LUNCH, [buildMessage(10)])
    const read = keptAndRead(state)
    const window = load(read, LUNCH, [buildMessage(10)])
    applyEvents(read, [messageEvent(buildMessage(13))], NOW)
    expect(window.ids).toEqual([10, 13])
  })

  it('has no lists of messages, and of ten thousand people those who matter first', () => {
    const people = Array.from({ length: 10_000 }, (_, at) => buildUser(at + 1))
    const state = buildState(buildSnapshot({ realm_users: people }))
    load(state, LUNCH, [buildMessage(11, { sender_id: 9_999 })])
    const { windows, users } = keptOf(state)
    expect(windows.size).toBe(0)
    expect(users.size).toBe(2_000)
    expect(users.has(9_999) && users.has(ME)).toBe(true)
  })
})
