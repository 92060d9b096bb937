import { beforeEach, describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
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

async function groupOf(user: TestUser) {
  const { user_groups } = expectSuccess(
    await user.api.get('/user_groups', { include_deactivated_groups: true }),
  )
  return user_groups.find(({ id }: { id: number }) => id === groupId)
}

describe('POST /user_groups/{user_group_id}/members', () => {
  it('adds and removes members, with events for all and messages to those concerned', async () => {
    const watcher = await openQueue(guest)
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.post(`${path()}/members`, { add: [ben.id] }))
    expect(await watcher.eventsOf('user_group', 'add_members')).toMatchObject([
      { group_id: groupId, user_ids: [ben.id] },
    ])
    expectSuccess(await ann.api.post(`${path()}/members`, { delete: [ben.id] }))
    const contents = (await queue.eventsOf('message')).map(({ message }) => message.content)
    expect(contents[0]).toContain('added you to the group')
    expect(contents[1]).toContain('removed you from the group')
    expect(await watcher.eventsOf('user_group', 'remove_members')).toHaveLength(1)
    expect(await groupOf(ann)).toMatchObject({ members: [ann.id] })
  })

  it('shows members the group’s private channels, and hides them after removal', async () => {
    const inner = await ann.api.post('/user_groups/create', {
      name: `inner ${groups}`,
      description: 'inside',
      members: [],
    })
    const innerId = expectSuccess(inner).group_id
    const channel = await buildChannel([ann], { invite_only: true, can_subscribe_group: groupId })
    const queues = [await openQueue(ben), await openQueue(guest)] as const
    const seen = async () => {
      const events = (await queues[0].events()).filter(({ type }) => type === 'stream')
      return events.map(({ op, streams }) => [op, streams.map((one: { stream_id: number }) => one.stream_id)])
    }
    const members = [ben.id, guest.id]
    expectSuccess(await ann.api.post(`/user_groups/${innerId}/members`, { add: members }))
    expect(await seen()).toEqual([])
    expectSuccess(await ann.api.post(`${path()}/subgroups`, { add: [innerId] }))
    expect(await seen()).toEqual([['create', [channel.id]]])
    expectSuccess(await ann.api.post(`/user_groups/${innerId}/members`, { delete: [ben.id] }))
    expect(await seen()).toEqual([['delete', [channel.id]]])
    expectSuccess(await ann.api.post(`/user_groups/${innerId}/members`, { add: [ben.id] }))
    expect(await seen()).toEqual([['create', [channel.id]]])
    const visible = (await openQueue(ben)).snapshot.streams.map((one: { stream_id: number }) => one.stream_id)
    expect(visible).toContain(channel.id)
    expectSuccess(await ann.api.post(`${path()}/subgroups`, { delete: [innerId] }))
    expect(await seen()).toEqual([['delete', [channel.id]]])
    // Guests do not have such a permission, whatever groups they are in.
    expect(await queues[1].eventsOf('stream')).toEqual([])
  })

  it('can_join_group allows joining, and can_leave_group leaving, for oneself', async () => {
    expectSuccess(await ann.api.patch(path(), { can_join_group: { new: 6 } }))
    expect((await ben.api.post(`${path()}/members`, { add: [ben.id, admin.id] })).body.msg).toBe(
      'Insufficient permission',
    )
    expectSuccess(await ben.api.post(`${path()}/members`, { add: [ben.id] }))
    expectSuccess(await ben.api.post(`${path()}/members`, { delete: [ben.id] }))
  })

  it.each([
    [{}, 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'],
    [{ add: [4711] }, 'Invalid user ID: 4711'],
    [{ add_subgroups: [4711] }, 'Invalid user group ID: 4711'],
  ])('refuses %j', async (params, msg) => {
    expect((await ann.api.post(`${path()}/members`, params)).body.msg).toBe(msg)
  })

  it('refuses adding a member twice, and removing a user who is none', async () => {
    expect((await ann.api.post(`${path()}/members`, { add: [ann.id] })).body.msg).toBe(
      `User ${ann.id} is already a member of this group`,
    )
    expect((await ann.api.post(`${path()}/members`, { delete: [ben.id] })).body.msg).toBe(
      `There is no member '${ben.id}' in this user group`,
    )
  })

  it('refuses to add or remove a deactivated member, who is still one when reactivated', async () => {
    expectSuccess(await ann.api.post(`${path()}/members`, { add: [ben.id] }))
    expectSuccess(await admin.api.delete(`/users/${ben.id}`))
    for (const change of ['add', 'delete']) {
      const { body } = await ann.api.post(`${path()}/members`, { [change]: [ben.id] })
      expect(body.msg).toBe(`Invalid user ID: ${ben.id}`)
    }
    await reopen(realm, ben)
    expect((await groupOf(ann)).members).toEqual([ann.id, ben.id])
  })

  it('refuses adding a subgroup twice, and removing a group that is none', async () => {
    const facts = { name: `part ${groups}`, description: '', members: [] }
    const { group_id: part } = expectSuccess(await ann.api.post('/user_groups/create', facts))
    const change = async (params: Record<string, number[]>) =>
      (await ann.api.post(`${path()}/subgroups`, params)).body.msg
    expect(await change({ delete: [part] })).toBe(`User group ${part} is not a subgroup of this group.`)
    expect(await change({ add: [part] })).toBe('')
    expect(await change({ add: [part] })).toBe(`User group ${part} is already a subgroup of this group.`)
  })

  it('refuses a cycle of subgroups', async () => {
    const child = expectSuccess(
      await ann.api.post('/user_groups/create', {
        name: `child ${groups}`,
        description: '',
        members: [ben.id],
      }),
    ).group_id
    expectSuccess(await ann.api.post(`${path()}/subgroups`, { add: [child] }))
    const { body } = await ann.api.post(`/user_groups/${child}/subgroups`, { add: [groupId] })
    expect(body.msg).toBe(`User group ${child} is already a subgroup of one of the passed subgroups.`)
    const { members } = expectSuccess(await ben.api.get(`${path()}/members`))
    expect(members).toEqual([ann.id, ben.id].sort((a, b) => a - b))
    const { is_user_group_member } = expectSuccess(await ben.api.get(`${path()}/members/${ben.id}`))
    expect(is_user_group_member).toBe(true)
    const direct = expectSuccess(
      await ben.api.get(`${path()}/members/${ben.id}`, { direct_member_only: true }),
    )
    expect(direct.is_user_group_member).toBe(false)
  })

  it('a member without rights may not', async () => {
    expect((await ben.api.post(`${path()}/members`, { add: [ben.id] })).body.msg).toBe(
      'Insufficient permission',
    )
  })
})
