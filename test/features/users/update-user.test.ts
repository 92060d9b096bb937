import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, admin } = useRealm({ admin: 'administrator' })
/** The owner of another organization. */
const { owner: stranger } = useRealm()

describe('changing a role', () => {
  it('notifies everybody of the role and the groups that follow from it', async () => {
    const member = await buildUser(realm)
    const watcher = await openQueue(await buildUser(realm))
    expectSuccess(await admin.api.patch(`/users/${member.id}`, { role: 300 }))
    expect(await watcher.events()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: member.id, role: 300 } },
      { type: 'user_group', op: 'remove_members', group_id: 6, user_ids: [member.id] },
      { type: 'user_group', op: 'add_members', group_id: 4, user_ids: [member.id] },
      { type: 'user_group', op: 'remove_members', group_id: 5, user_ids: [member.id] },
    ])
    expect(expectSuccess(await admin.api.get(`/users/${member.id}`)).user.role).toBe(300)
  })

  it('shows and hides channels as the new role sees them', async () => {
    const open = await buildChannel([realm.owner])
    const closed = await buildChannel([realm.owner], { invite_only: true })
    const user = await buildUser(realm)
    const queue = await openQueue(user)
    expectSuccess(await realm.owner.api.patch(`/users/${user.id}`, { role: 600 }))
    const [lost] = await queue.eventsOf('stream', 'delete')
    expect(lost!.stream_ids).toContain(open.id)
    expect(lost!.stream_ids).not.toContain(closed.id)
    expectSuccess(await realm.owner.api.patch(`/users/${user.id}`, { role: 200 }))
    const events = await queue.events()
    const [gained] = events.filter(({ type, op }) => type === 'stream' && op === 'create')
    expect(gained!.streams.map((one: { stream_id: number }) => one.stream_id)).toEqual(
      expect.arrayContaining([open.id, closed.id]),
    )
    const peers = events.find(({ op, stream_ids }) => op === 'peer_add' && stream_ids.includes(closed.id))
    expect(peers!.user_ids).toEqual([realm.owner.id])
  })

  it('is for administrators; owners alone change owners; one owner must remain', async () => {
    const member = await buildUser(realm)
    const guest = await buildUser(realm, { role: 600 })
    for (const user of [member, guest]) {
      expect((await user.api.patch(`/users/${admin.id}`, { role: 400 })).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Insufficient permission',
      })
    }
    for (const [target, role] of [
      [member, 100],
      [realm.owner, 200],
    ] as const) {
      expect((await admin.api.patch(`/users/${target.id}`, { role })).body).toMatchObject({
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization owner',
      })
    }
    expect((await realm.owner.api.patch(`/users/${realm.owner.id}`, { role: 200 })).body.msg).toBe(
      'The owner permission cannot be removed from the only organization owner.',
    )
    expect((await realm.anonymous.patch(`/users/${member.id}`, { role: 300 })).status).toBe(401)
    expect((await stranger.api.patch(`/users/${guest.id}`, { role: 300 })).body.msg).toBe('No such user')
  })

  it('takes only the five roles', async () => {
    const member = await buildUser(realm)
    for (const [role, msg] of [
      [500, 'Invalid role'],
      ['x', 'role is not valid JSON'],
      ['"400"', 'role is not an integer'],
    ] as const) {
      expect((await admin.api.patch(`/users/${member.id}`, { role })).body.msg).toBe(msg)
    }
  })

  it('changes nothing for the present role', async () => {
    const member = await buildUser(realm)
    const queue = await openQueue(admin)
    expectSuccess(await admin.api.patch(`/users/${member.id}`, { role: 400 }))
    expect(await queue.events()).toEqual([])
  })
})

describe('changing a name', () => {
  it('notifies everybody', async () => {
    const member = await buildUser(realm)
    const guest = await buildUser(realm, { role: 600 })
    const queues = [await openQueue(member), await openQueue(guest)]
    expectSuccess(await admin.api.patch(`/users/${member.email}`, { full_name: '  New Name ' }))
    for (const queue of queues) {
      expect(await queue.events()).toMatchObject([
        { type: 'realm_user', op: 'update', person: { user_id: member.id, full_name: 'New Name' } },
      ])
    }
    expect(expectSuccess(await member.api.get('/users/me')).full_name).toBe('New Name')
  })

  it('follows the rules for names, and ignores a blank one', async () => {
    const member = await buildUser(realm)
    for (const [full_name, msg] of [
      ['x'.repeat(101), 'Name too long!'],
      ['x', 'Name too short!'],
      ['two *stars*', 'Invalid characters in name!'],
      ['name|5', 'Invalid format!'],
    ] as const) {
      expect((await admin.api.patch(`/users/${member.id}`, { full_name })).body.msg).toBe(msg)
    }
    expectSuccess(await admin.api.patch(`/users/${member.id}`, { full_name: '  ' }))
    expect(expectSuccess(await member.api.get('/users/me')).full_name).toBe(member.fullName)
  })

  it('changes nothing at all when one part is refused', async () => {
    const member = await buildUser(realm)
    const queue = await openQueue(admin)
    expect((await admin.api.patch(`/users/${member.id}`, { role: 300, full_name: 'x' })).status).toBe(400)
    expect(await queue.events()).toEqual([])
    expect(expectSuccess(await member.api.get('/users/me')).role).toBe(400)
  })
})
