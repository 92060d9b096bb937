import { beforeAll, describe, expect, it } from 'vitest'
import { askWorker, evictRealm } from '../support/api.ts'
import { countRows } from '../support/counted-rows.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { neverEvict } from '../support/never-evict.ts'
import { seededUser, seedRealm } from '../support/seed.ts'
import { useRealm } from '../support/use-realm.ts'

const SIZE = { users: 10_000, channels: 500, messages: 1_000 }
/** Limit of the rows that a registration reads when the Worker has the blocks. */
const MAX_ROWS = 3_000
/** Limit when the Worker has no block: two calls, since one answer cannot carry all blocks. */
const MAX_ROWS_COLD = 4_500

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
  it('reads few rows where the blocks are cached, also when the object wakes', async () => {
    const awake = await register(members[1]!)
    await evictRealm(realm.id)
    const woken = await register(members[1]!)
    for (const { users, read } of [awake, woken]) {
      expect(users).toBe(SIZE.users + 1)
      expect(read).toBeLessThan(MAX_ROWS)
    }
  })

  it('reads few rows for administrators, moderators and guests', async () => {
    const [moderator, administrator, guest] = [members[5]!, members[7]!, members[11]!]
    const users = { owner: realm.owner, administrator, moderator, guest }
    for (const [role, user] of Object.entries(users)) {
      // The first of a class makes its blocks.
      await register(user)
      const { read } = await register(user)
      expect([role, read < MAX_ROWS]).toEqual([role, true])
    }
  })

  it('reads a row of each block that an isolate lacks, also when the object wakes', async () => {
    const forget = () => askWorker(new Request('https://any.example/dev/blocks', { method: 'DELETE' }))
    await forget()
    const awake = await register(members[1]!)
    await evictRealm(realm.id)
    await forget()
    const woken = await register(members[1]!)
    for (const { users, read } of [awake, woken]) {
      expect(users).toBe(SIZE.users + 1)
      expect(read).toBeLessThan(MAX_ROWS_COLD)
    }
  })

  it('reads versions and channels again after a change of a user, and one block', async () => {
    const { read: before } = await register(members[2]!)
    expectSuccess(await members[3]!.api.patch('/settings', { full_name: 'Another Name' }))
    const { read: after } = await register(members[2]!)
    // Two versions for each channel, two for each 128 users, and the channels themselves.
    const again = 3 * SIZE.channels + 2 * Math.ceil(SIZE.users / 128)
    expect(after - before).toBeLessThan(again + 1_000)
    expect(before).toBeLessThan(1_000)
    expect(after).toBeLessThan(MAX_ROWS)
  })

  it('is answered, however many are concurrent', async () => {
    const answers = await Promise.all(members.map(register))
    expect(answers.map(({ users }) => users)).toEqual(members.map(() => SIZE.users + 1))
  }, 60_000)
})
