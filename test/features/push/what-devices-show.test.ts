import { beforeEach, describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { insertDevice } from '../../support/push-devices.ts'
import { usePushRealm } from '../../support/push-realm.ts'
import { openQueue } from '../../support/queues.ts'
import { usePerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const org = usePushRealm()
const { bouncer } = org

describe('a direct message', () => {
  it('is sent to its recipients’ devices in the form of each push service', async () => {
    const { realm, ann, ben, phone } = org
    const tablet = await insertDevice(realm, ben, 'apns')
    const id = await org.write(ann, [ben], 'Who’s **there**? :smile:')
    await org.deliver()
    const common = {
      server: realm.host,
      realm_id: realm.id,
      realm_uri: `http://${realm.host}`,
      realm_url: `http://${realm.host}`,
      realm_name: 'Castle',
      user_id: ben.id,
      sender_id: ann.id,
      sender_email: ann.email,
      time: expect.any(Number),
      recipient_type: 'private',
    }
    expect(bouncer.notifications).toEqual([
      {
        realm_uuid: bouncer.devices.get(phone)!.realmUuid,
        user_uuid: bouncer.devices.get(phone)!.userUuid,
        user_id: ben.id,
        android_devices: [phone],
        apple_devices: [tablet],
        gcm_options: { priority: 'high' },
        gcm_payload: {
          ...common,
          event: 'message',
          zulip_message_id: id,
          content: 'Who’s there? 😄',
          content_truncated: false,
          sender_full_name: 'Ann',
          sender_avatar_url: expect.stringMatching(/^https:/),
        },
        apns_payload: {
          alert: { title: 'Ann', subtitle: '', body: 'Who’s there? 😄' },
          sound: 'default',
          badge: 0,
          custom: { zulip: { ...common, message_ids: [id] } },
        },
      },
    ])
    expect(bouncer.devices.get(tablet)).toMatchObject({ kind: 'apns', appId: 'com.example.Chat' })
  })

  it('has moments in the zone and the language of its recipient', async () => {
    const { ann, ben } = org
    expectSuccess(await ben.api.patch('/settings', { timezone: 'Asia/Tokyo', default_language: 'fr' }))
    await org.write(ann, [ben], 'at <time:2026-05-18T14:00:00Z>')
    await org.deliver()
    expect(bouncer.notifications).toMatchObject([
      { gcm_payload: { content: expect.stringMatching(/^at lundi 18 mai 2026 à 11:00.PM UTC\+9$/) } },
    ])
  })

  it('in a group conversation names its participants', async () => {
    const { ann, ben, cat } = org
    await org.write(ann, [ben, cat])
    await org.deliver()
    const pm_users = [ann.id, ben.id, cat.id].join(',')
    expect(bouncer.notifications).toMatchObject([
      {
        gcm_payload: { recipient_type: 'private', pm_users },
        apns_payload: { alert: { title: 'Ann, Ben, Cat', subtitle: 'Ann:' } },
      },
    ])
  })
})

describe('a channel message', () => {
  it('names channel, topic and the kind of mention', async () => {
    const { realm, ann, ben, cat, channel } = org
    const guards = { name: 'guards', description: '', members: [ben.id, cat.id] }
    const { group_id } = expectSuccess(await realm.owner.api.post('/user_groups/create', guards))
    await org.setForChannel(ben, 'push_notifications', true)
    await org.say(ben)
    const subtitles: string[] = []
    for (const content of [
      'plain',
      `@**Ben**`,
      '@*guards*',
      '@**Ben** @*guards*',
      '@**all**',
      '@**topic**',
    ]) {
      await org.say(ann, content)
      await org.deliver()
      const { apns_payload } = bouncer.notifications.at(-1)!
      if ('alert' in apns_payload) subtitles.push(apns_payload.alert.subtitle)
    }
    expect(subtitles).toEqual([
      'Ann:',
      'Ann mentioned you:',
      'Ann mentioned @guards:',
      'Ann mentioned you:',
      'Ann mentioned everyone:',
      'Ann mentioned all topic participants:',
    ])
    const [plain, , mentioned] = bouncer.notifications.map(({ gcm_payload }) => gcm_payload)
    const expected = { recipient_type: 'stream', stream: channel.name, stream_id: channel.id, topic: 'walls' }
    expect(plain).toMatchObject(expected)
    expect(plain).not.toHaveProperty('mentioned_user_group_id')
    expect(mentioned).toMatchObject({
      mentioned_user_group_id: group_id,
      mentioned_user_group_name: 'guards',
    })
    expect(bouncer.notifications[0]!.apns_payload).toMatchObject({
      alert: { title: `#${channel.name} > walls` },
    })
  })

  it('is cut when long, and does not reveal a spoiler', async () => {
    const { ann, ben } = org
    await org.setForChannel(ben, 'push_notifications', true)
    await org.say(ann, `${'🐎'.repeat(201)}`)
    await org.say(ann, '```spoiler Who\nthe gardener\n```')
    await org.deliver()
    expect(bouncer.notifications.map(({ gcm_payload }) => gcm_payload)).toMatchObject([
      { content: `${'🐎'.repeat(200)}…`, content_truncated: true },
      { content: expect.stringMatching(/^Who\s*\(…\)$/), content_truncated: false },
    ])
  })

  it('is neither sent unencrypted nor removed if the organization requires encryption', async () => {
    const { realm, ann, ben } = org
    const require = async (require_e2ee_push_notifications: boolean) =>
      expectSuccess(await realm.owner.api.patch('/realm', { require_e2ee_push_notifications }))
    const shown = await org.say(ann, '@**Ben**')
    await org.deliver()
    await require(true)
    const hidden = await org.say(ann, '@**Ben** the password is swordfish')
    await org.deliver()
    await org.read(ben, [shown, hidden])
    await org.deliver()
    await require(false)
    expect(bouncer.notified).toEqual([[ben.id, shown]])
    expect(bouncer.notifications).toHaveLength(1)
  })

  it('does not name a sender whom the guest cannot see', async () => {
    const { realm, ann } = org
    const guest = await buildUser(realm, { name: 'Gus', role: 600 })
    const { subscriptions } = expectSuccess(await guest.api.get('/users/me/subscriptions'))
    const names = subscriptions.map(({ name }: { name: string }) => name)
    expectSuccess(await guest.api.delete('/users/me/subscriptions', { subscriptions: names }))
    await insertDevice(realm, guest)
    const open = await buildChannel([realm.owner, guest])
    const letSee = async (group: number) =>
      expectSuccess(await realm.owner.api.patch('/realm', { can_access_all_users_group: { new: group } }))
    await letSee(6)
    await org.send(ann, { type: 'channel', to: open.id, topic: 't', content: '@**Gus**' })
    await org.deliver()
    await letSee(7)
    const { gcm_payload } = bouncer.notifications.find(({ user_id }) => user_id === guest.id)!
    expect(gcm_payload).toMatchObject({ sender_full_name: 'Unknown user' })
    expect(JSON.stringify(gcm_payload)).not.toContain(ann.email)
  })
})

describe('what a device shows', () => {
  it('is removed when the message is read, in whichever way', async () => {
    const { ann, ben, channel } = org
    const ids: number[] = []
    for (let count = 0; count < 4; count += 1) ids.push(await org.say(ann, '@**Ben**'))
    await org.deliver()
    await org.read(ben, [ids[0]!, ids[1]!])
    await org.deliver()
    const walls = { stream_id: channel.id, topic_name: 'walls' }
    expectSuccess(await ben.api.post('/mark_topic_as_read', walls))
    await org.deliver()
    expect(bouncer.removed).toEqual([
      [ben.id, ids.slice(0, 2)],
      [ben.id, ids.slice(2)],
    ])
    expect(bouncer.notifications.at(-1)).toMatchObject({
      gcm_options: { priority: 'normal' },
      gcm_payload: { event: 'remove', zulip_message_id: ids[2] },
      apns_payload: {
        badge: 0,
        custom: { zulip: { event: 'remove', zulip_message_ids: ids.slice(2).join(',') } },
      },
    })
    await org.read(ben, ids)
    await org.deliver()
    expect(bouncer.removed).toHaveLength(2)
  })

  it('is removed when everything is marked as read, or its sender muted', async () => {
    const { ann, ben } = org
    const first = await org.write(ann, [ben])
    await org.deliver()
    expectSuccess(await ben.api.post('/mark_all_as_read'))
    await org.deliver()
    const second = await org.write(ann, [ben])
    await org.deliver()
    expectSuccess(await ben.api.post(`/users/me/muted_users/${ann.id}`))
    await org.deliver()
    expectSuccess(await ben.api.delete(`/users/me/muted_users/${ann.id}`))
    expect(bouncer.removed).toEqual([
      [ben.id, [first]],
      [ben.id, [second]],
    ])
  })

  it('is removed when the message is deleted, hidden, or no longer mentions them', async () => {
    const { realm, ann, ben } = org
    const hidden = await buildChannel([realm.owner], { invite_only: true })
    const changes: ((id: number) => Promise<unknown>)[] = [
      (id) => realm.owner.api.delete(`/messages/${id}`),
      (id) => org.edit(ann, id, { content: 'nobody' }),
      (id) => org.edit(realm.owner, id, { stream_id: hidden.id }),
    ]
    for (const [index, change] of changes.entries()) {
      const id = await org.say(ann, '@**Ben**', `topic ${index}`)
      await org.deliver()
      await change(id)
      await org.deliver()
      expect(bouncer.removed.at(-1)).toEqual([ben.id, [id]])
    }
  })

  it('stays when another user reads it, or another message', async () => {
    const { ann, ben, cat } = org
    const id = await org.say(ann, '@**Ben** @**Cat**')
    const other = await org.say(ann, 'Hello', 'gates')
    await org.deliver()
    await org.read(cat, [id])
    await org.read(ben, [other])
    await org.deliver()
    expect(bouncer.notified).toEqual([[ben.id, id]])
    expect(bouncer.removed).toEqual([])
  })

  it('is removed when the message was read while the notification was being sent', async () => {
    world.evictable = false
    const { ann, ben } = org
    const id = await org.say(ann, '@**Ben**')
    bouncer.meanwhile = async () => {
      bouncer.meanwhile = undefined
      await org.read(ben, [id])
    }
    await org.deliver()
    await org.deliver()
    expect(bouncer.notified).toEqual([[ben.id, id]])
    expect(bouncer.removed).toEqual([[ben.id, [id]]])
  })
})

describe('a user who is active', () => {
  // Each test has a user whose presence no other test has changed.
  const { dan } = usePerTest(org, { dan: 'member' })
  beforeEach(async () => {
    await insertDevice(org.realm, dan)
    expectSuccess(await dan.api.post('/users/me/presence', { status: 'active' }))
  })
  const wantsQuiet = () => org.set(dan, { enable_online_push_notifications: false })

  it('is notified all the same, if their setting says so', async () => {
    await openQueue(dan)
    expect(await org.notifiedOf(org.write(org.ann, [dan]))).toEqual([dan.id])
  })

  it('is not notified of messages that their client got', async () => {
    await wantsQuiet()
    const queue = await openQueue(dan)
    const id = await org.write(org.ann, [dan])
    await queue.events()
    await queue.events()
    expect(await org.notifiedOf(id)).toEqual([])
    await org.deliver(3_600)
    expect(bouncer.notifications).toEqual([])
  })

  it('is notified when the last client has gone without getting the message', async () => {
    await wantsQuiet()
    await openQueue(dan)
    const id = await org.write(org.ann, [dan])
    expect(await org.notifiedOf(id)).toEqual([])
    await org.deliver(300)
    expect(bouncer.notifications).toEqual([])
    await org.deliver(700)
    expect(bouncer.notified).toEqual([[dan.id, id]])
  })

  it('counts as away without a message queue, or after a long silence', async () => {
    await wantsQuiet()
    await openQueue(dan, { event_types: ['presence'] })
    expect(await org.notifiedOf(org.write(org.ann, [dan]))).toEqual([dan.id])
    await openQueue(dan, { queue_lifespan_secs: 3_600 })
    world.clockOffset += 201
    expect(await org.notifiedOf(org.write(org.ann, [dan]))).toEqual([dan.id])
  })
})
