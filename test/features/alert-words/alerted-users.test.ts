import { expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm, insertUsers } from '../../support/inside.ts'
import { alertedBy } from '../../support/inside-rows.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm } = useRealm()

it('a message alerts everybody who has the word at that moment', async () => {
  const channel = await buildChannel([realm.owner])
  const users = await insertUsers(realm, 36, channel.id)
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

it('thousands of words are all looked for, as they are read in several rows', async () => {
  const [users, wordsOfUser] = [10, 700]
  const found = await changeRealm(realm, ({ sql }) => {
    sql.run(
      `WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ?1 * ?2 - 1)
       INSERT INTO alert_word SELECT 90000 + n / ?2, printf('w%05d', n), printf('W%05d', n) FROM number`,
      users,
      wordsOfUser,
    )
    const usersAlertedBy = alertedBy(sql)
    const count = users * wordsOfUser
    const alerted = Array.from({ length: count }, (_, n) => usersAlertedBy(`w${String(n).padStart(5, '0')}`))
    sql.run(`DELETE FROM alert_word WHERE user_id >= 90000`)
    return alerted
  })
  expect(found).toEqual(found.map((_, n) => [90_000 + Math.floor(n / wordsOfUser)]))
})
