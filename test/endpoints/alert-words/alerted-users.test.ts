import { expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { enterUsers } from '../../support/inside.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm } = useRealm()

it('a message alerts everybody who has the word at that moment', async () => {
  const channel = await buildChannel([realm.owner])
  const users = await enterUsers(realm, 36, channel.id)
  const [first, second] = users as [TestUser, TestUser]
  const alerted = async (user: TestUser, content: string) => {
    const sent = { type: 'channel', to: channel.id, topic: 'a', content }
    const { id } = expectSuccess(await realm.owner.api.post('/messages', sent))
    const { message } = expectSuccess(await user.api.get(`/messages/${id}`))
    return message.flags.includes('has_alert_word')
  }
  const add = async (user: TestUser, word: string) =>
    expectSuccess(await user.api.post('/users/me/alert_words', { alert_words: [word] }))
  expect(await alerted(first, 'a fish')).toBe(false)
  await add(first, 'fish')
  await add(second, 'Fish')
  expect([await alerted(first, 'a fish'), await alerted(second, 'a fish')]).toEqual([true, true])
  expectSuccess(await first.api.delete('/users/me/alert_words', { alert_words: ['FISH'] }))
  expect([await alerted(first, 'a fish'), await alerted(second, 'a fish')]).toEqual([false, true])
  for (const user of users.slice(2)) await add(user, 'bird')
  expect([await alerted(first, 'a bird'), await alerted(users[2]!, 'a bird')]).toEqual([false, true])
  expect([await alerted(users[35]!, 'a bird'), await alerted(second, 'fish')]).toEqual([true, true])
})
