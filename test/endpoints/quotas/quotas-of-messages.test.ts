import { beforeEach, describe, expect, it } from 'vitest'
import { MESSAGE_QUOTAS } from '../../../src/core/quotas.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
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
const enterSubmessages = (count: number, senderId: number, content: string) =>
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

/** Adds reactions as if this many people had reacted with one emoji each. */
const enterReactions = (messageId: number, count: number, userId?: number) =>
  changeRealm(realm, ({ sql }) => {
    sql.run(
      `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
       INSERT INTO reaction (message_id, reaction_type, emoji_code, user_id, emoji_name, seq)
       SELECT ?2, 'unicode_emoji', 'f' || n, ?3, 'octopus', n FROM number`,
      count,
      messageId,
      userId ?? author.id,
    )
    sql.run(`UPDATE message_index SET bits = bits | 16 WHERE id = ?`, messageId)
  })

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
    await enterSubmessages(submessages.account - 1, voter.id, '{}')
    expectSuccess(await vote(voter))
    expect(await vote(voter)).toMatchObject(
      refusal('A message cannot have more submessages than 500 from one account.'),
    )
    expectSuccess(await vote(author))
  })

  it('are limited in total size for one account', async () => {
    await enterSubmessages(4, voter.id, `"${'x'.repeat(12_490)}"`)
    expect(await vote(voter)).toMatchObject(
      refusal('The submessages are too large together (limit: 50000 bytes).'),
    )
    expectSuccess(await vote(author))
  })

  it('are limited in number and size for one message', async () => {
    await enterSubmessages(submessages.message - 1, author.id, '{}')
    expect(await vote(voter)).toMatchObject(refusal('A message cannot have more submessages than 5000.'))
    poll = await send('/poll Dinner?')
    await enterSubmessages(5, author.id, `"${'x'.repeat(99_990)}"`)
    expect(await vote(voter)).toMatchObject(
      refusal('The submessages are too large together (limit: 500000 bytes).'),
    )
  })
})

describe('reactions', () => {
  it('are limited in number for one account and for one message', async () => {
    await enterReactions(poll, reactions.account, voter.id)
    expect(await react(voter, 'octopus')).toMatchObject(
      refusal('A message cannot have more reactions than 100 from one account.'),
    )
    expectSuccess(await react(author, 'octopus'))
    await enterReactions(poll, reactions.message - reactions.account - 1, realm.owner.id)
    const third = await buildUser(realm)
    expectSuccess(
      await third.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }),
    )
    expect(await react(third, 'octopus')).toMatchObject(
      refusal('A message cannot have more reactions than 10000.'),
    )
  })
})

it('a page of messages with thousands of reactions each comes whole, in several RPCs', async () => {
  const ids = [await send('one'), await send('two'), await send('three'), await send('four')]
  for (const id of ids.slice(0, 3)) await enterReactions(id, 6_000)
  const page = { anchor: ids[0]!, num_before: 0, num_after: 10 }
  const { messages } = expectSuccess(await voter.api.get('/messages', page))
  expect(messages.map(({ id }: { id: number }) => id)).toEqual(ids)
  expect(messages.map(({ reactions }: { reactions: unknown[] }) => reactions.length)).toEqual([
    6_000, 6_000, 6_000, 0,
  ])
})
