import { beforeAll, describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { FollowedState } from '../../support/followed-state.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { realm, owner, ann, ben, guest, lonely, boats, cabin } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest', lonely: 'guest' },
  {
    channels: {
      boats: ['owner', 'ann', 'ben', 'guest'],
      cabin: { subscribers: ['owner', 'ben'], invite_only: true },
    },
    // Guests see only people with whom they share a conversation.
    settings: { can_access_all_users_group: { new: 6 } },
  },
)

async function digest({ api }: TestUser): Promise<Record<string, string>> {
  return expectSuccess(await api.get('/realm/digest')).sections
}

async function ok(asked: ReturnType<TestUser['api']['get']>) {
  return expectSuccess(await asked)
}

let crew: number
let folder: number

/** Changes, each with the section in which a client drifts that missed it. */
const CHANGES: readonly (readonly [
  name: string,
  section: string,
  type: string,
  act: () => Promise<unknown>,
])[] = [
  ['a name', 'people', 'realm_user', () => ok(ben.api.patch('/settings', { full_name: 'Βενιαμίν 港' }))],
  ['a role', 'people', 'realm_user', () => ok(owner.api.patch(`/users/${ben.id}`, { role: 300 }))],
  [
    'who sees an address',
    'people',
    'realm_user',
    () => ok(ben.api.patch('/settings', { email_address_visibility: 5 })),
  ],
  ['a new account', 'people', 'realm_user', () => buildUser(realm)],
  ['a closed account', 'people', 'realm_user', () => ok(owner.api.delete(`/users/${ben.id}`))],
  ['an opened account', 'people', 'realm_user', () => reopen(realm, ben)],
  ['a new channel', 'channels', 'stream', () => buildChannel([owner, ben])],
  [
    'the name of a channel',
    'channels',
    'stream',
    () => ok(owner.api.patch(`/streams/${boats.id}`, { new_name: 'ships' })),
  ],
  [
    'who may write to a channel',
    'channels',
    'stream',
    () => ok(owner.api.patch(`/streams/${boats.id}`, { can_send_message_group: { new: 6 } })),
  ],
  [
    'a color',
    'subscriptions',
    'subscription',
    () =>
      ok(
        ann.api.post('/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id: boats.id, property: 'color', value: '#123456' }],
        }),
      ),
  ],
  [
    'a lost subscription',
    'subscriptions',
    'subscription',
    () => ok(owner.api.delete('/users/me/subscriptions', { subscriptions: ['ships'], principals: [ann.id] })),
  ],
  [
    'a new group',
    'groups',
    'user_group',
    async () => {
      const { group_id } = await ok(
        owner.api.post('/user_groups/create', { name: 'crew', description: '', members: [ben.id, owner.id] }),
      )
      crew = group_id
    },
  ],
  [
    'who is in a group',
    'groups',
    'user_group',
    () => ok(owner.api.post(`/user_groups/${crew}/members`, { add: [ann.id] })),
  ],
  [
    'a new folder',
    'folders',
    'channel_folder',
    async () => {
      folder = (await ok(owner.api.post('/channel_folders/create', { name: 'sea', description: '' })))
        .channel_folder_id
    },
  ],
  [
    'the name of a folder',
    'folders',
    'channel_folder',
    () => ok(owner.api.patch(`/channel_folders/${folder}`, { name: 'the sea' })),
  ],
  [
    'a followed topic',
    'topics',
    'user_topic',
    () => ok(ann.api.post('/user_topics', { stream_id: boats.id, topic: 'Keel', visibility_policy: 3 })),
  ],
  [
    'the name of the organization',
    'organization',
    'realm',
    () => ok(owner.api.patch('/realm', { name: 'Harbour' })),
  ],
  [
    'who may create channels',
    'organization',
    'realm',
    () => ok(owner.api.patch('/realm', { can_create_public_channel_group: { new: 3 } })),
  ],
  ['a setting', 'settings', 'user_settings', () => ok(ann.api.patch('/settings', { enter_sends: false }))],
]

describe('a client that applies all events has the server’s digest after', () => {
  let all: FollowedState[]

  beforeAll(async () => {
    const { subscriptions } = await ok(lonely.api.get('/users/me/subscriptions'))
    const names = subscriptions.map(({ name }: { name: string }) => name)
    await ok(lonely.api.delete('/users/me/subscriptions', { subscriptions: names }))
    all = await Promise.all([owner, ann, guest, lonely].map((user) => new FollowedState(user).register()))
  })

  it.each(CHANGES)('%s', async (_name, section, type, act) => {
    const broken = await new FollowedState(ann).register()
    await act()
    for (const client of all) {
      await client.catchUp()
      expect(await client.drift()).toEqual([])
    }
    await broken.catchUp(type)
    expect(await broken.drift()).toContain(section)
    // It registers again.
    expect(await (await broken.register()).drift()).toEqual([])
  })
})

describe('the digest of the state', () => {
  it('stays as it is while nothing changes', async () => {
    expect(await digest(ann)).toEqual(await digest(ann))
  })

  it('is not compared while events are on their way', async () => {
    const late = await new FollowedState(ann).register()
    await ok(owner.api.patch('/realm', { description: 'A quiet place' }))
    expect(await late.drift()).toEqual([])
    await late.catchUp('realm')
    expect(await late.drift()).toEqual(['organization'])
  })

  it('does not show what the caller cannot see', async () => {
    const before = { ann: await digest(ann), lonely: await digest(lonely) }
    await ok(owner.api.patch(`/streams/${cabin.id}`, { description: 'Between us' }))
    expect(await digest(ann)).toEqual(before.ann)
    await ok(ann.api.patch('/settings', { full_name: 'Ann Elsewhere' }))
    expect((await digest(ann)).people).not.toBe(before.ann.people)
    expect(await digest(lonely)).toEqual(before.lonely)
  })

  it('is refused without an account, and to closed ones', async () => {
    const { owner: other, realm: closed, ann: former } = await buildRealm({ ann: 'member' })
    expect((await closed.anonymous.get('/realm/digest')).status).toBe(401)
    await ok(other.api.delete(`/users/${former.id}`))
    expect((await former.api.get('/realm/digest')).status).toBe(401)
  })
})
