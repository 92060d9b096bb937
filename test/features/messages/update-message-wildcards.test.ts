import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

function edit(user: TestUser, id: number, params: Record<string, ParameterValue>) {
  return user.api.patch(`/messages/${id}`, params)
}

describe('an edit with a wildcard mention', () => {
  it('needs the permission in a channel of more than 15 subscribers', async () => {
    const large = await buildChannel([ann])
    const id = await sendTo(ann, large.id, 'calls')
    await insertUsers(realm, 14, large.id)
    expectSuccess(await edit(ann, id, { content: '@**all** fifteen' }))
    await insertUsers(realm, 1, large.id)
    expect((await edit(ann, id, { content: '@**all** sixteen' })).body.code).toBe(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    )
  })

  it('needs the permission in a topic of over 15 participants, reactions included', async () => {
    const room = await buildChannel([ann])
    const crowd = await insertUsers(realm, 15, room.id)
    const id = await sendTo(ann, room.id, 'calls')
    for (const user of crowd.slice(0, 7)) await sendTo(user, room.id, 'calls')
    for (const user of crowd.slice(7, 14)) {
      expectSuccess(await user.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    }
    expectSuccess(await edit(ann, id, { content: '@**topic** fifteen' }))
    expectSuccess(await crowd[14]!.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expect((await edit(ann, id, { content: '@**topic** sixteen' })).body.code).toBe(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    )
  })
})
