import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })
/** The owner of another organization. */
const { owner: stranger } = useRealm()

function create(user: TestUser, params: Record<string, unknown>) {
  return user.api.post('/user_groups/create', {
    name: 'A group',
    description: '',
    members: [],
    ...(params as Record<string, string>),
  })
}

describe('POST /user_groups/create', () => {
  it('creates a group that everybody gets, guests included, now and at registration', async () => {
    const queues = [await openQueue(realm.owner), await openQueue(guest)]
    const { group_id } = expectSuccess(
      await create(ann, { name: 'backend', description: 'Servers', members: [guest.id, ann.id] }),
    )
    for (const queue of queues) {
      const events = await queue.eventsOf('user_group')
      expect(events).toHaveLength(1)
      expect(events[0]).toMatchObject({
        op: 'add',
        group: {
          id: group_id,
          name: 'backend',
          description: 'Servers',
          creator_id: ann.id,
          members: [ann.id, guest.id].sort((a, b) => a - b),
          direct_subgroup_ids: [],
          is_system_group: false,
          deactivated: false,
          can_manage_group: { direct_members: [ann.id], direct_subgroups: [] },
          can_add_members_group: { direct_members: [ann.id], direct_subgroups: [] },
          can_join_group: 1,
          can_leave_group: 7,
          can_mention_group: 7,
          can_remove_members_group: 1,
        },
      })
    }
    const later = await openQueue(guest)
    expect(later.snapshot.realm_user_groups.find(({ id }: { id: number }) => id === group_id)).toMatchObject({
      name: 'backend',
    })
  })

  it('sends no message to the members', async () => {
    const queue = await openQueue(guest)
    expectSuccess(await create(ann, { name: 'quiet', members: [guest.id] }))
    expect(await queue.eventsOf('message')).toEqual([])
  })

  it('announces subgroups in an event of their own; system groups may be subgroups', async () => {
    const queue = await openQueue(realm.owner)
    const { group_id } = expectSuccess(await create(ann, { name: 'leads', subgroups: [4] }))
    expect(
      (await queue.eventsOf('user_group')).map(({ op, direct_subgroup_ids }) => [op, direct_subgroup_ids]),
    ).toEqual([
      ['add', undefined],
      ['add_subgroups', [4]],
    ])
    const { subgroups } = expectSuccess(
      await ann.api.get(`/user_groups/${group_id}/subgroups`, { direct_subgroup_only: true }),
    )
    expect(subgroups).toEqual([4])
  })

  it('stores a permission in its normal form', async () => {
    const { group_id } = expectSuccess(
      await create(ann, {
        name: 'normal',
        can_join_group: { direct_members: [], direct_subgroups: [6] },
        can_leave_group: { direct_members: [], direct_subgroups: [] },
      }),
    )
    const { user_groups } = expectSuccess(await ann.api.get('/user_groups'))
    expect(user_groups.find(({ id }: { id: number }) => id === group_id)).toMatchObject({
      can_join_group: 6,
      can_leave_group: 1,
    })
  })

  it.each([
    [{ members: [99999] }, 'Invalid user ID: 99999'],
    [{ name: '  ' }, "User group name can't be empty!"],
    [{ name: 'x'.repeat(101) }, 'User group name cannot exceed 100 characters.'],
    [{ name: '@x' }, "User group name cannot start with '@'."],
    [{ name: 'role:x' }, "User group name cannot start with 'role:'."],
    [{ name: 'user:x' }, "User group name cannot start with 'user:'."],
    [{ name: 'stream:x' }, "User group name cannot start with 'stream:'."],
    [{ name: 'channel:x' }, "User group name cannot start with 'channel:'."],
    [{ subgroups: [4711] }, 'Invalid user group ID: 4711'],
    [{ can_mention_group: 8 }, "'can_mention_group' setting cannot be set to 'role:internet' group."],
    [{ can_mention_group: 2 }, "'can_mention_group' setting cannot be set to 'role:owners' group."],
    [{ can_join_group: 7 }, "'can_join_group' setting cannot be set to 'role:everyone' group."],
    [{ can_manage_group: { direct_members: [4711], direct_subgroups: [] } }, 'Invalid user ID: 4711'],
    [{ can_manage_group: 4711 }, 'Invalid user group'],
  ])('refuses %j', async (params, msg) => {
    const queue = await openQueue(realm.owner)
    const { status, body } = await create(ann, params)
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
    expect(await queue.eventsOf('user_group')).toEqual([])
  })

  it('refuses a name that is taken, also by a deactivated group', async () => {
    const { group_id } = expectSuccess(await create(ann, { name: 'taken' }))
    expectSuccess(await ann.api.post(`/user_groups/${group_id}/deactivate`))
    const { body } = await create(ann, { name: 'taken' })
    expect(body.msg).toBe("User group 'taken' already exists.")
  })

  it('reports a missing parameter by name', async () => {
    const { body } = await ann.api.post('/user_groups/create', { name: 'x', members: [] })
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'description' })
  })

  describe('who may not', () => {
    it('a guest', async () => {
      expect((await create(guest, {})).body.msg).toBe('Not allowed for guest users')
    })

    it('a deactivated user', async () => {
      const dan = await buildUser(realm)
      expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
      expect((await create(dan, {})).body).toMatchObject({
        code: 'UNAUTHORIZED',
        msg: 'Account is deactivated',
      })
    })

    it('a user of another organization', async () => {
      const { status, body } = await realm.owner.api.post('/user_groups/create', {
        name: 'x',
        description: '',
        members: [stranger.id + 1000],
      })
      expect([status, body.msg]).toEqual([400, `Invalid user ID: ${stranger.id + 1000}`])
    })

    it('a caller without an account', async () => {
      expect((await realm.anonymous.post('/user_groups/create', {})).status).toBe(401)
    })
  })
})
