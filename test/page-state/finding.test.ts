import { describe, expect, it } from 'vitest'
import { ACTIVITIES, activityNarrow, activityOf } from '../../web/state/activity.ts'
import { applyEvents } from '../../web/state/index.ts'
import { cardsOf, wordsForTopics } from '../../web/state/search-cards.ts'
import { windowOf } from '../../web/state/windows.ts'
import { buildEvent, buildMessage, buildState, ME, messageEvent, NOW } from './build.ts'

const HIT = '<span class="highlight">roof</span>'

describe('the cards of a search', () => {
  function buildFound() {
    const state = buildState({})
    const add = (id: number, subject: string, inSubject: boolean, inText: boolean) =>
      state.messages.set(id, {
        ...buildMessage(id, { subject }),
        match_subject: inSubject ? HIT : subject,
        match_content: inText ? HIT : 'nothing',
      })
    add(19, 'waterproofs', true, false)
    add(18, 'lunch', false, true)
    add(17, 'roof leak', true, false)
    add(16, 'roof leak', true, true)
    add(15, 'roof leak', true, false)
    add(14, 'old roof', true, false)
    return state
  }
  const shown = (isFirst: (id: number) => boolean, words: string | undefined) =>
    cardsOf(buildFound(), [19, 18, 17, 16, 15, 14], words, isFirst).map((card) =>
      card.kind === 'topic' ? `${card.topic} ${card.count}` : card.id,
    )

  it('have topics with the word first, and those with the letters last', () => {
    expect(shown(() => true, 'roof')).toEqual(['roof leak 2', 'old roof 1', 18, 16, 'waterproofs 1'])
  })

  it('keep what came later below what was there', () => {
    expect(shown((id) => id > 17, 'roof')).toEqual([18, 'waterproofs 1', 'roof leak 2', 16, 'old roof 1'])
  })

  it('are messages alone where a person or a kind is asked for', () => {
    expect(shown(() => true, undefined)).toEqual([19, 18, 17, 16, 15, 14])
    expect(wordsForTopics([{ operator: 'search', operand: 'the "roof leak"' }])).toBe('the  roof leak')
    const narrow = [{ operator: 'search', operand: 'roof' }] as const
    expect(wordsForTopics([...narrow, { operator: 'channel', operand: 1 }])).toBe('roof')
    expect(wordsForTopics([...narrow, { operator: 'sender', operand: 4 }])).toBeUndefined()
    expect(wordsForTopics([...narrow, { operator: 'channel', operand: 1, negated: true }])).toBeUndefined()
  })
})

describe('activity', () => {
  it('goes back as far as all kinds are known, and has each followed topic once', () => {
    const state = buildState({})
    const messages = [
      buildMessage(10, { sender_id: 4, subject: 'a', flags: ['mentioned'] }),
      buildMessage(11, { sender_id: 4, subject: 'b' }),
      buildMessage(12, { sender_id: 4, subject: 'b' }),
      buildMessage(13, { sender_id: 4, subject: 'a', flags: ['mentioned'] }),
    ]
    applyEvents(
      state,
      messages.map((message) => messageEvent(message)),
      NOW,
    )
    const [mentions, , , followed] = ACTIVITIES.map((kind) => windowOf(state, activityNarrow(state, kind)))
    Object.assign(mentions!, { ids: [10, 13], atOldest: true })
    Object.assign(followed!, { ids: [11, 12, 13], atOldest: false })
    const kinds = [['mentions', mentions!] as const, ['followed', followed!] as const]
    const shown = () => activityOf(state, kinds).map(({ kind, message }) => `${kind} ${message.id}`)
    expect(shown()).toEqual(['mentions 13', 'followed 12'])
    followed!.atOldest = true
    expect(shown()).toEqual(['mentions 13', 'followed 12', 'mentions 10'])
  })

  it('has a reaction of others to an own message as soon as it comes', () => {
    const state = buildState({})
    applyEvents(state, [messageEvent(buildMessage(10, { sender_id: ME }))], NOW)
    const window = windowOf(state, activityNarrow(state, 'reactions'))
    Object.assign(window, { ids: [], atOldest: true, atNewest: true, isLoaded: true })
    const react = (user_id: number) =>
      applyEvents(
        state,
        [
          buildEvent('reaction', {
            op: 'add',
            message_id: 10,
            user_id,
            emoji_name: 'tada',
            emoji_code: '1f389',
            reaction_type: 'unicode_emoji',
          }),
        ],
        NOW,
      )
    const count = () => activityOf(state, [['reactions', window]]).length
    react(ME)
    expect([window.ids, count()]).toEqual([[10], 0])
    react(4)
    expect(count()).toBe(1)
  })
})
