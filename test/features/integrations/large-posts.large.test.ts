import { describe, expect, it } from 'vitest'
import { SIGNERS } from '../../integrations/examples/index.ts'
import { buildChannel, createBot, expectSuccess } from '../../support/factories.ts'
import { fromJson } from '../../support/json.ts'
import { postAsService } from '../../support/post-as-service.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { keeper: owner } = useRealm({ keeper: 'member' })

const PUSH = { 'X-GitHub-Event': 'push' }
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const COMMITS = 300
const MIB = 1_048_576

const commit = (at: number) => ({
  id: `${at}`.padStart(40, 'a'),
  message: `Step ${at}\n\n${'Why? "é" '.repeat(7_000)}`,
  url: `https://github.com/acme/engine/commit/${at}`,
  author: { username: at % 3 === 0 ? 'grace' : 'ada' },
  added: Array.from({ length: 100 }, (_, file) => `src/file-${file}.ts`),
})

/** Some 20 MiB; what says who and where comes last. */
const body = JSON.stringify({
  ref: 'refs/heads/main',
  compare: 'https://github.com/acme/engine/compare/b...c',
  commits: Array.from({ length: COMMITS }, (_, at) => commit(at)),
  repository: { name: 'engine' },
  sender: { login: 'ada' },
})

async function newHook(name: string) {
  const { id, name: stream } = await buildChannel([owner])
  const bot = await createBot(owner, name, { bot_type: 2 })
  const post = (text: string, headers: Record<string, string> = {}) =>
    postAsService(
      bot,
      'github',
      { api_key: bot.api.apiKey!, stream },
      { body: text, headers: { ...PUSH, ...headers } },
    )
  const contents = async () => {
    const params = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false }
    const narrow = JSON.stringify([{ operator: 'channel', operand: id }])
    const { messages } = expectSuccess(await owner.api.get('/messages', { ...params, narrow }))
    return (messages as readonly { content: string }[]).map(({ content }) => content)
  }
  return { bot, post, contents }
}

describe('a post of GitHub of more than 5 MiB', () => {
  it('says how many commits it has, and lists the first', async () => {
    expect(body.length).toBeGreaterThan(15 * MIB)
    const { post, contents } = await newHook('Large')
    expectSuccess(await post(body))
    const [text] = (await contents()).slice(-1)
    expect(text).toContain(
      'ada [pushed](https://github.com/acme/engine/compare/b...c) 300 commits to branch main.',
    )
    expect(text).toContain('Commits by ada (200) and grace (100).')
    expect(text).toContain('* Step 19 ')
    expect(text).toContain('280 more commit(s)')
  })

  it('may be a form', async () => {
    const { post, contents } = await newHook('Large form')
    const few = JSON.stringify({
      ...fromJson<object>(body),
      commits: Array.from({ length: 60 }, (_, at) => commit(at)),
    })
    const form = `payload=${encodeURIComponent(few)}`
    expect(form.length).toBeGreaterThan(5 * MIB)
    expectSuccess(await post(form, FORM))
    expect((await contents()).at(-1)).toContain('60 commits to branch main.')
  })

  it('is refused without the right signature of all of it', async () => {
    const { bot, post, contents } = await newHook('Large and signed')
    expectSuccess(await owner.api.patch(`/bots/${bot.id}/incoming_webhook`, { secret: 'secret' }))
    const before = (await contents()).length
    const signed = (text: string) => SIGNERS.github!({ body: text, secret: 'secret', at: 0, address: '' })
    expectRefusal(await post(body), 'Webhook signature verification failed.')
    expectRefusal(await post(body, signed(`${body} `)), 'Webhook signature verification failed.')
    expect(await contents()).toHaveLength(before)
    expectSuccess(await post(body, signed(body)))
    expect(await contents()).toHaveLength(before + 1)
  })

  it('that is not JSON, or has no valid key, is refused like a small one', async () => {
    const { bot, post } = await newHook('Large and broken')
    expectRefusal(await post(`{${body}`), 'Malformed JSON')
    const refusal = await postAsService(bot, 'github', { api_key: 'a'.repeat(32) }, { body, headers: PUSH })
    expectRefusal(refusal, 'Invalid API key', { status: 401, code: 'INVALID_API_KEY' })
  })
})
