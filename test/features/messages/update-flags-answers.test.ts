import { describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben, carl, channel, other } = useRealm(
  { ann: 'member', ben: 'member', carl: 'member' },
  { channels: { channel: ['owner', 'ann', 'ben'], other: ['owner', 'ann', 'ben'] } },
)

function change(user: TestUser, messages: readonly number[], op: string, flag: string) {
  return user.api.post('/messages/flags', { messages, op, flag })
}

async function read(id: number, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`, { allow_empty_topic_name: true })).message
}

describe('the answer to a change of flags', () => {
  it('leaves out messages of skipped channels, and those without a record', async () => {
    const id = await sendTo(ann, channel.id, 'no record')
    expect(expectSuccess(await change(carl, [id], 'remove', 'read')).messages).toEqual([])
    expect(expectSuccess(await change(carl, [id], 'add', 'read')).messages).toEqual([])
    expect(expectSuccess(await change(carl, [id], 'remove', 'starred')).messages).toEqual([])
  })

  it('lists channels without subscription, ascending, for marking as unread alone', async () => {
    const key = 'ignored_because_not_subscribed_channels'
    const ids = [await sendTo(ann, other.id, 'x'), await sendTo(ann, channel.id, 'x')]
    expect(expectSuccess(await change(carl, ids, 'remove', 'read'))[key]).toEqual([channel.id, other.id])
    expect(expectSuccess(await change(ben, ids, 'remove', 'read'))[key]).toEqual([])
    expect(expectSuccess(await change(ben, ids, 'add', 'read'))).not.toHaveProperty(key)
    expect(expectSuccess(await change(ben, ids, 'remove', 'starred'))).not.toHaveProperty(key)
  })

  it('to a narrow always lists channels without subscription', async () => {
    const params = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [], op: 'add', flag: 'starred' }
    expect(expectSuccess(await ben.api.post('/messages/flags/narrow', params))).toMatchObject({
      ignored_because_not_subscribed_channels: [],
    })
  })

  it('refuses inaccessible ids, except to add read and to remove others', async () => {
    const hidden = await sendDirect(ann, [carl])
    const seen = await sendTo(ann, channel.id, 'seen')
    for (const [op, flag] of [
      ['add', 'starred'],
      ['add', 'collapsed'],
      ['remove', 'read'],
    ] as const) {
      expectRefusal(await change(ben, [seen, hidden], op, flag), 'Invalid message(s)')
    }
    expect((await read(seen)).flags).toEqual([])
    expect(expectSuccess(await change(ben, [seen, hidden], 'add', 'read')).messages).toEqual([seen])
    expect(expectSuccess(await change(ben, [seen, hidden], 'remove', 'starred')).messages).toEqual([])
  })
})
