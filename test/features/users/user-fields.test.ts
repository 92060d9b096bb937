import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

async function userOf(id: number, params: Record<string, ParameterValue> = {}, viewer = ann) {
  return expectSuccess(await viewer.api.get(`/users/${id}`, params)).user
}

describe('the record of a user', () => {
  it('has delivery_email in lists, null where the address is hidden', async () => {
    const shy = await buildUser(realm)
    expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 4 }))
    const { members } = expectSuccess(await ann.api.get('/users'))
    const found: { user_id: number; delivery_email: string | null }[] = members
    expect(found.every((member) => 'delivery_email' in member)).toBe(true)
    expect(found.find(({ user_id }) => user_id === shy.id)?.delivery_email).toBeNull()
  })

  it.each([
    [100, { is_owner: true, is_admin: true, is_guest: false }],
    [200, { is_owner: false, is_admin: true, is_guest: false }],
    [300, { is_owner: false, is_admin: false, is_guest: false }],
    [400, { is_owner: false, is_admin: false, is_guest: false }],
    [600, { is_owner: false, is_admin: false, is_guest: true }],
  ] as const)('says what they may do by role %i', async (role, flags) => {
    const { id } = await buildUser(realm, { role })
    expect(await userOf(id)).toMatchObject({ role, ...flags })
  })

  it.each([
    ['Europe/Vienna', 'Europe/Vienna'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
  ])('has an IANA name as time zone: %s is %s', async (given, timezone) => {
    const zoned = await buildUser(realm)
    expectSuccess(await zoned.api.patch('/settings', { timezone: given }))
    expect(await userOf(zoned.id)).toMatchObject({ timezone })
  })

  it('of a bot has its type, owner and address, and no profile', async () => {
    for (const bot_type of [1, 3]) {
      const params = { full_name: `Bot ${bot_type}`, short_name: `of-type-${bot_type}`, bot_type }
      const more = bot_type === 3 ? { payload_url: 'https://example.com/hook' } : {}
      const { user_id } = expectSuccess(await ann.api.post('/bots', { ...params, ...more }))
      const bot = await userOf(user_id, { include_custom_profile_fields: true })
      expect(bot).toMatchObject({
        is_bot: true,
        bot_type,
        bot_owner_id: ann.id,
        delivery_email: `of-type-${bot_type}-bot@${realm.host}`,
      })
      expect(bot).not.toHaveProperty('profile_data')
    }
  })

  it('has no type of bot and no owner for people, in events and snapshots too', async () => {
    const human = { bot_type: null, bot_owner_id: null }
    const queue = await openQueue(ben)
    const carl = await buildUser(realm)
    expect((await queue.eventsOf('realm_user', 'add'))[0]?.person).toMatchObject(human)
    expect(await userOf(carl.id)).toMatchObject(human)
    const { snapshot } = await openQueue(ben, { fetch_event_types: ['realm_user'] })
    const isCarl = ({ user_id }: { user_id: number }) => user_id === carl.id
    expect(snapshot.realm_users.find(isCarl)).toMatchObject(human)
  })

  it('of a bot never has a profile, in snapshots either', async () => {
    const { user_id } = expectSuccess(
      await ann.api.post('/bots', { full_name: 'Bot', short_name: 'keyless' }),
    )
    expect(await userOf(user_id, { include_custom_profile_fields: true })).not.toHaveProperty('profile_data')
    const { snapshot } = await openQueue(ben, { fetch_event_types: ['realm_user'] })
    const bot = snapshot.realm_users.find((one: { user_id: number }) => one.user_id === user_id)
    expect(bot).not.toHaveProperty('profile_data')
  })
})
