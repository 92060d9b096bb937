import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, author, reporter, moderation, channel } = useRealm(
  { author: { name: 'Anna Author' }, reporter: { name: 'Rita Reporter' } },
  {
    channels: {
      moderation: { subscribers: ['owner'], invite_only: true },
      channel: { subscribers: ['author', 'reporter'], name: 'harbour' },
    },
  },
)

const send = async (content: string, to: object = { type: 'channel', to: channel.id, topic: 'ships' }) =>
  expectSuccess(await author.api.post('/messages', { ...to, content })).id as number
const report = (user: TestUser, id: number, params: Record<string, string> = {}) =>
  user.api.post(`/messages/${id}/report`, { report_type: 'spam', ...params })
const enable = async () =>
  expectSuccess(await realm.owner.api.patch('/realm', { moderation_request_channel_id: moderation.id }))

describe('reporting a message', () => {
  it('is off until the organization sets a channel for it', async () => {
    const id = await send('before')
    expectRefusal(await report(reporter, id), 'Message reporting is not enabled in this organization.')
    expectRefusal(await report(reporter, id, { report_type: 'other' }), 'An explanation is required.')
    await enable()
    expectSuccess(await report(reporter, id))
  })

  it('is refused, and nothing is posted, when the channel for it is archived', async () => {
    const { id: channelId } = await buildChannel([realm.owner], { invite_only: true })
    expectSuccess(await realm.owner.api.patch('/realm', { moderation_request_channel_id: channelId }))
    const id = await send('unwanted')
    expectSuccess(await realm.owner.api.delete(`/streams/${channelId}`))
    expectRefusal(await report(reporter, id), 'Message reporting is not enabled in this organization.')
    const narrow = [{ operator: 'channel', operand: channelId }]
    const { messages } = expectSuccess(
      await realm.owner.api.get('/messages', { anchor: 'oldest', num_after: 100, narrow }),
    )
    expect(messages.filter(({ subject }: { subject: string }) => subject !== 'channel events')).toEqual([])
  })

  it('quotes it to the moderators with the reason, and mentions nobody', async () => {
    await enable()
    const id = await send('@**Anna Author** buy ```this```')
    const queues = [
      await openQueue(realm.owner, { apply_markdown: false }),
      await openQueue(author),
      await openQueue(reporter),
    ]
    expectSuccess(await report(reporter, id, { report_type: 'harassment', description: ' again ' }))
    const [notice] = await queues[0]!.eventsOf('message')
    expect(notice).toMatchObject({
      flags: [],
      message: {
        stream_id: moderation.id,
        subject: 'Anna Author moderation',
        sender_full_name: 'Notification Bot',
      },
    })
    const { content } = notice!.message
    expect(content.replace(/<time:[^>]+>/, 'TIME')).toBe(
      [
        `@_**Rita Reporter|${reporter.id}** reported a message sent by @_**Anna Author|${author.id}** at TIME.`,
        '```quote\n**Harassment**. again\n```',
        `\`\`\`\`spoiler Original message at #**harbour>ships@${id}**\n@**Anna Author** buy \`\`\`this\`\`\`\n\`\`\`\``,
      ].join('\n'),
    )
    for (const queue of queues.slice(1)) expect(await queue.events()).toEqual([])
  })

  it.each([
    ['de', 'hat eine Nachricht von', 'Belästigung', 'Gemeldete Nachricht: '],
    ['ar', 'عن رسالة من', 'مضايقة', 'الرسالة الأصلية: '],
    ['en', 'reported a message sent by', 'Harassment', 'Original message at '],
  ])('is written in the organization’s language: %s', async (default_language, line, reason, original) => {
    await enable()
    expectSuccess(await realm.owner.api.patch('/realm', { default_language }))
    const id = await send('rude')
    const queue = await openQueue(realm.owner, { apply_markdown: false })
    expectSuccess(await report(reporter, id, { report_type: 'harassment', description: 'again' }))
    const { content } = (await queue.eventsOf('message'))[0]!.message
    expect(content).toContain(`${line} @_**Anna Author|${author.id}**`)
    expect(content).toContain(`**${reason}**. again`)
    expect(content).toContain(`spoiler ${original}#**harbour>ships@${id}**`)
  })

  it('of a direct message names its participants', async () => {
    await enable()
    const id = await send('psst', { type: 'direct', to: [reporter.id] })
    const queue = await openQueue(realm.owner, { apply_markdown: false })
    expectSuccess(await report(reporter, id, { report_type: 'norms' }))
    const { message } = (await queue.eventsOf('message'))[0]!
    expect(message.content).toContain(
      `sent by @_**Anna Author|${author.id}** to @_**Rita Reporter|${reporter.id}** at <time:`,
    )
    expect(message.content).toContain('**Violates community norms**.\n')
    expect(message.content).toContain(`spoiler [Original message](http://${realm.host}/#narrow/dm/`)
  })

  it('is allowed to those who may read it', async () => {
    await enable()
    const secret = await buildChannel([author], { invite_only: true })
    const id = await send('hidden', { type: 'channel', to: secret.id, topic: 't' })
    const guest = await buildUser(realm, { role: 600 })
    expectRefusal(await report(reporter, id), 'Invalid message(s)')
    expectRefusal(await report(guest, await send('public')), 'Invalid message(s)')
    expectRefusal(await report(reporter, 99_999), 'Invalid message(s)')
    expectRefusal(await report(reporter, id, { report_type: 'boring' }), 'Invalid report_type')
    expectRefusal(
      await report(reporter, id, { description: 'x'.repeat(1_001) }),
      'description is too long (limit: 1000 characters)',
    )
    expectUnauthorized(await realm.anonymous.post(`/messages/${id}/report`, { report_type: 'spam' }))
  })
})
