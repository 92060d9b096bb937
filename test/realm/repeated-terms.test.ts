import { expect, it } from 'vitest'
import { actorOf } from '../../src/model/caller.ts'
import { compileNarrow } from '../../src/model/narrows/compile-narrow.ts'
import { findUser } from '../../src/store/users/user-rows.ts'
import { addChannels, changeRealm, insertUsers } from '../support/inside.ts'
import { buildRealm } from '../support/use-realm.ts'

it('a term that is repeated is tested once for each message', async () => {
  const { realm, owner } = await buildRealm()
  const found = await changeRealm(realm, (tx) => {
    const user = findUser(tx.sql, owner.id)!
    const terms = Array.from({ length: 199 }, (_, at) => ({
      operator: 'is',
      operand: at % 2 === 0 ? 'unread' : 'starred',
      negated: at % 3 === 0,
    }))
    const plan = compileNarrow(tx, { user, actor: actorOf(tx.sql, user, tx.now) }, terms)
    return plan.messageTests.length
  })
  // Two operands, as they are and excluded.
  expect(found).toBe(4)
})

it('many senders, channels, topics and people that are excluded are one test each', async () => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, 40)
  const channelIds = await addChannels(
    realm,
    Array.from({ length: 40 }, (_, at) => `channel ${at}`),
  )
  const excluded = (operator: string, operands: readonly (string | number)[]) =>
    operands.map((operand) => ({ operator, operand, negated: true }))
  const ids = people.map(({ id }) => id)
  const terms = [
    ...excluded('sender', ids),
    ...excluded('channel', channelIds),
    ...excluded('dm-including', ids),
    ...excluded(
      'topic',
      ids.map((id) => `topic ${id}`),
    ),
    ...excluded('id', ids),
  ]
  const found = await changeRealm(realm, (tx) => {
    const user = findUser(tx.sql, owner.id)!
    return compileNarrow(tx, { user, actor: actorOf(tx.sql, user, tx.now) }, terms)
  })
  expect([found.recipientTests.length, found.topicTests.length, found.messageTests.length]).toEqual([1, 1, 2])
})
