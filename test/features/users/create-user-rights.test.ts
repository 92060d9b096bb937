import { describe, expect, it, vi } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

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

describe('creating a user', () => {
  it('answers with the id of a member who can log in', async () => {
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

  it('is for administrators to whom the deployment gives can_create_users', async () => {
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

  it('is not for members, whatever the deployment gives them', async () => {
    world.settings = { CAN_CREATE_USERS: `${realm.host}/${ann.email}` }
    expect((await create(ann)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  })

  it('is given to nobody without an organization’s host, as the log says', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    world.settings = { CAN_CREATE_USERS: admin.email }
    expect((await create(admin)).body.msg).toBe('User not authorized to create users')
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('CAN_CREATE_USERS'))
    warn.mockRestore()
  })

  it.each([
    [{ full_name: 'x'.repeat(101) }, 'Name too long!'],
    [{ full_name: 'x' }, 'Name too short!'],
    [{ full_name: 'a*b' }, 'Invalid characters in name!'],
    [{ full_name: 'name|12' }, 'Invalid format!'],
    [{ email: 'no address' }, 'Bad name or username'],
    [{ password: 'short' }, 'The password is too weak.'],
  ])('is refused with %j, and makes nobody', async (params, msg) => {
    const queue = await openQueue(ann)
    expect((await create(realm.owner, params)).body).toMatchObject({ code: 'BAD_REQUEST', msg })
    expect(await queue.events()).toEqual([])
  })

  it('judges a password by its length alone: 6 to 100', async () => {
    for (const [password, created] of [
      ['aaaaa', false],
      ['aaaaaa', true],
      ['a'.repeat(100), true],
      ['a'.repeat(101), false],
    ] as const) {
      const email = `${password.length}@example.com`
      const { body } = await realm.owner.api.post('/users', { email, password, full_name: 'Weak One' })
      expect([password.length, body.result]).toEqual([password.length, created ? 'success' : 'error'])
      if (!created) expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'The password is too weak.' })
    }
  })
})
