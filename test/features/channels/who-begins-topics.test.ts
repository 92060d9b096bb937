import { beforeAll, describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { buildChannel, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { deliverMail, MAIL_DOMAIN, writeMail } from '../../support/incoming-mail.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { systemGroupId } from '../../support/system-groups.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, guest, admin } = useRealm({
  ann: 'member',
  ben: 'member',
  guest: 'guest',
  admin: 'administrator',
})
const REFUSED = 'You do not have permission to create new topics in this channel.'
const COMBINATION = 'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group'
const EVERYONE = systemGroupId('role:everyone')
const MODERATORS = systemGroupId('role:moderators')

const onlyAnn = () => ({ direct_members: [ann.id], direct_subgroups: [] })
const send = (user: TestUser, to: number, topic: string) =>
  user.api.post('/messages', { type: 'channel', to, topic, content: 'hello' })
const move = (user: TestUser, id: number, params: Record<string, string | number>) =>
  user.api.patch(`/messages/${id}`, params)

/** Builds a channel of all four in which Ann alone begins topics, and the topic `walls` in it. */
async function limitedChannel() {
  const channel = await buildChannel([ann, ben, guest, admin], { can_create_topic_group: onlyAnn() })
  return { ...channel, walls: await sendTo(ann, channel.id, 'walls') }
}

describe('a message in a new topic', () => {
  it('is refused to those outside can_create_topic_group, administrators too', async () => {
    const { id } = await limitedChannel()
    for (const user of [ben, guest, admin]) {
      expectRefusal(await send(user, id, 'gates'), REFUSED)
      expectSuccess(await send(user, id, 'WALLS'))
    }
    expectSuccess(await send(ann, id, 'gates'))
    expectSuccess(await send(guest, id, 'gates'))
  })

  it('is refused after the right to post, and before the policy for topics', async () => {
    const { id } = await limitedChannel()
    expectSuccess(await ann.api.patch(`/streams/${id}`, { topics_policy: 'disable_empty_topic' }))
    expectRefusal(await send(ben, id, ''), REFUSED)
    expectSuccess(await ann.api.patch(`/streams/${id}`, { can_send_message_group: { new: MODERATORS } }))
    expectRefusal(await send(ben, id, 'gates'), 'You do not have permission to post in this channel.')
  })

  it('is new again when all messages of the topic are gone', async () => {
    const { id, walls } = await limitedChannel()
    expectSuccess(await admin.api.delete(`/messages/${walls}`))
    expectRefusal(await send(ben, id, 'walls'), REFUSED)
  })

  it('of a bot is allowed where its owner may begin topics', async () => {
    const { id } = await limitedChannel()
    expectSuccess(await send(await createBot(ann, 'Anns'), id, 'gates'))
    expectRefusal(await send(await createBot(ben, 'Bens'), id, 'towers'), REFUSED)
  })

  it('is checked when a message is scheduled, and again when it is due', async () => {
    const { id } = await limitedChannel()
    const later = (user: TestUser, seconds: number) =>
      user.api.post('/scheduled_messages', {
        type: 'channel',
        to: id,
        topic: 'later',
        content: 'hello',
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + seconds,
      })
    expectRefusal(await later(ben, 60), REFUSED)
    const { scheduled_message_id } = expectSuccess(await later(ann, 60))
    const nobody = { can_create_topic_group: { new: { direct_members: [], direct_subgroups: [] } } }
    expectSuccess(await ann.api.patch(`/streams/${id}`, nobody))
    await runAlarms(realm, 1, 100)
    world.clockOffset = 0
    const { scheduled_messages } = expectSuccess(await ann.api.get('/scheduled_messages'))
    expect(scheduled_messages).toMatchObject([{ scheduled_message_id, failed: true }])
    expectSuccess(await ann.api.delete(`/scheduled_messages/${scheduled_message_id}`))
  })
})

describe('mail to the channel', () => {
  beforeAll(() => {
    world.settings = { ...world.settings, EMAIL_DOMAIN: MAIL_DOMAIN }
  })
  const mailTo = async (user: TestUser, id: number, sender_id: number | undefined, subject: string) => {
    const { email } = expectSuccess(await user.api.get(`/streams/${id}/email_address`, { sender_id }))
    return deliverMail(realm.host, email, await writeMail({ to: email, subject, text: 'hello' }))
  }

  it('begins a topic as the organization’s bot, and as a person only with the right', async () => {
    const { id } = await limitedChannel()
    expect(await mailTo(ben, id, undefined, 'gates')).toBeNull()
    expect(await mailTo(ben, id, ben.id, 'towers')).toMatch('Nobody takes mail')
    expect(await mailTo(ben, id, ben.id, 'walls')).toBeNull()
    const { topics } = expectSuccess(await ben.api.get(`/users/me/${id}/topics`))
    const names = topics.map(({ name }: { name: string }) => name)
    expect(names).toContain('gates')
    expect(names).not.toContain('towers')
  })
})

describe('a move to a new topic', () => {
  it('is refused, and to a topic with messages it is not', async () => {
    const { id, walls } = await limitedChannel()
    await sendTo(ann, id, 'gates')
    expectRefusal(await move(ben, walls, { topic: 'towers' }), REFUSED)
    expectRefusal(await move(admin, walls, { topic: 'towers' }), REFUSED)
    expectSuccess(await move(ben, walls, { topic: 'Gates' }))
    expectSuccess(await move(ann, walls, { topic: 'towers' }))
  })

  it('of another channel is decided by the channel that it goes to', async () => {
    const { id, walls } = await limitedChannel()
    const open = await buildChannel([ann, ben])
    const other = await sendTo(ben, open.id, 'towers')
    expectRefusal(await move(ben, other, { stream_id: id }), REFUSED)
    expectSuccess(await move(ben, other, { stream_id: id, topic: 'walls' }))
    expectSuccess(await move(ben, walls, { stream_id: open.id, topic: 'anything' }))
  })

  it('is checked last, and a changed case or resolving needs no right', async () => {
    const { walls } = await limitedChannel()
    expectRefusal(
      await move(guest, walls, { topic: 'x', content: 'y' }),
      "You don't have permission to edit this message",
    )
    expectSuccess(await move(ben, walls, { topic: 'Walls', propagate_mode: 'change_all' }))
    expectSuccess(await move(ben, walls, { topic: '✔ Walls', propagate_mode: 'change_all' }))
    expectSuccess(await move(ben, walls, { topic: 'Walls', propagate_mode: 'change_all' }))
  })
})

describe('can_create_topic_group', () => {
  it('is everyone’s by default, and changes with an event', async () => {
    const { id } = await buildChannel([ann, ben])
    const queue = await openQueue(ben)
    const find = (list: { stream_id: number }[]) => list.find(({ stream_id }) => stream_id === id)
    expect(find(queue.snapshot.subscriptions)).toMatchObject({ can_create_topic_group: EVERYONE })
    expectSuccess(await ann.api.patch(`/streams/${id}`, { can_create_topic_group: { new: onlyAnn() } }))
    expect(await queue.events()).toMatchObject([
      { type: 'stream', op: 'update', property: 'can_create_topic_group', value: onlyAnn() },
    ])
    expect(find(expectSuccess(await ben.api.get('/streams')).streams)).toMatchObject({
      can_create_topic_group: onlyAnn(),
    })
  })

  it('can only be changed by those who administer the channel', async () => {
    const { id } = await buildChannel([ann, ben])
    expectRefusal(
      await ben.api.patch(`/streams/${id}`, { can_create_topic_group: { new: EVERYONE } }),
      'You do not have permission to administer this channel.',
    )
  })

  it('is everyone in channels with protected history, and stays so', async () => {
    const limited = { can_create_topic_group: { new: MODERATORS } }
    const { id } = await buildChannel([ann], { invite_only: true })
    expectRefusal(await ann.api.patch(`/streams/${id}`, limited), COMBINATION)
    const shared = { is_private: true, history_public_to_subscribers: true }
    expectSuccess(await ann.api.patch(`/streams/${id}`, { ...shared, ...limited }))
    expectRefusal(
      await ann.api.patch(`/streams/${id}`, { history_public_to_subscribers: false }),
      COMBINATION,
    )
    const everyone = { can_create_topic_group: { new: { direct_members: [], direct_subgroups: [EVERYONE] } } }
    expectSuccess(
      await ann.api.patch(`/streams/${id}`, { history_public_to_subscribers: false, ...everyone }),
    )
    expectRefusal(
      await ann.api.post('/channels/create', {
        name: 'hidden past',
        subscribers: [ann.id],
        invite_only: true,
        can_create_topic_group: MODERATORS,
      }),
      COMBINATION,
    )
  })
})
