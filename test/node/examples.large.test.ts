import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { EXAMPLES, LANGUAGES } from '../../scripts/examples-page.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { PROJECT } from '../../scripts/project.ts'
import type { Json } from '../support/json.ts'
import { needs } from '../support/needs.ts'
import { found, PASSWORD } from './found.ts'

const PAGE = readFileSync(join(PROJECT, 'docs/interface/examples.md'), 'utf8')
const PROGRAMS = { curl: 'bash', JavaScript: process.execPath, Python: 'python3' } as const
const TOOLS = { curl: ['bash', 'curl', 'jq'], JavaScript: [], Python: ['python3'] } as const
const PATIENCE = { timeout: 30_000, interval: 50 }

const isInstalled = (tool: string) => spawnSync(tool, ['--version']).status === 0
const run = promisify(execFile)

let server: LocalServer
let owner: CreatedOrganization
let ann: ApiClient
let bot: { readonly api_key: string }
beforeAll(async () => {
  server = await startLocalServer({ vars: { LOG: 'troubles', RATE_LIMITS: 'off' } })
  owner = await found(server)
  ann = new ApiClient(server.url, owner)
  await ann.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
  bot = await ann.call('POST', '/bots', { full_name: 'Deploys', short_name: 'deploys', bot_type: 2 })
}, 300_000)
afterAll(() => server?.stop())

/** Returns the block of a section in a language, as a reader copies it. */
function printed(section: string, fence: string): string {
  const [, after] = `\n${PAGE}`.split(`\n${section}\n`)
  return new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\``, 'ms').exec(after!)![1]!
}

const newest = async (topic: string): Promise<Json> => {
  const narrow = [
    { operator: 'channel', operand: 'general' },
    { operator: 'topic', operand: topic },
  ]
  const fields = { anchor: 'newest', num_before: 1, num_after: 0, narrow, apply_markdown: false }
  return (await ann.call<{ messages: Json[] }>('GET', '/messages', fields)).messages[0]
}
const write = async (content: string) =>
  (
    await ann.call<{ id: number }>('POST', '/messages', {
      type: 'channel',
      to: 'general',
      topic: 'welcome',
      content,
    })
  ).id

for (const { name, fence, ending } of LANGUAGES) {
  const tools: readonly string[] = TOOLS[name]
  describe.skipIf(!tools.every(isInstalled))(`the examples in ${name}`, needs(tools.join(', ')), () => {
    let folder: string
    let env: Record<string, string>
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'parley-examples-'))
      if (ending !== 'sh') {
        writeFileSync(join(folder, `parley.${ending}`), printed('# Examples', fence))
      }
      env = {
        PATH: process.env.PATH!,
        SITE: server.url,
        EMAIL: owner.email,
        KEY: owner.api_key,
        PASSWORD,
        BOT_KEY: bot.api_key,
        CHANNEL: `ship in ${name}`,
      }
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    function fileOf(operation: string): string {
      const { title } = EXAMPLES.find((example) => example.operation === operation)!
      const file = join(folder, `${operation}.${ending}`)
      writeFileSync(file, printed(`## ${title}`, fence))
      return file
    }
    const play = async (operation: string, more: Record<string, string> = {}) =>
      (await run(PROGRAMS[name], [fileOf(operation)], { cwd: folder, env: { ...env, ...more } })).stdout

    it('log in', async () => {
      expect(await play('fetch-api-key')).toContain(owner.api_key)
    })

    it('send a message, read, edit and react to it', async () => {
      const sent = await play('send-message')
      const { id, content } = await newest('welcome')
      expect(content).toBe('Hello, **everyone**!')
      expect(sent).toContain(String(id))
      expect(await play('get-messages')).toContain('Hello, **everyone**!')
      const MESSAGE_ID = String(id)
      await play('update-message', { MESSAGE_ID })
      await play('add-reaction', { MESSAGE_ID })
      expect(await newest('welcome')).toMatchObject({
        id,
        content: 'Hello, *all*!',
        reactions: [{ emoji_name: 'tada' }],
      })
    })

    it('upload a file and link it', async () => {
      await play('upload-file')
      const { content } = await newest('welcome')
      const [, path] = /^\[notes\.txt\]\((.+)\)$/.exec(content)!
      const { url } = await ann.call<{ url: string }>('GET', path!)
      expect((await (await fetch(new URL(url, server.url))).text()).trim()).toBe('Tuesday at ten')
    })

    it('subscribe to a channel, and create one', async () => {
      expect(await play('subscribe')).toContain('general')
      await play('create-channel')
      const { streams } = await ann.call<{ streams: Json[] }>('GET', '/streams')
      expect(streams.find((channel) => channel.name === env.CHANNEL)).toMatchObject({
        description: 'What we ship',
        invite_only: true,
      })
    })

    it('list users, and report presence', async () => {
      expect(await play('get-users')).toContain('Deploys')
      expect(await play('update-presence')).toContain('active')
    })

    it('post by webhook', async () => {
      const before = (await newest('deploys'))?.id
      expect(await play('receive-webhook')).toContain('success')
      const { id, content } = await newest('deploys')
      expect(id).not.toBe(before)
      expect(content).toContain('1.4.2')
    })

    it('wait for events, one after another', async () => {
      const child = spawn(PROGRAMS[name], [fileOf('get-events')], { cwd: folder, env, detached: true })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
      try {
        // It has registered when it gets what is written.
        await vi.waitFor(
          async () => {
            await write(`first in ${name}`)
            expect(output).toContain(`first in ${name}`)
          },
          { ...PATIENCE, interval: 300 },
        )
        await write(`second in ${name}`)
        await vi.waitFor(() => expect(output).toContain(`second in ${name}`), PATIENCE)
      } finally {
        process.kill(-child.pid!, 'SIGKILL')
      }
    })
  })
}
