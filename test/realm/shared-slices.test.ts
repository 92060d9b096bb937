import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SHARED_SLICE } from '../../src/core/budgets.ts'
import { SharedSlices } from '../../src/realm/calls/shared-slices.ts'
import type { ApiResponse, ParameterValue } from '../support/api.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { inRealm, insertUsers } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

describe('commands that wait at the same time', () => {
  /** Runs commands at once, each of which takes some rows, and returns the numbers of those that ran in the same turn. */
  async function turnsOf(count: number, rowsOfEach: number, characters = 100): Promise<number[][]> {
    let rows = 0
    return turnsIn(new SharedSlices(() => rows), count, characters, () => {
      rows += rowsOfEach
    })
  }

  async function turnsIn(
    shared: SharedSlices,
    count: number,
    characters = 100,
    read = () => {},
  ): Promise<number[][]> {
    const turns: number[][] = []
    let open: number[] | undefined
    const command = (number: number) => async () => {
      if (!open) {
        open = []
        turns.push(open)
        queueMicrotask(() => {
          open = undefined
        })
      }
      open.push(number)
      read()
      return number
    }
    const numbers = Array.from({ length: count }, (_, number) => number)
    expect(await Promise.all(numbers.map((number) => shared.take(characters, command(number))))).toEqual(
      numbers,
    )
    return turns
  }

  it('share turns in their order; the first does not wait', async () => {
    const { commands } = SHARED_SLICE
    const turns = await turnsOf(commands + 3, 1)
    expect(turns.flat()).toEqual(Array.from({ length: commands + 3 }, (_, number) => number))
    expect(turns.map(({ length }) => length)).toEqual([1, commands, 2])
  })

  it('all wait for each other once a turn was shared', async () => {
    const shared = new SharedSlices(() => 0)
    expect((await turnsIn(shared, 3)).map(({ length }) => length)).toEqual([1, 2])
    expect((await turnsIn(shared, 3)).map(({ length }) => length)).toEqual([3])
    expect((await turnsIn(shared, 1)).map(({ length }) => length)).toEqual([1])
    expect((await turnsIn(shared, 3)).map(({ length }) => length)).toEqual([1, 2])
  })

  it('do not all wait if receiving the others took long', async () => {
    const shared = new SharedSlices(() => 0)
    let now = 0
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      now += SHARED_SLICE.gathering.milliseconds + 1
      return now
    })
    for (const _ of [1, 2]) {
      expect((await turnsIn(shared, 3)).map(({ length }) => length)).toEqual([1, 2])
    }
    clock.mockRestore()
  })

  it('share a turn only until enough rows were read and written', async () => {
    const turns = await turnsOf(6, Math.ceil(SHARED_SLICE.rows / 2))
    expect(turns.map(({ length }) => length)).toEqual([1, 2, 2, 1])
  })

  it('share a turn only up to a number of characters', async () => {
    const { characters } = SHARED_SLICE
    expect((await turnsOf(6, 1, characters / 2)).map(({ length }) => length)).toEqual([1, 2, 2, 1])
    expect((await turnsOf(3, 1, characters * 2)).map(({ length }) => length)).toEqual([1, 1, 1])
  })

  it('wait up to a number of characters, beyond which one has its own turn', async () => {
    const { characters, waiting } = SHARED_SLICE
    const count = 1 + waiting / characters
    const ranSecond = async (commands: number) => (await turnsOf(commands, 1, characters)).flat()[1]
    expect(await ranSecond(count)).toBe(1)
    expect(await ranSecond(count + 1)).toBe(count)
  })

  it('are answered each with its own error', async () => {
    const shared = new SharedSlices(() => 0)
    const commands = [1, 2, 3].map((number) =>
      shared.take(0, async () => {
        if (number === 2) throw new Error('the second')
        return number
      }),
    )
    expect(await Promise.allSettled(commands)).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new Error('the second') },
      { status: 'fulfilled', value: 3 },
    ])
  })
})

describe('a client that says that its user is there', () => {
  neverEvict()
  const { realm, ann } = useRealm({ ann: 'member' })

  it.each<[string, Record<string, ParameterValue>]>([
    ['and asks for nothing, shares turns', { ping_only: true }],
    ['and has what there was, shares turns', { last_update_id: 7 }],
    ['and asks for everybody, shares turns', {}],
  ])('%s', async (_, params) => {
    const takes = await inRealm(realm, ({ parts: { turns } }) => vi.spyOn(turns, 'take'))
    const before = takes.mock.calls.length
    expectSuccess(await ann.api.post('/users/me/presence', { status: 'active', ...params }))
    expect(takes.mock.calls.length - before).toBe(1)
    takes.mockRestore()
  })
})

describe('messages sent at the same time', () => {
  // What waits at the same time is in memory. And local workerd keeps an object in memory that has thrown while it served other requests.
  neverEvict()
  const SENDS = 12
  const { realm } = useRealm()
  let sender: TestUser
  let reader: TestUser
  useReliableD1()
  beforeEach(async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    ;[sender, reader] = (await insertUsers(realm, 2)) as [TestUser, TestUser]
  })

  const contents = Array.from({ length: SENDS }, (_, number) => `number ${number}`)

  /** Sends all at once. `to` may differ for one of them. */
  function sendAll(toOf: (content: string) => number, keyed = false): Promise<ApiResponse[]> {
    return Promise.all(
      contents.map((content) => {
        const headers: Record<string, string> = keyed ? { 'Idempotency-Key': `${sender.id} ${content}` } : {}
        return sender.api.request(
          'POST',
          '/messages',
          { type: 'direct', to: [toOf(content)], content },
          { headers },
        )
      }),
    )
  }

  const sent = async (queue: Awaited<ReturnType<typeof openQueue>>) =>
    (await queue.eventsOf('message')).map(({ message }) => ({ id: message.id, content: message.content }))

  it('are delivered in the order of their ids, but for one that is refused', async () => {
    const queue = await openQueue(reader, { event_types: ['message'], fetch_event_types: [] })
    const answers = await sendAll((content) => (content === 'number 5' ? 999_999 : reader.id))
    expect(answers.map(({ status }) => status)).toEqual(contents.map((_, at) => (at === 5 ? 400 : 200)))
    const expected = answers
      .map(({ body }, at) => ({ id: body.id as number, content: `<p>${contents[at]}</p>` }))
      .filter(({ id }) => id !== undefined)
      .toSorted((a, b) => a.id - b.id)
    expect(await sent(queue)).toEqual(expected)
  })

  it('are all stored but the one at which a bug throws', async () => {
    const queue = await openQueue(reader, { event_types: ['message'], fetch_event_types: [] })
    world.bugAt = 'decided'
    const answers = await sendAll(() => reader.id)
    const stored = contents.filter((_, at) => answers[at]!.status === 200)
    expect(stored).toHaveLength(SENDS - 1)
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(1)
    expect((await sent(queue)).map(({ content }) => content).toSorted()).toEqual(
      stored.map((content) => `<p>${content}</p>`).toSorted(),
    )
  })

  it.each(['decided', 'committed'] as const)(
    'exist exactly once when the object crashes at "%s" and clients repeat them',
    async (point) => {
      const queue = await openQueue(reader, { event_types: ['message'], fetch_event_types: [] })
      world.crashAt = point
      await sendAll(() => reader.id, true)
      expect(world.crashAt, 'the crash has happened').toBeUndefined()
      const again = await sendAll(() => reader.id, true)
      expect(again.map(({ status }) => status)).toEqual(contents.map(() => 200))
      const ids = again.map(({ body }) => body.id as number)
      expect((await sent(queue)).map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b))
      expect(new Set(ids).size).toBe(SENDS)
    },
  )
})
