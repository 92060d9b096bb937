import { beforeAll, describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { realm, channel } = useRealm({}, { channels: { channel: { subscribers: ['owner'], name: 'nets' } } })
let owner: string
beforeAll(() => {
  owner = `@_**${realm.owner.fullName}|${realm.owner.id}**`
})

/** Returns the source of the channel's newest notice. */
async function newestNotice(): Promise<string> {
  const { messages } = expectSuccess(
    await realm.owner.api.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: channel.id }],
      apply_markdown: false,
    }),
  )
  expect(messages[0]).toMatchObject({ subject: 'channel events', sender_full_name: 'Notification Bot' })
  return messages[0].content
}

const QUOTE = '````'

/** In this order, of one channel. Source: docs/interface/channels.md#notices-of-a-change; docs/interface/channels.md#rights-and-settings-of-a-new-channel. */
describe('a notice in the channel says in these words', () => {
  it('that it was created', async () => {
    expect(await newestNotice()).toBe(
      `**Public** channel created by ${owner}. **Description:**\n${QUOTE} quote\n*No description.*\n${QUOTE}`,
    )
  })

  it.each([
    ['its name', { new_name: 'Ropes' }, () => `${owner} renamed channel **nets** to **Ropes**.`],
    [
      'its description',
      { description: 'of *hemp*' },
      () =>
        `${owner} changed the description for this channel.\n\n` +
        `* **Old description:**\n${QUOTE} quote\n*No description.*\n${QUOTE}\n` +
        `* **New description:**\n${QUOTE} quote\nof *hemp*\n${QUOTE}`,
    ],
    [
      'who sees it',
      { is_private: true },
      () =>
        `${owner} changed the [access permissions](/help/channel-permissions) for this channel ` +
        'from **Public** to **Private, protected history**.',
    ],
    [
      'who sees its history',
      { history_public_to_subscribers: true },
      () =>
        `${owner} changed the [access permissions](/help/channel-permissions) for this channel ` +
        'from **Private, protected history** to **Private, shared history**.',
    ],
    [
      'who may post',
      { can_send_message_group: { new: 3 } },
      () =>
        `${owner} changed the [posting permissions](/help/channel-posting-policy) for this channel:\n\n` +
        '* **Old**: @_*role:everyone*\n* **New**: @_*role:administrators*',
    ],
    [
      'how long its messages stay',
      { message_retention_days: 30 },
      () =>
        `${owner} has changed the [message retention period](/help/message-retention-policy) for this channel:` +
        '\n\n* **Old**: Forever (organization default)\n* **New**: 30 days\n\n' +
        'Messages in this channel will now be automatically deleted 30 days after they are sent.',
    ],
    [
      'that its messages stay',
      { message_retention_days: 'unlimited' },
      () =>
        `${owner} has changed the [message retention period](/help/message-retention-policy) for this channel:` +
        '\n\n* **Old**: 30 days\n* **New**: Forever\n\n' +
        'Messages in this channel will now be retained forever.',
    ],
    [
      'which topics it has',
      { topics_policy: 'disable_empty_topic' },
      () =>
        `${owner} changed the "Allow posting to the *general chat* topic?" setting ` +
        'from **Automatic** to **No *general chat* topic**.',
    ],
  ])('that %s changed', async (_, change, notice) => {
    expectSuccess(await realm.owner.api.patch(`/streams/${channel.id}`, change))
    expect(await newestNotice()).toBe(notice())
  })

  it('that it was archived, or unarchived', async () => {
    expectSuccess(await realm.owner.api.delete(`/streams/${channel.id}`))
    expect(await newestNotice()).toBe('Channel Ropes has been archived.')
    expectSuccess(await realm.owner.api.patch(`/streams/${channel.id}`, { is_archived: false }))
    expect(await newestNotice()).toBe('Channel Ropes un-archived.')
  })
})

describe.each(['ar', 'de', 'es', 'fr', 'ja'])(
  'in an organization whose language is %s',
  (default_language) => {
    const { realm, fish } = useRealm({}, { channels: { fish: ['owner'] } })

    it('no notice in a channel is in English', async () => {
      const { api } = realm.owner
      expectSuccess(await api.patch('/realm', { default_language }))
      const say = async () =>
        expectSuccess(
          await api.post('/messages', { type: 'channel', to: fish.id, topic: 'cod', content: '?' }),
        )
      const { id: begun } = await say()
      const reef = await buildChannel([realm.owner])
      expectSuccess(await api.patch('/realm', { signup_announcements_stream_id: reef.id }))
      await buildUser(realm)
      for (const change of [
        { new_name: 'Ropes' },
        { description: 'of *hemp*' },
        { is_private: true },
        { history_public_to_subscribers: true },
        { can_send_message_group: { new: 3 } },
        { message_retention_days: 30 },
        { message_retention_days: 'unlimited' },
        { topics_policy: 'disable_empty_topic' },
      ])
        expectSuccess(await api.patch(`/streams/${reef.id}`, change))
      for (const [topic, propagate_mode, messages] of [
        ['✔ cod', 'change_all', 1],
        ['eel', 'change_one', 2],
        ['eel', 'change_all', 3],
        ['carp', 'change_all', 1],
      ] as const) {
        let id = 0
        for (let count = 0; count < messages; count += 1) id = (await say()).id
        const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
        expectSuccess(await api.patch(`/messages/${id}`, { topic, propagate_mode, ...both }))
      }
      expectSuccess(await api.delete(`/streams/${reef.id}`))
      expectSuccess(await api.patch(`/streams/${reef.id}`, { is_archived: false }))
      const { messages } = expectSuccess(
        await api.get('/messages', {
          anchor: 'newest',
          num_before: 100,
          num_after: 0,
          narrow: [{ operator: 'sender', operand: `notification-bot@${realm.host}` }],
          apply_markdown: false,
        }),
      )
      const said = messages
        .filter(({ id, type }: { id: number; type: string }) => id > begun && type === 'stream')
        .map(({ content }: { content: string }) => content)
      expect(said.length).toBeGreaterThan(14)
      expect(
        said.filter((text: string) => /\b(this|was|were|has|from|changed|Old|New)\b/.test(text)),
      ).toEqual([])
    })
  },
)

describe('an organization', () => {
  it('announces new users in the topic “signups” of the channel it chose', async () => {
    const welcome = await buildChannel([realm.owner])
    const announcements = { signup_announcements_stream_id: welcome.id }
    expectSuccess(await realm.owner.api.patch('/realm', announcements))
    const { id, fullName } = await buildUser(realm)
    const narrow = [
      { operator: 'channel', operand: welcome.id },
      { operator: 'topic', operand: 'signups' },
    ]
    const { messages } = expectSuccess(
      await realm.owner.api.get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow,
        apply_markdown: false,
      }),
    )
    expect(messages).toMatchObject([{ content: `@_**${fullName}|${id}** joined this organization.` }])
  })

  it('announces new channels without a topic in a channel that has none', async () => {
    const { api } = realm.owner
    const { id } = expectSuccess(
      await api.post('/channels/create', {
        name: 'News',
        subscribers: [realm.owner.id],
        topics_policy: 'empty_topic_only',
      }),
    )
    expectSuccess(await api.patch('/realm', { new_stream_announcements_stream_id: id }))
    expectSuccess(await api.post('/channels/create', { name: 'Attic', subscribers: [], announce: true }))
    const narrow = [{ operator: 'channel', operand: id }]
    const { messages } = expectSuccess(
      await api.get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow,
        apply_markdown: false,
        allow_empty_topic_name: true,
      }),
    )
    expect(messages).toMatchObject([{ subject: '', content: expect.stringContaining('#**Attic**') }])
  })
})

it('a notice of who may post names fifty people, and counts the others', async () => {
  const people = await insertUsers(realm, 60)
  const value = { direct_members: people.map(({ id }) => id), direct_subgroups: [] }
  expectSuccess(
    await realm.owner.api.patch(`/streams/${channel.id}`, { can_send_message_group: { new: value } }),
  )
  const named = people.slice(0, 50).map(({ fullName, id }) => `@_**${fullName}|${id}**`)
  const [, after] = (await newestNotice()).split('* **New**: ')
  expect(after).toBe(`${named.join(', ')}, and 10 others`)
})

it('is not sent in an organization that has turned them off', async () => {
  const { realm, owner } = await buildRealm({}, { settings: { send_channel_events_messages: false } })
  const queue = await openQueue(owner, { event_types: ['message', 'realm'] })
  const { id } = await buildChannel([owner], { name: 'ropes' })
  expectSuccess(await owner.api.patch(`/streams/${id}`, { description: 'of hemp', new_name: 'knots' }))
  expect((await queue.events()).filter(({ message }) => message?.subject === 'channel events')).toEqual([])
  expectSuccess(await owner.api.patch('/realm', { send_channel_events_messages: true }))
  expectSuccess(await owner.api.patch(`/streams/${id}`, { description: 'of flax' }))
  expect(await queue.events()).toMatchObject([
    { type: 'realm', property: 'send_channel_events_messages', value: true },
    { type: 'message', message: { subject: 'channel events', sender_full_name: 'Notification Bot' } },
  ])
  const member = await buildUser(realm)
  const answer = await member.api.patch('/realm', { send_channel_events_messages: false })
  expect(answer.body.msg).toBe('Must be an organization administrator')
})
