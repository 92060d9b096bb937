import { describe, expect, it, vi } from 'vitest'
import {
  applyEvents,
  completeSearch,
  isUnfinished,
  type Narrow,
  narrowKey,
  parseSearch,
  printSearch,
  unknownTerms,
} from '../../web/state/index.ts'
import { buildMessage, ME, messageEvent, NOW } from './build.ts'
import { buildTeam } from './team.ts'

describe('a search as it is typed', () => {
  const TYPED: readonly [text: string, narrow: Narrow][] = [
    ['soup', [{ operator: 'search', operand: 'soup' }]],
    [
      'channel:design topic:"lunch break" soup  today',
      [
        { operator: 'channel', operand: 1 },
        { operator: 'topic', operand: 'lunch break' },
        { operator: 'search', operand: 'soup today' },
      ],
    ],
    [
      '-is:resolved has:links "exact words" sender:"José García"',
      [
        { operator: 'is', operand: 'resolved', negated: true },
        { operator: 'has', operand: 'link' },
        { operator: 'sender', operand: 4 },
        { operator: 'search', operand: '"exact words"' },
      ],
    ],
    ['from:me', [{ operator: 'sender', operand: ME }]],
    ['from:@jos', [{ operator: 'sender', operand: 4 }]],
    ['in:design', [{ operator: 'channel', operand: 1 }]],
    ['in:#design', [{ operator: 'channel', operand: 1 }]],
    ['in:jos', [{ operator: 'dm', operand: [4] }]],
    ['in:@jos', [{ operator: 'dm', operand: [4] }]],
    ['in:home', [{ operator: 'in', operand: 'home' }]],
    [
      'to:me soup',
      [
        { operator: 'is', operand: 'dm' },
        { operator: 'sender', operand: ME, negated: true },
        { operator: 'search', operand: 'soup' },
      ],
    ],
    [
      'to:@jos',
      [
        { operator: 'dm-including', operand: 4 },
        { operator: 'sender', operand: ME },
      ],
    ],
    ['@jos', [{ operator: 'mentions', operand: 4 }]],
    ['@me', [{ operator: 'is', operand: 'mentioned' }]],
    ['-#design', [{ operator: 'channel', operand: 1, negated: true }]],
    ['has:file', [{ operator: 'has', operand: 'attachment' }]],
    ['has:pictures', [{ operator: 'has', operand: 'image' }]],
    ['is:saved', [{ operator: 'is', operand: 'starred' }]],
    ['is:read', [{ operator: 'is', operand: 'unread', negated: true }]],
    ['-is:read', [{ operator: 'is', operand: 'unread' }]],
    ['#12 @nobody in:nowhere', [{ operator: 'search', operand: '#12 @nobody in:nowhere' }]],
    ['dm:"José García,Hanna Ode"', [{ operator: 'dm', operand: [2, 4] }]],
    ['sender:"Anna Smith|5"', [{ operator: 'sender', operand: 5 }]],
    [
      'channel:nowhere is:what http://x.org 10:30',
      [{ operator: 'search', operand: 'channel:nowhere is:what http://x.org 10:30' }],
    ],
  ]

  it.each(TYPED)('%s', (text, narrow) => {
    const state = buildTeam()
    expect(parseSearch(state, text)).toEqual({ narrow, range: {} })
    // The search as the page prints it has the same meaning.
    expect(narrowKey(parseSearch(state, printSearch(state, narrow)).narrow)).toBe(narrowKey(narrow))
  })

  it.each([
    ['after:2026-11-01', { after: '2026-11-01' }],
    ['after:2026/11/1', { after: '2026-11-01' }],
    ['before:2026', { before: '2026-01-01' }],
    ['on:2026-02-28', { after: '2026-02-28', before: '2026-03-01' }],
    ['during:2026-12', { after: '2026-12-01', before: '2027-01-01' }],
    ['on:yesterday', { after: '2026-11-30', before: '2026-12-01' }],
    ['during:week', { after: '2026-11-25', before: '2026-12-02' }],
    ['after:2026-02-30', {}],
    ['before:soon', {}],
  ])('%s is about its days', (text, range) => {
    vi.useFakeTimers({ now: new Date(2026, 11, 1, 12) })
    expect(parseSearch(buildTeam(), text).range).toEqual(range)
    vi.useRealTimers()
  })

  it('names the terms that stand for nothing', () => {
    expect(unknownTerms('soup in:nowhere from:@x 10:30 http://x.org')).toEqual(['in:nowhere', 'from:@x'])
  })

  it('tells people with the same name apart by their ids', () => {
    const state = buildTeam()
    expect(printSearch(state, [{ operator: 'sender', operand: 5 }])).toBe('sender:"Anna Smith|5"')
    expect(printSearch(state, [{ operator: 'sender', operand: 4 }])).toBe('sender:"José García"')
  })

  it('is incomplete while its last term names nothing that exists', () => {
    const state = buildTeam()
    for (const text of ['sender:jos', 'soup -sender:', 'is:st', 'channel:redes'])
      expect([text, isUnfinished(state, text)]).toEqual([text, true])
    for (const text of [
      '',
      'soup',
      'sender:"José García"',
      'is:starred',
      'topic:lun',
      'nobody:jos',
      'is:st soup',
    ])
      expect([text, isUnfinished(state, text)]).toEqual([text, false])
  })

  it('knows a person or channel by an unambiguous beginning of the name', () => {
    const state = buildTeam()
    expect(parseSearch(state, 'from:jos soup').narrow).toEqual([
      { operator: 'sender', operand: 4 },
      { operator: 'search', operand: 'soup' },
    ])
    expect(parseSearch(state, '-channel:redes soup').narrow).toEqual([
      { operator: 'channel', operand: 4, negated: true },
      { operator: 'search', operand: 'soup' },
    ])
    for (const text of ['from:ann soup', 'channel:desig soup', 'from: soup', 'nobody:jos soup'])
      expect([text, parseSearch(state, text).narrow]).toEqual([text, [{ operator: 'search', operand: text }]])
  })

  it('is completed at its last term', () => {
    const state = buildTeam()
    expect(completeSearch(state, 'soup is:st')).toEqual(['soup is:starred'])
    expect(completeSearch(state, '-is:res')).toEqual(['-is:resolved'])
    expect(completeSearch(state, 'channel:redes')).toEqual(['channel:redesign'])
    expect(completeSearch(state, 'soup sender:jos')).toEqual(['soup sender:"José García"'])
    expect(completeSearch(state, 'dm:"José García,hanna')).toEqual(['dm:"José García,Hanna Ode"'])
    expect(completeSearch(state, 'in:redes')).toEqual(['in:redesign'])
    expect(completeSearch(state, 'from:@jos')).toEqual(['from:"José García"'])
    expect(completeSearch(state, 'soup @jos')).toEqual([
      'soup mentions:"José García"',
      'soup sender:"José García"',
    ])
    expect(completeSearch(state, '#redes')).toEqual(['channel:redesign'])
    expect(completeSearch(state, 'he')).toEqual([])
    expect(completeSearch(state, 'sende')).toEqual(['sender:'])
    applyEvents(state, [messageEvent(buildMessage(10, { subject: 'lunch break' }))], NOW)
    expect(completeSearch(state, 'channel:design topic:lun')).toEqual(['channel:design topic:"lunch break"'])
    expect(completeSearch(state, 'soup topic:lun')).toEqual(['soup topic:"lunch break"'])
    expect(completeSearch(state, '')).toEqual([])
  })

  it('offers topics in which a word begins so before those with the letters', () => {
    const state = buildTeam()
    const topics = ['a leaky roof', 'roof', 'proofs to give away', 'waterproof']
    const messages = topics.map((subject, at) => messageEvent(buildMessage(10 + at, { subject })))
    applyEvents(state, messages, NOW)
    expect(completeSearch(state, 'roof')).toEqual([
      'channel:design topic:roof',
      'channel:design topic:"a leaky roof"',
      'channel:design topic:waterproof',
    ])
  })
})
