import { describe, expect, it } from 'vitest'
import { firstUsesOfLinkifiers } from '../../src/markdown/linkifiers.ts'
import { runAlarms } from '../support/alarms.ts'
import { ApiClient } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { insertLinkifier, listLinkifiers } from '../support/inside-rows.ts'
import { neverEvict } from '../support/never-evict.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { inWatchedSlices } from '../support/watched-slices.ts'
import { world } from '../support/world.ts'

const { realm, ann, bob, plans } = useRealm(
  { ann: 'member', bob: 'member' },
  { channels: { plans: ['ann', 'bob'] } },
)

neverEvict()

const code = (languages: readonly string[]): string =>
  languages.map((name) => `\`\`\` ${name}\nif 1 else "text"\n\`\`\``).join('\n')

async function newestOf(user: typeof ann): Promise<string> {
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [] }
  return expectSuccess(await user.api.get('/messages', page)).messages[0].content
}

describe('a text in several languages that nobody has used yet', () => {
  const toBob = () => ({ type: 'direct', to: [bob.id] })

  it('is sent, also beside others', async () => {
    const content = code(['erlang', 'ocaml', 'haskell', 'julia'])
    const answers = await Promise.all([
      ann.api.post('/messages', { ...toBob(), content }),
      bob.api.post('/messages', { type: 'direct', to: [ann.id], content: 'meanwhile' }),
    ])
    const [{ id }] = answers.map((answer) => expectSuccess(answer))
    const { message } = expectSuccess(await bob.api.get(`/messages/${id}`))
    expect(message.content.match(/<span class="s">/g)).toHaveLength(4)
  })

  it('is sent when it is due', async () => {
    const dueAt = Math.floor(Date.now() / 1_000 + world.clockOffset) + 600
    const content = code(['elixir', 'clojure', 'fsharp', 'dart'])
    expectSuccess(
      await ann.api.post('/scheduled_messages', { ...toBob(), content, scheduled_delivery_timestamp: dueAt }),
    )
    world.clockOffset += 601
    await runAlarms(realm, 3)
    expect((await newestOf(bob)).match(/<span class="s">/g)).toHaveLength(4)
  })
})

describe('a long text', () => {
  it('mentions who has the name after it was rendered', async () => {
    const { full_name } = expectSuccess(await bob.api.get('/users/me'))
    const content = `@**${full_name}** ${'so **much** '.repeat(500)}`
    const send = () => ann.api.post('/messages', { type: 'channel', to: plans.id, topic: 'long', content })
    const { answer, turns } = await inWatchedSlices(realm, send, async (turn) => {
      // It has been rendered.
      if (turn === 3) expectSuccess(await bob.api.patch('/settings', { full_name: 'Somebody else' }))
    })
    expect(turns).toBe(6)
    const { message } = expectSuccess(await bob.api.get(`/messages/${expectSuccess(answer).id}`))
    expect(message.flags).not.toContain('mentioned')
    expect(message.content).not.toContain('user-mention')
    const again = await inWatchedSlices(realm, () => bob.api.post('/messages/render', { content }))
    expect([again.turns, expectSuccess(again.answer).rendered]).toEqual([3, message.content])
  })
})

describe('link rules that have not been used yet', () => {
  const RULES = 60
  /** Stores rules as from before there were limits: they match a name and a number. */
  const insertRules = (name: string) =>
    changeRealm(realm, ({ sql }) => {
      for (let at = 0; at < RULES; at += 1) {
        insertLinkifier(sql, { pattern: `${name}${at}-(?P<n>[0-9]+)`, urlTemplate: 'https://a.example/{n}' })
      }
    })
  const textFor = (name: string) => Array.from({ length: RULES }, (_, at) => `${name}${at}-7`).join(' ')
  const uncompiled = (name: string) =>
    changeRealm(realm, ({ sql }) => firstUsesOfLinkifiers(listLinkifiers(sql), textFor(name)).length)

  /** Returns how many of the rules each transaction of the object compiles during `act`. */
  async function compiledInTransactions(name: string, act: () => Promise<unknown>): Promise<number[]> {
    const found: number[] = []
    await inRealm(realm, ({ parts: { storage, sql } }) => {
      const left = () => firstUsesOfLinkifiers(listLinkifiers(sql), textFor(name)).length
      const transact = storage.transactionSync
      storage.transactionSync = (closure) => {
        const before = left()
        try {
          return transact.call(storage, closure) as ReturnType<typeof closure>
        } finally {
          found.push(before - left())
        }
      }
    })
    await act()
    await inRealm(realm, async ({ parts: { storage, lanes } }) => {
      while (!lanes.isIdle) await scheduler.wait(1)
      Reflect.deleteProperty(storage, 'transactionSync')
    })
    return found
  }

  it('are not compiled for a user whose key is wrong', async () => {
    await insertRules('A')
    const stranger = new ApiClient({
      host: realm.host,
      realmId: realm.id,
      email: ann.email,
      apiKey: 'a'.repeat(32),
    })
    const content = textFor('A')
    expectRefusal(
      await stranger.post('/messages', { type: 'direct', to: [bob.id], content }),
      'Invalid API key',
      {
        status: 401,
        code: 'UNAUTHORIZED',
      },
    )
    expect(await uncompiled('A')).toBe(RULES)
    const { id } = expectSuccess(await ann.api.post('/messages', { type: 'direct', to: [bob.id], content }))
    expect(await uncompiled('A')).toBe(0)
    const { message } = expectSuccess(await bob.api.get(`/messages/${id}`))
    expect(message.content.match(/<a href="https:\/\/a.example\/7">/g)).toHaveLength(RULES)
  })

  it('make links in the topics of a page', async () => {
    const topics = Array.from({ length: RULES }, (_, at) => `B${at}-7`)
    for (const topic of topics) {
      expectSuccess(await ann.api.post('/messages', { type: 'channel', to: plans.id, topic, content: 'x' }))
    }
    await insertRules('B')
    const narrow = [{ operator: 'channel', operand: plans.id }]
    const page = { anchor: 'newest', num_before: RULES, num_after: 0, narrow }
    const { messages } = expectSuccess(await bob.api.get('/messages', page))
    const links = topics.map((text) => [{ text, url: 'https://a.example/7' }])
    expect(messages.map((message: { topic_links: object[] }) => message.topic_links)).toEqual(links)
  })

  it('are compiled before the turn in which a job writes', async () => {
    const message = { type: 'direct', to: [ann.id], content: textFor('D') }
    const { id } = expectSuccess(await bob.api.post('/messages', message))
    const dueAt = Math.floor(Date.now() / 1_000 + world.clockOffset) + 600
    const reminder = { message_id: id, scheduled_delivery_timestamp: dueAt }
    expectSuccess(await ann.api.post('/reminders', reminder))
    await insertRules('D')
    world.clockOffset += 601
    const compiled = await compiledInTransactions('D', () => runAlarms(realm, 3))
    expect(Math.max(...compiled)).toBe(0)
    expect((await newestOf(ann)).match(/<a href="https:\/\/a.example\/7">/g)).toHaveLength(RULES)
  })

  it('make links in the description of a channel', async () => {
    await insertRules('C')
    const description = textFor('C')
    const change = { description: JSON.stringify(description) }
    expectSuccess(await ann.api.patch(`/streams/${plans.id}`, change))
    const { stream } = expectSuccess(await bob.api.get(`/streams/${plans.id}`))
    expect(stream.rendered_description.match(/<a href="https:\/\/a.example\/7">/g)).toHaveLength(RULES)
  })
})

describe('a page of topics for which finding links takes long', () => {
  it('has all of its messages', async () => {
    await changeRealm(realm, ({ sql }) =>
      insertLinkifier(sql, { pattern: '(?:a?){300}b', urlTemplate: 'https://a.example/' }),
    )
    const topics = Array.from({ length: 40 }, (_, at) => `${'a'.repeat(55)} ${at}`)
    for (const topic of topics) {
      expectSuccess(await ann.api.post('/messages', { type: 'channel', to: plans.id, topic, content: 'x' }))
    }
    const page = { anchor: 'newest', num_before: topics.length, num_after: 0, narrow: [] }
    const { messages } = expectSuccess(await bob.api.get('/messages', page))
    expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual(topics)
  })
})
