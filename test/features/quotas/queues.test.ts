import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, greedy, modest } = useRealmPerTest({ greedy: 'member', modest: 'member' })

const OPTIONS = { event_types: ['message'], fetch_event_types: [] }

const isOpen = async ({ id }: TestQueue, user: TestUser) =>
  (await user.api.get('/events', { queue_id: id, last_event_id: -1, dont_block: true })).status === 200

/** Opens a queue that was last seen `age` seconds ago, so that the order of queues is known. */
async function openAt(user: TestUser, age: number): Promise<TestQueue> {
  world.clockOffset = -age
  const queue = await openQueue(user, OPTIONS)
  world.clockOffset = 0
  return queue
}

describe('queues', () => {
  it('of one account have a total size: the one unused longest is deleted', async () => {
    const [first, second] = [await openAt(greedy, 50), await openAt(greedy, 40)]
    world.settings = { QUOTAS: 'queues/accountBytes=1000' }
    const narrow = [['topic', 'x'.repeat(60)]]
    const third = await openQueue(greedy, { ...OPTIONS, narrow })
    const [open, gone] = [await isOpen(third, greedy), await isOpen(first, greedy)]
    expect([open, gone]).toEqual([true, false])
    expect(await isOpen(second, greedy)).toBe(true)
  })

  it('beyond the organization’s quota are deleted from the account that has most', async () => {
    const own = await openAt(modest, 60)
    const many = [await openAt(greedy, 50), await openAt(greedy, 40), await openAt(greedy, 30)]
    world.settings = { QUOTAS: 'queues/organization=4' }
    await openQueue(await buildUser(realm), OPTIONS)
    expect(await isOpen(own, modest)).toBe(true)
    expect(await Promise.all(many.map((queue) => isOpen(queue, greedy)))).toEqual([false, true, true])
    expectSuccess(await greedy.api.delete('/events', { queue_id: many[1]!.id }))
    const last = await openQueue(modest, OPTIONS)
    expect(await isOpen(many[2]!, greedy)).toBe(true)
    expect(await isOpen(last, modest)).toBe(true)
  })

  it('beyond it are counted once to make room', async () => {
    const QUEUES = 60
    const many = await Promise.all(Array.from({ length: QUEUES / 10 }, () => buildUser(realm)))
    for (const user of many) for (let queue = 0; queue < 10; queue += 1) await openQueue(user, OPTIONS)
    const before = await countRows(modest.api, 'POST', '/register', OPTIONS)
    world.settings = { QUOTAS: `queues/organization=${QUEUES}` }
    const { object } = await countRows(modest.api, 'POST', '/register', OPTIONS)
    // The count reads each, and the account that has most is found with three looks at each.
    expect(object.read - before.object.read).toBeLessThan(4.5 * QUEUES)
  })

  it('are counted once a day, and not when the object wakes', async () => {
    const afterWaking = async () => {
      await evictRealm(realm.id)
      return (await countRows(greedy.api, 'POST', '/register', OPTIONS)).object.read
    }
    await openQueue(greedy, OPTIONS)
    const few = await afterWaking()
    for (let queue = 0; queue < 50; queue += 1) await openQueue(modest, OPTIONS)
    expect(await afterWaking()).toBeLessThan(few + 20)
    world.clockOffset = 2 * 86_400
    expect(await afterWaking()).toBeGreaterThan(few + 50)
  })

  it('are refused temporarily only to the account that has most', async () => {
    world.settings = { QUOTAS: 'queues/organizationBytes=10' }
    const response = await realm.owner.api.post('/register', OPTIONS)
    expect(response).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  })
})
