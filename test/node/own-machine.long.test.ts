import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { listObjects } from '../../scripts/object-schemas.ts'
import { PROJECT, runProgram } from '../../scripts/project.ts'
import { findRunningServer } from '../../scripts/state-folder.ts'
import { freePort, type Running, start } from '../house/started.ts'
import { type Json, readJson } from '../support/json.ts'
import { unpackKeptState } from '../support/kept-states.ts'
import { PASSWORD } from './found.ts'

const MINUTES = 5 * 60_000
const HOST = 'localhost'
const OWNER = 'ann@example.com'

const folders: string[] = []
const running: Running[] = []
afterEach(() => Promise.all(running.splice(0).map((one) => stopped(one))))
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-machine-'))
  folders.push(folder)
  return folder
}

interface Served {
  readonly program: Running
  readonly url: string
  readonly env: Record<string, string>
}

/** Starts `npm run serve` on a state folder. */
async function served(stateDir: string, more: Record<string, string> = {}): Promise<Served> {
  const port = await freePort()
  const env = { STATE_DIR: stateDir, PORT: String(port), FIRST_HOST: HOST, ...more }
  const program = start(['scripts/serve.ts'], env)
  running.push(program)
  await program.saw(/"The server listens"/)
  return { program, env, url: `http://127.0.0.1:${port}` }
}

/** Ends a server as a service manager does, and returns its exit code. */
async function stopped({ child, ended }: Running): Promise<number | null> {
  child.kill('SIGTERM')
  return (await ended).code
}

/** Founds the organization by the printed link, and logs its owner in. */
async function founded({ program, url }: Served): Promise<ApiClient> {
  const [, path] = await program.saw(/https:\/\/localhost(\/setup\/[0-9a-f]+)/)
  const body = new URLSearchParams({ name: 'Acme', full_name: 'Ann', email: OWNER, password: PASSWORD })
  const answer = await fetch(`${url}${path}`, { method: 'POST', body, redirect: 'manual' })
  expect(answer.status).toBe(302)
  return loggedIn(url)
}

async function loggedIn(url: string, email = OWNER, password = PASSWORD): Promise<ApiClient> {
  const body = new URLSearchParams({ username: email, password })
  const answer = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body })
  const { api_key } = await readJson<{ api_key: string }>(answer)
  return new ApiClient(url, { email, api_key })
}

function command(env: Record<string, string>, ...args: string[]): Promise<string> {
  return runProgram(join(PROJECT, 'scripts/serve.ts'), args, { env })
}

/** Sends messages to oneself until told to stop; returns the texts that were acknowledged. */
function senderOf(client: ApiClient, id: number): { stop(): Promise<string[]>; readonly sent: string[] } {
  const sent: string[] = []
  let isOver = false
  const sending = (async () => {
    for (let count = 0; !isOver; count += 1) {
      const content = `text ${count}`
      try {
        await client.call('POST', '/messages', { type: 'direct', to: [id], content })
        sent.push(content)
      } catch {
        // The server is gone.
      }
    }
  })()
  return {
    sent,
    async stop() {
      isOver = true
      await sending
      return sent
    },
  }
}

async function textsOf(client: ApiClient): Promise<string[]> {
  const { messages } = await client.call<{ messages: Json[] }>('GET', '/messages', {
    ...{ anchor: 'newest', num_before: 5_000, num_after: 0, apply_markdown: false },
    narrow: [{ operator: 'is', operand: 'dm' }],
  })
  return messages.map(({ content }) => String(content)).filter((content) => content.startsWith('text '))
}

async function idOf(client: ApiClient): Promise<number> {
  return (await client.call<{ user_id: number }>('GET', '/users/me')).user_id
}

describe('a server on one’s own machine', () => {
  it('is the deployed one, founded by a printed link', { timeout: MINUTES }, async () => {
    const server = await served(newFolder())
    const owner = await founded(server)
    expect(await owner.call('GET', '/users/me')).toMatchObject({ is_owner: true })
    for (const path of ['/api/v1/dev_list_users', '/dev/emails', '/dev/rows']) {
      expect((await fetch(`${server.url}${path}`)).status).toBe(404)
    }
  })

  it('counts a client by the last address that no trusted proxy has', { timeout: MINUTES }, async () => {
    const limited = { RATE_LIMIT_API_BY_IP: '2/600', TRUSTED_PROXIES: '10.0.0.0/8' }
    const server = await served(newFolder(), limited)
    await founded(server)
    const { url } = server
    const ask = async (forwarded: string) => {
      const headers = { 'X-Forwarded-For': forwarded, 'CF-Connecting-IP': '192.0.2.77' }
      return (await fetch(`${url}/api/v1/messages?anchor=newest&num_before=1&num_after=0`, { headers }))
        .status
    }
    const statuses: number[] = []
    for (const forwarded of ['192.0.2.1', '192.0.2.9, 192.0.2.1', '192.0.2.8, 192.0.2.1, 10.1.2.3']) {
      statuses.push(await ask(forwarded))
    }
    expect(await ask('192.0.2.1, 192.0.2.2')).not.toBe(429)
    expect(statuses.slice(0, 2)).not.toContain(429)
    expect(statuses[2]).toBe(429)
  })

  it('answers held polls when it is stopped, and exits with 0', { timeout: MINUTES }, async () => {
    const stateDir = newFolder()
    const server = await served(stateDir)
    const owner = await founded(server)
    const { queue_id } = await owner.call<{ queue_id: string }>('POST', '/register', {})
    const poll = owner.call<{ events: Json[] }>('GET', '/events', { queue_id, last_event_id: -1 })
    await new Promise((done) => setTimeout(done, 500))
    expect(await stopped(running.pop()!)).toBe(0)
    expect((await poll).events).toMatchObject([{ type: 'heartbeat' }])
    expect(existsSync(join(stateDir, 'server.json'))).toBe(false)
  })

  it('loses no acknowledged message when all of it is killed', { timeout: MINUTES }, async () => {
    const stateDir = newFolder()
    const server = await served(stateDir)
    const owner = await founded(server)
    const sender = senderOf(owner, await idOf(owner))
    await new Promise((done) => setTimeout(done, 1_500))
    const { pid, runtimePid } = (await findRunningServer(stateDir))!
    process.kill(pid, 'SIGKILL')
    process.kill(runtimePid, 'SIGKILL')
    await running.pop()!.ended
    const acknowledged = await sender.stop()
    expect(acknowledged.length).toBeGreaterThan(10)
    const again = await loggedIn((await served(stateDir)).url)
    expect(await textsOf(again)).toEqual(expect.arrayContaining(acknowledged))
  })
})

describe('npm run serve -- --backup', () => {
  it('copies one moment while people write, and --restore brings it back', { timeout: MINUTES }, async () => {
    const stateDir = newFolder()
    const server = await served(stateDir, { RATE_LIMITS: 'off' })
    const owner = await founded(server)
    const sender = senderOf(owner, await idOf(owner))
    await new Promise((done) => setTimeout(done, 1_000))
    const before = [...sender.sent]
    const copy = join(newFolder(), 'copy')
    expect(await command(server.env, '--backup', copy)).toMatch(/the server stood still for \d+ ms/)
    const during = sender.sent.length
    await new Promise((done) => setTimeout(done, 500))
    const after = await sender.stop()
    expect(after.length).toBeGreaterThan(during)
    await stopped(running.pop()!)

    expect(await command(server.env, '--restore', copy)).toContain('What was there is in')
    const restored = await loggedIn((await served(stateDir)).url)
    const texts = await textsOf(restored)
    expect(texts).toEqual(expect.arrayContaining(before))
    expect(texts).not.toContain(after.at(-1))
    expect(await restored.call('POST', '/realm/verify', {})).toMatchObject({ findings: [] })
  })

  it('takes no folder that is there, and --restore none that is no copy', {
    timeout: MINUTES,
  }, async () => {
    const server = await served(newFolder())
    await expect(command(server.env, '--backup', tmpdir())).rejects.toThrow('exists already')
    await stopped(running.pop()!)
    await expect(command(server.env, '--restore', newFolder())).rejects.toThrow('is no whole copy of a state')
  })

  it('never restores below a running server', { timeout: MINUTES }, async () => {
    const { env } = await served(newFolder())
    await expect(command(env, '--restore', newFolder())).rejects.toThrow('Stop that one first')
  })
})

describe('the state of another version', () => {
  it('is refused if it is older, until --upgrade has copied it', { timeout: MINUTES }, async () => {
    const { stateDir, state } = unpackKeptState('step-10.br')
    folders.push(stateDir)
    const env = { STATE_DIR: stateDir, PORT: String(await freePort()) }
    await expect(command(env)).rejects.toThrow('--upgrade brings it here')
    await expect(command(env, '--check')).rejects.toThrow('WRONG  version of the state')
    expect(await command(env, '--upgrade')).toMatch(/From schema 10\.\d+ to schema [\s\S]*Upgraded/)
    const { url } = await served(stateDir)
    const owner = await loggedIn(url, String(state.facts.owner), String(state.facts.password))
    const { id } = await owner.call<{ id: number }>('POST', '/messages', {
      ...{ type: 'direct', to: [state.facts.ownerId!], content: 'after the upgrade' },
    })
    expect(id).toBeGreaterThan(0)
  })

  it('is refused if it is newer, and --downgrade says what a copy lacks', { timeout: MINUTES }, async () => {
    const stateDir = newFolder()
    const server = await served(stateDir)
    await founded(server)
    await stopped(running.pop()!)
    await command(server.env, '--backup')
    const again = await served(stateDir)
    const owner = await loggedIn(again.url)
    await owner.call('POST', '/messages', { type: 'direct', to: [await idOf(owner)], content: 'text 1' })
    await stopped(running.pop()!)
    makeNewer(stateDir)

    await expect(command(again.env)).rejects.toThrow('go back to a copy with --downgrade')
    await expect(command(again.env, '--downgrade')).rejects.toThrow('Add --yes to go back')
    expect(await command(again.env, '--downgrade', '--yes')).toContain('has 1 messages more')
    const { url } = await served(stateDir)
    expect(await textsOf(await loggedIn(url))).toEqual([])
  })
})

/** Gives the objects a step that this build does not know. */
function makeNewer(stateDir: string): void {
  for (const file of listObjects(stateDir)) {
    const database = new DatabaseSync(file)
    database.exec(`INSERT INTO schema_step SELECT max(version) + 1, 'later', '0' FROM schema_step`)
    database.close()
  }
}

describe('npm run release', () => {
  it('makes a folder that serves without this project and anything installed', {
    timeout: MINUTES,
  }, async () => {
    const folder = join(newFolder(), 'release')
    await runProgram(join(PROJECT, 'scripts/release.ts'), [folder])
    const moved = join(newFolder(), 'elsewhere')
    cpSync(folder, moved, { recursive: true })
    rmSync(folder, { recursive: true })
    const env = { ...process.env, STATE_DIR: newFolder(), PORT: String(await freePort()), FIRST_HOST: HOST }
    const program = spawn(join(moved, 'parley'), [], { cwd: '/', env })
    try {
      for await (const line of createInterface({ input: program.stdout })) if (line.includes('/setup/')) break
      const answer = await fetch(`http://127.0.0.1:${env.PORT}/health`)
      expect(answer.status).toBe(200)
    } finally {
      program.kill('SIGTERM')
    }
    expect(await new Promise((ended) => program.once('exit', ended))).toBe(0)
    expect(readdirSync(join(moved, 'node_modules'))).not.toContain('wrangler')
  })
})
