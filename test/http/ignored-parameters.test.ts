import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { useRealm } from '../support/use-realm.ts'

const { ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben', 'guest'] } },
)

async function ignoredBy(
  user: TestUser,
  method: string,
  path: string,
  params: Record<string, ParameterValue>,
) {
  return expectSuccess(await user.api.request(method, path, params)).ignored_parameters_unsupported
}

describe('ignored_parameters_unsupported', () => {
  it('lists no deprecated parameters that are read', async () => {
    const id = await sendTo(ann, channel.id, 'listed')
    const edit = { message_id: id, subject: 'listed too', client: 'x', method: 'PATCH' }
    expect(await ignoredBy(ann, 'PATCH', `/messages/${id}`, edit)).toBeUndefined()
    const presence = { status: 'active', slim_presence: true }
    expect(await ignoredBy(ann, 'POST', '/users/me/presence', presence)).toBeUndefined()
  })

  it('lists no parameters that are without effect this time', async () => {
    const direct = { type: 'direct', to: [ben.id], content: 'x', topic: 'without effect' }
    expect(await ignoredBy(ann, 'POST', '/messages', direct)).toBeUndefined()
    const existing = { subscriptions: [{ name: channel.name, no_such_key: 1 }], invite_only: true }
    expect(await ignoredBy(ann, 'POST', '/users/me/subscriptions', existing)).toBeUndefined()
    const presence = { status: 'active', last_update_id: 5, history_limit_days: 3 }
    expect(await ignoredBy(ann, 'POST', '/users/me/presence', presence)).toBeUndefined()
    const welcome = {
      invitee_emails: 'decided@example.com',
      stream_ids: [],
      welcome_message_custom_text: 'of no administrator',
    }
    expect(await ignoredBy(ann, 'POST', '/invites', welcome)).toBeUndefined()
  })
})
