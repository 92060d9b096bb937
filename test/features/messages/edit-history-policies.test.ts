import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'
import { whileSettings } from '../../support/while-settings.ts'

const { realm, ann, ben, channel } = useRealm(
  {
    ann: 'member',
    ben: 'member',
    /** Only moderators and above may see this user's address. */
    shy: 'member',
  },
  { channels: { channel: ['ann', 'ben', 'shy'] } },
)

function edit(id: number, params: Record<string, ParameterValue>, user = ann) {
  return user.api.patch(`/messages/${id}`, params)
}

async function read(id: number, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`)).message
}

describe('the history of edits in a message', () => {
  it.each(['moves', 'none'])(
    'is left out without visible entries under policy %s; the time stays',
    async (policy) => {
      const id = await sendTo(ann, channel.id, 'policies', 'one')
      expectSuccess(await edit(id, { content: 'two' }))
      await whileSettings(realm, { message_edit_history_visibility_policy: policy }, async () => {
        const message = await read(id)
        expect(message).not.toHaveProperty('edit_history')
        expect(message).toMatchObject({ last_edit_timestamp: expect.any(Number) })
      })
    },
  )
})
