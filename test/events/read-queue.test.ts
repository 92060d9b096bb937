import { describe, expect, it } from 'vitest'
import type { Audience } from '../../src/core/audience.ts'
import type { LogEvent } from '../../src/core/realm-transaction.ts'
import type { EventType, WireEvent } from '../../src/events/event-type.ts'
import type { LoggedEvent } from '../../src/events/log.ts'
import type { EventQueue, QueueOptions } from '../../src/events/queue.ts'
import {
  channelsSeen,
  type DeliveryFacts,
  isInAudience,
  representationsForQueue,
} from '../../src/events/read-queue.ts'
import { EventRepresentations } from '../../src/events/representations.ts'
import { fromJson } from '../support/json.ts'

const ME = 7
const facts: DeliveryFacts = {
  emptyTopicDisplayName: 'general chat',
  subscribedAt: (channelId: number, userId: number, eventId: number) =>
    channelId === 3 && userId === ME && eventId > 10 && eventId <= 20,
  channelsAt: (channelIds: readonly number[], userId: number, eventId: number) =>
    channelIds.filter((id) => facts.subscribedAt(id, userId, eventId)),
  roleAt: (_userId: number, eventId: number) => (eventId <= 15 ? 600 : 400),
}

describe('an audience holds', () => {
  it.each<[string, Audience, number, boolean]>([
    ['nobody, when it says nothing', {}, 12, false],
    ['who is named', { users: [ME, 8] }, 1, true],
    ['not who is not named', { users: [8] }, 1, false],
    ['who was subscribed', { channel: 3 }, 20, true],
    ['not who was not subscribed yet', { channel: 3 }, 10, false],
    ['not who was not subscribed any more', { channel: 3 }, 21, false],
    ['who had the role', { roles: [600] }, 15, true],
    ['not who had it no longer', { roles: [600] }, 16, false],
    ['the union of its parts', { users: [8], channel: 3, roles: [100] }, 12, true],
    ['not who is taken off', { users: [ME], channel: 3, roles: [600], except: [ME] }, 12, false],
  ])('%s', (_what, audience, eventId, holds) => {
    expect(isInAudience(audience, ME, eventId, facts)).toBe(holds)
  })
})

describe('of an event about many channels a user sees', () => {
  it.each<[string, Audience, number, readonly number[] | undefined]>([
    ['all, when it is not in parts', { users: [ME] }, 12, undefined],
    ['those of parts with their role', { parts: [{ roles: [600], channels: [1, 2] }] }, 15, [1, 2]],
    ['none of a role that they no longer had', { parts: [{ roles: [600], channels: [1, 2] }] }, 16, []],
    [
      'those of every part that names them',
      {
        parts: [
          { users: [ME], channels: [5] },
          { users: [8], channels: [6] },
          { users: [ME], channels: [1] },
        ],
      },
      12,
      [5, 1],
    ],
    ['those to which they were subscribed', { parts: [{ roles: [100], channels: [2, 3, 4] }] }, 20, [3]],
    ['none when they are taken off', { parts: [{ users: [ME], channels: [3] }], except: [ME] }, 12, []],
  ])('%s', (_what, audience, eventId, seen) => {
    expect(channelsSeen(audience, ME, eventId, facts)).toEqual(seen)
  })

  it('is in no audience where all or nothing is asked', () => {
    expect(isInAudience({ parts: [{ users: [ME], channels: [3] }] }, ME, 12, facts)).toBe(false)
  })
})

function queue(options: Partial<QueueOptions> = {}, startEvent = 0): EventQueue {
  return {
    id: 'q',
    userId: ME,
    startEvent,
    ackedEvent: startEvent,
    seenAt: 0,
    lifespan: 600,
    options: {
      eventTypes: null,
      narrow: [],
      allPublicStreams: false,
      applyMarkdown: false,
      clientGravatar: false,
      slimPresence: false,
      includeSubscribers: false,
      capabilities: [],
      userAgent: '',
      ...options,
    },
  }
}

const logged = (id: number, type: string, audience: Audience = { users: [ME] }): LoggedEvent => ({
  id,
  event: { type },
  audience,
  size: 0,
})

/** An event that old clients get in three parts, and that some clients do not get at all. */
const split: EventType = {
  type: 'split',
  schema: {} as EventType['schema'],
  deliver: ({ op }) => (op === 'hidden' ? [] : [1, 2, 3].map((part) => ({ type: 'split', part }))),
}
const types = new Map([[split.type, split]])
const read = (entries: LoggedEvent[], of: EventQueue, after = -1) =>
  entries
    .flatMap((entry) => representationsForQueue(entry, of, after, facts, types, new EventRepresentations()))
    .map(({ id, text }) => {
      const event = fromJson<WireEvent & { id: number }>(text)
      expect(event.id).toBe(id)
      return event
    })

describe('a queue gives', () => {
  it('what its user may see, with the log’s ids', () => {
    const entries = [logged(1, 'a'), logged(2, 'a', { users: [8] }), logged(5, 'b')]
    expect(read(entries, queue())).toEqual([
      { type: 'a', id: 1 },
      { type: 'b', id: 5 },
    ])
  })

  it('nothing from before its registration, nor what is acknowledged', () => {
    const entries = [logged(1, 'a'), logged(2, 'a'), logged(3, 'a')]
    expect(read(entries, queue({}, 1)).map(({ id }) => id)).toEqual([2, 3])
    expect(read(entries, queue(), 2).map(({ id }) => id)).toEqual([3])
  })

  it('the types that were asked for', () => {
    const entries = [logged(1, 'a'), logged(2, 'b'), logged(3, 'c')]
    expect(read(entries, queue({ eventTypes: ['a', 'c'] })).map(({ type }) => type)).toEqual(['a', 'c'])
    expect(read(entries, queue({ eventTypes: [] }))).toEqual([])
  })

  it('muted_topics unless user_topic was asked for by name', () => {
    const entries = [logged(1, 'muted_topics'), logged(2, 'user_topic')]
    expect(read(entries, queue())).toHaveLength(2)
    expect(read(entries, queue({ eventTypes: ['muted_topics', 'user_topic'] }))).toEqual([
      { type: 'user_topic', id: 2 },
    ])
    expect(read(entries, queue({ eventTypes: ['muted_topics'] }))).toHaveLength(1)
  })

  it('the parts of one event with the ids reserved for it, across two reads', () => {
    expect(read([logged(8, 'split')], queue())).toEqual([
      { type: 'split', part: 1, id: 6 },
      { type: 'split', part: 2, id: 7 },
      { type: 'split', part: 3, id: 8 },
    ])
    expect(read([logged(8, 'split')], queue(), 6).map(({ id }) => id)).toEqual([7, 8])
  })

  it('nothing of an event that has no form for it', () => {
    const hidden = { ...logged(8, 'split'), event: { type: 'split', op: 'hidden' } }
    expect(read([hidden], queue())).toEqual([])
  })
})

describe('the form of an event is computed once', () => {
  /**
   * Returns an event type that counts how often its form is computed. The form depends on whether the receiver is named.
   */
  function counted() {
    const made: unknown[] = []
    const type: EventType = {
      type: 'counted',
      schema: {} as EventType['schema'],
      personal: (stored, { userId }) => ({
        isNamed: (stored as LogEvent & { named: number[] }).named.includes(userId),
      }),
      deliver(_stored, { options, personal }) {
        made.push(personal)
        return [{ type: 'counted', html: options.applyMarkdown, personal }]
      },
    }
    const forms = new EventRepresentations()
    const everybody = { users: [ME, 8, 9] }
    const entry = { ...logged(4, 'counted', everybody), event: { type: 'counted', named: [8] } }
    const give = (userId: number, options: Partial<QueueOptions> = {}) =>
      representationsForQueue(
        entry,
        { ...queue(options), userId },
        -1,
        facts,
        new Map([['counted', type]]),
        forms,
      )
    return { made, give }
  }

  it('for all queues with the same options, whatever other options they have', () => {
    const { made, give } = counted()
    const [form] = give(ME, { capabilities: ['empty_topic_name', 'archived_channels'] })
    const alike = { capabilities: ['archived_channels', 'empty_topic_name'], narrow: [['is', 'dm']] } as const
    expect(give(9, alike)[0]).toBe(form)
    expect(made).toHaveLength(1)
  })

  it('and again for queues with other options, or with data of their own', () => {
    const { made, give } = counted()
    const texts = [give(ME), give(ME, { applyMarkdown: true }), give(8)].map(([form]) => fromJson(form!.text))
    expect(texts).toEqual([
      { type: 'counted', html: false, personal: { isNamed: false }, id: 4 },
      { type: 'counted', html: true, personal: { isNamed: false }, id: 4 },
      { type: 'counted', html: false, personal: { isNamed: true }, id: 4 },
    ])
    expect(made).toHaveLength(3)
  })
})

describe('messages of a public channel', () => {
  const message = (id: number) => ({
    ...logged(id, 'message', { channel: 9, publicChannel: true }),
    event: { type: 'message', message: { display_recipient: 'Verona' } },
  })

  it('are given to queues for all public channels, or narrowed to one', () => {
    expect(read([message(20)], queue())).toEqual([])
    expect(read([message(20)], queue({ allPublicStreams: true }))).toHaveLength(1)
    expect(read([message(20)], queue({ narrow: [['channel', 'verona']] }))).toHaveLength(1)
    expect(read([message(20)], queue({ narrow: [['stream', 'venice']] }))).toEqual([])
  })

  it('are not given to a guest who is not subscribed', () => {
    expect(read([message(12)], queue({ allPublicStreams: true }))).toEqual([])
  })
})
