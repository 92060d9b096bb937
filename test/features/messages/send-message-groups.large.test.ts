import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WritableSql } from '../../../src/core/sql.ts'
import { insertNotificationBatch } from '../../../src/model/missed-messages/insert-notification-batch.ts'
import { smallestGroups } from '../../../src/model/notifications/notifiable-users.ts'
import { accountsInGroups } from '../../../src/model/user-groups/group-members.ts'
import { findMissedMail } from '../../../src/store/missed-messages/missed-mail-rows.ts'
import { insertMembers, insertSubgroups } from '../../../src/store/user-groups/membership-rows.ts'
import { closedAccounts } from '../../../src/store/users/account-set-rows.ts'
import { countRows } from '../../support/counted-rows.ts'
import type { TestRealm, TestUser } from '../../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { systemGroupId } from '../../support/system-groups.ts'
import { buildRealm } from '../../support/use-realm.ts'

neverEvict()
const mailbox = new Mailbox()
// Without a mail service nothing is entered for mail.
beforeEach(() => mailbox.open())
afterEach(() => {
  vi.restoreAllMocks()
})

interface EnteredGroup {
  readonly name: string
  readonly members?: readonly number[]
  readonly subgroups?: readonly number[]
}

/** Enters a group without its event and notices. Returns its id. */
function insertGroup(
  realm: TestRealm,
  { name, members = [], subgroups = [] }: EnteredGroup,
): Promise<number> {
  return changeRealm(realm, ({ sql }) => insertGroupIn(sql, { name, members, subgroups }))
}

function insertGroupIn(sql: WritableSql, { name, members = [], subgroups = [] }: EnteredGroup): number {
  const { id } = sql.runForFirst<{ id: number }>(
    `INSERT INTO user_group (name, name_key) VALUES (?1, lower(?1)) RETURNING id`,
    name,
  )!
  insertMembers(sql, id, members)
  insertSubgroups(sql, id, subgroups)
  return id
}

/** Returns whole numbers below `limit`, the same in each run. */
function drawing(): (limit: number) => number {
  let state = 7
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

it('of random nested groups, the one with the fewest active members is found', async () => {
  const { realm } = await buildRealm({ guest: 'guest', admin: 'administrator' })
  const people = (await insertUsers(realm, 70)).map(({ id }) => id)
  const draw = drawing()
  const several = <Item>(list: readonly Item[], count: number) =>
    Array.from({ length: list.length === 0 ? 0 : count }, () => list[draw(list.length)]!)
  const groups: number[] = []
  for (let at = 0; at < 40; at += 1) {
    const members = several(people, draw(12))
    const subgroups = several([...groups, systemGroupId('role:administrators')], draw(3))
    groups.push(await insertGroup(realm, { name: `group ${at}`, members, subgroups }))
  }
  await changeRealm(realm, ({ sql }) =>
    sql.run(`UPDATE user SET is_active = 0 WHERE id % 5 = 0 AND id >= ?`, people[0]!),
  )
  const systemGroups = ['role:members', 'role:fullmembers', 'role:owners'] as const
  const all = [...groups, ...systemGroups.map(systemGroupId)]
  for (let round = 0; round < 30; round += 1) {
    const mentioned = [...new Set(several(all, 2 + draw(8)))].sort((a, b) => a - b)
    await changeRealm(realm, ({ sql, now }) => {
      const sized = mentioned.map((id) => ({
        id,
        members: accountsInGroups({ sql, now }, [id]).andNot(closedAccounts(sql)).toArray(),
      }))
      const bySize = sized.toSorted((a, b) => a.members.length - b.members.length)
      const expected = new Map(
        bySize.toReversed().flatMap(({ id, members }) => members.map((member) => [member, id] as const)),
      )
      const found = smallestGroups(sql, mentioned, now)
      expect([...found].sort(([a], [b]) => a - b)).toEqual([...expected].sort(([a], [b]) => a - b))
    })
  }
})

it('a change of a group is seen by the next message that mentions it', async () => {
  const { realm, owner } = await buildRealm()
  const [first, second, third] = (await insertUsers(realm, 3)).map(({ id }) => id) as [number, number, number]
  const large = await insertGroup(realm, { name: 'large', members: [first, second, third] })
  const small = await insertGroup(realm, { name: 'small', members: [owner.id, first] })
  const find = () => changeRealm(realm, ({ sql, now }) => smallestGroups(sql, [large, small], now))
  expect((await find()).get(first)).toBe(small)
  const added = { add: [second, third] }
  expect((await owner.api.post(`/user_groups/${small}/members`, added)).status).toBe(200)
  expect((await find()).get(first)).toBe(large)
})

it('a group may have thousands of groups inside one another', async () => {
  const { realm } = await buildRealm()
  const [person] = await insertUsers(realm, 1)
  await changeRealm(realm, (tx) => {
    let inner = insertGroupIn(tx.sql, { name: 'deepest', members: [person!.id] })
    for (let depth = 0; depth < 5_000; depth += 1) {
      inner = insertGroupIn(tx.sql, { name: `around ${depth}`, subgroups: [inner] })
    }
    expect([...smallestGroups(tx.sql, [inner], tx.now)]).toEqual([[person!.id, inner]])
  })
})

it('two hundred mentioned groups with one inside all cost no rows for each of them', async () => {
  const { realm, owner, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const people = await insertUsers(realm, 1_000, channel.id)
  const all = await insertGroup(realm, { name: 'all', members: people.map(({ id }) => id) })
  const names = Array.from({ length: 200 }, (_, at) => `g${at}`)
  const groups: number[] = []
  for (const name of names) groups.push(await insertGroup(realm, { name, subgroups: [all] }))
  const [only, other] = people as [TestUser, TestUser]
  const small = await insertGroup(realm, { name: 'small', members: [only.id] })
  const mention = async (content: string) => {
    const params = { type: 'channel', to: channel.id, topic: 'news', content }
    const { object } = await countRows(owner.api, 'POST', '/messages', params)
    return object.read
  }
  const one = await mention(`@*g0*`)
  const many = await mention([...names, 'small'].map((name) => `@*${name}*`).join(' '))
  // Each group by name and by id, and its link, before the members are read and after; none of its thousand members again.
  expect(many - one).toBeLessThan(32 * names.length)
  await changeRealm(realm, (tx) => {
    const before = tx.sql.counts.read
    for (let turn = 0; insertNotificationBatch(tx) !== undefined; turn += 1) expect(turn).toBeLessThan(20)
    // Two messages, for a thousand people: their accounts, subscriptions and what they have read.
    expect(tx.sql.counts.read - before).toBeLessThan(2 * 30 * people.length)
    const named = [only, other].map(({ id }) => findMissedMail(tx.sql, id)?.missed.at(-1)?.groupId)
    expect(named).toEqual([small, groups[0]])
  })
})

it('an edit that mentions a group of a thousand looks at all members together', async () => {
  const { realm, owner, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const people = await insertUsers(realm, 1_000, channel.id)
  const members = people.map(({ id }) => id)
  await insertGroup(realm, { name: 'all', members })
  const params = { type: 'channel', to: channel.id, topic: 'news', content: 'nobody' }
  const { body } = await countRows(owner.api, 'POST', '/messages', params)
  const [late] = await insertUsers(realm, 1, channel.id)
  await changeRealm(realm, ({ sql }) => {
    sql.run(`UPDATE user SET is_active = 0 WHERE id = ?`, members[0]!)
    sql.run(`INSERT INTO user_group_member SELECT id, ? FROM user_group WHERE name = 'all'`, late!.id)
  })
  const proto = await inRealm(realm, ({ parts: { sql } }) => Object.getPrototypeOf(sql) as typeof sql)
  const spies = [vi.spyOn(proto, 'all'), vi.spyOn(proto, 'first'), vi.spyOn(proto as WritableSql, 'run')]
  await countRows(owner.api, 'PATCH', `/messages/${body.id}`, { content: '@*all*' })
  expect(spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThan(200)
  const flagged = await inRealm(realm, ({ parts: { sql } }) =>
    sql.all<{ user_id: number }>(
      `SELECT user_id FROM message_flag WHERE message_id = ? ORDER BY user_id`,
      body.id as number,
    ),
  )
  // Neither a closed account, nor a user who came later.
  expect(flagged.map(({ user_id }) => user_id)).toEqual(members.slice(1))
})
