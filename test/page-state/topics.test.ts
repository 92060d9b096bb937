import { describe, expect, it } from 'vitest'
import { learnTopics, topicJoined } from '../../web/state/topics.ts'
import { buildState } from './build.ts'

describe('a topic that gets another name', () => {
  const joined = (from: string, to: string) => {
    const state = buildState()
    learnTopics(state, 1, [
      { name: 'Lunch', max_id: 10 },
      { name: 'dinner', max_id: 11 },
    ])
    return topicJoined(state, 1, { from, to })
  }

  it('becomes one with a topic that has the name already, in whatever case', () => {
    expect(joined('dinner', 'lunch')).toBe('Lunch')
    expect(joined('dinner', 'breakfast')).toBeUndefined()
  })

  it('does not become one with itself', () => {
    expect(joined('Lunch', 'lunch')).toBeUndefined()
  })
})
