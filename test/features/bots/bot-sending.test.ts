import { describe, expect, it } from 'vitest'
import type { ApiClient } from '../../support/api.ts'
import { buildChannel, createBot, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

/** The owner of the bots is a member. */
const { keeper: owner } = useRealm({ keeper: 'member' })

let bots = 0
async function buildBot(settings: Record<string, string | number> = {}) {
  bots += 1
  return await createBot(owner, `Sender ${bots}`, settings)
}

const message = { type: 'channel', topic: 'reports', content: 'all is well' }

describe('a bot’s default channel', () => {
  it('receives its messages that name no channel', async () => {
    const { id, name } = await buildChannel([owner])
    const bot = await buildBot({ default_sending_stream: name })
    const queue = await openQueue(owner)
    expectSuccess(await bot.api.post('/messages', message))
    expect(await queue.eventsOf('message')).toMatchObject([
      { message: { stream_id: id, sender_id: bot.id, subject: 'reports' } },
    ])
  })

  it('does not exist for users and bots without one', async () => {
    const bot = await buildBot()
    expectRefusal(await bot.api.post('/messages', message), 'Missing channel')
    expectRefusal(await owner.api.post('/messages', message), 'Missing channel')
  })
})

describe('a bot’s queues', () => {
  it('get the events its owner chose, unless the bot says otherwise', async () => {
    const [one, two] = [await buildChannel([owner]), await buildChannel([owner])]
    const bot = await buildBot({ default_events_register_stream: one.name })
    const all = await buildBot({ default_all_public_streams: 'true' })
    const open = async (api: ApiClient, params = {}) =>
      expectSuccess(await api.post('/register', { event_types: ['message'], ...params }))
    const queues = [
      await open(bot.api),
      await open(all.api),
      await open(all.api, { all_public_streams: false }),
    ]
    for (const { id } of [one, two]) {
      expectSuccess(await owner.api.post('/messages', { ...message, to: id }))
    }
    const heard = async (api: ApiClient, { queue_id }: { queue_id: string }) => {
      const params = { queue_id, last_event_id: -1, dont_block: true }
      const { events } = expectSuccess(await api.get('/events', params))
      return events.map((event: { message: { stream_id: number } }) => event.message.stream_id)
    }
    expect(await heard(bot.api, queues[0])).toEqual([one.id])
    expect(await heard(all.api, queues[1])).toEqual([one.id, two.id])
    expect(await heard(all.api, queues[2])).toEqual([])
  })
})

describe('the owner of a bot whose message reaches nobody', () => {
  it('is notified when the channel does not exist, and the bot is refused', async () => {
    const bot = await buildBot()
    const queue = await openQueue(owner, { apply_markdown: false })
    expectRefusal(
      await bot.api.post('/messages', { ...message, to: 'lost' }),
      "Channel 'lost' does not exist",
      { code: 'STREAM_DOES_NOT_EXIST', stream: 'lost' },
    )
    expect(await queue.eventsOf('message')).toMatchObject([
      {
        message: {
          type: 'private',
          sender_full_name: 'Notification Bot',
          content: `Your bot \`${bot.email}\` tried to send a message to channel #**lost**, but that channel does not exist. Click [here](#channels/new) to create it.`,
        },
      },
    ])
  })

  it('is notified at most once in five minutes for each bot', async () => {
    const [bot, other] = [await buildBot(), await buildBot()]
    const queue = await openQueue(owner, { apply_markdown: false })
    const fail = (sender: typeof bot) => sender.api.post('/messages', { ...message, to: 9_999 })
    await fail(bot)
    await fail(bot)
    const text = (sender: typeof bot) =>
      `Your bot \`${sender.email}\` tried to send a message to channel ID 9999, but there is no channel with that ID.`
    expect((await queue.eventsOf('message')).map((event) => event.message.content)).toEqual([text(bot)])
    await fail(other)
    expect((await queue.eventsOf('message')).map((event) => event.message.content)).toEqual([text(other)])
    world.clockOffset = 301
    await fail(bot)
    expect(await queue.eventsOf('message')).toHaveLength(1)
  })

  it('is notified when the channel has no subscribers; the message is sent', async () => {
    const { id, name } = await buildChannel([owner])
    expectSuccess(await owner.api.delete('/users/me/subscriptions', { subscriptions: [name] }))
    const bot = await buildBot()
    const queue = await openQueue(owner, { apply_markdown: false })
    expectSuccess(await bot.api.post('/messages', { ...message, to: id }))
    expect(await queue.eventsOf('message')).toMatchObject([
      {
        message: {
          content: `Your bot \`${bot.email}\` tried to send a message to channel #**${name}**. The channel exists but does not have any subscribers.`,
        },
      },
    ])
  })

  it('is not notified when a person makes the same mistake', async () => {
    const queue = await openQueue(owner)
    expectRefusal(
      await owner.api.post('/messages', { ...message, to: 'lost' }),
      "Channel 'lost' does not exist",
      { code: 'STREAM_DOES_NOT_EXIST' },
    )
    expect(await queue.events()).toEqual([])
  })
})
