import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { MOVED_IN_ONE_EVENT } from '../../support/limits.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue, type TestEvent } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const SPELLINGS = ['one', 'One', 'ONE', 'two', 'Two', '✔ one', '✔ Two']
/** Topic of the notices about new channels. */
const CHANNEL_EVENTS = 'channel events'
const MODES = ['change_one', 'change_later', 'change_all'] as const

type Step =
  | { readonly kind: 'send'; readonly topic: string }
  | {
      readonly kind: 'move'
      readonly which: number
      readonly topic: string
      readonly mode: (typeof MODES)[number]
    }
  | { readonly kind: 'delete'; readonly which: number }

const topic = fc.constantFrom(...SPELLINGS)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), topic }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        which: fc.nat(),
        topic,
        mode: fc.constantFrom(...MODES, 'change_all' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }) },
  ),
  { minLength: 10, maxLength: 30 },
)

/** A message with the record that each move of it should leave. */
interface RecordedMessage {
  readonly id: number
  topic: string
  /** Newest first. */
  history: { prev_topic: string; topic: string }[]
  isMoved: boolean
}

/** The one spelling of topics after a change of their case alone, while a message is left that took part in it. By name in lower case. */
type Spellings = Map<string, { spelling: string; of: Set<RecordedMessage> }>

function spelled(spellings: Spellings, topic: string): string {
  const found = spellings.get(topic.toLowerCase())
  return found && found.of.size > 0 ? found.spelling : topic
}

function isToggle(before: string, after: string): boolean {
  return before.startsWith('✔ ') ? after === before.replace(/^[✔ ]+/, '') : after === `✔ ${before}`
}

/** Does the step in the server and in the model. */
async function take(
  owner: TestUser,
  channel: string,
  recorded: RecordedMessage[],
  spellings: Spellings,
  step: Step,
): Promise<void> {
  if (step.kind === 'send') {
    recorded.push({
      id: await sendTo(owner, channel, step.topic),
      topic: spelled(spellings, step.topic),
      history: [],
      isMoved: false,
    })
    return
  }
  const named = recorded[step.which % recorded.length]
  if (!named) return
  if (step.kind === 'delete') {
    expectSuccess(await owner.api.delete(`/messages/${named.id}`))
    recorded.splice(recorded.indexOf(named), 1)
    for (const { of } of spellings.values()) of.delete(named)
    return
  }
  if (named.topic === step.topic) return
  // The edit changes the content too, so that resolving a topic creates no notice, which this test would have to count.
  const quiet = { send_notification_to_new_thread: false, content: `${step.topic} ${recorded.length}` }
  const change = { topic: step.topic, propagate_mode: step.mode, ...quiet }
  expectSuccess(await owner.api.patch(`/messages/${named.id}`, change))
  const key = named.topic.toLowerCase()
  const toggles = isToggle(named.topic, step.topic)
  const respells = step.topic.toLowerCase() === key
  const topic = respells ? step.topic : spelled(spellings, step.topic)
  const there = recorded.filter((one) => one.topic.toLowerCase() === key)
  if (respells) spellings.set(key, { spelling: topic, of: new Set(there) })
  for (const message of there) {
    const goes =
      respells ||
      step.mode === 'change_all' ||
      (step.mode === 'change_later' ? message.id >= named.id : message === named)
    if (!goes) continue
    message.history.unshift({ prev_topic: message.topic, topic })
    message.topic = topic
    if (!respells) spellings.get(key)?.of.delete(message)
    if (!toggles) message.isMoved = true
  }
}

interface Shown {
  readonly id: number
  readonly subject: string
  readonly edit_history?: { readonly topic?: string; readonly prev_topic?: string }[]
  readonly last_moved_timestamp?: number
}

describe('topics that are moved', () => {
  const { realm, owner } = useRealmPerTest()

  it('keep each message’s history, moved as a whole or in parts', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { owner } = realm
        const { id, name } = await buildChannel([owner])
        const recorded: RecordedMessage[] = []
        const spellings: Spellings = new Map()
        for (const step of all) await take(owner, name, recorded, spellings, step)
        const { messages }: { messages: Shown[] } = expectSuccess(
          await owner.api.get('/messages', {
            anchor: 'oldest',
            num_before: 0,
            num_after: 1_000,
            narrow: [{ operator: 'channel', operand: id }],
          }),
        )
        const sent = messages.filter(({ subject }) => subject !== CHANNEL_EVENTS)
        const shown = sent.map((message) => ({
          id: message.id,
          topic: message.subject,
          history: (message.edit_history ?? [])
            .filter((entry) => entry.topic !== undefined)
            .map((entry) => ({ prev_topic: entry.prev_topic, topic: entry.topic })),
          isMoved: message.last_moved_timestamp !== undefined,
        }))
        expect(shown).toEqual(recorded)
        await expectFoundByTopic(owner, id, recorded)
      }),
      { numRuns: 5 },
    )
  })

  it.each([
    ['resolved', '✔ long'],
    ['renamed', 'other'],
  ])('cost the same rows however long they are, when they are %s', async (_what, newTopic) => {
    const written: number[] = []
    for (const count of [100, 5_000]) {
      const channel = await buildChannel([realm.owner])
      const first = await insertInIndex(realm, realm.owner, { channelId: channel.id, topic: 'long', count })
      const queue = await openQueue(realm.owner, { event_types: ['update_message'], fetch_event_types: [] })
      const change: Record<string, ParameterValue> = { topic: newTopic, propagate_mode: 'change_all' }
      const { object, d1 } = await countRows(realm.owner.api, 'PATCH', `/messages/${first}`, change)
      written.push(object.written + d1.written)
      const [event] = await queue.eventsOf('update_message')
      expect(event!.message_ids).toEqual(Array.from({ length: count }, (_, at) => first + at))
    }
    expect(written[1]).toBe(written[0])
    expect(written[0]).toBeLessThanOrEqual(15)
  })

  it('emit events of limited size, with the named message in the first', async () => {
    const channel = await buildChannel([owner])
    const count = 2 * MOVED_IN_ONE_EVENT + 10
    const first = await insertInIndex(realm, owner, { channelId: channel.id, topic: 'long', count })
    const queue = await openQueue(owner, { event_types: ['update_message'], fetch_event_types: [] })
    const named = first + MOVED_IN_ONE_EVENT + 1
    expectSuccess(
      await owner.api.patch(`/messages/${named}`, { topic: 'other', propagate_mode: 'change_all' }),
    )
    // One answer has half a megabyte of events.
    const events: TestEvent[] = []
    for (let next = await queue.eventsOf('update_message'); next.length > 0; ) {
      events.push(...next)
      next = await queue.eventsOf('update_message')
    }
    const idsOfEvents = events.map(({ message_ids }) => message_ids as number[])
    const ids = Array.from({ length: count }, (_, at) => first + at)
    expect(idsOfEvents.flat().toSorted((a, b) => a - b)).toEqual(ids)
    expect(idsOfEvents.map(({ length }) => length)).toEqual([MOVED_IN_ONE_EVENT, MOVED_IN_ONE_EVENT, 10])
    expect(events.map(({ message_id }) => message_id)).toEqual([named, first, first + 2 * MOVED_IN_ONE_EVENT])
    const facts = { stream_id: channel.id, orig_subject: 'long', subject: 'other', flags: [] }
    for (const event of events) expect(event).toMatchObject(facts)
  })

  it('reaches more messages than fit into one value of SQLite', async () => {
    const channel = await buildChannel([realm.owner])
    // Ids with commas: 2.4 MB.
    const count = 350_000
    const first = await insertInIndex(realm, realm.owner, { channelId: channel.id, topic: 'long', count })
    const queue = await openQueue(realm.owner, { event_types: ['update_message'] })
    const params = { topic: 'other', propagate_mode: 'change_all', send_notification_to_new_thread: false }
    expectSuccess(await realm.owner.api.patch(`/messages/${first}`, params))
    let named = 0
    // An answer has one event of this size.
    for (let answers = 0; answers < count / MOVED_IN_ONE_EVENT; answers += 1) {
      const events = await queue.eventsOf('update_message')
      named += events.reduce((sum, { message_ids }) => sum + (message_ids as unknown[]).length, 0)
    }
    expect(named).toBe(count)
  })
})

/** Checks that the narrow of a topic finds its messages in any case, and that the list of topics has each topic once. */
async function expectFoundByTopic(
  owner: TestUser,
  channelId: number,
  recorded: readonly RecordedMessage[],
): Promise<void> {
  const byTopic = Map.groupBy(recorded, (one) => one.topic.toLowerCase())
  for (const [key, expected] of byTopic) {
    const narrow = [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: key },
    ]
    const page = { anchor: 'oldest', num_before: 0, num_after: 1_000, narrow }
    const { messages } = expectSuccess(await owner.api.get('/messages', page))
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(expected.map(({ id }) => id))
  }
  const { topics } = expectSuccess(await owner.api.get(`/users/me/${channelId}/topics`))
  const newest = [...byTopic.values()].map((all) => ({ name: all.at(-1)!.topic, max_id: all.at(-1)!.id }))
  const listed = topics.filter(({ name }: { name: string }) => name !== CHANNEL_EVENTS)
  expect(listed).toEqual(newest.sort((a, b) => b.max_id - a.max_id))
}
