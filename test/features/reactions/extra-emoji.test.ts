import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben', 'guest'] } },
)

describe('the type of the extra emoji', () => {
  it('is taken by both names, in reactions and statuses', async () => {
    for (const reaction_type of ['svc_extra_emoji', 'zulip_extra_emoji']) {
      const id = await sendTo(ann, channel.id, 'emoji')
      const emoji = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type }
      expectSuccess(await ann.api.post(`/messages/${id}/reactions`, emoji))
      expectSuccess(await ann.api.post('/users/me/status', emoji))
      const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
      expect(message.reactions[0].reaction_type).toBe('svc_extra_emoji')
    }
  })
})
