import { describe, expect, it } from 'vitest'
import type { StoredMessageEvent } from '../../src/events/message.ts'
import { matchesQueueNarrow, requireQueueNarrow } from '../../src/events/queue-narrow.ts'
import { refusal } from '../rules/refusal.ts'

type Message = StoredMessageEvent['message']
type Narrow = readonly (readonly [string, string])[]

const shared = {
  id: 1,
  sender_id: 5,
  sender_email: 'Ann@Example.com',
  sender_full_name: 'Ann',
  sender_realm_str: 'test',
  avatar_url: '',
  avatar_computable: false,
  client: 'test',
  timestamp: 1,
  recipient_id: 1,
  topic_links: [],
  content: '',
  rendered_content: '',
  is_me_message: false,
  submessages: [],
}
const inChannel: Message = {
  ...shared,
  type: 'stream',
  stream_id: 7,
  display_recipient: 'Verona',
  subject: 'Lunch',
}
const direct: Message = { ...shared, type: 'private', display_recipient: [], subject: '' }

function matches(narrow: Narrow, message: Message, flags: string[] = []): boolean {
  return matchesQueueNarrow(narrow, { message }, flags)
}

describe('a queue’s narrow passes a message', () => {
  it.each<[Narrow, boolean, boolean]>([
    [[], true, true],
    [[['channel', 'verona']], true, false],
    [[['stream', 'VERONA']], true, false],
    [[['channel', 'venice']], false, false],
    [[['topic', 'lunch']], true, false],
    [[['topic', 'dinner']], false, false],
    [[['sender', 'ann@example.com']], true, true],
    [[['sender', 'bob@example.com']], false, false],
    [[['is', 'dm']], false, true],
    [[['is', 'private']], false, true],
    [[['is', 'anything else']], true, true],
    [
      [
        ['channel', 'verona'],
        ['topic', 'lunch'],
      ],
      true,
      false,
    ],
    [
      [
        ['channel', 'verona'],
        ['topic', 'dinner'],
      ],
      false,
      false,
    ],
  ])('%j: in the channel %j, direct %j', (narrow, ofChannel, ofDirect) => {
    expect(matches(narrow, inChannel)).toBe(ofChannel)
    expect(matches(narrow, direct)).toBe(ofDirect)
  })

  it.each<[string, string[], boolean]>([
    ['starred', ['starred'], true],
    ['starred', [], false],
    ['unread', [], true],
    ['unread', ['read'], false],
    ['mentioned', ['mentioned'], true],
    ['mentioned', [], false],
    ['alerted', ['mentioned'], true],
    ['alerted', ['has_alert_word'], false],
  ])('is:%s with the flags %j: %j', (operand, flags, passes) => {
    expect(matches([['is', operand]], inChannel, flags)).toBe(passes)
  })

  it('is:resolved by the mark before the topic', () => {
    expect(matches([['is', 'resolved']], { ...inChannel, subject: '✔ Lunch' })).toBe(true)
    expect(matches([['is', 'resolved']], inChannel)).toBe(false)
  })
})

describe('a narrow that queues cannot filter by is refused', () => {
  it.each(['search', 'has', 'id', 'dm', 'near', ''])('%j', (operator) => {
    expect(refusal(() => requireQueueNarrow([[operator, 'x']]))).toBe(`Operator ${operator} not supported.`)
  })

  it('is:followed', () => {
    expect(refusal(() => requireQueueNarrow([['is', 'followed']]))).toBe('Operand followed not supported.')
  })
})
