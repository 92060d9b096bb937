import { describe, expect, it } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { locationsOf, newMark, pass } from '../support/deleted-marks.ts'
import { startExport } from '../support/exports.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { sendDirect, sendTo, untilProjected } from '../support/messages.ts'
import { pngOf } from '../support/pictures.ts'
import { insertDevice } from '../support/push-devices.ts'
import { openQueue } from '../support/queues.ts'
import { DAY, HOUR, MINUTE, WEEK } from '../support/times.ts'
import { readStatus, upload } from '../support/uploads.ts'
import { buildRealm } from '../support/use-realm.ts'
import { standInForTheWeb } from '../support/web.ts'
import { world } from '../support/world.ts'

const web = standInForTheWeb()

/** Deletes the notices about failed webhooks, which link to the messages: the text of other messages is not deleted with them. */
async function deleteNotices(owner: TestUser): Promise<void> {
  const { messages } = expectSuccess(
    await owner.api.get('/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow: [{ operator: 'search', operand: 'webhook failed' }],
    }),
  )
  expect(messages).not.toEqual([])
  for (const { id } of messages) expectSuccess(await owner.api.delete(`/messages/${id}`))
}

describe('a deleted message', () => {
  it('is nowhere after the stated times, however it was deleted', async () => {
    world.settings = { PUSH_BOUNCER_URL: 'https://push.example.com', PUSH_BOUNCER_TOKEN: 'token' }
    const { realm, owner, member } = await buildRealm({ member: 'member' })
    expectSuccess(await owner.api.patch('/realm', { inline_url_embed_preview: true }))
    await insertDevice(realm, member)
    const channel = await buildChannel([owner, member])
    const shortLived = await buildChannel([owner, member])
    expectSuccess(await owner.api.patch(`/streams/${shortLived.id}`, { message_retention_days: 1 }))
    const hook = {
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 3,
      payload_url: 'https://gone.example.com/in',
    }
    const bot = expectSuccess(await owner.api.post('/bots', hook))
    expectSuccess(
      await owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: channel.name }, { name: shortLived.name }],
        principals: [bot.user_id],
      }),
    )
    // A queue of a client that was closed and does not come back.
    await openQueue(member, { queue_lifespan_secs: WEEK })

    /** Sends a message with the mark in everything that belongs to it. */
    async function say(sender: TestUser, channelId: number, mark: string): Promise<number> {
      const page = `https://${mark}.example.com/`
      web.pages[page] = () =>
        new Response(
          `<html><head><title>${mark}</title><meta name="description" content="${mark} here"></head></html>`,
          {
            headers: { 'Content-Type': 'text/html' },
          },
        )
      const file = await upload(sender, { name: `${mark}.txt`, content: `${mark} in the file` })
      const picture = await upload(sender, pngOf(900, 600, `${mark}.png`))
      const content = `${mark} @**User ${member.fullName.slice(5)}** @**Hook** [a](${file}) [b](${picture}) ${page}`
      const id = await sendTo(sender, channelId, `${mark} topic`, content)
      expectSuccess(await sender.api.patch(`/messages/${id}`, { content: `${content} first edit ${mark}` }))
      expectSuccess(await sender.api.patch(`/messages/${id}`, { content: `${content} second ${mark}` }))
      expectSuccess(
        await owner.api.post('/reminders', {
          message_id: id,
          scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000 + world.clockOffset) + 60 * DAY,
        }),
      )
      const thumbnail = picture.replace('/user_uploads/', '/user_uploads/thumbnail/')
      expect(await readStatus(realm, `${thumbnail}/840x560.webp`, sender)).toBe(200)
      return id
    }

    const [own, foreign, topic, old, poll, direct, sentLater] = [
      newMark('own'),
      newMark('foreign'),
      newMark('topic'),
      newMark('old'),
      newMark('poll'),
      newMark('direct'),
      newMark('later'),
    ] as const
    const ownId = await say(owner, channel.id, own)
    const foreignId = await say(member, channel.id, foreign)
    const topicId = await say(member, channel.id, topic)
    const oldId = await say(member, shortLived.id, old)
    const pollId = await sendTo(owner, channel.id, 'polls', `/poll ${poll}?\n${poll} yes`)
    expectSuccess(
      await owner.api.post('/submessage', {
        message_id: pollId,
        msg_type: 'widget',
        content: JSON.stringify({ type: 'new_option', idx: 1, option: poll }),
      }),
    )
    const directId = await sendDirect(member, [owner], `${direct} between us`)
    const due = Math.floor(Date.now() / 1_000 + world.clockOffset) + 400
    expectSuccess(
      await owner.api.post('/scheduled_messages', {
        type: 'channel',
        to: channel.id,
        topic: 'later',
        content: `${sentLater} at last`,
        scheduled_delivery_timestamp: due,
      }),
    )
    const all = [own, foreign, topic, old, poll, direct, sentLater]
    await runAlarms(realm, 6, 2)
    world.clockOffset += 10 * MINUTE
    await runAlarms(realm, 6, 2)
    await startExport(owner)
    await runAlarms(realm, 12, 2)
    for (let turn = 0; turn < 3; turn += 1) await pass(realm, HOUR)
    const { messages } = expectSuccess(
      await owner.api.get('/messages', {
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
        narrow: [{ operator: 'search', operand: sentLater }],
      }),
    )
    const laterId = messages[0].id
    const ids = [ownId, foreignId, topicId, oldId, pollId, directId, laterId]
    await untilProjected(realm, ids)

    // The mark is in many tables, which proves that the search finds it.
    for (const mark of [own, foreign, topic, old]) {
      expect(await locationsOf(realm, mark)).toEqual(
        expect.arrayContaining([
          'D1 message_body',
          'R2 exports',
          'R2 user_uploads',
          'object attachment',
          'object log',
          'object seen_website',
          'object topic',
        ]),
      )
    }
    const waiting = await Promise.all([own, foreign, topic, old].map((mark) => locationsOf(realm, mark)))
    expect(waiting.flat()).toContain('object dead_letter')
    expect(await locationsOf(realm, poll)).toContain('object submessage')

    const called = newMark('called')
    const calledId = await sendTo(member, channel.id, 'hooks', `@**Hook** ${called}`)
    expect(await locationsOf(realm, called)).toContain('object webhook_call')
    all.push(called)
    expectSuccess(await owner.api.delete(`/messages/${calledId}`))
    expect(await locationsOf(realm, called)).not.toContain('object webhook_call')
    expectSuccess(await owner.api.delete(`/messages/${ownId}`))
    await deleteNotices(owner)
    expectSuccess(await owner.api.delete(`/messages/${foreignId}`))
    expectSuccess(
      await owner.api.post(`/streams/${channel.id}/delete_topic`, { topic_name: `${topic} topic` }),
    )
    for (const id of [pollId, directId, laterId]) expectSuccess(await owner.api.delete(`/messages/${id}`))
    // Channels with a retention of a day are searched for old messages once a day.
    await pass(realm, 2 * DAY + HOUR)

    // Local development keeps sent mail, to be looked at.
    await changeRealm(realm, ({ sql }) => {
      sql.run('DELETE FROM email WHERE sent_at IS NOT NULL')
    })
    // Its pending work is deleted at once, and so are rows that only a message leads to.
    for (const mark of all) {
      const locations = await locationsOf(realm, mark)
      for (const location of [
        'D1 message_body',
        'object dead_letter',
        'object webhook_call',
        'object submessage',
        'object reminder',
        'object pending_push',
        'object email',
        'object scheduled_message',
      ]) {
        expect(locations, mark).not.toContain(location)
      }
    }
    await pass(realm, WEEK + DAY)
    for (const mark of all) {
      const locations = await locationsOf(realm, mark)
      expect(locations, mark).not.toContain('object log')
      expect(locations, mark).not.toContain('object seen_website')
    }
    world.clockOffset += 24 * DAY
    await runAlarms(realm, 12, 2)
    for (const mark of all) {
      const locations = await locationsOf(realm, mark)
      // Users' policies for topics belong to the users.
      expect(
        locations.filter((location) => location !== 'object user_topic'),
        mark,
      ).toEqual([])
    }
  }, 60_000)
})
