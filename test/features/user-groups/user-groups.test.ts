import { beforeEach, describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { ALL_CAPABILITIES, openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, admin, guest } = useRealm({
  ann: 'member',
  ben: 'member',
  admin: 'administrator',
  guest: 'guest',
})
let groupId: number
let groups = 0
beforeEach(async () => {
  groups += 1
  const made = await ann.api.post('/user_groups/create', {
    name: `group ${groups}`,
    description: 'first',
    members: [ann.id],
  })
  groupId = expectSuccess(made).group_id
})

const path = () => `/user_groups/${groupId}`
/** The group `role:nobody`. */
const NOBODY = 1
const OLD_CLIENT = { ...ALL_CAPABILITIES, include_deactivated_groups: false }

async function groupOf(user: TestUser) {
  const { user_groups } = expectSuccess(
    await user.api.get('/user_groups', { include_deactivated_groups: true }),
  )
  return user_groups.find(({ id }: { id: number }) => id === groupId)
}

describe('PATCH /user_groups/{user_group_id}', () => {
  it('sends one event for each thing that changed, in order', async () => {
    const queue = await openQueue(guest)
    expectSuccess(
      await ann.api.patch(path(), {
        name: `new ${groups}`,
        description: 'second',
        can_leave_group: { new: 4 },
        can_add_members_group: { new: 6, old: { direct_members: [ann.id], direct_subgroups: [] } },
      }),
    )
    expect((await queue.eventsOf('user_group', 'update')).map(({ data }) => data)).toEqual([
      { name: `new ${groups}` },
      { description: 'second' },
      { can_add_members_group: 6 },
      { can_leave_group: 4 },
    ])
    expect(await groupOf(ben)).toMatchObject({ name: `new ${groups}`, can_leave_group: 4 })
  })

  it('refuses a permission whose old value is not the present one, and changes nothing', async () => {
    const { body } = await ann.api.patch(path(), {
      description: 'never',
      can_leave_group: { new: 4, old: 1 },
    })
    expect(body).toMatchObject({
      code: 'EXPECTATION_MISMATCH',
      msg: "'old' value does not match the expected value.",
    })
    expect(await groupOf(ann)).toMatchObject({ description: 'first', can_leave_group: 7 })
  })

  it('emits nothing when the new permission is the present one', async () => {
    const queue = await openQueue(ann)
    expectSuccess(
      await ann.api.patch(path(), {
        can_leave_group: { new: { direct_members: [], direct_subgroups: [7] } },
      }),
    )
    expect(await queue.events()).toEqual([])
  })

  it('reactivates with deactivated=false, with the events that each client knows', async () => {
    expectSuccess(await ann.api.post(`${path()}/deactivate`))
    const modern = await openQueue(ben)
    const old = await openQueue(ben, { client_capabilities: OLD_CLIENT })
    expectSuccess(await ann.api.patch(path(), { deactivated: false }))
    expect((await modern.eventsOf('user_group')).map(({ op, data }) => [op, data])).toEqual([
      ['update', { deactivated: false }],
    ])
    expect((await old.eventsOf('user_group')).map(({ op }) => op)).toEqual(['add'])
    expect(await groupOf(ben)).toMatchObject({ deactivated: false })
  })

  it('does nothing with deactivated=true', async () => {
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.patch(path(), { deactivated: true }))
    expect(await queue.events()).toEqual([])
    expect(await groupOf(ben)).toMatchObject({ deactivated: false })
  })

  it('sends a deactivated group’s new name only to clients that know such groups', async () => {
    expectSuccess(await ann.api.post(`${path()}/deactivate`))
    const modern = await openQueue(ben)
    const old = await openQueue(ben, { client_capabilities: OLD_CLIENT })
    expectSuccess(await ann.api.patch(path(), { name: `asleep ${groups}` }))
    expect(await modern.eventsOf('user_group')).toHaveLength(1)
    expect(await old.eventsOf('user_group')).toEqual([])
  })

  it('refuses a request without data', async () => {
    expect((await ann.api.patch(path())).body.msg).toBe('No new data supplied')
  })

  it('refuses a deactivated group as a new value', async () => {
    const made = await ann.api.post('/user_groups/create', {
      name: `gone ${groups}`,
      description: '',
      members: [],
    })
    const other = expectSuccess(made).group_id
    expectSuccess(await ann.api.post(`/user_groups/${other}/deactivate`))
    const { body } = await ann.api.patch(path(), { can_join_group: { new: other } })
    expect(body.msg).toBe('User group is deactivated.')
  })

  it('is open to bots that manage the group, as are all endpoints of groups', async () => {
    const bot = await buildBot(realm, ann)
    const made = await bot.api.post('/user_groups/create', {
      name: `bots ${groups}`,
      description: '',
      members: [],
    })
    const id = expectSuccess(made).group_id
    const own = `/user_groups/${id}`
    const { can_manage_group } = expectSuccess(await ann.api.get('/user_groups')).user_groups.find(
      (group: { id: number }) => group.id === id,
    )
    // A bot has no right that its owner lacks.
    expect(can_manage_group).toEqual({ direct_members: [ann.id, bot.id], direct_subgroups: [] })
    expectSuccess(await bot.api.patch(own, { description: 'by a bot' }))
    expectSuccess(await bot.api.post(`${own}/members`, { add: [ben.id, bot.id] }))
    expectSuccess(await bot.api.post(`${own}/subgroups`, { add: [groupId] }))
    const isMember = async (user: TestUser) =>
      expectSuccess(await bot.api.get(`${own}/members/${user.id}`)).is_user_group_member
    expect([await isMember(bot), await isMember(ann), await isMember(admin)]).toEqual([true, true, false])
    expectSuccess(await bot.api.post(`${own}/deactivate`))
    expect((await bot.api.patch(path(), { description: 'no' })).body.msg).toBe('Insufficient permission')
    expect(await groupOf(ann)).toMatchObject({ description: 'first' })
  })

  describe('who may not', () => {
    it.each([
      ['a member outside can_manage_group', () => ben, 'Insufficient permission'],
      ['an administrator, who has no right of their own', () => admin, 'Insufficient permission'],
      ['a guest', () => guest, 'Not allowed for guest users'],
    ])('%s', async (_who, user, msg) => {
      const { body } = await user().api.patch(path(), { description: 'no' })
      expect(body).toMatchObject({ code: 'BAD_REQUEST', msg })
      expect(await groupOf(ann)).toMatchObject({ description: 'first' })
    })

    it('anyone, for a system group', async () => {
      const { body } = await realm.owner.api.patch('/user_groups/6', { description: 'no' })
      expect(body.msg).toBe('Insufficient permission')
    })

    it('anyone, for a group that does not exist', async () => {
      expect((await realm.owner.api.patch('/user_groups/4711', { description: 'no' })).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Invalid user group',
      })
    })

    it('a caller without an account', async () => {
      expect((await realm.anonymous.patch(path(), { description: 'no' })).status).toBe(401)
    })
  })

  it('an owner may, by can_manage_all_groups', async () => {
    expectSuccess(await realm.owner.api.patch(path(), { description: 'owned' }))
  })
})

describe('POST /user_groups/{user_group_id}/deactivate', () => {
  it('emits an update to clients that know deactivated groups, a removal to others', async () => {
    const modern = await openQueue(guest)
    const old = await openQueue(guest, { client_capabilities: OLD_CLIENT })
    expectSuccess(await ann.api.post(`${path()}/deactivate`))
    expect((await modern.eventsOf('user_group')).map(({ op, data }) => [op, data])).toEqual([
      ['update', { deactivated: true }],
    ])
    expect((await old.eventsOf('user_group')).map(({ op, group_id }) => [op, group_id])).toEqual([
      ['remove', groupId],
    ])
    const { user_groups } = expectSuccess(await ann.api.get('/user_groups'))
    expect(user_groups.some(({ id }: { id: number }) => id === groupId)).toBe(false)
  })

  it('makes the group’s name a silent mention: in new, edited and quoted messages', async () => {
    const { name } = await groupOf(ann)
    expectSuccess(await ann.api.patch(path(), { can_mention_group: { new: NOBODY } }))
    expectSuccess(await ann.api.post(`${path()}/deactivate`))
    const channel = await buildChannel([ann, ben])
    const silent = `<span class="user-group-mention silent" data-user-group-id="${groupId}">${name}</span>`
    const own = async (id: number) => expectSuccess(await ann.api.get(`/messages/${id}`)).message
    const send = async (content: string) => {
      const message = { type: 'channel', to: channel.id, topic: 'x', content }
      return expectSuccess(await ben.api.post('/messages', message)).id as number
    }
    const id = await send(`ask @*${name}*`)
    expect(await own(id)).toMatchObject({ content: `<p>ask ${silent}</p>`, flags: [] })
    expectSuccess(await ben.api.patch(`/messages/${id}`, { content: `do ask @*${name}*` }))
    expect(await own(id)).toMatchObject({ content: `<p>do ask ${silent}</p>`, flags: [] })
    expect((await own(await send(`> @*${name}* knows`))).content).toContain(`<p>${silent} knows</p>`)
  })

  it('refuses a group that is deactivated already', async () => {
    expectSuccess(await ann.api.post(`${path()}/deactivate`))
    expect((await ann.api.post(`${path()}/deactivate`)).body.msg).toBe('User group is deactivated.')
  })

  it('refuses a group in use, and lists every use', async () => {
    const parent = expectSuccess(
      await ann.api.post('/user_groups/create', {
        name: `parent ${groups}`,
        description: '',
        members: [],
        subgroups: [groupId],
        can_join_group: { direct_members: [ann.id], direct_subgroups: [groupId] },
      }),
    ).group_id
    const { body } = await ann.api.post(`${path()}/deactivate`)
    expect(body).toMatchObject({
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      msg: 'Cannot deactivate user group in use.',
      objections: [
        { type: 'subgroup', supergroup_ids: [parent] },
        { type: 'user_group', group_id: parent, settings: ['can_join_group'] },
      ],
    })
    expect(await groupOf(ann)).toMatchObject({ deactivated: false })
  })
})
