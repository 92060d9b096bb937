import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue, type TestEvent, type TestQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

/** Values for the setting: `role:members` where the default is `role:everyone`. */
const MEMBERS_ONLY = { can_access_all_users_group: { new: 6 } }

const { realm } = useRealm({}, { settings: MEMBERS_ONLY })

/** A guest who shares no channel with anybody. */
async function buildStranger(): Promise<TestUser> {
  const guest = await buildUser(realm, { role: 600 })
  const { subscriptions } = expectSuccess(await guest.api.get('/users/me/subscriptions'))
  const names = subscriptions.map(({ name }: { name: string }) => name)
  expectSuccess(await guest.api.delete('/users/me/subscriptions', { subscriptions: names }))
  return guest
}

const write = (from: TestUser, ...to: TestUser[]) =>
  from.api.post('/messages', { type: 'direct', to: to.map(({ id }) => id), content: 'hello' })

/** The users whom a client knows, by id. */
type People = Map<number, object>

function peopleIn({ snapshot }: TestQueue): People {
  return new Map(snapshot.realm_users.map((user: { user_id: number }) => [user.user_id, user]))
}

/** Returns the users that a client knows after these events. */
function applied(people: People, events: readonly TestEvent[]): People {
  const after = new Map(people)
  for (const { type, op, person } of events) {
    if (type !== 'realm_user') continue
    if (op === 'remove') after.delete(person.user_id)
    const { is_active: _, ...shown } = person
    if (op === 'add') after.set(person.user_id, shown)
  }
  return after
}

/**
 * Checks that the earlier snapshot with the events since equals a new snapshot. Returns the users who appeared and those
 * who disappeared.
 */
async function expectStateEqualsEvents(queue: TestQueue, guest: TestUser) {
  const events = await queue.events()
  const now = peopleIn(await openQueue(guest))
  expect(applied(peopleIn(queue), events)).toEqual(now)
  const ids = (op: string) =>
    events
      .filter((event) => event.type === 'realm_user' && event.op === op)
      .map(({ person }) => person.user_id)
  return { events, came: ids('add'), went: ids('remove') }
}

describe('a guest who sees only people in shared conversations', () => {
  it('sees the sender of a first message, whose user comes before it', async () => {
    const [guest, ann] = [await buildStranger(), await buildUser(realm)]
    const queue = await openQueue(guest)
    expect([...peopleIn(queue).keys()]).not.toContain(ann.id)
    expect((await guest.api.get(`/users/${ann.id}`)).body.msg).toBe('Insufficient permission')
    expectSuccess(await write(ann, guest))
    const { events, came, went } = await expectStateEqualsEvents(queue, guest)
    expect([came, went]).toEqual([[ann.id], []])
    expect(events.map(({ type }) => type)).toEqual(['realm_user', 'message'])
    expectSuccess(await guest.api.get(`/users/${ann.id}`))
    expectSuccess(await write(ann, guest))
    expect((await queue.events()).map(({ type }) => type)).toEqual(['message'])
  })

  it('sees everybody in a group conversation, other guests included', async () => {
    const [guest, other] = [await buildStranger(), await buildStranger()]
    const [ann, bob] = [await buildUser(realm), await buildUser(realm)]
    const [queue, otherQueue, annQueue] = [
      await openQueue(guest),
      await openQueue(other),
      await openQueue(ann),
    ]
    expectSuccess(await write(ann, bob, guest, other))
    const { came } = await expectStateEqualsEvents(queue, guest)
    expect(came.sort()).toEqual([other.id, ann.id, bob.id].sort())
    const { came: otherCame } = await expectStateEqualsEvents(otherQueue, other)
    expect(otherCame.sort()).toEqual([guest.id, ann.id, bob.id].sort())
    expect(await annQueue.eventsOf('realm_user')).toEqual([])
  })

  it('sees people in a shared channel, until no other connection remains', async () => {
    const guest = await buildStranger()
    const [ann, bob, cat] = [await buildUser(realm), await buildUser(realm), await buildUser(realm)]
    const channel = await buildChannel([ann, bob])
    const subscriptions = [{ name: channel.name }]
    expectSuccess(await write(bob, guest))
    const queue = await openQueue(guest)
    expectSuccess(await ann.api.post('/users/me/subscriptions', { subscriptions, principals: [guest.id] }))
    expectSuccess(await cat.api.post('/users/me/subscriptions', { subscriptions }))
    expect(await expectStateEqualsEvents(queue, guest)).toMatchObject({ came: [ann.id, cat.id], went: [] })

    const both = await openQueue(guest)
    for (const user of [bob, cat]) {
      expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
    }
    expect(await expectStateEqualsEvents(both, guest)).toMatchObject({ came: [], went: [cat.id] })

    const last = await openQueue(guest)
    expectSuccess(
      await ann.api.delete('/users/me/subscriptions', {
        subscriptions: [channel.name],
        principals: [guest.id],
      }),
    )
    expect(await expectStateEqualsEvents(last, guest)).toMatchObject({ came: [], went: [ann.id] })
    expectSuccess(await guest.api.get(`/users/${bob.id}`))
  })

  it('sees people of a new channel, and new users of default channels', async () => {
    const [guest, ann] = [await buildStranger(), await buildUser(realm)]
    const queue = await openQueue(guest)
    await buildChannel([ann, guest])
    expect(await expectStateEqualsEvents(queue, guest)).toMatchObject({ came: [ann.id], went: [] })
    expectSuccess(
      await realm.owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'sandbox' }],
        principals: [guest.id],
      }),
    )
    const later = await openQueue(guest)
    const newMember = await buildUser(realm)
    expect((await expectStateEqualsEvents(later, guest)).came).toEqual([newMember.id])
  })

  it('always sees bots', async () => {
    const [guest, ann] = [await buildStranger(), await buildUser(realm)]
    const queue = await openQueue(guest)
    const { user_id } = expectSuccess(
      await ann.api.post('/bots', { full_name: `Robot ${ann.id}`, short_name: `robot${ann.id}` }),
    )
    expect((await expectStateEqualsEvents(queue, guest)).came).toEqual([user_id])
    expectSuccess(await guest.api.get(`/users/${user_id}`))
  })
})

describe('where guests see everybody', () => {
  const { guest, ann } = useRealm({ guest: 'guest', ann: 'member' })

  it('a first message emits no user', async () => {
    const queue = await openQueue(guest)
    expectSuccess(await write(ann, guest))
    expect((await queue.events()).map(({ type }) => type)).toEqual(['message'])
  })
})
