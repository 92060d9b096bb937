import { beforeAll, describe, expect, it } from 'vitest'
import { buildRealm, buildUser, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await buildRealm()
})

describe('changing a role', () => {
  it('tells everybody the role and the groups that follow from it', async () => {
    const member = await buildUser(realm)
    const watcher = await openQueue(await buildUser(realm))
    expectSuccess(await realm.owner.api.patch(`/users/${member.id}`, { role: 300 }))
    expect(await watcher.events()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: member.id, role: 300 } },
      { type: 'user_group', op: 'remove_members', group_id: 5, user_ids: [member.id] },
      { type: 'user_group', op: 'remove_members', group_id: 6, user_ids: [member.id] },
      { type: 'user_group', op: 'add_members', group_id: 4, user_ids: [member.id] },
    ])
  })
})
