import { beforeEach, describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertReactions } from '../../support/inserted-messages.ts'
import { changeRealm } from '../../support/inside.ts'
import { MESSAGE_QUOTAS } from '../../support/limits.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, author, voter, channel } = useRealm(
  { author: 'member', voter: 'member' },
  { channels: { channel: ['author', 'voter'] } },
)
let poll: number
beforeEach(async () => {
  poll = await send('/poll Lunch?\nsoup')
})

async function send(content: string): Promise<number> {
  const to = { type: 'channel', to: channel.id, topic: 'lunch' }
  return expectSuccess(await author.api.post('/messages', { ...to, content })).id
}

/** Adds this many submessages, as if they had been sent. */
const insertSubmessages = (count: number, senderId: number, content: string) =>
  changeRealm(realm, ({ sql }) =>
    sql.run(
      `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
       INSERT INTO submessage (message_id, sender_id, msg_type, content) SELECT ?2, ?3, 'widget', ?4 FROM number`,
      count,
      poll,
      senderId,
      content,
    ),
  )

const vote = (user: TestUser, key = 'canned,0') =>
  user.api.post('/submessage', {
    message_id: poll,
    msg_type: 'widget',
    content: JSON.stringify({ type: 'vote', key, vote: 1 }),
  })

const react = (user: TestUser, emoji_name: string, message = poll) =>
  user.api.post(`/messages/${message}/reactions`, { emoji_name })

const refusal = (msg: string) => ({ status: 400, body: { code: 'BAD_REQUEST', msg } })
const { submessages, reactions } = MESSAGE_QUOTAS

describe('submessages', () => {
  it('are limited in number for one account, and others can go on', async () => {
    await insertSubmessages(submessages.account - 1, voter.id, '{}')
    expectSuccess(await vote(voter))
    expect(await vote(voter)).toMatchObject(
      refusal('A message cannot have more submessages than 500 from one account.'),
    )
    expectSuccess(await vote(author))
  })

  it('are limited in total size for one account', async () => {
    await insertSubmessages(4, voter.id, `"${'x'.repeat(12_490)}"`)
    expect(await vote(voter)).toMatchObject(
      refusal('The submessages are too large together (limit: 50000 bytes).'),
    )
    expectSuccess(await vote(author))
  })

  it('are limited in number and size for one message', async () => {
    await insertSubmessages(submessages.message - 1, author.id, '{}')
    expect(await vote(voter)).toMatchObject(refusal('A message cannot have more submessages than 5000.'))
    poll = await send('/poll Dinner?')
    await insertSubmessages(5, author.id, `"${'x'.repeat(99_990)}"`)
    expect(await vote(voter)).toMatchObject(
      refusal('The submessages are too large together (limit: 500000 bytes).'),
    )
  })
})

describe('reactions', () => {
  it('are limited in number for one account and for one message', async () => {
    await insertReactions(realm, poll, reactions.account, voter.id)
    expect(await react(voter, 'octopus')).toMatchObject(
      refusal('A message cannot have more reactions than 100 from one account.'),
    )
    expectSuccess(await react(author, 'octopus'))
    await insertReactions(realm, poll, reactions.message - reactions.account - 1, realm.owner.id)
    const third = await buildUser(realm)
    expectSuccess(
      await third.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }),
    )
    expect(await react(third, 'octopus')).toMatchObject(
      refusal('A message cannot have more reactions than 10000.'),
    )
  })
})
