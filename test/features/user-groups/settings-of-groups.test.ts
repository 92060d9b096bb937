import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann } = useRealm({
  ann: 'member',
})

let groups = 0

function createGroup(settings: Record<string, ParameterValue>) {
  groups += 1
  const params = { name: `decided ${groups}`, description: '', members: [ann.id] }
  return ann.api.post('/user_groups/create', { ...params, ...settings })
}

async function groupOf(id: number) {
  const { user_groups } = expectSuccess(await ann.api.get('/user_groups'))
  return user_groups.find((group: { id: number }) => group.id === id)
}

describe('a permission of a group', () => {
  it('to mention it cannot be the owners’ group, but can include that', async () => {
    const refusal = "'can_mention_group' setting cannot be set to 'role:owners' group."
    expectRefusal(await createGroup({ can_mention_group: 2 }), refusal)
    const value = { direct_members: [ann.id], direct_subgroups: [2] }
    const { group_id } = expectSuccess(await createGroup({ can_mention_group: value }))
    expect((await groupOf(group_id)).can_mention_group).toEqual(value)
    expectRefusal(await ann.api.patch(`/user_groups/${group_id}`, { can_mention_group: { new: 2 } }), refusal)
  })

  it.each([
    'can_add_members_group',
    'can_join_group',
    'can_leave_group',
    'can_manage_group',
    'can_mention_group',
    'can_remove_members_group',
  ])('is never role:internet, not even %s', async (name) => {
    expectRefusal(
      await createGroup({ [name]: 8 }),
      `'${name}' setting cannot be set to 'role:internet' group.`,
    )
  })

  it.each([
    ['can_add_members_group', false],
    ['can_join_group', false],
    ['can_leave_group', true],
    ['can_manage_group', false],
    ['can_mention_group', true],
    ['can_remove_members_group', false],
  ])('may be role:everyone for %s: %j', async (name, allowed) => {
    const answer = await createGroup({ [name]: 7 })
    if (allowed) expectSuccess(answer)
    else expectRefusal(answer, `'${name}' setting cannot be set to 'role:everyone' group.`)
  })

  it('that is an object has both arrays', async () => {
    for (const value of [{ direct_members: [ann.id] }, { direct_subgroups: [4] }, {}]) {
      expect((await createGroup({ can_mention_group: value })).body.code).toBe('BAD_REQUEST')
    }
  })
})
