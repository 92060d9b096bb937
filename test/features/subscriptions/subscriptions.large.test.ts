import { expect, it } from 'vitest'
import { listSubscriptionsOfUser } from '../../../src/store/subscriptions/subscriber-rows.ts'
import { findSubscription } from '../../../src/store/subscriptions/subscription-rows.ts'
import { expectSuccess } from '../../support/factories.ts'
import { addChannels, changeRealm, subscribe } from '../../support/inside.ts'
import { useRealm } from '../../support/use-realm.ts'

const MANY = 2_050
const { realm, owner, ann } = useRealm({ ann: 'member' })

it('a user’s thousands of subscriptions are listed once, past ones and their settings included', async () => {
  const names = Array.from({ length: MANY }, (_, at) => `many ${at}`)
  const ids = await addChannels(realm, names)
  await changeRealm(realm, (tx) => {
    for (const id of ids) subscribe(tx, id, [ann.id, owner.id])
  })
  const [first, left, last] = [ids[0]!, ids[1_000]!, ids.at(-1)!]
  expectSuccess(await ann.api.delete('/users/me/subscriptions', { subscriptions: [names[1_000]!] }))
  const subscription_data = [
    { stream_id: first, property: 'color', value: '#123456' },
    { stream_id: last, property: 'push_notifications', value: false },
  ]
  expectSuccess(await ann.api.post('/users/me/subscriptions/properties', { subscription_data }))
  await changeRealm(realm, ({ sql }) => {
    const listed = listSubscriptionsOfUser(sql, ann.id)
    expect(new Set(listed.map(({ channelId }) => channelId)).size).toBe(listed.length)
    expect(listed.map(({ channelId }) => channelId)).toEqual(expect.arrayContaining(ids))
    for (const one of listed) expect(one).toEqual(findSubscription(sql, one.channelId, ann.id))
    expect(listed.filter(({ isActive }) => !isActive).map(({ channelId }) => channelId)).toEqual([left])
  })
})
