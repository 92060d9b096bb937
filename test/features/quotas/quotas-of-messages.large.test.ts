import { expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { insertReactions } from '../../support/inserted-messages.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, author, voter, channel } = useRealm(
  { author: 'member', voter: 'member' },
  { channels: { channel: ['author', 'voter'] } },
)

const send = (content: string) => sendTo(author, channel.id, 'lunch', content)

it('a page of messages with thousands of reactions each comes whole, in several RPCs', async () => {
  const ids = [await send('one'), await send('two'), await send('three'), await send('four')]
  for (const id of ids.slice(0, 3)) await insertReactions(realm, id, 6_000, author.id)
  const page = { anchor: ids[0]!, num_before: 0, num_after: 10 }
  const { messages } = expectSuccess(await voter.api.get('/messages', page))
  expect(messages.map(({ id }: { id: number }) => id)).toEqual(ids)
  expect(messages.map(({ reactions }: { reactions: unknown[] }) => reactions.length)).toEqual([
    6_000, 6_000, 6_000, 0,
  ])
})
