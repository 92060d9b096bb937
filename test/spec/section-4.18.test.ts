import { describe, expect, it, vi } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, admin, ann } = useRealm({ admin: 'administrator', ann: 'member' })

let people = 0
function create(user: TestUser, params: Record<string, unknown> = {}) {
  people += 1
  return user.api.post('/users', {
    email: `new-${people}@example.com`,
    full_name: `New Person ${people}`,
    password: 'long enough',
    ...(params as Record<string, string>),
  })
}

describe('4.18 Create a user', () => {
  it('response: user_id; the account is a member that can log in', async () => {
    const queue = await openQueue(ann)
    const body = expectSuccess(await create(realm.owner, { email: 'Zoe@example.com', full_name: 'Zoe' }))
    expect(body).toEqual({ result: 'success', msg: '', user_id: expect.any(Number) })
    expect((await queue.eventsOf('realm_user', 'add'))[0]?.person).toMatchObject({
      user_id: body.user_id,
      full_name: 'Zoe',
      role: 400,
      profile_data: {},
    })
    expectSuccess(
      await realm.anonymous.post('/fetch_api_key', { username: 'zoe@example.com', password: 'long enough' }),
    )
  })

  it('the new user is in the default channels', async () => {
    const { user_id } = expectSuccess(await create(realm.owner))
    const { stream_id } = expectSuccess(await ann.api.get('/get_stream_id', { stream: 'general' }))
    const { subscribers } = expectSuccess(await ann.api.get(`/streams/${stream_id}/members`))
    expect(subscribers).toContain(user_id)
  })

  it.each(['email', 'password', 'full_name'])('%s is required', async (name) => {
    expect((await create(realm.owner, { [name]: undefined })).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  })

  it('an email in use in the realm, whatever the case of its letters: BAD_REQUEST', async () => {
    const { status, body } = await create(realm.owner, { email: ann.email.toUpperCase() })
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Email is already in use.'])
  })

  it('a deactivated account keeps its email', async () => {
    const dan = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect((await create(realm.owner, { email: dan.email })).body.msg).toBe('Email is already in use.')
  })

  it('an administrator without can_create_users: BAD_REQUEST', async () => {
    expect((await create(admin)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'User not authorized to create users',
    })
  })

  it('an administrator to whom the server gives can_create_users may', async () => {
    const other = await buildUser(realm, { role: 200 })
    world.settings = {
      CAN_CREATE_USERS: `elsewhere.test/${other.email} ${realm.host}/${admin.email.toUpperCase()}`,
    }
    expectSuccess(await create(admin))
    // One user is named for another organization, the other one not at all.
    for (const user of [other, await buildUser(realm, { role: 100 })]) {
      expect((await create(user)).body.msg).toBe('User not authorized to create users')
    }
    world.settings = {}
    expect((await create(admin)).body.msg).toBe('User not authorized to create users')
  })

  it('can_create_users is of no use to others than administrators', async () => {
    world.settings = { CAN_CREATE_USERS: `${realm.host}/${ann.email}` }
    expect((await create(ann)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  })

  it('can_create_users without an organization gives nobody anything, and the log says so', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    world.settings = { CAN_CREATE_USERS: admin.email }
    expect((await create(admin)).body.msg).toBe('User not authorized to create users')
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('CAN_CREATE_USERS'))
    warn.mockRestore()
  })

  it('a member: UNAUTHORIZED_PRINCIPAL, before anything else is looked at', async () => {
    const { status, body } = await ann.api.post('/users', {})
    expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
  })

  it.each([
    [{ full_name: 'x'.repeat(101) }, 'Name too long!'],
    [{ full_name: 'x' }, 'Name too short!'],
    [{ full_name: 'a*b' }, 'Invalid characters in name!'],
    [{ full_name: 'name|12' }, 'Invalid format!'],
    [{ email: 'no address' }, 'Bad name or username'],
    [{ password: 'short' }, 'The password is too weak.'],
  ])('%j is refused, and nobody is made', async (params, msg) => {
    const queue = await openQueue(ann)
    expect((await create(realm.owner, params)).body).toMatchObject({ code: 'BAD_REQUEST', msg })
    expect(await queue.events()).toEqual([])
  })
})
