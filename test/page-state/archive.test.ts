import { describe, expect, it } from 'vitest'
import {
  answerFrom,
  beginFetch,
  inBlocks,
  mergeBlock,
  openWindow,
  settleAround,
  topicNarrow,
} from '../../web/state/index.ts'
import { buildMessage, buildState } from './build.ts'

const LUNCH = topicNarrow(1, 'lunch')

describe('the archive of a browser', () => {
  const kept = Array.from({ length: 10 }, (_, at) =>
    buildMessage(at + 1, {
      subject: at % 2 === 0 ? 'lunch' : 'roof',
      content: `<p>Number <em>${at + 1}</em> &amp; more</p>`,
      flags: at < 6 ? ['read'] : [],
      timestamp: 1_000_000 + at,
    }),
  )
  const page = (params: object, narrow = LUNCH) => {
    const { messages, found_oldest, found_newest } = answerFrom(buildState(), kept, narrow, params)
    return [messages.map(({ id }) => id), found_oldest, found_newest]
  }

  it('answers for a list as the server does', () => {
    expect(page({ anchor: 'newest', num_before: 2, num_after: 2 })).toEqual([[5, 7, 9], false, true])
    expect(page({ anchor: 'oldest', num_before: 2, num_after: 1 })).toEqual([[1, 3], true, false])
    expect(page({ anchor: 5, num_before: 1, num_after: 1 })).toEqual([[3, 5, 7], false, false])
    expect(page({ anchor: 5, num_before: 9, num_after: 0, include_anchor: false })).toEqual([
      [1, 3],
      true,
      false,
    ])
    expect(page({ anchor: 'first_unread', num_before: 0, num_after: 0 })).toEqual([[7], false, false])
    const date = new Date(1_000_004_000).toISOString()
    expect(page({ anchor: 'date', anchor_date: date, num_before: 0, num_after: 1 })).toEqual([
      [5, 7],
      false,
      false,
    ])
  })

  it('is searched by words of text and topic, not by its marks', () => {
    const found = (operand: string) =>
      page({ anchor: 'newest', num_before: 9, num_after: 0 }, [{ operator: 'search', operand }])[0]
    expect(found('number 4')).toEqual([4])
    expect(found('ROOF 8')).toEqual([8])
    expect(found('& 10')).toEqual([10])
    expect(found('em')).toEqual([])
  })

  it('shows nothing of a channel that the user has lost', () => {
    const state = buildState()
    state.channels.delete(1)
    expect(answerFrom(state, kept, [], { anchor: 'newest', num_before: 9 }).messages).toEqual([])
  })

  it('lets go of messages that a loaded list does not have', () => {
    const state = buildState()
    const window = openWindow(state, LUNCH)
    const messages = kept.filter(({ id }) => [1, 7].includes(id))
    settleAround(state, window, beginFetch(state), { messages, found_oldest: true, found_newest: false })
    const left = mergeBlock(state, kept, messages).map(({ id }) => id)
    expect(left).toEqual([1, 2, 4, 6, 7, 8, 9, 10])
  })

  it('keeps neighbouring messages together', () => {
    const ids = [...inBlocks([1, 2, 300].map((id) => buildMessage(id)))].map(([block, { length }]) => [
      block,
      length,
    ])
    expect(ids).toEqual([
      [0, 2],
      [1, 1],
    ])
  })
})
