import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { realmStub } from '../../support/api.ts'
import {
  buildChannel,
  buildRealm,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { world } from '../../support/world.ts'

let realm: TestRealm
let author: TestUser
let reader: TestUser
let channel: { id: number; name: string }
beforeAll(async () => {
  realm = await buildRealm()
  author = await buildUser(realm, { name: 'Anna Author' })
  reader = await buildUser(realm, { name: 'Rita Reader' })
  channel = await buildChannel([author, reader], { name: 'harbour', invite_only: true })
})

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
  it('is listed, told to its owner’s clients, and delivered by the notification bot', async () => {
    const id = await send('land **ho**')
    const queue = await openQueue(reader, { apply_markdown: false })
    const time = inSeconds(60)
    const { reminder_id } = expectSuccess(
      await reader.api.post('/reminders', { message_id: id, scheduled_delivery_timestamp: time }),
    )
    const content = [
      'You requested a reminder for the following message.',
      '',
      `@_**Anna Author|${author.id}** [said](http://${realm.host}/#narrow/channel/${channel.id}-harbour/topic/ships/near/${id}) in #**harbour>ships@${id}**:`,
      '```quote\nland **ho**\n```',
    ].join('\n')
    const reminder = {
      reminder_id,
      type: 'private',
      to: [reader.id],
      content,
      scheduled_delivery_timestamp: time,
      failed: false,
      reminder_target_message_id: id,
    }
    expect(expectSuccess(await reader.api.get('/reminders')).reminders).toMatchObject([reminder])
    expect((await openQueue(reader)).snapshot.reminders).toMatchObject([reminder])
    expect(await queue.events()).toMatchObject([{ type: 'reminders', op: 'add', reminders: [reminder] }])
    await deliver()
    expect(await queue.events()).toMatchObject([
      { type: 'reminders', op: 'remove', reminder_id },
      {
        type: 'message',
        flags: [],
        message: { type: 'private', sender_full_name: 'Notification Bot', content },
      },
    ])
    expect(expectSuccess(await reader.api.get('/reminders')).reminders).toEqual([])
  })

  it('links to what its owner may see, also where the bot may not', async () => {
    const id = await send('seen')
    const queue = await openQueue(reader)
    expectSuccess(await remind(reader, id))
    const [added] = await queue.events()
    await deliver()
    const [, delivered] = await queue.events()
    expect(delivered!.message.content).toContain('class="message-link"')
    expect(delivered!.message.content).toBe(added!.reminders[0].rendered_content)
  })

  it('has a note, and names those to whom a direct message went', async () => {
    const id = await send('between us', { type: 'direct', to: [reader.id], topic: undefined })
    expectSuccess(await remind(reader, id, { note: '  call back\ntoday ' }))
    const [{ content }] = expectSuccess(await reader.api.get('/reminders')).reminders
    expect(content).toMatch(
      /^You requested a reminder for the following direct message\. Note:\n > call back\n > today\n\n/,
    )
    expect(content).toContain(`) to @_**Rita Reader|${reader.id}**:\n`)
    await deliver()
  })

  it('says of a poll or a list what it is', async () => {
    const polls = [await send('/poll Where?'), await send('/todo Things')]
    for (const id of polls) expectSuccess(await remind(reader, id))
    const { reminders } = expectSuccess(await reader.api.get('/reminders'))
    expect(reminders.map(({ content }: { content: string }) => content)).toMatchObject([
      expect.stringMatching(/\[sent\]\(\S+\) a poll in #\*\*harbour>ships@\d+\*\*\.$/),
      expect.stringMatching(/\[sent\]\(\S+\) a to-do list in #\*\*harbour>ships@\d+\*\*\.$/),
    ])
    await deliver()
  })

  it('fits into a message, and says what the message said when it was asked for', async () => {
    const id = await send('x'.repeat(10_000))
    expectSuccess(await remind(reader, id, { note: 'n'.repeat(1_000) }))
    const [{ content }] = expectSuccess(await reader.api.get('/reminders')).reminders
    expect(content.length).toBeLessThanOrEqual(10_000)
    expect(content).toMatch(/x\n\[message truncated\]\n```$/)
    expectSuccess(await author.api.patch(`/messages/${id}`, { content: 'shorter' }))
    expect(expectSuccess(await reader.api.get('/reminders')).reminders[0].content).toBe(content)
    const queue = await openQueue(reader, { apply_markdown: false })
    await deliver()
    expect((await queue.eventsOf('message'))[0]!.message.content).toBe(content)
  })

  it('calls nobody whom the message called', async () => {
    const id = await send(`@**Rita Reader** and \`\`\`code\`\`\``)
    const queue = await openQueue(reader)
    expectSuccess(await remind(reader, id))
    await deliver()
    expect((await queue.eventsOf('message'))[0]!.flags).toEqual([])
  })

  it('can be taken back by its owner, and is not delivered then', async () => {
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

describe('asking for a reminder', () => {
  it('needs a time to come, a short note, and a message that one may read', async () => {
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
