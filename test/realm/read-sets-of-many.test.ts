import { expect, it } from 'vitest'
import { IDS_PER_BLOCK } from '../../src/store/messages/flags/message-id-set.ts'
import { ReadSet, usersWhoseSetHas } from '../../src/store/messages/flags/read-rows.ts'
import { findUsers } from '../../src/store/users/user-rows.ts'
import { changeRealm, insertUsers } from '../support/inside.ts'
import { buildRealm } from '../support/use-realm.ts'

it('the users who have read a message are those whose own sets have it', async () => {
  const { realm } = await buildRealm()
  const ids = (await insertUsers(realm, 24)).map(({ id }) => id)
  // The eight bits of a byte, and the first and the last of the block.
  const messages = [0, ...Array.from({ length: 8 }, (_, at) => 2_000 + at), IDS_PER_BLOCK - 1].map(
    (at) => IDS_PER_BLOCK + at,
  )
  const [together, alone] = await changeRealm(realm, ({ sql }) => {
    const setsOf = () =>
      [...findUsers(sql, ids).values()].map((user) => [user.id, new ReadSet(sql, user)] as const)
    for (const [at, [, set]] of setsOf().entries()) {
      // Every third has no block, and a floor below it or in it.
      if (at % 3 > 0) for (const id of messages) if ((id * (at + 7)) % 5 < 2) set.add(id)
      if (at % 3 === 0 && at % 2 === 0) set.raiseFloor(sql, messages[at % messages.length]!)
      set.save(sql)
    }
    const sets = setsOf()
    return [
      messages.map((message) => usersWhoseSetHas(sql, message, ids)),
      messages.map((message) => sets.flatMap(([id, set]) => (set.has(message) ? id : []))),
    ]
  })
  expect(together.map((users) => users.sort((a, b) => a - b))).toEqual(alone)
  expect(new Set(alone.map((users) => users.length)).size).toBeGreaterThan(2)
})
