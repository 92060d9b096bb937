import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { enterDevice } from '../../support/push-devices.ts'
import { usePushRealm } from '../../support/push-realm.ts'

const org = usePushRealm()
const { bouncer } = org

describe('a direct message', () => {
  it('is not notified to its sender, nor against a mute or a setting', async () => {
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

  it('of the organization’s own bots is told, too', async () => {
    const { ann, ben } = org
    const other = await buildChannel([ann])
    const joining = { subscriptions: [{ name: other.name }], principals: [ben.id] }
    expectSuccess(await ann.api.post('/users/me/subscriptions', joining))
    await org.deliver()
    expect(bouncer.notified).toEqual([[ben.id, expect.any(Number)]])
  })
})

describe('a channel message', () => {
  it('is notified by the setting of the channel, in general, or of the topic', async () => {
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

  it('inherits the general setting, as it is at the time', async () => {
    const { ann, ben } = org
    await org.set(ben, { enable_stream_push_notifications: true })
    expect(await org.notifiedOf(org.say(ann))).toEqual([ben.id])
    await org.setForChannel(ben, 'push_notifications', false)
    expect(await org.notifiedOf(org.say(ann))).toEqual([])
    await org.set(ben, { enable_stream_push_notifications: false })
    expect(await org.notifiedOf(org.say(ann))).toEqual([])
  })

  it('is not sent to those who are not mentioned, not subscribed, or mentioned silently', async () => {
    const { ann, ben } = org
    expect(await org.notifiedOf(org.say(ann, '@**Cat** @_**Ben**'))).toEqual([])
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [org.channel.name] }))
    expect(await org.notifiedOf(org.say(ann, '@**Ben** @**all**'))).toEqual([])
  })

  it('that mentions all in the channel reaches those who want that there', async () => {
    const { ann, ben } = org
    await org.setForChannel(ben, 'wildcard_mentions_notify', false)
    expect(await org.notifiedOf(org.say(ann, '@**all**'))).toEqual([])
    await org.setForChannel(ben, 'wildcard_mentions_notify', true)
    expect(await org.notifiedOf(org.say(ann, '@**all**'))).toEqual([ben.id])
  })

  it('is delivered to the devices of many at once, each with its own id', async () => {
    const { realm, ann, ben, cat } = org
    await enterDevice(realm, cat)
    expect((await org.notifiedOf(org.say(ann, '@**all**'))).sort()).toEqual([ben.id, cat.id].sort())
    expect(new Set(bouncer.notices.map(({ user_uuid }) => user_uuid)).size).toBe(2)
  })
})

describe('between a message and its notification', () => {
  it('nobody is told who has read it, left, lost the account or turned notifications off', async () => {
    const { realm, ann, ben, channel } = org
    const toldAfter = async (what: () => Promise<unknown>) => {
      const id = await org.say(ann, '@**Ben**')
      await what()
      return org.notifiedOf(id)
    }
    expect(await toldAfter(async () => {})).toEqual([ben.id])
    expect(await toldAfter(() => ben.api.post('/mark_all_as_read'))).toEqual([])
    const turnOff = () => org.set(ben, { enable_offline_push_notifications: false })
    expect(await toldAfter(turnOff)).toEqual([])
    await org.set(ben, { enable_offline_push_notifications: true })
    const leave = () => ben.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
    expect(await toldAfter(leave)).toEqual([])
    const subscriptions = [{ name: channel.name }]
    expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions }))
    expect(await toldAfter(() => realm.owner.api.delete(`/users/${ben.id}`))).toEqual([])
    expectSuccess(await realm.owner.api.post(`/users/${ben.id}/reactivate`))
  })

  it('a deleted message or a mention taken back is not notified', async () => {
    const { realm, ann } = org
    const deleted = await org.say(ann, '@**Ben**')
    expectSuccess(await realm.owner.api.delete(`/messages/${deleted}`))
    const edited = await org.say(ann, '@**Ben**')
    await org.edit(ann, edited, { content: 'nobody' })
    await org.deliver()
    expect(bouncer.notices.filter(({ user_id }) => user_id === org.ben.id)).toEqual([])
  })

  it('its text becomes the one that it has then', async () => {
    const { ann, ben } = org
    const id = await org.say(ann, '@**Ben** teh end')
    await org.edit(ann, id, { content: '@**Ben** the end' })
    expect(await org.notifiedOf(id)).toEqual([ben.id])
    expect(bouncer.notices[0]!.gcm_payload).toMatchObject({ content: '@Ben the end' })
  })

  it('the object may be evicted', async () => {
    const id = await org.say(org.ann, '@**Ben**')
    await evictRealm(org.realm.id)
    expect(await org.notifiedOf(id)).toEqual([org.ben.id])
  })
})

describe('an edit', () => {
  it('that mentions somebody tells them, once, and nobody who was told before', async () => {
    const { realm, ann, ben } = org
    const dan = await buildUser(realm, { name: 'Dan' })
    await enterDevice(realm, dan)
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

  it('that mentions the channel notifies those who had not heard of it', async () => {
    const { realm, ann, ben, cat } = org
    await enterDevice(realm, cat)
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
