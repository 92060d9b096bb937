import { expect, it } from 'vitest'
import { evictRealm, type ParameterValue } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { buildRealm } from '../../support/use-realm.ts'

const MANY = 1_200
const MANY_RANGES = 10_000

neverEvict()

/** An organization in which a user has many conversations without messages, and three with one: with Ann, Ben, and both. */
async function arrange(many = MANY) {
  const { realm, owner, ann, ben } = await buildRealm({ ann: 'member', ben: 'member' })
  await changeRealm(realm, ({ sql }) => {
    sql.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
       INSERT INTO conversation (members) SELECT ?1 || ',' || (1000000 + i) FROM n`,
      owner.id,
    )
    sql.run(
      `INSERT INTO conversation_member (user_id, conversation_id) SELECT ?, id FROM conversation`,
      owner.id,
    )
  })
  const send = async (...to: TestUser[]): Promise<number> => {
    const message = { type: 'direct', to: to.map(({ id }) => id), content: 'x' }
    return expectSuccess(await owner.api.post('/messages', message)).id
  }
  const sent = { toAnn: await send(ann), toBen: await send(ben), toBoth: await send(ann, ben) }
  const narrowed = async (...narrow: ParameterValue[]) => {
    await evictRealm(realm.id)
    const page = { narrow, anchor: 'newest', num_before: 10, num_after: 0 }
    const { body, object } = await countRows(owner.api, 'GET', '/messages', page)
    return { ids: body.messages.map(({ id }: { id: number }) => id), rows: object.read }
  }
  return { realm, owner, ann, ben, send, sent, narrowed }
}

it('a narrow for one conversation reads no other of the thousand that its reader has', async () => {
  const { ann, ben, sent, narrowed } = await arrange()
  const ofAnn = await narrowed({ operator: 'dm', operand: [ann.id] })
  expect(ofAnn.ids).toEqual([sent.toAnn])
  expect(ofAnn.rows).toBeLessThan(MANY / 2)
  expect((await narrowed({ operator: 'dm', operand: [ann.id, ben.id] })).ids).toEqual([sent.toBoth])
})

it('narrows for the conversations with a user read the members of none, and find all', async () => {
  const { owner, ann, ben, send, sent, narrowed } = await arrange()
  const withAnn = { operator: 'dm-including', operand: ann.id }
  const including = await narrowed(withAnn)
  expect(including.ids).toEqual([sent.toAnn, sent.toBoth])
  expect(including.rows).toBeLessThan(2 * MANY)
  expect((await narrowed(withAnn, { operator: 'dm-including', operand: ben.id })).ids).toEqual([sent.toBoth])
  expect((await narrowed({ operator: 'is', operand: 'dm' }, { ...withAnn, negated: true })).ids).toEqual([
    sent.toBen,
  ])
  expect((await narrowed({ operator: 'group-pm-with', operand: ann.id })).ids).toEqual([sent.toBoth])
  expect((await narrowed({ operator: 'group-pm-with', operand: owner.id })).ids).toEqual([sent.toBoth])
  const toOneself = await send(owner)
  expect((await narrowed({ operator: 'dm', operand: [owner.id] })).ids).toEqual([toOneself])
  expect((await narrowed({ operator: 'dm-including', operand: owner.id })).ids).toEqual([
    ...Object.values(sent),
    toOneself,
  ])
})

it('the newest message of a user with a thousand conversations is found without asking each', async () => {
  const { realm, owner, sent } = await arrange()
  await evictRealm(realm.id)
  const { body, object } = await countRows(owner.api, 'GET', '/users/me')
  expect(body.max_message_id).toBe(sent.toBoth)
  expect(object.read).toBeLessThan(2 * MANY)
})

it('a user in ten thousand conversations finds their messages from either end', async () => {
  const { owner, ann, ben, sent, narrowed } = await arrange(MANY_RANGES + 100)
  const receive = async (from: TestUser) =>
    expectSuccess(await from.api.post('/messages', { type: 'direct', to: [owner.id], content: 'for you' })).id
  const all = [...Object.values(sent), await receive(ann), await receive(ben)]
  const direct = { operator: 'is', operand: 'dm' }
  const unread = { operator: 'is', operand: 'unread' }
  const [{ ids }, later] = await Promise.all([narrowed(direct), receive(ann)])
  expect(ids.filter((id: number) => id !== later)).toEqual(all)
  all.push(later)
  expect((await narrowed(direct, unread)).ids).toEqual(all)
  const page = async (anchor: string, ...narrow: ParameterValue[]) => {
    const params = { narrow, anchor, num_before: 1, num_after: 2 }
    const { messages, ...found } = expectSuccess(await owner.api.get('/messages', params))
    return { ids: messages.map(({ id }: { id: number }) => id), anchor: found.anchor }
  }
  expectSuccess(await owner.api.post('/messages/flags', { messages: [sent.toAnn], op: 'add', flag: 'read' }))
  const first = await page('first_unread', direct)
  expect(first).toEqual({ ids: all.slice(0, 4), anchor: sent.toBen })
  expect((await page('oldest', direct)).ids).toEqual(all.slice(0, 2))
})
