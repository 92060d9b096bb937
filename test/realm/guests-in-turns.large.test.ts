import { expect, it } from 'vitest'
import { WALK_BUDGETS } from '../../src/core/budgets.ts'
import { type RealmTransaction, StaleError } from '../../src/core/realm-transaction.ts'
import { callerOf } from '../../src/domain/caller.ts'
import { findChannel } from '../../src/domain/channels/channel-rows.ts'
import { openConversation } from '../../src/domain/messages/conversation-rows.ts'
import { joinAndAnnounce } from '../../src/domain/subscriptions/join-and-announce.ts'
import { leaveChannels } from '../../src/domain/subscriptions/leave-channels.ts'
import { addUser } from '../../src/domain/users/accounts/add-user.ts'
import { giveRole } from '../../src/domain/users/accounts/change-user-role.ts'
import { closeWithBots } from '../../src/domain/users/accounts/close-account.ts'
import { changeFullName } from '../../src/domain/users/profile/change-full-name.ts'
import { findUser, findUsers, listUsers, type User } from '../../src/domain/users/user-rows.ts'
import { seenInTurns, seenNow } from '../../src/domain/users/visibility/seen-in-turns.ts'
import { visibleUsers } from '../../src/domain/users/visibility/visible-users.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { enterUsers, inRealm } from '../support/inside.ts'
import type { Json } from '../support/json.ts'
import { sendDirect } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue, type TestEvent } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'
import type { RealmObject } from '../support/worker.ts'

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
  const people = await enterUsers(realm, 16)
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

type Change = (tx: RealmTransaction, turn: number) => unknown

const asListed = ({ id, fullName, role, isActive }: User) => ({ id, fullName, role, isActive })

/** Lists whom the guest sees as `load` and `apply` do, with a change in each turn: `seen` is undefined where the list does not count. */
async function seenWhile(change: Change) {
  return inRealm(realm, async (object: RealmObject) => {
    const { realm: identity, proxiesPictures, directory: remembered } = object.parts
    const sql = object.parts.sql.counter()
    const view = { now: object.parts.now(), sql, realm: identity, proxiesPictures, remembered }
    const callerNow = () => callerOf(sql, findUser(sql, guest.id)!, SOURCE, view.now)
    const rows: number[] = []
    let before = sql.counts.read
    const turn = async () => {
      rows.push(sql.counts.read - before)
      object.change((tx) => void change(tx, rows.length))
      before = sql.counts.read
    }
    const loaded = await seenInTurns({ budgets: WALK_BUDGETS, turn }, view, callerNow(), (user, isSeen) =>
      isSeen ? asListed(user) : undefined,
    )
    await turn()
    const caller = callerNow()
    let seen: ReturnType<typeof asListed>[] | undefined
    try {
      seen = seenNow(view, caller, loaded)
    } catch (error) {
      if (!(error instanceof StaleError)) throw error
    }
    rows.push(sql.counts.read - before)
    return { seen, anew: visibleUsers(view, caller, listUsers(sql)).map(asListed), rows }
  })
}

function join(tx: RealmTransaction, channelId: number, userId: number): void {
  joinAndAnnounce(tx, [{ channel: findChannel(tx.sql, channelId)!, userIds: [userId] }])
}

it('such a list follows in every turn who becomes visible or invisible, or changes', async () => {
  const { id: channelId } = await buildChannel([owner, guest])
  const people = await enterUsers(realm, 60)
  const leaving = people.slice(50)
  for (const { id } of leaving) {
    await inRealm(realm, (object) => object.change((tx) => join(tx, channelId, id)))
  }
  const { seen, anew, rows } = await seenWhile((tx, turn) => {
    const [joining, writing, closed, promoted] = people.slice(turn * 4).map(({ id }) => id) as [
      number,
      number,
      number,
      number,
    ]
    const channel = findChannel(tx.sql, channelId)!
    changeFullName(tx, findUser(tx.sql, ann.id)!, `Ann of turn ${turn}`)
    openConversation(tx.sql, [guest.id, writing])
    for (const id of [joining, closed, promoted]) join(tx, channelId, id)
    closeWithBots(tx, findUser(tx.sql, closed)!)
    giveRole(tx, findUser(tx.sql, promoted)!, 300)
    const { id: left } = leaving[turn]!
    leaveChannels(tx, { leaving: [{ channel, userIds: [left] }], users: findUsers(tx.sql, [left]) })
    const newcomer = { deliveryEmail: `new-${turn}@example.com`, fullName: 'New', role: 400 as const }
    join(tx, channelId, addUser(tx, { ...newcomer, passwordHash: null }).id)
  })
  expect(seen).toEqual(anew)
  expect(anew.filter(({ fullName }) => fullName === 'New')).toHaveLength(rows.length - 1)
  expect(anew.filter(({ fullName }) => fullName === `Ann of turn ${rows.length - 1}`)).toHaveLength(1)
  // Who is seen, two turns of people, and those who have changed since.
  expect(rows).toHaveLength(5)
  expect(Math.max(...rows)).toBeLessThan(2_000)
})

it('such a list does not count once the guest joins a channel, or sees everybody', async () => {
  const { id: channelId } = await buildChannel([owner])
  const quiet = await seenWhile(() => {})
  expect(quiet.seen).toEqual(quiet.anew)
  const late = (turn: number, change: Change) =>
    seenWhile((tx, at) => (at === turn ? change(tx, at) : undefined))
  const last = quiet.rows.length - 1
  expect((await late(last, (tx) => join(tx, channelId, guest.id))).seen).toBeUndefined()
  expect((await late(last, (tx) => giveRole(tx, findUser(tx.sql, guest.id)!, 400))).seen).toBeUndefined()
})

it('each turn of such a list reads a limited number of rows, however many change', async () => {
  const { id: channelId } = await buildChannel([owner, guest])
  const people = await enterUsers(realm, 150)
  await inRealm(realm, (object) => object.change((tx) => giveRole(tx, findUser(tx.sql, guest.id)!, 600)))
  const { seen, anew, rows } = await seenWhile((tx, turn) => {
    if (turn === 2) for (const { id } of people) join(tx, channelId, id)
  })
  expect(seen).toEqual(anew)
  expect(Math.max(...rows)).toBeLessThan(2_000)
})
