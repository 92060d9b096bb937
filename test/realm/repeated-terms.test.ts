import { expect, it } from 'vitest'
import { actorOf } from '../../src/domain/caller.ts'
import { compileNarrow } from '../../src/domain/messages/narrow/compile-narrow.ts'
import { findUser } from '../../src/domain/users/user-rows.ts'
import { changeRealm } from '../support/inside.ts'
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
