import { beforeAll, describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm, insertUsers } from '../../support/inside.ts'
import { CHANGES_OF_COMMIT, LARGE_CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const COUNT = 1_000
/** Commits needed to subscribe these users. */
const COMMITS = Math.ceil(COUNT / CHANGES_OF_COMMIT)
const PATH = '/users/me/subscriptions'

const { realm } = useRealm()
let crowd: TestUser[]

neverEvict()
beforeAll(async () => {
  crowd = await insertUsers(realm, COUNT)
})

const logRows = () => inRealm(realm, ({ parts }) => parts.sql.all('SELECT id FROM log').length)
const rowsWritten = () => inRealm(realm, ({ parts }) => parts.sql.counts.written)

async function rowsOf(act: () => Promise<unknown>): Promise<number> {
  const before = await rowsWritten()
  await act()
  return (await rowsWritten()) - before
}

describe('a thousand users at once', () => {
  it('are subscribed, notified and unsubscribed with two log rows a commit', async () => {
    const room = await buildChannel([realm.owner])
    const queue = await openQueue(crowd.at(-1)!, { include_subscribers: true })
    const principals = crowd.map(({ id }) => id)
    const before = await logRows()
    const answer = expectSuccess(
      await realm.owner.api.post(PATH, { subscriptions: [{ name: room.name }], principals }),
    )
    expect(Object.keys(answer.subscribed)).toHaveLength(COUNT)
    expect(answer.new_subscription_messages_sent).toBe(false)
    expect((await logRows()) - before).toBe(2 * COMMITS)
    const events = await queue.events()
    const others = events.slice(0, -1)
    expect(others.map(({ op }) => op)).toEqual(Array(COMMITS - 1).fill('peer_add'))
    expect(others.flatMap(({ user_ids }) => user_ids)).toHaveLength(CHANGES_OF_COMMIT * (COMMITS - 1))
    const added = events.at(-1)
    expect(added).toMatchObject({ type: 'subscription', op: 'add' })
    expect(added!.subscriptions[0].subscribers).toHaveLength(COUNT + 1)
    expect(added!.subscriptions[0].color).toBe('#76ce90')
    const left = expectSuccess(await realm.owner.api.delete(PATH, { subscriptions: [room.name], principals }))
    expect(left.removed).toHaveLength(COUNT)
    const ofLeaving = 2 * Math.ceil(COUNT / LARGE_CHANGES_OF_COMMIT)
    expect((await logRows()) - before).toBe(2 * COMMITS + ofLeaving)
    expect((await queue.events()).filter(({ op }) => op === 'remove')).toHaveLength(1)
  })

  it('do not make a message in their channel cost more rows', async () => {
    const [small, large] = [await buildChannel([realm.owner]), await buildChannel([realm.owner])]
    const principals = crowd.map(({ id }) => id)
    await realm.owner.api.post(PATH, { subscriptions: [{ name: large.name }], principals })
    const send = (to: string) =>
      realm.owner.api.post('/messages', { type: 'channel', to, topic: 'channel events', content: 'hello' })
    await send(small.name)
    const one = await rowsOf(() => send(small.name))
    expect(await rowsOf(() => send(large.name))).toBe(one)
    expect(one).toBeLessThanOrEqual(8)
  })
})
