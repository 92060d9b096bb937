import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue, whileListening } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, channel } = useRealm({ ann: 'member' }, { channels: { channel: ['ann'] } })

function type(user: TestUser, params: Record<string, ParameterValue>) {
  return user.api.post('/typing', params)
}

async function setting(user: TestUser, name: string, value: boolean) {
  expectSuccess(await user.api.patch('/settings', { [name]: value }))
}

describe('typing settings', () => {
  it('of the sender prevent sending', async () => {
    const cid = await buildUser(realm)
    await setting(cid, 'send_private_typing_notifications', false)
    await setting(cid, 'send_stream_typing_notifications', false)
    expect((await type(cid, { op: 'start', to: [ann.id] })).body.msg).toBe(
      'User has disabled typing notifications for direct messages',
    )
    expect(
      (await type(cid, { type: 'stream', op: 'start', stream_id: channel.id, topic: 'x' })).body.msg,
    ).toBe('User has disabled typing notifications for channel messages')
  })

  it('of a receiver prevent receiving', async () => {
    const cid = await buildUser(realm)
    await setting(cid, 'receives_typing_notifications', false)
    const cids = await openQueue(cid)
    await whileListening([await openQueue(ann)], () => type(ann, { op: 'start', to: [cid.id] }))
    expect(await cids.events()).toEqual([])
  })
})
