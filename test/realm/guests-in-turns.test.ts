import { expect, it } from 'vitest'
import { WALK_BUDGETS } from '../../src/core/budgets.ts'
import { callerOf } from '../../src/domain/caller.ts'
import { findUser } from '../../src/domain/users/user-rows.ts'
import { isStillSeen, seenInTurns } from '../../src/domain/users/visibility/seen-in-turns.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { enterUsers, inRealm } from '../support/inside.ts'
import { sendDirect } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

// What was made in turns is compared with what the same object has afterwards.
neverEvict()
/** More people than one turn presents. */
const MANY = 1_700
const SOURCE = { origin: 'http://localhost', userAgent: '', ip: '' }
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
  const people = await enterUsers(realm, MANY)
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

/** Lists whom the guest sees, does something between the turns, and returns whether the list still counts. */
async function countsAfter(act: (() => Promise<unknown>) | undefined): Promise<boolean | undefined> {
  return inRealm(realm, async ({ parts }) => {
    const { sql, realm: identity, proxiesPictures, directory: remembered } = parts
    const view = { now: parts.now(), sql, realm: identity, proxiesPictures, remembered }
    const caller = callerOf(sql, findUser(sql, guest.id)!, SOURCE, view.now)
    const walks = { budgets: WALK_BUDGETS, turn: async () => {} }
    const seen = await seenInTurns(walks, view, caller, (users, sees) => users.filter(sees))
    await act?.()
    return seen && isStillSeen(view, caller.user, seen)
  })
}

it('such a list is not used once somebody writes to the guest, or is renamed', async () => {
  const [stranger] = await enterUsers(realm, 1)
  expect(await countsAfter(undefined)).toBe(true)
  expect(await countsAfter(() => sendDirect(owner, [ann], 'between others'))).toBe(true)
  expect(await countsAfter(() => sendDirect(stranger!, [guest], 'hello'))).toBe(false)
  expect(await countsAfter(() => ann.api.patch('/settings', { full_name: 'Ann Other' }))).toBe(false)
})

it('a turn that makes such a list reads a limited number of rows', async () => {
  const rows = await inRealm(realm, async ({ parts }) => {
    const { realm: identity, proxiesPictures, directory: remembered } = parts
    const sql = parts.sql.counter()
    const view = { now: parts.now(), sql, realm: identity, proxiesPictures, remembered }
    const caller = callerOf(sql, findUser(sql, guest.id)!, SOURCE, view.now)
    const turns: number[] = []
    let before = sql.counts.read
    const turn = async () => {
      turns.push(sql.counts.read - before)
      before = sql.counts.read
    }
    await seenInTurns({ budgets: WALK_BUDGETS, turn }, view, caller, (users, sees) => users.filter(sees))
    return turns
  })
  // Who is seen, and two turns of people.
  expect(rows).toHaveLength(3)
  expect(Math.max(...rows)).toBeLessThan(2_000)
})
