import { describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

async function subscribe(user: TestUser, name: string, settings: Record<string, string | number> = {}) {
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...settings }))
  const { subscriptions } = expectSuccess(await user.api.get('/users/me/subscriptions'))
  return subscriptions.find((one: { name: string }) => one.name === name)
}

describe('stream_post_policy', () => {
  it('is no parameter: groups decide who may post, subscribe and remove', async () => {
    const groups = {
      can_add_subscribers_group: 5,
      can_administer_channel_group: 4,
      can_remove_subscribers_group: 3,
      can_send_message_group: 5,
    }
    const made = await subscribe(ann, 'level 349', groups)
    expect(made).toMatchObject(groups)
    const body = expectSuccess(
      await realm.owner.api.patch(`/streams/${made.stream_id}`, {
        stream_post_policy: 2,
        description: 'x',
      }),
    )
    expect(body.ignored_parameters_unsupported).toEqual(['stream_post_policy'])
  })
})
