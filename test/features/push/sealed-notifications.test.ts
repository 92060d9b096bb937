import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { atLevel, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { Phone, registerPhone } from '../../support/phones.ts'
import { insertDevice } from '../../support/push-devices.ts'
import { usePushRealm } from '../../support/push-realm.ts'
import { openQueue } from '../../support/queues.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { makeBoxKeys } from '../../support/sealed-boxes.ts'
import { world } from '../../support/world.ts'

const org = usePushRealm()
const { bouncer } = org

/** A phone of Cat's that gets encrypted notifications; it is her only device. */
let phone: Phone
const giveCatPhone = async () => {
  phone = await registerPhone(org, org.cat)
}
beforeAll(giveCatPhone)

/** Builds a new organization for each test, since the tests move the clock far ahead and back. */
async function buildAnew(): Promise<void> {
  world.evictable = false
  await org.build()
  await giveCatPhone()
}

/** Returns what Cat's phone shows of a message after all deliveries. */
async function shownOf(message: Promise<number>): Promise<Record<string, unknown>[]> {
  const id = await message
  await org.deliver()
  return (await phone.read()).filter(({ type, message_id }) => type === 'message' && message_id === id)
}

const devicesOf = async (user: TestUser) =>
  Object.keys((await openQueue(atLevel(user, 467))).snapshot.push_devices)

describe('a message', () => {
  it('is encrypted for each device of either service, with the fields the client reads', async () => {
    const { realm, ann, cat } = org
    const tablet = await registerPhone(org, cat, 'apns')
    const id = await org.write(ann, [cat], 'Who’s **there**? :smile:')
    await org.deliver()
    const shown = {
      type: 'message',
      realm_url: `http://${realm.host}`,
      realm_name: 'Castle',
      user_id: cat.id,
      message_id: id,
      time: expect.any(Number),
      content: 'Who’s there? 😄',
      sender_id: ann.id,
      sender_full_name: 'Ann',
      sender_avatar_url: expect.stringMatching(/^https:/),
      recipient_type: 'direct',
    }
    expect([await phone.read(), await tablet.read()]).toEqual([[shown], [shown]])
    expect(bouncer.boxes.map(({ deviceId, delivery }) => [deviceId, delivery])).toEqual(
      expect.arrayContaining([
        [phone.deviceId, { fcm_priority: 'high' }],
        [
          tablet.deviceId,
          {
            http_headers: { apns_priority: 10, apns_push_type: 'alert' },
            aps: { 'mutable-content': 1, alert: { title: 'New notification' } },
          },
        ],
      ]),
    )
    expect(bouncer.notifications).toEqual([])
  })

  it('is not readable by the bouncer', async () => {
    const { realm, ann, cat, channel } = org
    await org.say(ann, '@**Cat** the password is swordfish', 'ramparts')
    await org.write(ann, [cat], 'swordfish')
    await org.deliver()
    expect(await phone.read()).toHaveLength(2)
    const secrets = ['swordfish', 'ramparts', channel.name, realm.host, 'Castle', 'message_id']
    for (const secret of secrets) {
      expect(bouncer.readable).not.toContain(secret)
      expect(bouncer.readable).not.toContain(btoa(secret).replace(/=+$/, ''))
    }
    // Three letters are in some box by chance.
    const besideBoxes = bouncer.readable.replaceAll(/"encrypted_data":"[^"]*"/g, '')
    for (const name of ['Ann', 'Cat']) expect(besideBoxes).not.toContain(name)
    const [first, second] = bouncer.boxes
    expect(first!.box.slice(0, 32)).not.toEqual(second!.box.slice(0, 32))
  })

  it('in a channel names it and its topic, and the group that was mentioned', async () => {
    const { realm, ann, cat, channel } = org
    const guards = { name: 'guards', description: '', members: [cat.id] }
    const { group_id } = expectSuccess(await realm.owner.api.post('/user_groups/create', guards))
    const destination = {
      recipient_type: 'channel',
      channel_id: channel.id,
      channel_name: channel.name,
      topic: 'walls',
    }
    const group = { mentioned_user_group_id: group_id, mentioned_user_group_name: 'guards' }
    expect(await shownOf(org.say(ann, '@*guards*'))).toMatchObject([{ ...destination, ...group }])
    const [byName] = await shownOf(org.say(ann, '@**Cat** @*guards*'))
    expect(byName).toMatchObject(destination)
    expect(byName).not.toHaveProperty('mentioned_user_group_id')
    expect(byName).not.toHaveProperty('pm_users')
  })

  it('to a group conversation names all participants', async () => {
    const { ann, ben, cat } = org
    const pm_users = [ann.id, ben.id, cat.id].join(',')
    expect(await shownOf(org.write(ann, [ben, cat]))).toMatchObject([{ recipient_type: 'direct', pm_users }])
  })

  it('keeps its text where the organization requires encryption', async () => {
    const { realm, ann, cat } = org
    await insertDevice(realm, cat)
    expectSuccess(await realm.owner.api.patch('/realm', { require_e2ee_push_notifications: true }))
    const [shown] = await shownOf(org.say(ann, '@**Cat** the password is swordfish'))
    expectSuccess(await realm.owner.api.patch('/realm', { require_e2ee_push_notifications: false }))
    expect(shown).toMatchObject({ content: '@Cat the password is swordfish' })
    expect(bouncer.notifications).toEqual([])
  })

  it('is sent to everybody whom it notifies', async () => {
    const { realm, ann, cat } = org
    expect(await shownOf(org.say(ann))).toEqual([])
    expect(await shownOf(org.say(ann, '@_**Cat**'))).toEqual([])
    expectSuccess(await cat.api.post(`/users/me/muted_users/${ann.id}`))
    expect(await shownOf(org.write(ann, [cat]))).toEqual([])
    expectSuccess(await cat.api.delete(`/users/me/muted_users/${ann.id}`))
    expect(await shownOf(org.write(ann, [cat]))).toHaveLength(1)
    const id = org.say(ann, '@**Cat**')
    await id
    expectSuccess(await realm.owner.api.delete(`/users/${cat.id}`))
    expect(await shownOf(id)).toEqual([])
    await reopen(realm, cat)
    // Her phone was logged out.
    await giveCatPhone()
  })
})

describe('an encrypted notification on a device', () => {
  it('is removed without a sound when the message is read or deleted', async () => {
    const { realm, ann, cat } = org
    const tablet = await registerPhone(org, cat, 'apns')
    const read = [await org.write(ann, [cat]), await org.write(ann, [cat])]
    const deleted = await org.say(ann, '@**Cat**')
    await org.deliver()
    bouncer.forgetRequests()
    await org.read(cat, read)
    await org.deliver()
    expectSuccess(await realm.owner.api.delete(`/messages/${deleted}`))
    await org.deliver()
    const whom = { realm_url: `http://${realm.host}`, realm_name: 'Castle', user_id: cat.id }
    const removals = [
      { type: 'remove', ...whom, message_ids: read },
      { type: 'remove', ...whom, message_ids: [deleted] },
    ]
    expect([await phone.read(), await tablet.read()]).toEqual([removals, removals])
    expect(phone.boxes[0]!.delivery).toEqual({ fcm_priority: 'normal' })
    expect(tablet.boxes[0]!.delivery).toEqual({
      http_headers: { apns_priority: 5, apns_push_type: 'background' },
      aps: { 'content-available': 1 },
    })
  })
})

describe('a device', () => {
  beforeEach(buildAnew)

  it('gets nothing before the bouncer has accepted it, nor after it was refused', async () => {
    const { ann, ben, cat } = org
    const late = new Phone(bouncer, 'fcm', await makeBoxKeys())
    expectSuccess(
      await cat.api.post(
        '/mobile_push/register',
        late.registration({ bouncer_public_key: btoa('an older key') }),
      ),
    )
    await org.deliver()
    expect(await shownOf(org.write(ann, [cat]))).toHaveLength(1)
    expect(bouncer.boxes).toHaveLength(1)
    const pending = new Phone(bouncer, 'fcm', await makeBoxKeys())
    bouncer.failures.push(503)
    expectSuccess(await ben.api.post('/mobile_push/register', pending.registration()))
    await org.deliver()
    await org.write(ann, [ben])
    await org.deliver()
    expect(pending.boxes).toEqual([])
    await org.deliver(60)
    await org.write(ann, [ben])
    await org.deliver()
    expect(await pending.read()).toMatchObject([{ type: 'message', user_id: ben.id }])
  })

  it('survives an eviction', async () => {
    const { realm, ann, cat } = org
    await evictRealm(realm.id)
    expect(await shownOf(org.write(ann, [cat]))).toHaveLength(1)
  })

  it('with an invalid key does not affect other devices', async () => {
    const { ann, cat } = org
    for (const key of [btoa('device key'), btoa('\0'.repeat(32)), '!']) {
      const other = new Phone(bouncer, 'fcm', await makeBoxKeys())
      expectSuccess(await cat.api.post('/mobile_push/register', other.registration({ push_public_key: key })))
    }
    await org.deliver()
    expect(await devicesOf(cat)).toHaveLength(4)
    expect(await shownOf(org.write(ann, [cat]))).toHaveLength(1)
    expect(bouncer.boxes).toHaveLength(1)
  })

  it('that the bouncer reports as gone is deleted, and can register again', async () => {
    const { realm, ann, cat } = org
    const tablet = await registerPhone(org, cat, 'apns')
    const queue = await openQueue(cat, { event_types: ['push_device'] })
    bouncer.dead.add(phone.deviceId)
    await org.write(ann, [cat])
    await org.deliver()
    expect(await devicesOf(cat)).toEqual([tablet.accountId])
    await org.write(ann, [cat])
    await org.deliver()
    expect([phone.boxes.length, tablet.boxes.length]).toEqual([0, 2])
    bouncer.dead.add(tablet.deviceId)
    await org.write(ann, [cat])
    await org.deliver()
    expect(await devicesOf(cat)).toEqual([])
    await org.write(ann, [cat])
    // The pending push is deleted, as if there had never been a device.
    expect(await inRealm(realm, ({ parts }) => parts.sql.all('SELECT * FROM pending_push'))).toEqual([])
    expectSuccess(await cat.api.post('/mobile_push/register', phone.registration()))
    await org.deliver()
    expect(await queue.events()).toMatchObject([{ push_account_id: phone.accountId, status: 'active' }])
    expect(await shownOf(org.write(ann, [cat]))).toHaveLength(1)
  })
})

describe('a user with devices of both kinds', () => {
  // A text that cannot be read counts as a failed try, and the next try has to wait.
  useReliableD1()
  beforeEach(async () => {
    await buildAnew()
    await insertDevice(org.realm, org.cat)
  })
  const mentionCat = () => org.say(org.ann, '@**Cat**')

  it('gets each notification once on each, also when the bouncer fails in between', async () => {
    const { cat } = org
    bouncer.failuresOfBoxes.push(503, new Error('no connection'))
    const id = await mentionCat()
    await org.deliver()
    expect([bouncer.notified, bouncer.boxes]).toEqual([[[cat.id, id]], []])
    await org.deliver(60)
    expect(bouncer.boxes).toEqual([])
    await org.deliver(60)
    expect(await phone.read()).toMatchObject([{ type: 'message', message_id: id }])
    expect(bouncer.notified).toEqual([[cat.id, id]])
    await org.deliver(3_600)
    expect([bouncer.boxes.length, bouncer.notified.length]).toEqual([1, 1])
  })

  it('gets it again on neither after a refusal', async () => {
    const { cat } = org
    // A bouncer that is older than encrypted notifications has no such address.
    for (const refusal of ['BAD_REQUEST', 404]) bouncer.failuresOfBoxes.push(refusal)
    const ids = [await mentionCat(), await mentionCat()]
    await org.deliver()
    await org.deliver(3_600)
    expect(bouncer.notified).toEqual(ids.map((id) => [cat.id, id]))
    expect(bouncer.boxes).toEqual([])
    expect(await shownOf(mentionCat())).toHaveLength(1)
  })

  it('gets no encrypted notification of what was read during an outage', async () => {
    bouncer.failuresOfBoxes.push(503)
    const id = await mentionCat()
    await org.deliver()
    await org.read(org.cat, [id])
    await org.deliver(60)
    expect(await phone.read()).toMatchObject([{ type: 'remove', message_ids: [id] }])
    expect(bouncer.removed).toEqual([[org.cat.id, [id]]])
  })
})
