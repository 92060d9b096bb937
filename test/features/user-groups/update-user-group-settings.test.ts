import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

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

describe('changing a group', () => {
  it.each(SETTINGS)('replaces %s by a group, or by people and groups', async (setting) => {
    const id = await newGroup()
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { [setting]: { new: 6 } }))
    expect((await read(id))[setting]).toBe(6)
    const value = { direct_members: [ann.id, ben.id], direct_subgroups: [] }
    const manager = setting === 'can_manage_group' ? ben : ann
    expectSuccess(await manager.api.patch(`/user_groups/${id}`, { [setting]: { new: value } }))
    expect((await read(id))[setting]).toEqual(value)
  })

  it.each(SETTINGS)('changes %s only where old is the present value', async (setting) => {
    const id = await newGroup()
    const present = (await read(id))[setting]
    const wrong = await ann.api.patch(`/user_groups/${id}`, { [setting]: { new: 6, old: 3 } })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'EXPECTATION_MISMATCH'])
    expect((await read(id))[setting]).toEqual(present)
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { [setting]: { new: 6, old: present } }))
  })

  it('needs the new value in the object', async () => {
    const id = await newGroup()
    const { status, body } = await ann.api.patch(`/user_groups/${id}`, { can_join_group: { old: 1 } })
    expect([status, body.msg]).toEqual([400, 'can_join_group["new"] field is missing: Field required'])
  })

  it('changes who may do what with a deactivated group, too', async () => {
    const id = await newGroup()
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { can_join_group: { new: 6 } }))
    expect(await read(id)).toMatchObject({ can_join_group: 6, deactivated: true })
  })

  it('that is deactivated mentions nobody by its name', async () => {
    const id = await newGroup()
    const { name } = await read(id)
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    const { rendered } = expectSuccess(await ann.api.post('/messages/render', { content: `@*${name}*` }))
    const mention = `<span class="user-group-mention silent" data-user-group-id="${id}">${name}</span>`
    expect(rendered).toBe(`<p>${mention}</p>`)
  })

  it('is refused for an unknown id', async () => {
    const { status, body } = await ann.api.patch('/user_groups/987654', { name: 'x' })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('back to active needs the permission to change it', async () => {
    const id = await newGroup()
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    expectRefusal(
      await ben.api.patch(`/user_groups/${id}`, { deactivated: false }),
      'Insufficient permission',
    )
    expect(await read(id)).toMatchObject({ deactivated: true })
  })
})
