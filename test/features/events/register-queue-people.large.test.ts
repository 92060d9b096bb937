import { expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm, insertUsers } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { sendDirect } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue, type TestEvent } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'
import { inWatchedSlices } from '../../support/watched-slices.ts'

// What was made in turns is compared with what the same object has afterwards.
neverEvict()
/** More people than one turn presents. */
const MANY = 1_700
const { realm, owner, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

interface Person {
  readonly user_id: number
  readonly full_name: string
}

async function listed(user: TestUser): Promise<Person[]> {
  return expectSuccess(await user.api.get('/users')).members
}

async function registered(user: TestUser, isComplete: boolean) {
  const { snapshot } = await openQueue(user, {
    client_capabilities: { notification_settings_null: true, user_list_incomplete: !isComplete },
  })
  return { active: snapshot.realm_users as Person[], nonActive: snapshot.realm_non_active_users as Person[] }
}

const idsOf = (people: readonly Person[]) => people.map(({ user_id }) => user_id)

it('a guest among many who sees only some has them listed in several turns', async () => {
  const people = await insertUsers(realm, MANY)
  const { user_groups } = expectSuccess(await owner.api.get('/user_groups'))
  const members = user_groups.find(({ name }: { name: string }) => name === 'role:members').id as number
  expectSuccess(await owner.api.patch('/realm', { can_access_all_users_group: { new: members } }))
  const hall = await buildChannel([owner, guest])
  const [first, last, closed] = [people[0]!, people.at(-1)!, people.at(-2)!]
  const met = [first.id, last.id, closed.id]
  expectSuccess(
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: hall.name }],
      principals: met,
    }),
  )
  const [other] = people.slice(5, 6)
  expectSuccess(await owner.api.delete(`/users/${closed.id}`))

  const seen = [owner.id, ann.id, guest.id, ...met].sort((a, b) => a - b)
  expect(idsOf(await listed(guest))).toEqual(seen)
  const some = await registered(guest, false)
  expect(idsOf(some.active)).toEqual(seen.filter((id) => id !== closed.id))
  expect(idsOf(some.nonActive)).toEqual([closed.id])
  const all = await registered(guest, true)
  expect(idsOf(all.active)).toEqual(idsOf((await registered(owner, true)).active))
  const named = new Set(
    all.active.filter(({ full_name }) => full_name !== 'Unknown user').map((one) => one.user_id),
  )
  expect([...named].sort((a, b) => a - b)).toEqual(seen.filter((id) => id !== closed.id))

  await sendDirect(other!, [guest], 'hello')
  expect(idsOf(await listed(guest))).toEqual([...seen, other!.id].sort((a, b) => a - b))
  expect(idsOf((await registered(guest, false)).active)).toContain(other!.id)
})

/** People as the guest has them after the events of a queue. */
function after(events: readonly TestEvent[], people: readonly Person[]): Person[] {
  const known = new Map<number, Json>(people.map((one) => [one.user_id, one]))
  for (const { op, person } of events.filter(({ type }) => type === 'realm_user')) {
    if (op === 'remove') known.delete(person.user_id)
    else known.set(person.user_id, { ...known.get(person.user_id), ...person })
  }
  return [...known.values()]
}

const nameAndRole = (people: readonly Json[]) =>
  people.map(({ user_id, full_name, role }) => [user_id, full_name, role]).sort(([a], [b]) => a - b)

it('what changes while people are listed for a guest is there, or in events', async () => {
  const hall = await buildChannel([owner, guest])
  const people = await insertUsers(realm, 16)
  const subscribe = (user: TestUser) =>
    user.api.post('/users/me/subscriptions', { subscriptions: [{ name: hall.name }] })
  const leave = (user: TestUser) => user.api.delete('/users/me/subscriptions', { subscriptions: [hall.name] })
  for (let at = 0; at < 16; at += 4) {
    const [joining, leaving, writing, closed] = people.slice(at, at + 4) as [
      TestUser,
      TestUser,
      TestUser,
      TestUser,
    ]
    for (const one of [leaving, closed]) expectSuccess(await subscribe(one))
    const listing = listed(guest)
    const opening = openQueue(guest, {
      client_capabilities: { notification_settings_null: true, user_list_incomplete: true },
    })
    const changes = [
      subscribe(joining),
      ann.api.patch('/settings', { full_name: `Ann ${at}` }),
      leave(leaving),
      sendDirect(writing, [guest], 'hello'),
      owner.api.patch(`/users/${joining.id}`, { role: 300 }),
      owner.api.delete(`/users/${closed.id}`),
    ]
    for (const answer of await Promise.all(changes)) expect(answer).toBeDefined()
    await listing
    const queue = await opening
    const { realm_users, realm_non_active_users } = queue.snapshot
    const seen = after(await queue.events(), [...realm_users, ...realm_non_active_users])
    const anew = await listed(guest)
    expect(nameAndRole(seen)).toEqual(nameAndRole(anew))
    expect(idsOf(anew)).toEqual(expect.arrayContaining([joining.id, writing.id, closed.id]))
    expect(idsOf(anew)).not.toContain(leaving.id)
  }
})

/** Opens a queue of the guest, while in each turn a user comes into sight, goes out of it, or changes. */
async function registeredWhile(during: (turn: number) => Promise<unknown>) {
  const { answer, turns, most } = await inWatchedSlices(
    realm,
    () =>
      openQueue(guest, {
        client_capabilities: { notification_settings_null: true, user_list_incomplete: true },
        fetch_event_types: ['realm_user'],
        event_types: ['realm_user'],
      }),
    during,
  )
  const { realm_users, realm_non_active_users } = answer.snapshot
  return { seen: after(await answer.events(), [...realm_users, ...realm_non_active_users]), turns, most }
}

it('a guest’s list, with later events, is right however many change in its turns', async () => {
  const hall = await buildChannel([owner, guest])
  const people = await insertUsers(realm, 60)
  const crowd = await insertUsers(realm, MANY, hall.id)
  const last = people.length / 4 - 1
  const { seen, turns } = await registeredWhile(async (turn) => {
    if (turn > last) return
    const [joining, writing, closed, promoted] = people.slice(turn * 4) as [
      TestUser,
      TestUser,
      TestUser,
      TestUser,
    ]
    expectSuccess(await ann.api.patch('/settings', { full_name: `Ann of turn ${turn}` }))
    await sendDirect(writing, [guest], 'hello')
    const joined = { subscriptions: [{ name: hall.name }], principals: [joining.id, closed.id, promoted.id] }
    expectSuccess(await owner.api.post('/users/me/subscriptions', joined))
    expectSuccess(await owner.api.delete(`/users/${closed.id}`))
    expectSuccess(await owner.api.patch(`/users/${promoted.id}`, { role: 300 }))
    const left = { subscriptions: [hall.name], principals: [crowd[turn]!.id] }
    expectSuccess(await owner.api.delete('/users/me/subscriptions', left))
  })
  expect(turns).toBeGreaterThan(last / 2)
  const anew = await listed(guest)
  expect(nameAndRole(seen)).toEqual(nameAndRole(anew))
  const changed = Math.min(turns, last)
  expect(anew.filter(({ full_name }) => full_name === `Ann of turn ${changed}`)).toHaveLength(1)
  expect(idsOf(anew)).not.toContain(crowd[changed]!.id)
})

it('a guest’s list is read once, in limited turns, beside others who only read', async () => {
  const change = (name: string) => ann.api.patch('/settings', { full_name: name })
  expectSuccess(await change('Ann at last'))
  const quiet = await registeredWhile(async () => {})
  expect(nameAndRole(quiet.seen)).toEqual(nameAndRole(await listed(guest)))
  expect(quiet.most).toBeLessThan(6_000)
  expectSuccess(await change('Ann again'))
  const beside = await registeredWhile(() =>
    changeRealm(realm, ({ sql }) => sql.run(`UPDATE user SET read_floor = ? WHERE id = ?`, 1, ann.id)),
  )
  expect(beside.turns).toBe(quiet.turns)
})
