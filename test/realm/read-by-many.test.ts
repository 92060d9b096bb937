import { expect, it } from 'vitest'
import { IDS_PER_BLOCK } from '../../src/domain/messages/flags/message-id-set.ts'
import { readOneByMany } from '../../src/domain/messages/flags/read-by-many-rows.ts'
import { ReadSet } from '../../src/domain/messages/flags/read-rows.ts'
import { findUsers } from '../../src/domain/users/user-rows.ts'
import { changeRealm, enterUsers } from '../support/inside.ts'
import { buildRealm } from '../support/use-realm.ts'

const IDS = Array.from({ length: IDS_PER_BLOCK }, (_, at) => IDS_PER_BLOCK + at)

it('a message that arrives read for many is added to their sets, whatever these contain', async () => {
  const { realm } = await buildRealm()
  const people = await enterUsers(realm, 24)
  const ids = people.map(({ id }) => id)
  // The eight bits of a byte, and the first and the last of the block.
  const added = [IDS[0]!, IDS.at(-1)!, ...IDS.slice(2_000, 2_008)]
  const wrong = await changeRealm(realm, ({ sql }) => {
    const setsOf = () => [...findUsers(sql, ids).values()].map((user) => new ReadSet(sql, user))
    for (const [at, set] of setsOf().entries()) {
      // Every third has no block, and a floor below it or in it.
      if (at % 3 === 0) {
        if (at % 2 === 0) set.raiseFloor(sql, IDS_PER_BLOCK + at)
      } else for (const id of IDS) if (!added.includes(id) && (id * (at + 7)) % 5 < 2) set.add(id)
      set.save(sql)
    }
    const listed = () => setsOf().map((set) => IDS.filter((id) => set.has(id)))
    let before = listed()
    const wrong: number[] = []
    for (const id of added) {
      readOneByMany(sql, ids, id)
      const after = listed()
      const expected = before.map((own) => [...new Set([...own, id])].sort((a, b) => a - b))
      if (JSON.stringify(after) !== JSON.stringify(expected)) wrong.push(id)
      before = after
    }
    return wrong
  })
  expect(wrong).toEqual([])
})
