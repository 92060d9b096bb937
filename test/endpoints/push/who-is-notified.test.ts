import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { useCastle } from '../../support/castle.ts'
import { buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { enterDevice } from '../../support/push-devices.ts'

const castle = useCastle()
const { bouncer } = castle

describe('a direct message', () => {
  it('is not notified to its sender, nor against a mute or a setting', async () => {
    const { ann, ben } = castle
    expect(await castle.notifiedOf(castle.write(ben, [ann]))).toEqual([])
    expect(await castle.notifiedOf(castle.write(ben, [ben]))).toEqual([])
    expectSuccess(await ben.api.post(`/users/me/muted_users/${ann.id}`))
    expect(await castle.notifiedOf(castle.write(ann, [ben]))).toEqual([])
    expectSuccess(await ben.api.delete(`/users/me/muted_users/${ann.id}`))
    await castle.set(ben, { enable_offline_push_notifications: false })
    expect(await castle.notifiedOf(castle.write(ann, [ben]))).toEqual([])
    await castle.set(ben, { enable_offline_push_notifications: true })
    expect(await castle.notifiedOf(castle.write(ann, [ben]))).toEqual([ben.id])
  })

  it('of the organization’s own bots is told, too', async () => {
    const { ann, ben } = castle
    const other = await buildChannel([ann])
    const joining = { subscriptions: [{ name: other.name }], principals: [ben.id] }
    expectSuccess(await ann.api.post('/users/me/subscriptions', joining))
    await castle.bring()
    expect(bouncer.told).toEqual([[ben.id, expect.any(Number)]])
  })
})

describe('a channel message', () => {
  it('is notified by the setting of the channel, in general, or of the topic', async () => {
    const { ann, ben } = castle
    expect(await castle.notifiedOf(castle.say(ann))).toEqual([])
    await castle.setForChannel(ben, 'push_notifications', true)
    expect(await castle.notifiedOf(castle.say(ann))).toEqual([ben.id])
    await castle.setForTopic(ben, 'walls', 1)
    expect(await castle.notifiedOf(castle.say(ann))).toEqual([])
    await castle.setForTopic(ben, 'walls', 0)
    await castle.setForChannel(ben, 'is_muted', true)
    expect(await castle.notifiedOf(castle.say(ann))).toEqual([])
    await castle.setForTopic(ben, 'Walls', 3)
    expect(await castle.notifiedOf(castle.say(ann))).toEqual([ben.id])
  })

  it('inherits the general setting, as it is at the time', async () => {
    const { ann, ben } = castle
    await castle.set(ben, { enable_stream_push_notifications: true })
    expect(await castle.notifiedOf(castle.say(ann))).toEqual([ben.id])
    await castle.setForChannel(ben, 'push_notifications', false)
    expect(await castle.notifiedOf(castle.say(ann))).toEqual([])
    await castle.set(ben, { enable_stream_push_notifications: false })
    expect(await castle.notifiedOf(castle.say(ann))).toEqual([])
  })

  it('is not told to those who are not mentioned, not subscribed, or mentioned silently', async () => {
    const { ann, ben } = castle
    expect(await castle.notifiedOf(castle.say(ann, '@**Cat** @_**Ben**'))).toEqual([])
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [castle.channel.name] }))
    expect(await castle.notifiedOf(castle.say(ann, '@**Ben** @**all**'))).toEqual([])
  })

  it('that calls all in the channel is told to those who want that there', async () => {
    const { ann, ben } = castle
    await castle.setForChannel(ben, 'wildcard_mentions_notify', false)
    expect(await castle.notifiedOf(castle.say(ann, '@**all**'))).toEqual([])
    await castle.setForChannel(ben, 'wildcard_mentions_notify', true)
    expect(await castle.notifiedOf(castle.say(ann, '@**all**'))).toEqual([ben.id])
  })

  it('is delivered to the devices of many at once, each with its own id', async () => {
    const { realm, ann, ben, cat } = castle
    await enterDevice(realm, cat)
    expect((await castle.notifiedOf(castle.say(ann, '@**all**'))).sort()).toEqual([ben.id, cat.id].sort())
    expect(new Set(bouncer.notices.map(({ user_uuid }) => user_uuid)).size).toBe(2)
  })
})

describe('between a message and its notification', () => {
  it('nobody is told who has read it, left, lost the account or turned notifications off', async () => {
    const { realm, ann, ben, channel } = castle
    const toldAfter = async (what: () => Promise<unknown>) => {
      const id = await castle.say(ann, '@**Ben**')
      await what()
      return castle.notifiedOf(id)
    }
    expect(await toldAfter(async () => {})).toEqual([ben.id])
    expect(await toldAfter(() => ben.api.post('/mark_all_as_read'))).toEqual([])
    const turnOff = () => castle.set(ben, { enable_offline_push_notifications: false })
    expect(await toldAfter(turnOff)).toEqual([])
    await castle.set(ben, { enable_offline_push_notifications: true })
    const leave = () => ben.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
    expect(await toldAfter(leave)).toEqual([])
    const subscriptions = [{ name: channel.name }]
    expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions }))
    expect(await toldAfter(() => realm.owner.api.delete(`/users/${ben.id}`))).toEqual([])
    expectSuccess(await realm.owner.api.post(`/users/${ben.id}/reactivate`))
  })

  it('a deleted message or a mention taken back is not notified', async () => {
    const { realm, ann } = castle
    const deleted = await castle.say(ann, '@**Ben**')
    expectSuccess(await realm.owner.api.delete(`/messages/${deleted}`))
    const edited = await castle.say(ann, '@**Ben**')
    await castle.edit(ann, edited, { content: 'nobody' })
    await castle.bring()
    expect(bouncer.notices.filter(({ user_id }) => user_id === castle.ben.id)).toEqual([])
  })

  it('its text becomes the one that it has then', async () => {
    const { ann, ben } = castle
    const id = await castle.say(ann, '@**Ben** teh end')
    await castle.edit(ann, id, { content: '@**Ben** the end' })
    expect(await castle.notifiedOf(id)).toEqual([ben.id])
    expect(bouncer.notices[0]!.gcm_payload).toMatchObject({ content: '@Ben the end' })
  })

  it('the object may be evicted', async () => {
    const id = await castle.say(castle.ann, '@**Ben**')
    await evictRealm(castle.realm.id)
    expect(await castle.notifiedOf(id)).toEqual([castle.ben.id])
  })
})

describe('an edit', () => {
  it('that mentions somebody tells them, once, and nobody who was told before', async () => {
    const { realm, ann, ben } = castle
    const dan = await buildUser(realm, { name: 'Dan' })
    await enterDevice(realm, dan)
    const subscriptions = [{ name: castle.channel.name }]
    expectSuccess(await dan.api.post('/users/me/subscriptions', { subscriptions }))
    const id = await castle.say(ann, 'Who? @**Dan**')
    await castle.bring()
    for (const content of ['@**Ben** and @**Dan**', '@**Ben** and @**Dan**!']) {
      await castle.edit(ann, id, { content })
      await castle.bring()
    }
    expect(bouncer.told).toEqual([
      [dan.id, id],
      [ben.id, id],
    ])
  })

  it('that calls the channel tells those who had not heard of it', async () => {
    const { realm, ann, ben, cat } = castle
    await enterDevice(realm, cat)
    await castle.setForChannel(cat, 'push_notifications', true)
    const id = await castle.say(ann, 'Fire')
    await castle.bring()
    await castle.edit(ann, id, { content: '@**all** fire' })
    await castle.bring()
    expect(bouncer.told).toEqual([
      [cat.id, id],
      [ben.id, id],
    ])
  })
})
