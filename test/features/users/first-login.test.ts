import { afterEach, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann } = useRealmPerTest({ ann: 'member' })
afterEach(() => {
  world.clockOffset = 0
})

const DAY = 86_400
const account = { email: 'nina@example.com', full_name: 'Nina New', password: 'a fine password' }
const login = (username = account.email) =>
  realm.anonymous.post('/fetch_api_key', { username, password: account.password })
const make = async (): Promise<number> => expectSuccess(await realm.owner.api.post('/users', account)).user_id
const joined = async (id: number): Promise<string> =>
  expectSuccess(await ann.api.get(`/users/${id}`)).user.date_joined

it('at the first login of an account that an administrator made, its person joins', async () => {
  const id = await make()
  const made = await joined(id)
  world.clockOffset = 3 * DAY
  const queue = await openQueue(ann)
  const wrong = await realm.anonymous.post('/fetch_api_key', {
    username: account.email,
    password: 'wrong one',
  })
  expect(wrong.status).toBe(401)
  expect(await joined(id)).toBe(made)
  expectSuccess(await login())
  const date_joined = await joined(id)
  expect(Date.parse(date_joined) - Date.parse(made)).toBeGreaterThanOrEqual((3 * DAY - 60) * 1_000)
  expect(await queue.eventsOf('realm_user')).toMatchObject([
    { op: 'update', person: { user_id: id, date_joined } },
  ])
  world.clockOffset = 5 * DAY
  // The first queue may have ended meanwhile.
  const later = await openQueue(ann)
  expectSuccess(await login())
  expect(await joined(id)).toBe(date_joined)
  expect(await later.eventsOf('realm_user')).toEqual([])
})

it('at the first login of any other account its date of joining stays', async () => {
  const user = await buildUser(realm)
  const before = await joined(user.id)
  world.clockOffset = 3 * DAY
  expectSuccess(await login(user.email))
  expect(await joined(user.id)).toBe(before)
})

it('at the first login the waiting period begins, for clients and in new snapshots', async () => {
  expectSuccess(await realm.owner.api.patch('/realm', { waiting_period_threshold: 2 }))
  const id = await make()
  world.clockOffset = 3 * DAY
  const full = async () => {
    const { snapshot } = await openQueue(ann)
    return snapshot.realm_user_groups.find(({ name }: { name: string }) => name === 'role:fullmembers')
  }
  expect((await full()).members).toContain(id)
  const queue = await openQueue(ann)
  expectSuccess(await login())
  const group = await full()
  expect(group.members).not.toContain(id)
  expect(await queue.eventsOf('user_group', 'remove_members')).toMatchObject([
    { group_id: group.id, user_ids: [id] },
  ])
})
