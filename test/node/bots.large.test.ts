import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { LiveQueue } from '../../scripts/live-queue.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { PROJECT } from '../../scripts/project.ts'
import { fromJson, type Json } from '../support/json.ts'
import { needs } from '../support/needs.ts'
import { found } from './found.ts'

/** The bots of docs/bots.md, by the language of their blocks. */
const BOTS = [
  { language: 'js', file: 'bot.mjs', program: process.execPath, tools: [] },
  { language: 'python', file: 'bot.py', program: 'python3', tools: ['python3'] },
  { language: 'bash', file: 'bot.sh', program: 'bash', tools: ['bash', 'curl', 'jq'] },
]
const PAGE = readFileSync(join(PROJECT, 'docs/bots.md'), 'utf8')

/** Requests of an account in so many seconds: few, so that a test can use them up and wait for the next. */
const REQUESTS = 60
const SECONDS = 10

/** How long an answer may take: a pause of a bot, on a machine that has other work too. */
const PATIENCE = { timeout: 45_000, interval: 50 }

const isInstalled = (tool: string) => spawnSync(tool, ['--version']).status === 0

let server: LocalServer
let ann: ApiClient
let heard: LiveQueue
/** Messages of bots, as Ann gets them. */
const answers: Json[] = []
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-bots-'))
  server = await startLocalServer({
    vars: {
      LOG: 'troubles',
      RATE_LIMITS: 'on',
      RATE_LIMIT_API_BY_USER: `${REQUESTS}/${SECONDS}`,
      POLL_HOLD_SECONDS: '2',
    },
  })
  ann = new ApiClient(server.url, await found(server))
  heard = await LiveQueue.open(ann, { event_types: ['message'] }, ({ message }) => {
    if ((message as Json).sender_email !== ann.email) answers.push(message)
  })
}, 120_000)

afterAll(async () => {
  await heard?.stop()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

interface Passed {
  readonly asked: string
  readonly status: number
  readonly text: string
}

/** Passes requests on to the server, and notes what a bot has met. */
async function startPassage(passed: Passed[]): Promise<Server> {
  const passage = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const kept = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
      const value = request.headers[name]
      return value === undefined ? [] : [[name, String(value)] as [string, string]]
    })
    try {
      const answer = await fetch(`${server.url}${request.url}`, {
        method: request.method,
        headers: [...kept, ['connection', 'close']],
        body: request.method === 'GET' ? undefined : Buffer.concat(chunks),
      })
      const text = await answer.text()
      const { pathname } = new URL(request.url!, server.url)
      passed.push({ asked: `${request.method} ${pathname}`, status: answer.status, text })
      const wait = answer.headers.get('retry-after')
      response.writeHead(answer.status, {
        'Content-Type': 'application/json',
        ...(wait === null ? {} : { 'Retry-After': wait }),
      })
      response.end(text)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => passage.listen(0, '127.0.0.1', resolve))
  return passage
}

for (const { language, file, program, tools } of BOTS) {
  describe.skipIf(!tools.every(isInstalled))(`the bot in ${language}`, needs(tools.join(' and ')), () => {
    const name = `Helper in ${language}`
    const channel = `talk in ${language}`
    const topic = 'A "quoted" \\ topic, {of} [Ann]: ü'
    const source = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(PAGE)![1]!
    const question = `@**${name}** are you there?`
    const passed: Passed[] = []
    let passage: Server
    let bot: ApiClient
    let botId: number
    let child: ChildProcess
    let output = ''

    const queues = () =>
      passed
        .filter(({ asked, status }) => asked === 'POST /api/v1/register' && status === 200)
        .map(({ text }) => fromJson(text).queue_id as string)
    const write = (content: string) =>
      ann.call('POST', '/messages', { type: 'channel', to: [channel], topic, content })
    /** Mentions the bot, and waits for its answer. */
    async function mention() {
      answers.length = 0
      await write(question)
      await untilAnswered()
    }
    async function untilAnswered() {
      await vi.waitFor(() => expect(answers, output).not.toEqual([]), PATIENCE)
      expect(answers).toEqual([
        expect.objectContaining({ sender_email: bot.email, content: 'Hello Ann, I am here.' }),
      ])
    }

    beforeAll(async () => {
      const made = await ann.call<{ user_id: number; api_key: string }>('POST', '/bots', {
        full_name: name,
        short_name: `helper-${language}`,
      })
      botId = made.user_id
      bot = new ApiClient(server.url, { email: `helper-${language}-bot@localhost`, api_key: made.api_key })
      for (const subscriber of [ann, bot]) {
        await subscriber.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel }] })
      }
      writeFileSync(join(folder, file), source)
      passage = await startPassage(passed)
      child = spawn(program, [join(folder, file)], {
        env: {
          ...process.env,
          BOT_SERVER: `http://127.0.0.1:${(passage.address() as AddressInfo).port}`,
          BOT_EMAIL: bot.email,
          BOT_KEY: made.api_key,
          NO_PROXY: '127.0.0.1',
        },
        // A group of its own: the shell's bot has curl under way.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk
        })
      }
      await vi.waitFor(() => expect(queues(), output).toHaveLength(1), PATIENCE)
    })

    afterAll(async () => {
      if (child?.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
      passage?.closeAllConnections()
      passage?.close()
    })

    it('has at most twenty lines', () => {
      expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
    })

    it('answers a mention in its topic, and nothing else', async () => {
      await write('Nobody is mentioned here.')
      await mention()
      expect(answers[0]).toMatchObject({ display_recipient: channel, subject: topic })
    })

    it('answers a direct message', async () => {
      answers.length = 0
      await ann.call('POST', '/messages', { type: 'direct', to: [botId], content: 'Are you there?' })
      await untilAnswered()
      expect(answers[0].display_recipient.map(({ email }: Json) => email).sort()).toEqual(
        [ann.email, bot.email].sort(),
      )
    })

    it('continues after a heartbeat', async () => {
      const before = passed.length
      const heartbeats = () => passed.slice(before).filter(({ text }) => text.includes('"heartbeat"'))
      await vi.waitFor(() => expect(heartbeats()).not.toEqual([]), PATIENCE)
      await mention()
    })

    it('registers again when its queue has ended', async () => {
      await bot.call('DELETE', '/events', { queue_id: queues()[0]! })
      await vi.waitFor(() => expect(queues(), output).toHaveLength(2), PATIENCE)
      expect(passed.map(({ text }) => text).join()).toContain('"BAD_EVENT_QUEUE_ID"')
      await mention()
    })

    it('waits after 429, and answers once', async () => {
      const headers = bot.authorization()
      const sends = () => passed.filter(({ asked }) => asked === 'POST /api/v1/messages')
      const isRefused = () => sends().some(({ status }) => status === 429)
      const useOne = async () => (await fetch(`${server.url}/api/v1/users/me`, { headers })).text()
      await Promise.all(Array.from({ length: REQUESTS }, useOne))
      answers.length = 0
      await write(question)
      // Meanwhile requests of before leave the window.
      await vi.waitUntil(async () => isRefused() || (await useOne()) === '', { ...PATIENCE, interval: 5 })
      await untilAnswered()
      expect(
        sends()
          .slice(-2)
          .map(({ status }) => status),
      ).toEqual([429, 200])
      expect(output).toBe('')
    })
  })
}
