import { describe, expect, it } from 'vitest'
import { applyEvents, completePeople, recentDirect } from '../../web/state/index.ts'
import { isWithMuted, shownMessage, withoutMuted } from '../../web/state/muted-people.ts'
import { recentConversations } from '../../web/state/recent.ts'
import { typingIn } from '../../web/state/typing.ts'
import { readPoll, readTodo } from '../../web/views/message/widget-data.ts'
import { buildDirectMessage, buildEvent, buildMessage, buildState, ME, messageEvent, NOW } from './build.ts'

const LUNCH = { kind: 'topic', channelId: 1, topic: 'lunch' } as const

const mute = (...ids: readonly number[]) =>
  buildEvent('muted_users', { muted_users: ids.map((id) => ({ id, timestamp: 1 })) })

function stateWith(...events: Parameters<typeof applyEvents>[1]) {
  const state = buildState()
  applyEvents(state, events, NOW)
  return state
}

const newest = (state: ReturnType<typeof buildState>) =>
  recentConversations(state).map(({ conversation, newestId }) =>
    conversation.kind === 'topic'
      ? `${conversation.topic} ${newestId}`
      : `${conversation.peers.join()} ${newestId}`,
  )

describe('a person whom the user has muted', () => {
  const messages = [
    messageEvent(buildMessage(1, { sender_id: 7, subject: 'shared' })),
    messageEvent(buildMessage(2, { subject: 'shared' })),
    messageEvent(buildMessage(3, { subject: 'alone' })),
    messageEvent(buildDirectMessage(4, [4, ME])),
    messageEvent(buildDirectMessage(5, [4, 7, ME], { sender_id: 7 })),
    messageEvent(buildDirectMessage(6, [4, 7, ME])),
  ]

  it('is not in recent conversations: alone in none, and never the newest to write', () => {
    const before = stateWith(mute(4), ...messages)
    expect(newest(before)).toEqual(['4,7 5', 'shared 1'])
    expect(recentDirect(before).map(({ conversation }) => conversation.peers)).toEqual([[4, 7]])
    const after = stateWith(...messages, mute(4))
    // A conversation of several stays where it is.
    expect(newest(after)).toEqual(['4,7 6', 'shared 1'])
    expect(shownMessage(after, 6)).toBeUndefined()
    expect(shownMessage(after, 5)?.id).toBe(5)
  })

  it('is there again once the user unmutes them', () => {
    const state = stateWith(mute(4), ...messages, mute())
    expect(newest(state)).toEqual(['4,7 6', '4 4', 'alone 3', 'shared 2'])
  })

  it('is in no group of only muted people, whoever else is muted', () => {
    const group = { kind: 'direct', peers: [4, 7] } as const
    expect(isWithMuted(stateWith(mute(4)), group)).toBe(false)
    expect(isWithMuted(stateWith(mute(4, 7)), group)).toBe(true)
    expect(isWithMuted(stateWith(mute(4, 7)), { kind: 'direct', peers: [ME] })).toBe(false)
    expect(newest(stateWith(...messages, mute(4, 7)))).toEqual([])
  })

  it('does not type, is not completed, and has not reacted', () => {
    const typing = (sender: number) =>
      buildEvent('typing', {
        op: 'start',
        message_type: 'stream',
        sender: { user_id: sender },
        stream_id: 1,
        topic: 'lunch',
      })
    const state = stateWith(mute(4), typing(4), typing(7))
    expect(typingIn(state, LUNCH, NOW)).toEqual([7])
    expect(completePeople(state, 'Person').map(({ user_id }) => user_id)).toEqual([7, ME])
    expect(withoutMuted(state, [{ user_id: 4 }, { user_id: 7 }])).toEqual([{ user_id: 7 }])
  })

  it('makes everything be drawn again when muted: their words may be anywhere', () => {
    const state = stateWith(...messages)
    const drawn = new Set<string>()
    state.changes.listen((_touched, wholes) => {
      for (const whole of wholes) drawn.add(whole)
    })
    applyEvents(state, [mute(4)], NOW)
    for (const slice of ['message', 'user', 'recent', 'unread', 'typing', 'status'])
      expect(drawn).toContain(slice)
  })
})

let ids = 0
const entry = (sender_id: number, content: unknown) => {
  ids += 1
  return { id: ids, message_id: 1, sender_id, msg_type: 'widget', content: JSON.stringify(content) }
}

describe('a poll', () => {
  const begun = entry(7, {
    widget_type: 'poll',
    extra_data: { question: 'Lunch?', options: ['soup', 'bread', 'soup'] },
  })
  const vote = (sender: number, key: string, number = 1) => entry(sender, { type: 'vote', key, vote: number })

  it('has an option once that an older message lists twice, with the votes for both', () => {
    const poll = readPoll([begun, vote(4, 'canned,0'), vote(7, 'canned,2'), vote(7, 'canned,0')])
    expect(poll?.options).toEqual([
      { key: 'canned,0', text: 'soup', voters: [4, 7] },
      { key: 'canned,1', text: 'bread', voters: [] },
    ])
  })

  it('leaves out the votes of those who are muted, and keeps the options', () => {
    const added = entry(4, { type: 'new_option', idx: 1, option: 'salad' })
    const poll = readPoll([begun, added, vote(4, 'canned,0'), vote(7, '4,1')], (id) => id === 4)
    expect(poll?.options.map(({ text, voters }) => [text, voters])).toEqual([
      ['soup', []],
      ['bread', []],
      ['salad', [7]],
    ])
  })
})

it('a to-do list has a task once that an older message lists twice', () => {
  const tasks = [
    { task: 'dishes', desc: 'all' },
    { task: 'floor', desc: '' },
    { task: 'dishes', desc: 'again' },
  ]
  const begun = entry(7, { widget_type: 'todo', extra_data: { task_list_title: 'Chores', tasks } })
  const strike = entry(4, { type: 'strike', key: '2,canned' })
  expect(readTodo([begun, strike])?.tasks).toEqual([
    { key: '0,canned', text: 'dishes', description: 'all', isDone: true },
    { key: '1,canned', text: 'floor', description: '', isDone: false },
  ])
})
