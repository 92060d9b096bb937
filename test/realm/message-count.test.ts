import { expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { inRealm } from '../support/inside.ts'
import { countMessages } from '../support/inside-work.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, owner, plans } = useRealm({}, { channels: { plans: ['owner'] } })

/** Counts as each night does. Returns the number, and the rows that were read for it. */
const count = (limit = 1_000) =>
  inRealm(realm, ({ parts }) => {
    const sql = parts.sql.counter()
    let all = countMessages(sql, limit)
    while (all === undefined) all = countMessages(sql, limit)
    return { all, read: sql.counts.read }
  })

const inIndex = () =>
  inRealm(realm, ({ parts }) => parts.sql.value(`SELECT COUNT(*) AS n FROM message_index`)!)

it('the nightly number of messages is right, and costs only those of the day', async () => {
  await insertInIndex(realm, owner, { channelId: plans.id, topic: 'old', count: 700 })
  expect((await count(300)).all).toBe(await inIndex())
  const first = await insertInIndex(realm, owner, { channelId: plans.id, topic: 'new', count: 20 })
  const { all, read } = await count()
  expect(all).toBe(await inIndex())
  expect(read).toBeLessThan(80)
  await insertInIndex(realm, owner, { channelId: plans.id, topic: 'newest', count: 3 })
  for (const id of [first - 5, first, first + 22]) expectSuccess(await owner.api.delete(`/messages/${id}`))
  expect((await count()).all).toBe(await inIndex())
})
