import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

let groups = 0
function create(params: Record<string, unknown>) {
  groups += 1
  return ann.api.post('/user_groups/create', {
    name: `group ${groups}`,
    description: 'What it is for',
    members: [],
    ...(params as Record<string, string>),
  })
}

async function read(id: number) {
  const { user_groups } = expectSuccess(await ben.api.get('/user_groups'))
  return user_groups.find((group: { id: number }) => group.id === id)
}

describe('creating a group', () => {
  it('answers with its id', async () => {
    const body = expectSuccess(await create({}))
    expect(body).toEqual({ result: 'success', msg: '', group_id: expect.any(Number) })
  })

  it.each(['name', 'description', 'members'])('needs %s', async (name) => {
    const { status, body } = await create({ [name]: undefined })
    expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', name])
  })

  it('takes its first members', async () => {
    const { group_id } = expectSuccess(await create({ members: [ben.id] }))
    expect((await read(group_id)).members).toEqual([ben.id])
  })

  it('takes any subgroups, whatever their permissions', async () => {
    const { group_id: closed } = expectSuccess(
      await realm.owner.api.post('/user_groups/create', { name: 'closed', description: '', members: [] }),
    )
    const { group_id } = expectSuccess(await create({ subgroups: [closed, 6] }))
    expect((await read(group_id)).direct_subgroup_ids).toEqual([6, closed])
  })

  it.each([
    'can_add_members_group',
    'can_join_group',
    'can_leave_group',
    'can_manage_group',
    'can_mention_group',
    'can_remove_members_group',
  ])('takes a group, or people and groups, for %s', async (setting) => {
    const byGroup = expectSuccess(await create({ [setting]: 4 })).group_id
    const byMembers = expectSuccess(
      await create({ [setting]: { direct_members: [ben.id], direct_subgroups: [4] } }),
    ).group_id
    expect((await read(byGroup))[setting]).toBe(4)
    expect((await read(byMembers))[setting]).toEqual({ direct_members: [ben.id], direct_subgroups: [4] })
  })

  it('is refused with an unknown member, and makes none', async () => {
    const queue = await openQueue(ben)
    const { status, body } = await create({ members: [987_654] })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(await queue.eventsOf('user_group')).toEqual([])
  })
})
