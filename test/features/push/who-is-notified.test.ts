import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, reopen } from '../../support/factories.ts'
import { insertDevice } from '../../support/push-devices.ts'
import { usePushRealm } from '../../support/push-realm.ts'

const org = usePushRealm()
const { bouncer } = org

describe('a direct message', () => {
  it('notifies neither its sender, nor users who muted or disabled it', async () => {
    const { ann, ben } = org
    expect(await org.notifiedOf(org.write(ben, [ann]))).toEqual([])
    expect(await org.notifiedOf(org.write(ben, [ben]))).toEqual([])
    expectSuccess(await ben.api.post(`/users/me/muted_users/${ann.id}`))
    expect(await org.notifiedOf(org.write(ann, [ben]))).toEqual([])
    expectSuccess(await ben.api.delete(`/users/me/muted_users/${ann.id}`))
    await org.set(ben, { enable_offline_push_notifications: false })
    expect(await org.notifiedOf(org.write(ann, [ben]))).toEqual([])
    await org.set(ben, { enable_offline_push_notifications: true })
    expect(await org.notifiedOf(org.write(ann, [ben]))).toEqual([ben.id])
  })

  it('from the organization’s own bots notifies, too', async () => {
    const { ann, ben } = org
    const other = await buildChannel([ann])
    const joining = { subscriptions: [{ name: other.name }], principals: [ben.id] }
    expectSuccess(await ann.api.post('/users/me/subscriptions', joining))
    await org.deliver()
    expect(bouncer.notified).toEqual([[ben.id, expect.any(Number)]])
  })
})

describe('a channel message', () => {
  it('notifies by the channel’s setting, the general one, or the topic’s policy', async () => {
    const { ann, ben } = org
    expect(await org.notifiedOf(org.say(ann))).toEqual([])
    await org.setForChannel(ben, 'push_notifications', true)
    expect(await org.notifiedOf(org.say(ann))).toEqual([ben.id])
    await org.setForTopic(ben, 'walls', 1)
    expect(await org.notifiedOf(org.say(ann))).toEqual([])
    await org.setForTopic(ben, 'walls', 0)
    await org.setForChannel(ben, 'is_muted', true)
    expect(await org.notifiedOf(org.say(ann))).toEqual([])
    await org.setForTopic(ben, 'Walls', 3)
    expect(await org.notifiedOf(org.say(ann))).toEqual([ben.id])
  })

  it('follows the general setting of that moment', async () => {
    const { ann, ben } = org
    await org.set(ben, { enable_stream_push_notifications: true })
    expect(await org.notifiedOf(org.say(ann))).toEqual([ben.id])
    await org.setForChannel(ben, 'push_notifications', false)
    expect(await org.notifiedOf(org.say(ann))).toEqual([])
    await org.set(ben, { enable_stream_push_notifications: false })
    expect(await org.notifiedOf(org.say(ann))).toEqual([])
  })

  it('does not notify non-subscribers, or users mentioned silently or not at all', async () => {
    const { ann, ben } = org
    expect(await org.notifiedOf(org.say(ann, '@**Cat** @_**Ben**'))).toEqual([])
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [org.channel.name] }))
    expect(await org.notifiedOf(org.say(ann, '@**Ben** @**all**'))).toEqual([])
  })

  it('with a wildcard mention notifies those whose settings allow it', async () => {
    const { ann, ben } = org
    await org.setForChannel(ben, 'wildcard_mentions_notify', false)
    expect(await org.notifiedOf(org.say(ann, '@**all**'))).toEqual([])
    await org.setForChannel(ben, 'wildcard_mentions_notify', true)
    expect(await org.notifiedOf(org.say(ann, '@**all**'))).toEqual([ben.id])
  })

  it('with a wildcard mention notifies in a muted channel by its own setting', async () => {
    const { ann, ben } = org
    await org.setForChannel(ben, 'is_muted', true)
    expect(await org.notifiedOf(org.say(ann, '@**all**'))).toEqual([])
    await org.setForChannel(ben, 'wildcard_mentions_notify', true)
    expect(await org.notifiedOf(org.say(ann, '@**all**'))).toEqual([ben.id])
    expect(await org.notifiedOf(org.say(ann, 'no mention'))).toEqual([])
    await org.setForTopic(ben, 'walls', 1)
    expect(await org.notifiedOf(org.say(ann, '@**all**'))).toEqual([])
    await org.setForTopic(ben, 'walls', 0)
  })

  it('is delivered to many devices at once, each with its own id', async () => {
    const { realm, ann, ben, cat } = org
    await insertDevice(realm, cat)
    expect((await org.notifiedOf(org.say(ann, '@**all**'))).sort()).toEqual([ben.id, cat.id].sort())
    expect(new Set(bouncer.notifications.map(({ user_uuid }) => user_uuid)).size).toBe(2)
  })
})

describe('between a message and its notification', () => {
  it('users who read it, left, disabled notifications or were deactivated get none', async () => {
    const { realm, ann, ben, channel } = org
    const notifiedAfter = async (what: () => Promise<unknown>) => {
      const id = await org.say(ann, '@**Ben**')
      await what()
      return org.notifiedOf(id)
    }
    expect(await notifiedAfter(async () => {})).toEqual([ben.id])
    expect(await notifiedAfter(() => ben.api.post('/mark_all_as_read'))).toEqual([])
    const turnOff = () => org.set(ben, { enable_offline_push_notifications: false })
    expect(await notifiedAfter(turnOff)).toEqual([])
    await org.set(ben, { enable_offline_push_notifications: true })
    const leave = () => ben.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
    expect(await notifiedAfter(leave)).toEqual([])
    const subscriptions = [{ name: channel.name }]
    expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions }))
    expect(await notifiedAfter(() => realm.owner.api.delete(`/users/${ben.id}`))).toEqual([])
    await insertDevice(realm, await reopen(realm, ben))
  })

  it('deleting the message, or its mention, cancels it', async () => {
    const { realm, ann } = org
    const deleted = await org.say(ann, '@**Ben**')
    expectSuccess(await realm.owner.api.delete(`/messages/${deleted}`))
    const edited = await org.say(ann, '@**Ben**')
    await org.edit(ann, edited, { content: 'nobody' })
    await org.deliver()
    expect(bouncer.notifications.filter(({ user_id }) => user_id === org.ben.id)).toEqual([])
  })

  it('the text becomes the latest one', async () => {
    const { ann, ben } = org
    const id = await org.say(ann, '@**Ben** teh end')
    await org.edit(ann, id, { content: '@**Ben** the end' })
    expect(await org.notifiedOf(id)).toEqual([ben.id])
    expect(bouncer.notifications[0]!.gcm_payload).toMatchObject({ content: '@Ben the end' })
  })

  it('the object may be evicted', async () => {
    const id = await org.say(org.ann, '@**Ben**')
    await evictRealm(org.realm.id)
    expect(await org.notifiedOf(id)).toEqual([org.ben.id])
  })
})

describe('an edit', () => {
  it('that mentions a user notifies them once, and nobody again', async () => {
    const { realm, ann, ben } = org
    const dan = await buildUser(realm, { name: 'Dan' })
    await insertDevice(realm, dan)
    const subscriptions = [{ name: org.channel.name }]
    expectSuccess(await dan.api.post('/users/me/subscriptions', { subscriptions }))
    const id = await org.say(ann, 'Who? @**Dan**')
    await org.deliver()
    for (const content of ['@**Ben** and @**Dan**', '@**Ben** and @**Dan**!']) {
      await org.edit(ann, id, { content })
      await org.deliver()
    }
    expect(bouncer.notified).toEqual([
      [dan.id, id],
      [ben.id, id],
    ])
  })

  it('that mentions the channel notifies those not notified before', async () => {
    const { realm, ann, ben, cat } = org
    await insertDevice(realm, cat)
    await org.setForChannel(cat, 'push_notifications', true)
    const id = await org.say(ann, 'Fire')
    await org.deliver()
    await org.edit(ann, id, { content: '@**all** fire' })
    await org.deliver()
    expect(bouncer.notified).toEqual([
      [cat.id, id],
      [ben.id, id],
    ])
  })
})
