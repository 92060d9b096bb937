import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineReader } from '../../src/core/reader.ts'
import { LongChange } from '../../src/engine/suspended.ts'
import { ToyStore } from './toy-store.ts'

const ADD = 'INSERT INTO member VALUES (?, ?)'
const PERSON = 'INSERT INTO person (name) VALUES (?)'
const PEOPLE = 7
/** People whom one commit takes. */
const IN_ONE_COMMIT = 3

/** The people, a row in each step, so that a meter of few rows is spent. */
const people = defineReader({
  name: 'people',
  key: () => '',
  *read({ sql }) {
    const found: number[] = []
    for (let after = 0; ; after = found.at(-1)!) {
      const page = sql.all<{ id: number }>('SELECT id FROM person WHERE id > ? ORDER BY id LIMIT 2', after)
      for (const { id } of page) found.push(id)
      if (page.length < 2) return found
      yield
    }
  },
})

const members = defineReader({
  name: 'members',
  key: String,
  *read({ sql }, groupId: number) {
    const rows = sql.all<{ user_id: number }>(
      'SELECT user_id FROM member WHERE group_id = ? ORDER BY user_id',
      groupId,
    )
    yield
    return rows.map(({ user_id }) => user_id)
  },
})

function storeOf(limits?: ConstructorParameters<typeof ToyStore>[0]): ToyStore {
  const store = new ToyStore(limits)
  for (let at = 0; at < PEOPLE; at += 1) store.write(PERSON, ['somebody'])
  return store
}

/** Lets everybody who is there at the first commit join a group, a few in each commit. Who is in it already stays. */
function* joinAll(store: ToyStore, groupId: number): Generator<(use: ToyUse) => unknown, number[], unknown> {
  const joined: number[] = []
  const all = (yield (use: ToyUse) => use(people, '')) as number[]
  for (let at = 0; at < all.length; at += IN_ONE_COMMIT) {
    const next = all.slice(at, at + IN_ONE_COMMIT)
    const done = (yield (use: ToyUse) => {
      // It reads before it writes.
      const present = new Set(use(members, groupId))
      use(people, '')
      const absent = next.filter((id) => !present.has(id))
      for (const id of absent) store.write(ADD, [groupId, id])
      return absent
    }) as number[]
    joined.push(...done)
  }
  return joined
}
type ToyUse = Parameters<Parameters<ToyStore['run']>[0]>[0]

const everybody = Array.from({ length: PEOPLE }, (_, at) => at + 1)
const membersIn = (store: ToyStore) => store.run((use) => use(members, 1))

describe('a change of several commits', () => {
  it('lets others in after each commit, and has its result at the end', async () => {
    const store = storeOf({ rowsOfTurn: 1_000, bytes: 100_000 })
    const seen: number[] = []
    const look = async () => void seen.push((await membersIn(store)).length)
    expect(await store.runLong(joinAll(store, 1), look)).toEqual(everybody)
    expect(seen).toEqual([0, 3, 6])
  })

  it('runs only the suspended commit again, and keeps those before it', async () => {
    const store = storeOf({ rowsOfTurn: 3, bytes: 100_000 })
    let [writes, most] = [0, 0]
    const others = async () => {
      most = Math.max(most, (await membersIn(store)).length)
      // What a commit has read is out of date, and it reads in more turns than one.
      if (writes < 6) store.write(PERSON, ['somebody else'])
      writes += 1
    }
    const joined = await store.runLong(joinAll(store, 1), others)
    expect(joined.slice(0, PEOPLE)).toEqual(everybody)
    expect(await membersIn(store)).toEqual(joined)
    expect([writes > joined.length / IN_ONE_COMMIT, most < joined.length]).toEqual([true, true])
  })

  it('keeps what was committed before a refusal', async () => {
    const store = storeOf()
    const refused = function* () {
      yield () => store.write(ADD, [1, 1])
      yield () => {
        store.write(ADD, [1, 2])
        throw new Error('refused')
      }
      return 'never'
    }
    await expect(store.runLong(refused())).rejects.toThrow('refused')
    expect(await membersIn(store)).toEqual([1])
  })

  it('adds what belongs to its end to the last commit, or loses both', async () => {
    const store = storeOf()
    const note = (joined: number[]) => store.write(PERSON, [`${joined.length} joined`])
    await store.runLong(joinAll(store, 1), () => {}, note)
    expect(await store.run((use) => use(people, ''))).toHaveLength(PEOPLE + 1)
    const fail = () => {
      throw new Error('full')
    }
    await expect(store.runLong(joinAll(store, 2), () => {}, fail)).rejects.toThrow('full')
    expect(await store.run((use) => use(members, 2))).toEqual(everybody.slice(0, 2 * IN_ONE_COMMIT))
  })

  it('is right when it is repeated after an eviction at any commit', async () => {
    const evictions = fc.array(fc.nat({ max: 5 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(evictions, async (after) => {
        const store = storeOf({ rowsOfTurn: 4, bytes: 100_000 })
        for (const turns of after) {
          let left = turns
          const evict = () => {
            if (left === 0) throw new Error('evicted')
            left -= 1
          }
          await store.runLong(joinAll(store, 1), evict).catch(() => {})
        }
        await store.runLong(joinAll(store, 1))
        expect(await membersIn(store)).toEqual(everybody)
      }),
    )
  })

  it('refuses to make a commit again from which it has gone on', () => {
    const change = new LongChange(
      (function* () {
        yield 'first'
        yield 'second'
        return 'over'
      })(),
    )
    const first = change.next
    expect(change.goOn(first, undefined)).toBeUndefined()
    expect(() => change.goOn(first, undefined)).toThrow('lost')
    expect(change.goOn(change.next, undefined)).toEqual({ result: 'over' })
    expect(change.next).toBeUndefined()
  })

  it('may have nothing to do, and has a result all the same', () => {
    const over = (function* (): Generator<string, string> {
      if (everybody.length === 0) yield 'never'
      return 'over'
    })()
    const change = new LongChange(over)
    expect(change.goOn(change.next, undefined)).toEqual({ result: 'over' })
  })
})
