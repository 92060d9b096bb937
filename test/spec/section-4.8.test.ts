import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { ann, ben } = useRealm({ ann: 'member', ben: 'member' })

let groups = 0
async function newGroup(): Promise<number> {
  groups += 1
  return expectSuccess(
    await ann.api.post('/user_groups/create', {
      name: `group ${groups}`,
      description: 'before',
      members: [ann.id],
    }),
  ).group_id
}

async function read(id: number) {
  const { user_groups } = expectSuccess(
    await ben.api.get('/user_groups', { include_deactivated_groups: true }),
  )
  return user_groups.find((group: { id: number }) => group.id === id)
}

const SETTINGS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
]

describe('4.8 Update a user group', () => {
  it('name and description', async () => {
    const id = await newGroup()
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { name: `renamed ${id}`, description: 'after' }))
    expect((await queue.eventsOf('user_group', 'update')).map(({ data }) => data)).toEqual([
      { name: `renamed ${id}` },
      { description: 'after' },
    ])
    expect(await read(id)).toMatchObject({ name: `renamed ${id}`, description: 'after' })
  })

  it.each(SETTINGS)('%s: new replaces it, in both forms of 2.1', async (setting) => {
    const id = await newGroup()
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { [setting]: { new: 6 } }))
    expect((await read(id))[setting]).toBe(6)
    const value = { direct_members: [ann.id, ben.id], direct_subgroups: [] }
    const manager = setting === 'can_manage_group' ? ben : ann
    expectSuccess(await manager.api.patch(`/user_groups/${id}`, { [setting]: { new: value } }))
    expect((await read(id))[setting]).toEqual(value)
  })

  it.each(SETTINGS)('%s: old is the expected present value', async (setting) => {
    const id = await newGroup()
    const present = (await read(id))[setting]
    const wrong = await ann.api.patch(`/user_groups/${id}`, { [setting]: { new: 6, old: 3 } })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'EXPECTATION_MISMATCH'])
    expect((await read(id))[setting]).toEqual(present)
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { [setting]: { new: 6, old: present } }))
  })

  it('new is required in the object', async () => {
    const id = await newGroup()
    const { status, body } = await ann.api.patch(`/user_groups/${id}`, { can_join_group: { old: 1 } })
    expect([status, body.msg]).toEqual([400, 'can_join_group["new"] field is missing: Field required'])
  })

  it('deactivated false reactivates the group', async () => {
    const id = await newGroup()
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    expect(await read(id)).toMatchObject({ deactivated: true })
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { deactivated: false }))
    expect(await read(id)).toMatchObject({ deactivated: false })
  })

  it('deactivated true does nothing', async () => {
    const id = await newGroup()
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { deactivated: true }))
    expect(await read(id)).toMatchObject({ deactivated: false })
  })

  it('3 who may do what with a deactivated group can still be changed', async () => {
    const id = await newGroup()
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { can_join_group: { new: 6 } }))
    expect(await read(id)).toMatchObject({ can_join_group: 6, deactivated: true })
  })

  it('2.6 naming a deactivated group mentions nobody', async () => {
    const id = await newGroup()
    const { name } = await read(id)
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    const { rendered } = expectSuccess(await ann.api.post('/messages/render', { content: `@*${name}*` }))
    expect(rendered).not.toContain('data-user-group-id')
  })

  it('2.6 a deactivated group cannot be the value of a permission', async () => {
    const [id, other] = [await newGroup(), await newGroup()]
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    const { status, body } = await ann.api.patch(`/user_groups/${other}`, { can_join_group: { new: id } })
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'User group is deactivated.'])
  })

  it('an invalid group ID: BAD_REQUEST', async () => {
    const { status, body } = await ann.api.patch('/user_groups/987654', { name: 'x' })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })
})
