import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm, ann, bot } = useRealmPerTest({ ann: 'member', bot: { botOf: 'ann', name: 'Bert Bot' } })

describe('a bot among users', () => {
  it('shows its owner and its kind, and never a profile', async () => {
    const { user } = expectSuccess(
      await realm.owner.api.get(`/users/${bot.id}`, { include_custom_profile_fields: true }),
    )
    expect(user).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: ann.id, role: 400 })
    expect(user.delivery_email).toBe(bot.email)
    expect(user).not.toHaveProperty('profile_data')
    const found = expectSuccess(await realm.owner.api.get(`/users/${bot.email}`)).user
    expect(found.user_id).toBe(bot.id)
  })

  it('has no settings and cannot deactivate itself', async () => {
    const msg = 'This endpoint does not accept bot requests.'
    expect((await bot.api.patch('/settings', { enter_sends: true })).body.msg).toBe(msg)
    expect((await bot.api.delete('/users/me')).body.msg).toBe(msg)
    expect((await bot.api.get('/users/me')).body).toMatchObject({ user_id: bot.id, is_bot: true })
  })

  it('can be renamed by its owner; administrators set its role, up to the owner’s', async () => {
    expectSuccess(await ann.api.patch(`/users/${bot.id}`, { full_name: 'Berta Bot' }))
    expect((await ann.api.patch(`/users/${bot.id}`, { role: 600 })).body.msg).toBe('Insufficient permission')
    const other = await buildUser(realm)
    expect((await other.api.patch(`/users/${bot.id}`, { full_name: 'Other Bot' })).body.msg).toBe(
      'Insufficient permission',
    )
    expect((await realm.owner.api.patch(`/users/${bot.id}`, { role: 300 })).body.msg).toBe(
      'Insufficient permission',
    )
    expectSuccess(await realm.owner.api.patch(`/users/${bot.id}`, { role: 600 }))
    expect(expectSuccess(await ann.api.get(`/users/${bot.id}`)).user).toMatchObject({
      full_name: 'Berta Bot',
      role: 600,
    })
  })

  it('cannot be deactivated by the endpoint for people', async () => {
    expect((await realm.owner.api.delete(`/users/${bot.id}`)).body.msg).toBe('No such user')
  })

  it('is deactivated with its owner, and can be reactivated for another owner', async () => {
    const queue = await openQueue(realm.owner)
    expectSuccess(await realm.owner.api.delete(`/users/${ann.id}`))
    const closed = (await queue.eventsOf('realm_user', 'update')).map(({ person }) => person)
    expect(closed).toMatchObject([
      { user_id: ann.id, is_active: false },
      { user_id: bot.id, is_active: false },
    ])
    expect((await bot.api.get('/users/me')).body.msg).toBe('Account is deactivated')
    expectSuccess(await realm.owner.api.post(`/users/${bot.id}/reactivate`))
    expect(await queue.eventsOf('realm_user', 'update')).toMatchObject([
      { person: { user_id: bot.id, is_active: true } },
      { person: { user_id: bot.id, bot_owner_id: realm.owner.id } },
    ])
    // With a new key, since its former owner has the old one.
    expect((await bot.api.get('/users/me')).body.msg).toBe('Invalid API key')
    expectSuccess(await realm.owner.api.post(`/bots/${bot.id}/api_key/regenerate`))
  })
})
