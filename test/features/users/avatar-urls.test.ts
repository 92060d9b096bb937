import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, shy, channel } = useRealm(
  {
    ann: 'member',
    ben: 'member',
    /** Only moderators and above may see this user's address. */
    shy: 'member',
  },
  { channels: { channel: ['ann', 'ben', 'shy'] } },
)
beforeAll(async () => {
  expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 5 }))
})

async function read(id: number, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`)).message
}

async function userOf(id: number, params: Record<string, ParameterValue> = {}, viewer = ann) {
  return expectSuccess(await viewer.api.get(`/users/${id}`, params)).user
}

describe('avatar_url', () => {
  it('of a message is null only where everybody may see the sender’s address', async () => {
    expect((await read(await sendTo(ann, channel.id, 'pictures'))).avatar_url).toBeNull()
    const hidden = await sendTo(shy, channel.id, 'pictures')
    for (const reader of [ben, realm.owner]) expect((await read(hidden, reader)).avatar_url).toMatch(/^http/)
  })

  it('of a user is null for readers of the address, in lists where all are', async () => {
    expect((await userOf(shy.id)).avatar_url).toMatch(/^http/)
    expect((await userOf(shy.id, {}, realm.owner)).avatar_url).toBeNull()
    const byEmail = await realm.owner.api.get(`/users/${shy.email}`, { client_gravatar: true })
    expect(expectSuccess(byEmail).user.avatar_url).toBeNull()
    const { members } = expectSuccess(await realm.owner.api.get('/users', { client_gravatar: true }))
    const { snapshot } = await openQueue(realm.owner, { client_gravatar: true, client_capabilities: null })
    const isShy = ({ user_id }: { user_id: number }) => user_id === shy.id
    expect(members.find(isShy).avatar_url).toMatch(/^http/)
    expect(snapshot.realm_users.find(isShy).avatar_url).toMatch(/^http/)
  })
})
