import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainTextOf } from '../../../src/markdown/plain-text.ts'
import { decodeOperand } from '../../../web/state/hash-encoding.ts'
import { runAlarms } from '../../support/alarms.ts'
import { buildChannel, expectSuccess, type TestChannel, type TestUser } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, bot, announcements, moderation } = useRealm(
  { ann: { role: 'administrator' }, ben: 'member', bot: { botOf: 'ann' } },
  {
    channels: {
      announcements: ['owner', 'ann', 'ben'],
      moderation: { subscribers: ['owner', 'ann'], invite_only: true },
    },
  },
)

/** Parts of names: signs of Markdown, and what makes them so. */
const PARTS = [
  '*',
  '**',
  '`',
  '[',
  ']',
  '(',
  ')',
  '](/x)',
  '$$',
  '$',
  '&',
  '&amp;',
  '>',
  '<',
  '~~',
  '@',
  '@7',
  '#',
  '!',
  '_',
  '\\',
  '|',
  ':',
  ':smile:',
  '<time:2024-01-01>',
  'a',
  'b ',
  ' c',
  'example.com',
  'https://example.com',
  ':)',
  "'",
]

let count = 0
/** Names that differ from each other by their ends. */
const aName = fc
  .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join('').replaceAll(/\s+/g, ' ').slice(0, 40).trim() || '*')
const distinct = (name: string) => `${name}${++count}`
/** What names of people cannot have. */
const ofPeople = (name: string) => name.replaceAll(/[*`\\>"@|]/g, '')

interface Notice {
  /** All of it as readers see it. */
  readonly text: string
  /** The links into channels: their texts, and where they lead. */
  readonly links: readonly { text: string; channel: number; topic?: string; near?: number }[]
  /** Other links, by their addresses. */
  readonly others: readonly string[]
  /** Ids of mentioned people and groups, and their names as shown. */
  readonly mentions: readonly [id: number, name: string][]
}

function read(html: string): Notice {
  const elements = (tag: string) => [...html.matchAll(new RegExp(`<${tag} ([^>]*)>(.*?)</${tag}>`, 'gs'))]
  const anchors = elements('a').map(([, attributes, content]) => ({
    href: /href="([^"]*)"/.exec(attributes!)![1]!,
    text: plainTextOf(content!, { hideSpoilers: false }),
  }))
  const mentions = elements('span').flatMap(([, attributes, content]): [number, string][] => {
    const id = /data-user-(?:group-)?id="(\d+)"/.exec(attributes!)?.[1]
    return id === undefined ? [] : [[Number(id), plainTextOf(content!, { hideSpoilers: false })]]
  })
  const isInChannel = /#narrow\/channel\/(\d+)-[^/]*(?:\/topic\/([^/]*)(?:\/with\/\d+)?(?:\/near\/(\d+))?)?$/
  return {
    text: plainTextOf(html, { hideSpoilers: false }),
    links: anchors.flatMap(({ href, text }) => {
      const found = isInChannel.exec(href)
      if (!found) return []
      const [, channel, topic, near] = found
      return [
        {
          text,
          channel: Number(channel),
          ...(topic === undefined ? {} : { topic: decodeOperand(topic)! }),
          ...(near === undefined ? {} : { near: Number(near) }),
        },
      ]
    }),
    others: anchors.map(({ href }) => href).filter((href) => !isInChannel.test(href)),
    mentions,
  }
}

/** Returns the newest message that the user has in a narrow. */
async function newest({ api }: TestUser, narrow: readonly object[]): Promise<Notice> {
  const { messages } = expectSuccess(
    await api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow }),
  )
  expect(messages[0].sender_full_name).toBe('Notification Bot')
  return read(messages[0].content)
}

const topicOf = (channel: number, topic: string) => [
  { operator: 'channel', operand: channel },
  { operator: 'topic', operand: topic },
]
const DIRECT = [{ operator: 'is', operand: 'dm' }]

/** Runs a case for names, each of which is of its own. */
const forNames = (run: (...names: [string, string]) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(aName, aName, (one, other) => run(distinct(one), distinct(other))),
    { numRuns: 10, endOnFailure: true },
  )

const makeChannel = (name: string): Promise<TestChannel> => buildChannel([ann], { name })
const linkTo = ({ id, name }: TestChannel) => ({ text: `#${name}`, channel: id })
const linkToTopic = ({ id, name }: TestChannel, topic: string) => ({
  text: `#${name} > ${topic}`,
  channel: id,
  topic,
})

describe('whatever signs of Markdown are in names, a notice has one link that leads there', () => {
  it('where a channel is announced, and where a user is subscribed to it', async () => {
    expectSuccess(
      await realm.owner.api.patch('/realm', { new_stream_announcements_stream_id: announcements.id }),
    )
    await forNames(async (name) => {
      const channel = await buildChannel([ann], { name, announce: true })
      const announced = await newest(ben, topicOf(announcements.id, 'new channels'))
      expect(announced.links).toEqual([linkTo(channel)])
      expect(announced.text).toBe(`Ann created a new channel #${name}.`)

      const subscriptions = [{ name }]
      expectSuccess(await ann.api.post('/users/me/subscriptions', { subscriptions, principals: [ben.id] }))
      const subscribed = await newest(ben, DIRECT)
      expect(subscribed.links).toEqual([linkTo(channel)])
      expect(subscribed.text).toBe(`@Ann subscribed you to the channel #${name}.`)
    })
  })

  it('where messages were moved from and to', async () => {
    await forNames(async (name, topic) => {
      const [channel, to] = [await makeChannel(name), distinct(topic)]
      await sendTo(ann, channel.id, topic, 'stays')
      const id = await sendTo(ann, channel.id, topic, 'goes')
      expectSuccess(
        await ann.api.patch(`/messages/${id}`, {
          topic: to,
          propagate_mode: 'change_one',
          send_notification_to_old_thread: true,
          send_notification_to_new_thread: true,
        }),
      )
      const there = await newest(ann, topicOf(channel.id, topic))
      expect(there.links).toEqual([linkToTopic(channel, to)])
      expect(there.text).toBe(`A message was moved from this topic to #${name} > ${to} by Ann.`)
      const here = await newest(ann, topicOf(channel.id, to))
      expect(here.links).toEqual([
        { text: 'A message', channel: channel.id, topic: to, near: id },
        linkToTopic(channel, topic),
      ])
      expect(here.text).toBe(`A message was moved here from #${name} > ${topic} by Ann.`)
    })
  })

  it('where a message is quoted for a reminder, and for moderators', async () => {
    expectSuccess(await realm.owner.api.patch('/realm', { moderation_request_channel_id: moderation.id }))
    await forNames(async (name, topic) => {
      const channel = await makeChannel(name)
      const id = await sendTo(ann, channel.id, topic, 'said')
      const link = { text: `#${name} > ${topic} @ 💬`, channel: channel.id, topic, near: id }

      const scheduled_delivery_timestamp = Math.floor(Date.now() / 1_000) + world.clockOffset + 60
      expectSuccess(await ann.api.post('/reminders', { message_id: id, scheduled_delivery_timestamp }))
      world.clockOffset += 120
      await runAlarms(realm, 1)
      const reminder = await newest(ann, DIRECT)
      expect(reminder.links).toEqual([{ text: 'said', channel: channel.id, topic, near: id }, link])
      expect(reminder.text).toContain(`Ann said in ${link.text}:\nsaid`)

      expectSuccess(await ann.api.post(`/messages/${id}/report`, { report_type: 'spam' }))
      const report = await newest(ann, topicOf(moderation.id, 'Ann moderation'))
      expect(report.links).toEqual([link])
      expect(report.text).toContain(`Original message at ${link.text}\nsaid`)
    })
  })

  it('where a bot’s message reaches nobody', async () => {
    await forNames(async (name, missing) => {
      const channel = await makeChannel(name)
      expectSuccess(await ann.api.delete('/users/me/subscriptions', { subscriptions: [name] }))
      await sendTo(bot, channel.id, 'sound', 'anybody?')
      const empty = await newest(ann, DIRECT)
      expect(empty.links).toEqual([linkTo(channel)])
      expect(empty.text).toContain(`tried to send a message to channel #${name}. The channel exists`)

      world.clockOffset += 301
      expect(
        (await bot.api.post('/messages', { type: 'channel', to: missing, topic: 't', content: 'c' })).status,
      ).toBe(400)
      const refused = await newest(ann, DIRECT)
      expect([refused.links, refused.others]).toEqual([[], ['#channels/new']])
      expect(refused.text).toContain(`tried to send a message to channel #${missing}, but that channel`)
      world.clockOffset += 301
    })
  })

  it('where a user joins a group, or a permission names it', async () => {
    const channel = await makeChannel('permissions')
    await forNames(async (given) => {
      const name = given.replace(/^[@ ]+/, '')
      const made = await ann.api.post('/user_groups/create', { name, description: '', members: [] })
      const id = expectSuccess(made).group_id as number
      const link = `#groups/${id}/`
      expectSuccess(await ann.api.post(`/user_groups/${id}/members`, { add: [ben.id] }))
      const added = await newest(ben, DIRECT)
      expect(added.text).toBe(`Ann added you to the group ${name}.`)
      expect(added.mentions.length + added.others.length).toBe(2)
      for (const href of added.others) expect(href).toMatch(link)

      expectSuccess(await ann.api.patch(`/streams/${channel.id}`, { can_send_message_group: { new: id } }))
      const permitted = await newest(ann, topicOf(channel.id, 'channel events'))
      expect(permitted.text).toMatch(/changed the posting permissions for this channel:\n/)
      expect(permitted.text.endsWith(`New: ${name}`)).toBe(true)
    })
  })

  it('when it names a person', async () => {
    await forNames(async (name) => {
      const full_name = `X${ofPeople(name)}`
      expectSuccess(await realm.owner.api.patch(`/users/${ann.id}`, { full_name }))
      const topic = distinct('named')
      const id = await sendTo(ann, announcements.id, topic, 'said')
      expectSuccess(
        await ann.api.patch(`/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' }),
      )
      const resolved = await newest(ben, topicOf(announcements.id, `✔ ${topic}`))
      expect(resolved.mentions).toEqual([[ann.id, full_name]])
      expect(resolved.text).toBe(`${full_name} has marked this topic as resolved.`)
    })
    expectSuccess(await realm.owner.api.patch(`/users/${ann.id}`, { full_name: 'Ann' }))
  })
})

describe('whatever signs of Markdown are in names, a notice shows them as they are', () => {
  it('where a channel was renamed, archived and brought back', async () => {
    await forNames(async (name, renamed) => {
      const channel = await makeChannel(name)
      const events = topicOf(channel.id, 'channel events')
      expectSuccess(await ann.api.patch(`/streams/${channel.id}`, { new_name: renamed }))
      const notice = await newest(ann, events)
      expect(notice.text).toBe(`Ann renamed channel ${name} to ${renamed}.`)
      expect([notice.links, notice.others]).toEqual([[], []])
      expectSuccess(await ann.api.delete(`/streams/${channel.id}`))
      expect((await newest(ann, events)).text).toBe(`Channel ${renamed} has been archived.`)
      expectSuccess(await ann.api.patch(`/streams/${channel.id}`, { is_archived: false }))
      expect((await newest(ann, events)).text).toBe(`Channel ${renamed} un-archived.`)
    })
  })
})

describe('a link to a topic', () => {
  it('is written plainly, with entities, where the syntax cannot carry the name', async () => {
    const channel = await makeChannel('a*b')
    const id = await sendTo(ann, channel.id, 'c`d', 'goes')
    await sendTo(ann, channel.id, 'c`d', 'stays')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'e', propagate_mode: 'change_one' }))
    const { messages } = expectSuccess(
      await ann.api.get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: topicOf(channel.id, 'e'),
        apply_markdown: false,
      }),
    )
    expect(messages[0].content).toContain(
      `from [#a&#42;b > c&#96;d](#narrow/channel/${channel.id}-a.2Ab/topic/c.60d) by @_**Ann|${ann.id}**.`,
    )
  })
})
