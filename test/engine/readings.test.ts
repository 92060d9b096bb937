import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceUnavailableError } from '../../src/core/errors.ts'
import { defineReader } from '../../src/core/reader.ts'
import { Suspended, Suspensions } from '../../src/engine/suspended.ts'
import { ToyStore } from './toy-store.ts'

const GROUPS = [1, 2, 3, 4, 5]
const MEMBERS = 8
/** Number of times that each reader has begun. */
let begun = 0

const membersOf = defineReader({
  name: 'members of a group',
  key: String,
  *read({ sql }, groupId: number) {
    begun += 1
    const members = sql.about('member', groupId, () =>
      sql.all<{ user_id: number }>('SELECT user_id FROM member WHERE group_id = ? ORDER BY user_id', groupId),
    )
    yield
    return members.map(({ user_id }) => user_id)
  },
})

const membersOfAll = defineReader({
  name: 'members of groups',
  key: (groupIds: readonly number[]) => groupIds.join(),
  *read(store, groupIds) {
    const members = new Set<number>()
    for (const id of groupIds) for (const member of yield* store.use(membersOf, id)) members.add(member)
    return [...members].sort((a, b) => a - b)
  },
})

const people = defineReader({
  name: 'people',
  key: () => '',
  *read({ sql }) {
    begun += 1
    const found: number[] = []
    for (let after = 0; ; after = found.at(-1)!) {
      const page = sql.all<{ id: number }>('SELECT id FROM person WHERE id > ? ORDER BY id LIMIT 5', after)
      for (const { id } of page) found.push(id)
      if (page.length < 5) return found
      yield
    }
  },
})

const news = defineReader({
  name: 'news',
  key: () => '',
  *read({ sql }) {
    const { length } = sql.all<{ text: string }>('SELECT text FROM news')
    yield
    return length
  },
})

const namesOfPeople = defineReader({
  name: 'names of people',
  key: () => '',
  *read({ sql }) {
    const rows = sql.all<{ name: string }>('SELECT name FROM person ORDER BY id')
    yield
    return rows.map(({ name }) => name)
  },
})

const ADD = 'INSERT OR IGNORE INTO member VALUES (?, ?)'
const REMOVE = 'DELETE FROM member WHERE group_id = ? AND user_id = ?'
const PERSON = 'INSERT INTO person (name) VALUES (?)'

function storeOf(limits?: ConstructorParameters<typeof ToyStore>[0]): ToyStore {
  const store = new ToyStore(limits)
  for (const group of GROUPS)
    for (let at = 0; at < MEMBERS; at += 1) store.write(ADD, [group, 10 * group + at])
  begun = 0
  return store
}
const all = GROUPS.flatMap((group) => Array.from({ length: MEMBERS }, (_, at) => 10 * group + at))

describe('the value of a reader', () => {
  it('is read once, until something that it was read from changes', async () => {
    const store = storeOf()
    const read = () => store.run((use) => use(membersOf, 1))
    const before = await read()
    expect(await read()).toBe(before)
    store.write(PERSON, ['somebody'])
    expect(await read()).toBe(before)
    store.write(REMOVE, [1, 10])
    expect(await read()).toEqual(before.slice(1))
    expect(begun).toBe(2)
  })

  it('stays current while only other subjects change, if the change names them', async () => {
    const store = storeOf()
    const read = () => store.run((use) => use(membersOf, 1))
    const before = await read()
    store.write(ADD, [2, 99], [2])
    expect(await read()).toBe(before)
    store.write(ADD, [1, 99], [1])
    expect(await read()).toEqual([...before, 99])
  })

  it('stays current while only other columns change', async () => {
    const store = storeOf()
    store.write(PERSON, ['somebody'])
    const read = () => store.run((use) => use(namesOfPeople, undefined))
    const before = await read()
    store.write('UPDATE person SET color = ? WHERE id = 1', ['red'])
    expect(await read()).toBe(before)
    store.write('UPDATE person SET name = ? WHERE id = 1', ['somebody else'])
    expect(await read()).toEqual(['somebody else'])
    store.write('UPDATE person SET color = ?, name = upper(name) WHERE id = 1', ['blue'])
    expect(await read()).toEqual(['SOMEBODY ELSE'])
    store.write(PERSON, ['a third'])
    expect(await read()).toHaveLength(2)
  })

  it('is out of date when a kept value that it uses is', async () => {
    const store = storeOf()
    const kept = defineReader({
      name: 'kept name',
      key: () => '',
      *read({ sql }) {
        begun += 1
        yield
        return sql.kept('name', () => sql.all('SELECT name FROM person WHERE id = 1'))
      },
    })
    const read = () => store.run((use) => use(kept, undefined))
    await read()
    store.write('UPDATE person SET color = ? WHERE id = 1', ['red'])
    await read()
    expect(begun).toBe(1)
    store.write('UPDATE person SET name = ? WHERE id = 1', ['somebody else'])
    await read()
    expect(begun).toBe(2)
  })

  it('that is made of others is read anew with those alone that changed', async () => {
    const store = storeOf()
    const read = () => store.run((use) => use(membersOfAll, GROUPS))
    expect(await read()).toEqual(all)
    begun = 0
    store.write(ADD, [3, 99], [3])
    expect(await read()).toEqual([...all, 99])
    expect(begun).toBe(1)
  })

  it('is out of date when a trigger changes what it was read from', async () => {
    const store = storeOf()
    const read = () => store.run((use) => use(news, undefined))
    expect(await read()).toBe(0)
    store.write(PERSON, ['somebody'])
    expect(await read()).toBe(1)
  })

  it('in a transaction is as changed there, and is not kept if rolled back', async () => {
    const store = storeOf()
    const before = await store.run((use) => use(membersOf, 1))
    let inside: readonly number[] = []
    store.transact((use, rollBack) => {
      store.write(ADD, [1, 99], [1])
      inside = use(membersOf, 1)
      rollBack()
    })
    expect(inside).toEqual([...before, 99])
    expect(await store.run((use) => use(membersOf, 1))).toEqual(before)
  })

  it('is kept by a transaction that has changed something else', async () => {
    const store = storeOf()
    store.transact((use) => {
      store.write(PERSON, ['somebody'])
      return use(membersOf, 1)
    })
    begun = 0
    await store.run((use) => use(membersOf, 1))
    expect(begun).toBe(0)
  })

  it('goes when newer ones need its room', async () => {
    const store = storeOf({ rowsOfTurn: 1_000, bytes: 1_500 })
    for (const group of GROUPS) await store.run((use) => use(membersOf, group))
    expect(store.watch.values.bytes).toBeLessThanOrEqual(1_500)
    begun = 0
    await store.run((use) => use(membersOf, 5))
    expect(begun).toBe(0)
    await store.run((use) => use(membersOf, 1))
    expect(begun).toBe(1)
  })

  it('takes as much room as it says, if it is of a class that does', async () => {
    class Large {
      get bytes() {
        return 1_501
      }
    }
    const large = defineReader({
      name: 'large',
      key: () => '',
      *read() {
        yield
        return new Large()
      },
    })
    const store = storeOf({ rowsOfTurn: 1_000, bytes: 1_500 })
    await store.run((use) => use(large, undefined))
    expect(store.watch.values.bytes).toBe(0)
  })

  it('cannot change the store', () => {
    const store = storeOf()
    const changing = defineReader({
      name: 'changing',
      key: () => '',
      *read({ sql }) {
        sql.all('DELETE FROM member')
        yield
      },
    })
    expect(() => store.transact((use) => use(changing, undefined))).toThrow('A reader changes the store')
  })
})

describe('a command whose reader takes more than a turn', () => {
  it('lets others have turns, and is true as if it had run at once', async () => {
    const store = storeOf()
    let turns = 0
    const members = await store.run(
      (use) => use(membersOfAll, GROUPS),
      () => {
        turns += 1
      },
    )
    expect(members).toEqual(all)
    expect(turns).toBeGreaterThan(2)
  })

  it('has it once if the value is too large to be kept', async () => {
    const store = storeOf({ rowsOfTurn: 10, bytes: 500 })
    for (let at = 0; at < 40; at += 1) store.write(PERSON, ['somebody'])
    expect((await store.run((use) => use(people, undefined))).length).toBe(40)
    expect(begun).toBe(2)
  })

  it('may count other work than that of the store', async () => {
    const store = storeOf()
    const working = defineReader({
      name: 'working',
      key: () => '',
      *read() {
        for (let at = 0; at < 5; at += 1) yield 10
        return 'done'
      },
    })
    let turns = 0
    const pass = () => {
      turns += 1
    }
    expect(await store.run((use) => use(working, undefined), pass)).toBe('done')
    expect(turns).toBeGreaterThan(4)
  })

  it('sees a change that is made in any of these turns', async () => {
    let isMade = true
    for (let at = 1; isMade; at += 1) {
      const store = storeOf()
      isMade = false
      let turn = 0
      const members = await store.run(
        (use) => use(membersOfAll, GROUPS),
        () => {
          turn += 1
          if (turn !== at) return
          store.write(REMOVE, [1, 10])
          isMade = true
        },
      )
      expect(members).toEqual(isMade ? all.slice(1) : all)
      expect(at).toBeLessThan(20)
    }
  })

  it('ends also while something changes in each turn', async () => {
    const store = storeOf()
    for (let at = 0; at < 40; at += 1) store.write(PERSON, ['somebody'])
    const found = await store.run(
      (use) => use(people, undefined),
      () => store.write(PERSON, ['one more']),
    )
    expect(found.length).toBeGreaterThan(40)
    expect(found.length).toBe(store.sql.all('SELECT id FROM person').length)
  })

  it('takes what a lagging reader found, whatever has changed meanwhile', async () => {
    const store = storeOf()
    for (let at = 0; at < 40; at += 1) store.write(PERSON, ['somebody'])
    const lagging = { ...people, name: 'people of late', allowStale: true }
    const found = await store.run(
      (use) => use(lagging, undefined),
      () => store.write(PERSON, ['one more']),
    )
    expect(begun).toBe(2)
    expect(found.length).toBeGreaterThanOrEqual(40)
  })

  it('puts right what has changed meanwhile, where a reader can', async () => {
    const store = storeOf()
    for (let at = 0; at < 40; at += 1) store.write(PERSON, ['somebody'])
    const patched: typeof people = {
      ...people,
      name: 'people put right',
      patch: ({ all }, _, before) => [
        ...before,
        ...all<{ id: number }>('SELECT id FROM person WHERE id > ?', before.at(-1)!).map(({ id }) => id),
      ],
    }
    const found = await store.run(
      (use) => use(patched, undefined),
      () => store.write(PERSON, ['one more']),
    )
    expect(begun).toBe(2)
    expect(found).toEqual(
      store.sql.all<{ id: number }>('SELECT id FROM person ORDER BY id').map(({ id }) => id),
    )
  })

  it('refuses in the end what can never be put right', async () => {
    const store = storeOf()
    for (let at = 0; at < 40; at += 1) store.write(PERSON, ['somebody'])
    const hopeless: typeof people = { ...people, name: 'people in vain', patch: () => undefined }
    const asked = store.run(
      (use) => use(hopeless, undefined),
      () => store.write(PERSON, ['one more']),
    )
    await expect(asked).rejects.toThrow('The server cannot answer just now.')
  })

  it('keeps no value of a large reader, which hardly anybody asks for again', async () => {
    const store = storeOf()
    store.write(PERSON, ['somebody'])
    const own: typeof people = { ...people, name: 'own people', largeState: true }
    for (let times = 1; times <= 2; times += 1) {
      await store.run((use) => use(own, undefined))
      expect(begun).toBe(times)
    }
    expect(store.watch.values.bytes).toBe(0)
  })

  it('shares the reader with others who wait for the same', async () => {
    const store = storeOf()
    for (let at = 0; at < 40; at += 1) store.write(PERSON, ['somebody'])
    const others = () => Promise.resolve()
    const read = () => store.run((use) => use(people, undefined), others)
    const [first, ...rest] = await Promise.all(Array.from({ length: 20 }, read))
    for (const found of rest) expect(found).toBe(first)
    // Each began it once, and was suspended.
    expect(begun).toBe(21)
  })

  it('is not held up by a reader whose caller has left', async () => {
    const store = storeOf()
    for (let at = 0; at < 40; at += 1) store.write(PERSON, ['somebody'])
    const gone = () => Promise.reject(new Error('The client has gone'))
    await expect(store.run((use) => use(people, undefined), gone)).rejects.toThrow('The client has gone')
    expect((await store.run((use) => use(people, undefined))).length).toBe(40)
  })

  it('is not run again where it cannot be', () => {
    const store = storeOf()
    const run = (suspensions?: Suspensions) => store.transact((use) => use(membersOfAll, GROUPS), suspensions)
    expect(() => run(new Suspensions())).toThrow(Suspended)
    expect(run()).toEqual(all)
  })
})

it('no value is ever wrong, whatever is changed, rolled back and interrupted', async () => {
  const step = fc.record({
    group: fc.constantFrom(...GROUPS),
    user: fc.integer({ min: 1, max: 12 }),
    isAdded: fc.boolean(),
    isNamed: fc.boolean(),
    isRolledBack: fc.boolean(),
    reads: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const store = storeOf({ rowsOfTurn: 6, bytes: 3_000 })
      const left = steps[Symbol.iterator]()
      const change = () => {
        const { value } = left.next()
        if (!value) return
        const { group, user, isAdded, isNamed, isRolledBack, reads } = value
        store.transact((use, rollBack) => {
          store.write(isAdded ? ADD : REMOVE, [group, user], isNamed ? [group] : undefined)
          if (reads) expect(use(membersOf, group)).toEqual(truth(store, [group]))
          if (isRolledBack) rollBack()
        })
      }
      for (let at = 0; at < 10; at += 1) {
        change()
        const { found, true: now } = await store.run(
          (use) => ({ found: use(membersOfAll, GROUPS), true: truth(store, GROUPS) }),
          change,
        )
        expect(found).toEqual(now)
      }
    }),
    { numRuns: 25 },
  )
})

/** The members of groups, read at once. */
function truth({ sql }: ToyStore, groupIds: readonly number[]): number[] {
  const rows = sql.all<{ user_id: number }>(
    `SELECT DISTINCT user_id FROM member WHERE group_id IN (${groupIds.join()}) ORDER BY user_id`,
  )
  return rows.map(({ user_id }) => user_id)
}

describe('what another store has', () => {
  it('is fetched after a suspension, and again while it is not what the change needs', async () => {
    const suspensions = new Suspensions()
    const fetched: number[] = []
    const fetch = () => Promise.resolve(fetched.push(fetched.length))
    const use = (wanted: number) => suspensions.fetched('a text', (value) => value === wanted, fetch)
    for (const wanted of [1, 2]) {
      await suspendedBy(() => use(wanted)).finish(async () => {})
      expect(use(wanted)).toBe(wanted)
    }
    expect(fetched).toHaveLength(2)
  })

  it('is given up with 503 when it is never right', async () => {
    const suspensions = new Suspensions()
    const fetch = () => Promise.resolve('old')
    const use = () => suspensions.fetched('a text', () => false, fetch)
    for (let times = 0; times < 10; times += 1) await suspendedBy(use).finish(async () => {})
    expect(use).toThrow(ServiceUnavailableError)
  })
})

function suspendedBy(use: () => unknown): Suspended {
  try {
    use()
  } catch (error) {
    if (error instanceof Suspended) return error
    throw error
  }
  throw new Error('It is not suspended')
}
