import { beforeAll, describe, expect, it } from 'vitest'
import { askWorker, evictRealm } from '../support/api.ts'
import { countRows } from '../support/counted-rows.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { neverEvict } from '../support/never-evict.ts'
import { seededUser, seedRealm } from '../support/seed.ts'
import { useRealm } from '../support/use-realm.ts'

const SIZE = { users: 10_000, channels: 500, messages: 1_000 }
/** Limit of the rows that a registration reads while the object is awake. */
const MAX_ROWS = 3_000

neverEvict()
const { realm } = useRealm()
let members: TestUser[]
beforeAll(async () => {
  await seedRealm(realm, SIZE)
  members = await Promise.all(Array.from({ length: 20 }, (_, at) => seededUser(realm, at)))
  await register(members[0]!)
}, 120_000)

async function register(user: TestUser): Promise<{ users: number; read: number }> {
  const params = { include_subscribers: true, slim_presence: true }
  const { object, body } = await countRows(user.api, 'POST', '/register', params)
  return { users: body.realm_users.length, read: object.read }
}

describe('a registration among 10,000 users and 500 channels', () => {
  it('reads few rows while the object is awake, whatever the isolate holds', async () => {
    const forget = () => askWorker(new Request('https://any.example/dev/sections', { method: 'DELETE' }))
    const known = await register(members[1]!)
    await forget()
    const unknown = await register(members[1]!)
    for (const { users, read } of [known, unknown]) {
      expect(users).toBe(SIZE.users + 1)
      expect(read).toBeLessThan(MAX_ROWS)
    }
  })

  it('has everybody when the object wakes, whatever the isolate holds', async () => {
    await evictRealm(realm.id)
    expect((await register(members[1]!)).users).toBe(SIZE.users + 1)
  })

  it('reads few rows for administrators, moderators and guests', async () => {
    const [moderator, administrator, guest] = [members[5]!, members[7]!, members[11]!]
    const users = { owner: realm.owner, administrator, moderator, guest }
    for (const [role, user] of Object.entries(users)) {
      // The first of a class makes its sections.
      await register(user)
      const { read } = await register(user)
      expect([role, read < MAX_ROWS]).toEqual([role, true])
    }
  })

  it('reads one block of users again after a change of a user', async () => {
    const { read: before } = await register(members[2]!)
    expectSuccess(await members[3]!.api.patch('/settings', { full_name: 'Another Name' }))
    const { read: after } = await register(members[2]!)
    expect(after - before).toBeLessThan(1_000)
    expect(before).toBeLessThan(1_000)
  })

  it('is answered, however many are concurrent', async () => {
    const answers = await Promise.all(members.map(register))
    expect(answers.map(({ users }) => users)).toEqual(members.map(() => SIZE.users + 1))
  }, 60_000)
})
