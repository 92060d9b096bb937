import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const BOTH = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
const NONE = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }

const { realm, ann, ben, channel, other } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'], other: ['ann', 'ben'] } },
)
let topics = 0

async function newTopic(count: number): Promise<{ topic: string; ids: number[] }> {
  topics += 1
  const topic = `thread ${topics}`
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) ids.push(await sendTo(ben, channel.id, topic))
  return { topic, ids }
}

async function move(id: number, params: Record<string, ParameterValue>): Promise<void> {
  expectSuccess(await ann.api.patch(`/messages/${id}`, params))
}

/** Returns the notices of the Notification Bot in a topic. */
async function notices(topic: string, to = channel): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: to.id },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = expectSuccess(
    await ben.api.get('/messages', { anchor: 'newest', num_before: 100, narrow, apply_markdown: false }),
  )
  return messages
    .filter((message: { sender_full_name: string }) => message.sender_full_name === 'Notification Bot')
    .map(({ content }: { content: string }) => content)
}

function link(topic: string, to = channel): string {
  return `#**${to.name}>${topic}**`
}

function byAnn(): string {
  return `by @_**Ann|${ann.id}**.`
}

function nearLink(topic: string, id: number, to = channel): string {
  const [name, encoded] = [to.name, topic].map((text) => text.replaceAll(' ', text === topic ? '.20' : '-'))
  return `http://${realm.host}/#narrow/channel/${to.id}-${name}/topic/${encoded}/near/${id}`
}

describe('a notice about a move', () => {
  it('is in the new topic, and in the old one only when asked for', async () => {
    const { topic, ids } = await newTopic(2)
    await move(ids[0]!, { topic: `${topic} b` })
    expect(await notices(`${topic} b`)).toHaveLength(1)
    expect(await notices(topic)).toEqual([])
  })

  it('is absent where both are switched off', async () => {
    const { topic, ids } = await newTopic(2)
    await move(ids[0]!, { topic: `${topic} b`, ...NONE })
    expect([...(await notices(`${topic} b`)), ...(await notices(topic))]).toEqual([])
  })

  it('names both topics if a whole topic was moved', async () => {
    const { topic, ids } = await newTopic(2)
    const next = `${topic} b`
    await move(ids[1]!, { topic: next, propagate_mode: 'change_all', ...BOTH })
    expect(await notices(next)).toEqual([`This topic was moved here from ${link(topic)} ${byAnn()}`])
    expect(await notices(topic)).toEqual([`This topic was moved to ${link(next)} ${byAnn()}`])
  })

  it('links to the one message that was moved', async () => {
    const { topic, ids } = await newTopic(2)
    const next = `${topic} b`
    await move(ids[0]!, { topic: next, ...BOTH })
    expect(await notices(next)).toEqual([
      `[A message](${nearLink(next, ids[0]!)}) was moved here from ${link(topic)} ${byAnn()}`,
    ])
    expect(await notices(topic)).toEqual([`A message was moved from this topic to ${link(next)} ${byAnn()}`])
  })

  it('counts the messages where some of a topic were moved', async () => {
    const { topic, ids } = await newTopic(3)
    const next = `${topic} b`
    await move(ids[1]!, { topic: next, propagate_mode: 'change_later', ...BOTH })
    expect(await notices(next)).toEqual([`2 messages were moved here from ${link(topic)} ${byAnn()}`])
    expect(await notices(topic)).toEqual([
      `2 messages were moved from this topic to ${link(next)} ${byAnn()}`,
    ])
  })

  it('counts the messages if the new topic already had some', async () => {
    const [{ topic, ids }, { topic: next }] = [await newTopic(2), await newTopic(1)]
    await move(ids[0]!, { topic: next, propagate_mode: 'change_all', ...BOTH })
    expect(await notices(next)).toEqual([`2 messages were moved here from ${link(topic)} ${byAnn()}`])
    expect(await notices(topic)).toEqual([`This topic was moved to ${link(next)} ${byAnn()}`])
  })

  it('links to both channels if they were moved to another', async () => {
    const { topic, ids } = await newTopic(1)
    await move(ids[0]!, { stream_id: other.id, propagate_mode: 'change_all', ...BOTH })
    expect(await notices(topic, other)).toEqual([`This topic was moved here from ${link(topic)} ${byAnn()}`])
    expect(await notices(topic)).toEqual([`This topic was moved to ${link(topic, other)} ${byAnn()}`])
  })

  it('is absent for resolving and unresolving, which have their own', async () => {
    const { topic, ids } = await newTopic(1)
    await move(ids[0]!, { topic: `✔ ${topic}`, propagate_mode: 'change_all' })
    expect(await notices(`✔ ${topic}`)).toEqual([`@_**Ann|${ann.id}** has marked this topic as resolved.`])
    world.clockOffset = 120
    await move(ids[0]!, { topic, propagate_mode: 'change_all' })
    expect((await notices(topic)).at(-1)).toBe(`@_**Ann|${ann.id}** has marked this topic as unresolved.`)
    expect(await notices(topic)).toHaveLength(2)
  })

  it('is sent for resolving under a new name', async () => {
    const { topic, ids } = await newTopic(1)
    await move(ids[0]!, { topic: `✔ ${topic} renamed`, propagate_mode: 'change_all' })
    expect(await notices(`✔ ${topic} renamed`)).toEqual([
      `This topic was moved here from ${link(topic)} ${byAnn()}`,
    ])
  })

  it('about resolving is read unless the reader’s setting says otherwise', async () => {
    const { topic, ids } = await newTopic(1)
    const always = await buildUser(realm, { name: 'Al' })
    const never = await buildUser(realm, { name: 'Nev' })
    for (const user of [always, never]) {
      expectSuccess(
        await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }),
      )
      expectSuccess(
        await user.api.post('/user_topics', { stream_id: channel.id, topic, visibility_policy: 3 }),
      )
    }
    expectSuccess(await always.api.patch('/settings', { resolved_topic_notice_auto_read_policy: 'always' }))
    expectSuccess(await never.api.patch('/settings', { resolved_topic_notice_auto_read_policy: 'never' }))
    const queues = [await openQueue(always), await openQueue(never)]
    await move(ids[0]!, { topic: `✔ ${topic}`, propagate_mode: 'change_all' })
    const flags: unknown[] = []
    for (const queue of queues) flags.push((await queue.eventsOf('message'))[0]?.flags)
    expect(flags).toEqual([['read'], []])
  })
})
