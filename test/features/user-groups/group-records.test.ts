import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

async function groupOf(id: number) {
  const { user_groups } = expectSuccess(await ben.api.get('/user_groups'))
  return user_groups.find((group: { id: number }) => group.id === id)
}

let groups = 0
async function newGroup(settings: Record<string, number | object> = {}): Promise<number> {
  groups += 1
  const params = { name: `record ${groups}`, description: 'for records', members: [ann.id], ...settings }
  return expectSuccess(await ann.api.post('/user_groups/create', params)).group_id
}

describe('the record of a group', () => {
  it('names no deactivated users in its permissions', async () => {
    const dan = await buildUser(realm)
    const value = { direct_members: [ann.id, dan.id], direct_subgroups: [] }
    const id = await newGroup({ can_mention_group: value })
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect(await groupOf(id)).toMatchObject({
      can_mention_group: { direct_members: [ann.id], direct_subgroups: [] },
    })
  })

  it('has these fields', async () => {
    const id = await newGroup()
    expect(await groupOf(id)).toMatchObject({
      id,
      name: `record ${groups}`,
      description: 'for records',
      members: [ann.id],
      direct_subgroup_ids: [],
      deactivated: false,
      is_system_group: false,
      creator_id: ann.id,
      date_created: expect.any(Number),
      can_add_members_group: expect.anything(),
      can_join_group: expect.anything(),
      can_leave_group: expect.anything(),
      can_manage_group: expect.anything(),
      can_mention_group: expect.anything(),
      can_remove_members_group: expect.anything(),
    })
  })

  it('of a deactivated one becomes no subgroup', async () => {
    const [id, other] = [await newGroup(), await newGroup()]
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    expectRefusal(
      await ann.api.post(`/user_groups/${other}/subgroups`, { add: [id] }),
      'User group is deactivated.',
    )
  })
})
