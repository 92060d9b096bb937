import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { idsIn, sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, author, reader, channel } = useRealm(
  { author: { name: 'Anna Author' }, reader: { name: 'Rita Reader' } },
  { channels: { channel: { subscribers: ['author', 'reader'], name: 'harbour', invite_only: true } } },
)

const send = async (content: string, to: Record<string, unknown> = {}) =>
  expectSuccess(
    await author.api.post('/messages', {
      type: 'channel',
      to: channel.id,
      topic: 'ships',
      content,
      ...(to as Record<string, string>),
    }),
  ).id as number

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds
const remind = (user: TestUser, message_id: number, more: Record<string, string | number> = {}) =>
  user.api.post('/reminders', { message_id, scheduled_delivery_timestamp: inSeconds(60), ...more })

async function deliver(): Promise<void> {
  world.clockOffset = 120
  await runDurableObjectAlarm(realmStub(realm.id))
}

describe('a reminder', () => {
  it('is listed, sent to its owner’s clients, and delivered by the notification bot', async () => {
    const id = await send('land **ho**')
    const queue = await openQueue(reader, { apply_markdown: false })
    const time = inSeconds(60)
    const { reminder_id } = expectSuccess(
      await reader.api.post('/reminders', { message_id: id, scheduled_delivery_timestamp: time }),
    )
    const said = [
      'You requested a reminder for the following message.',
      '',
      `@_**Anna Author|${author.id}** [said](http://${realm.host}/#narrow/channel/${channel.id}-harbour/topic/ships/near/${id}) in #**harbour>ships@${id}**`,
    ].join('\n')
    const reminder = {
      reminder_id,
      type: 'private',
      to: [reader.id],
      content: `${said}.`,
      scheduled_delivery_timestamp: time,
      failed: false,
      reminder_target_message_id: id,
    }
    expect(expectSuccess(await reader.api.get('/reminders')).reminders).toMatchObject([reminder])
    expect((await openQueue(reader)).snapshot.reminders).toMatchObject([reminder])
    expect(await queue.events()).toMatchObject([{ type: 'reminders', op: 'add', reminders: [reminder] }])
    await deliver()
    expect(await queue.events()).toMatchObject([
      {
        type: 'message',
        flags: [],
        message: {
          type: 'private',
          sender_full_name: 'Notification Bot',
          content: `${said}:\n\`\`\`quote\nland **ho**\n\`\`\``,
        },
      },
      { type: 'reminders', op: 'remove', reminder_id },
    ])
    expect(expectSuccess(await reader.api.get('/reminders')).reminders).toEqual([])
  })

  it('links to what its owner may see, even where the bot may not', async () => {
    const id = await send('seen')
    const queue = await openQueue(reader)
    expectSuccess(await remind(reader, id))
    const [added] = await queue.events()
    await deliver()
    const [delivered] = await queue.events()
    for (const html of [added!.reminders[0].rendered_content, delivered!.message.content]) {
      expect(html).toContain('class="message-link"')
    }
  })

  it('has a note, and names the participants of a direct message', async () => {
    const id = await send('between us', { type: 'direct', to: [reader.id], topic: undefined })
    expectSuccess(await remind(reader, id, { note: '  call back\ntoday ' }))
    const [{ content }] = expectSuccess(await reader.api.get('/reminders')).reminders
    expect(content).toMatch(
      /^You requested a reminder for the following direct message\. Note:\n > call back\n > today\n\n/,
    )
    expect(content).toContain(`) to @_**Rita Reader|${reader.id}**.`)
    await deliver()
  })

  it('describes a poll or a to-do list', async () => {
    const polls = [await send('/poll Where?'), await send('/todo Things')]
    for (const id of polls) expectSuccess(await remind(reader, id))
    const { reminders } = expectSuccess(await reader.api.get('/reminders'))
    expect(reminders.map(({ content }: { content: string }) => content)).toMatchObject([
      expect.stringMatching(/\[sent\]\(\S+\) a poll in #\*\*harbour>ships@\d+\*\*\.$/),
      expect.stringMatching(/\[sent\]\(\S+\) a to-do list in #\*\*harbour>ships@\d+\*\*\.$/),
    ])
    await deliver()
  })

  it('fits into one message, and quotes the text of that moment', async () => {
    const [long, edited] = [await send('x'.repeat(10_000)), await send('the old password')]
    expectSuccess(await remind(reader, long, { note: 'n'.repeat(1_000) }))
    expectSuccess(await remind(reader, edited))
    expectSuccess(await author.api.patch(`/messages/${edited}`, { content: 'the new one', topic: 'boats' }))
    const queue = await openQueue(reader, { apply_markdown: false })
    const [first, second] = await deliveries(queue)
    expect(first!.length).toBeLessThanOrEqual(10_000)
    expect(first).toMatch(/x\n\[message truncated\]\n```$/)
    expect(second!.split('\n\n')[1]).toMatch(/in #\*\*harbour>boats@\d+\*\*:\n```quote\nthe new one\n```$/)
  })

  it('notifies nobody whom the message mentioned', async () => {
    const id = await send(`@**Rita Reader** and \`\`\`code\`\`\``)
    const queue = await openQueue(reader)
    expectSuccess(await remind(reader, id))
    await deliver()
    expect((await queue.eventsOf('message'))[0]!.flags).toEqual([])
  })

  it('can be deleted by its owner, and is not delivered then', async () => {
    const id = await send('never mind')
    const { reminder_id } = expectSuccess(await remind(reader, id))
    const path = `/reminders/${reminder_id}`
    expectRefusal(await author.api.delete(path), 'Reminder does not exist', { status: 404 })
    const queue = await openQueue(reader)
    expectSuccess(await reader.api.delete(path))
    expectRefusal(await reader.api.delete(path), 'Reminder does not exist', { status: 404 })
    await deliver()
    expect(await queue.events()).toMatchObject([{ type: 'reminders', op: 'remove', reminder_id }])
    expect(expectSuccess(await reader.api.get('/reminders')).reminders).toEqual([])
  })
})

/** Returns the texts of the messages that are sent when everything due is delivered. */
async function deliveries(queue: TestQueue): Promise<string[]> {
  await deliver()
  return (await queue.eventsOf('message')).map(({ message }) => message.content)
}

describe('a reminder of a message that its owner may no longer read', () => {
  const leave = async (user: TestUser, { name }: { name: string }) =>
    expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [name] }))
  const GONE = 'You requested a reminder for a message that you can no longer read.'

  it('is deleted when the message is: alone, with its topic, or by retention', async () => {
    const { realm: own, ann, ben } = await buildRealm({ ann: 'member', ben: 'member' })
    const room = await buildChannel([own.owner, ann, ben], { invite_only: true })
    const ids = await Promise.all(['one', 'two', 'three'].map((topic) => sendTo(ann, room.id, topic, 'zqx')))
    const direct = await sendDirect(ann, [ben], 'zqx')
    const month = { scheduled_delivery_timestamp: inSeconds(30 * 86_400) }
    const reminders: number[] = []
    for (const id of [...ids, direct]) {
      reminders.push(expectSuccess(await remind(ben, id, { ...month, note: 'mine' })).reminder_id)
    }
    const queue = await openQueue(ben)
    expectSuccess(await own.owner.api.delete(`/messages/${ids[0]}`))
    expectSuccess(await own.owner.api.post(`/streams/${room.id}/delete_topic`, { topic_name: 'two' }))
    const removed = async () => (await queue.eventsOf('reminders')).map(({ reminder_id }) => reminder_id)
    expect(await removed()).toEqual(reminders.slice(0, 2))
    const listed = async () =>
      expectSuccess(await ben.api.get('/reminders')).reminders.map(
        ({ reminder_id }: { reminder_id: number }) => reminder_id,
      )
    expect(await listed()).toEqual(reminders.slice(2))
    expectSuccess(await own.owner.api.patch('/realm', { message_retention_days: 1 }))
    world.clockOffset = 3 * 86_400
    for (let run = 0; run < 3; run += 1) await runDurableObjectAlarm(realmStub(own.id))
    expect(await listed()).toEqual([])
    world.clockOffset = 31 * 86_400
    await runDurableObjectAlarm(realmStub(own.id))
    expect(await idsIn(ben, [['is', 'dm']])).toEqual([])
    const jobs = () =>
      inRealm(own, ({ parts }) => parts.sql.all(`SELECT key FROM job WHERE kind = 'deliver-reminder'`))
    expect(await jobs()).toEqual([])
  })

  it('stores nothing of the text while it is pending', async () => {
    const id = await send('zqx is the secret')
    const queue = await openQueue(reader)
    const { reminder_id } = expectSuccess(await remind(reader, id))
    const answers = [
      await queue.events(),
      (await reader.api.get('/reminders')).body,
      (await openQueue(reader)).snapshot.reminders,
      await inRealm(realm, ({ parts }) => parts.sql.all(`SELECT * FROM reminder`)),
    ]
    expect(JSON.stringify(answers)).toContain('Anna Author')
    expect(JSON.stringify(answers)).not.toContain('zqx')
    expectSuccess(await reader.api.delete(`/reminders/${reminder_id}`))
  })

  it('quotes nothing after its owner left the channel; the note stays', async () => {
    const room = await buildChannel([author, reader], { name: 'cellar', invite_only: true })
    const id = await sendTo(author, room.id, 'wine', 'zqx')
    for (const note of ['', 'drink it']) expectSuccess(await remind(reader, id, { note }))
    await leave(reader, room)
    expectSuccess(await author.api.patch(`/streams/${room.id}`, { new_name: 'cellar zqx' }))
    const queue = await openQueue(reader, { apply_markdown: false })
    expect(await deliveries(queue)).toEqual([GONE, `${GONE} Note:\n > drink it`])
  })

  it('quotes nothing after the message has moved out of its owner’s sight', async () => {
    const [open, closed] = [
      await buildChannel([author, reader]),
      await buildChannel([author], { invite_only: true }),
    ]
    const id = await sendTo(author, open.id, 'plans', 'zqx')
    expectSuccess(await remind(reader, id))
    expectSuccess(await author.api.patch(`/messages/${id}`, { stream_id: closed.id }))
    const queue = await openQueue(reader, { apply_markdown: false })
    expect(await deliveries(queue)).toEqual([GONE])
  })
})

describe('creating a reminder', () => {
  it('needs a future time, a short note, and a message one may read', async () => {
    const id = await send('who may')
    const stranger = await buildUser(realm)
    expectRefusal(
      await remind(reader, id, { scheduled_delivery_timestamp: inSeconds(-1) }),
      'Scheduled delivery time must be in the future.',
    )
    expectRefusal(
      await remind(reader, id, { note: 'n'.repeat(1_001) }),
      'Maximum reminder note length: 1000 characters',
    )
    expectRefusal(await remind(stranger, id), 'Invalid message(s)')
    expectRefusal(await remind(realm.owner, id), 'Invalid message(s)')
    expectRefusal(await remind(reader, 99_999), 'Invalid message(s)')
    for (const response of [
      await realm.anonymous.post('/reminders', { message_id: id }),
      await realm.anonymous.get('/reminders'),
      await realm.anonymous.delete('/reminders/1'),
    ]) {
      expectUnauthorized(response)
    }
  })
})
