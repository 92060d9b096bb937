import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { evictRealm, realmStub } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const DAY = 86_400

interface Waiting {
  readonly realm: TestRealm
  /** Returns the group of full members. */
  readonly groupId: number
}

/** Builds an organization in which members become full members after some days. */
async function buildWaitingRealm(days: number): Promise<Waiting> {
  const { realm } = await buildRealm()
  expectSuccess(await realm.owner.api.patch('/realm', { waiting_period_threshold: days }))
  const { realm_user_groups } = (await openQueue(realm.owner)).snapshot
  const group = realm_user_groups.find(({ name }: { name: string }) => name === 'role:fullmembers')
  return { realm, groupId: group.id }
}

/** Moves the clock ahead, and runs the work that is due. */
async function passUntil(realm: TestRealm, seconds: number): Promise<void> {
  world.clockOffset = seconds
  await runDurableObjectAlarm(realmStub(realm.id))
}

async function membersNow({ realm, groupId }: Waiting): Promise<number[]> {
  const { snapshot } = await openQueue(realm.owner)
  return snapshot.realm_user_groups.find(({ id }: { id: number }) => id === groupId).members
}

/** Returns the users added to the group, one list for each event. */
async function joined(queue: TestQueue, { groupId }: Waiting): Promise<number[][]> {
  const events = await queue.eventsOf('user_group', 'add_members')
  return events.filter((event) => event.group_id === groupId).map(({ user_ids }) => user_ids)
}

/** Opens a queue shortly before accounts created now reach this age in days. */
async function openBefore(user: TestUser, days: number): Promise<TestQueue> {
  world.clockOffset = days * DAY - 60
  return openQueue(user)
}

describe('a member becomes a full member by age', () => {
  it('and everybody is notified that day, after an eviction too', async () => {
    const waiting = await buildWaitingRealm(3)
    const { realm } = waiting
    const member = await buildUser(realm)
    const guest = await buildUser(realm, { role: 600 })
    expect(await membersNow(waiting)).toEqual([])
    const queues = [await openBefore(member, 3), await openBefore(guest, 3)]
    await passUntil(realm, 3 * DAY - 30)
    for (const queue of queues) expect(await joined(queue, waiting)).toEqual([])
    await evictRealm(realm.id)
    await passUntil(realm, 3 * DAY + 60)
    for (const queue of queues) expect(await joined(queue, waiting)).toEqual([[member.id]])
    expect(await membersNow(waiting)).toEqual([member.id])
    await passUntil(realm, 3 * DAY + 200)
    for (const queue of queues) expect(await joined(queue, waiting)).toEqual([])
  })

  it('and sees the channels that are open to full members', async () => {
    const { realm, groupId } = await buildWaitingRealm(3)
    const member = await buildUser(realm)
    const made = await realm.owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'the grown-ups' }],
      invite_only: true,
      can_subscribe_group: groupId,
    })
    expectSuccess(made)
    const queue = await openBefore(member, 3)
    const names = (streams: { name: string }[]) => streams.map(({ name }) => name)
    expect(names(queue.snapshot.never_subscribed)).not.toContain('the grown-ups')
    await passUntil(realm, 3 * DAY + 60)
    const created = await queue.eventsOf('stream', 'create')
    expect(created.flatMap(({ streams }) => names(streams))).toEqual(['the grown-ups'])
    expect(names((await openQueue(member)).snapshot.never_subscribed)).toContain('the grown-ups')
  })

  it('later or sooner when the organization changes the number of days', async () => {
    const waiting = await buildWaitingRealm(3)
    const { realm } = waiting
    const member = await buildUser(realm)
    expectSuccess(await realm.owner.api.patch('/realm', { waiting_period_threshold: 5 }))
    const third = await openBefore(realm.owner, 3)
    await passUntil(realm, 3 * DAY + 60)
    expect(await joined(third, waiting)).toEqual([])
    const fifth = await openBefore(realm.owner, 5)
    await passUntil(realm, 5 * DAY + 60)
    expect(await joined(fifth, waiting)).toEqual([[member.id]])

    expectSuccess(await realm.owner.api.patch('/realm', { waiting_period_threshold: 9 }))
    expect((await fifth.eventsOf('user_group', 'remove_members')).map(({ user_ids }) => user_ids)).toEqual([
      [member.id],
    ])
    expectSuccess(await realm.owner.api.patch('/realm', { waiting_period_threshold: 2 }))
    expect(await joined(fifth, waiting)).toEqual([[member.id]])
    await passUntil(realm, 5 * DAY + 120)
    expect(await joined(fifth, waiting)).toEqual([])
  })

  it('each on their own day', async () => {
    const waiting = await buildWaitingRealm(2)
    const { realm } = waiting
    const first = await buildUser(realm)
    world.clockOffset = DAY
    const second = await buildUser(realm)
    for (const [day, user] of [
      [2, first],
      [3, second],
    ] as const) {
      const queue = await openBefore(realm.owner, day)
      await passUntil(realm, day * DAY + 60)
      expect(await joined(queue, waiting)).toEqual([[user.id]])
    }
  })

  it('not as a guest or while deactivated, but afterwards', async () => {
    const waiting = await buildWaitingRealm(3)
    const { realm } = waiting
    const [guest, closed, young] = [
      await buildUser(realm, { role: 600 }),
      await buildUser(realm),
      await buildUser(realm, { role: 600 }),
    ]
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    world.clockOffset = DAY
    expectSuccess(await realm.owner.api.patch(`/users/${young.id}`, { role: 400 }))
    const queue = await openBefore(realm.owner, 3)
    await passUntil(realm, 3 * DAY + 60)
    expect(await joined(queue, waiting)).toEqual([[young.id]])
    expectSuccess(await realm.owner.api.patch(`/users/${guest.id}`, { role: 400 }))
    expect(await joined(queue, waiting)).toEqual([[guest.id]])
    expectSuccess(await realm.owner.api.post(`/users/${closed.id}/reactivate`))
    await passUntil(realm, 3 * DAY + 200)
    expect(await joined(queue, waiting)).toEqual([[closed.id]])
    expect((await membersNow(waiting)).sort()).toEqual([guest.id, closed.id, young.id].sort())
  })

  it('at once where no age is asked for', async () => {
    const waiting = await buildWaitingRealm(0)
    const queue = await openQueue(waiting.realm.owner)
    const member = await buildUser(waiting.realm)
    expect(await joined(queue, waiting)).toEqual([[member.id]])
  })
})
