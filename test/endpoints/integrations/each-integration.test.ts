import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '../../integrations/examples/index.ts'
import { buildChannel, createBot, expectSuccess } from '../../support/factories.ts'
import { postAsService } from '../../support/post-as-service.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { keeper: owner } = useRealm({ keeper: 'member' })

/** The first example with a message that each integration has. */
const firstOnes = Object.entries(EXAMPLES).map(([name, examples]) => {
  const example = examples.find(({ messages = [], form }) => messages.length > 0 && !form)!
  return { name, ...example }
})

describe('a post for an integration', () => {
  it.each(firstOnes)('$name is a message under its topic: $what', async ({ name, messages, ...post }) => {
    const { name: stream } = await buildChannel([owner])
    const bot = await createBot(owner, `Bot of ${name}`, { bot_type: 2 })
    const queue = await openQueue(owner, { event_types: ['message'], apply_markdown: false })
    const address = { api_key: bot.api.apiKey!, stream, ...(post.address as Record<string, string>) }
    expectSuccess(await postAsService(bot, name, address, post))
    const sent = (await queue.eventsOf('message')).map(({ message }) => message)
    expect(sent).toMatchObject(
      messages!.map(({ topic, text }) => ({ subject: topic.slice(0, 60), content: text, sender_id: bot.id })),
    )
  })
})
