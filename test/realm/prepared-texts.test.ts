import { describe, expect, it } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { expectSuccess } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, bob } = useRealm({ ann: 'member', bob: 'member' })

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
