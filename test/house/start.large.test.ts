import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { fromJson } from '../support/json.ts'
import { getFromHost } from './get-from-host.ts'
import { keyOf, type Running, start } from './started.ts'

const SLOW = 180_000
/** The exit code of a program that SIGTERM has ended. */
const TERMINATED = 143

describe('scripts/run.mjs', () => {
  it('runs with the project’s Node, passing on arguments and exit code', {
    timeout: SLOW,
  }, async () => {
    const code = 'console.log(process.version, JSON.stringify(process.argv.slice(1))); process.exit(7)'
    const { ended } = start(['node', '-e', code, 'two words', '--flag'])
    const wanted = fromJson(readFileSync(join(PROJECT, 'node_modules/node/package.json'), 'utf8')).version
    expect(await ended).toEqual({ code: 7, output: `v${wanted} ["two words","--flag"]\n` })
  })

  it('passes on signals to end', { timeout: SLOW }, async () => {
    const code =
      "process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000); console.log('up')"
    const { child, saw, ended } = start(['node', '-e', code])
    await saw(/up/)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(3)
  })
})

function postForm(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

describe('npm start', () => {
  let env: { STATE_DIR: string; PORT: string }
  let server: Running & { readonly url: string }
  const owner = { full_name: 'Ann Boss', email: 'ann@example.com', password: 'correct horse' }

  beforeAll(async () => {
    env = { STATE_DIR: mkdtempSync(join(tmpdir(), 'parley-test-')), PORT: '0' }
    server = await startEmpty()
  }, SLOW)
  afterAll(async () => {
    server.child.kill('SIGTERM')
    await server.ended
    rmSync(env.STATE_DIR, { recursive: true, force: true })
  })

  const startEmpty = async () => {
    const running = start(['scripts/start.ts', '--empty'], env)
    const [, url] = await running.saw(/listens at\s+(\S+)/)
    await running.saw(/Ctrl-C/)
    return { ...running, url: url as string }
  }

  it('with --empty prints a link for one organization', { timeout: SLOW }, async () => {
    const [, link] = await server.saw(/Begin\s+(\S+)/)
    expect(await (await fetch(link!)).text()).toContain('Organization name')
    const made = await postForm(link!, { name: 'Acme', ...owner })
    expect([made.status, made.headers.get('location')]).toEqual([302, '/'])
    expect((await postForm(link!, { name: 'Again', ...owner })).status).toBe(404)
    expect(await keyOf(server.url, owner.email)).toMatch(/^\S{20,}$/)
  })

  it('refuses a folder that another server uses', { timeout: SLOW }, async () => {
    const second = await start(['scripts/start.ts', '--empty'], env).ended
    expect(second).toMatchObject({ code: 1, output: expect.stringContaining(`in use by the server at`) })
  })

  it('with --empty resumes after a kill', { timeout: SLOW }, async () => {
    const key = await keyOf(server.url, owner.email)
    const { pid } = fromJson<{ pid: number }>(readFileSync(join(env.STATE_DIR, 'server.json'), 'utf8'))
    process.kill(pid, 'SIGKILL')
    expect((await server.ended).output).toContain('Begin')
    server = await startEmpty()
    expect(await keyOf(server.url, owner.email)).toBe(key)
  })

  it('takes a second organization from create-organization while it runs', { timeout: SLOW }, async () => {
    const options = ['--name', 'Acme', '--host', 'acme.localhost']
    const person = ['--owner-email', 'ann@example.com', '--owner-name', 'Ann']
    const made = await start(['scripts/create-organization.ts', ...options, ...person], env).ended
    expect(made.output).toContain(`at http://acme.localhost:${new URL(server.url).port}`)
    const [, key] = /API key\s+(\S+)/.exec(made.output) ?? []
    const me = await getFromHost(server.url, 'acme.localhost', '/api/v1/users/me', `ann@example.com:${key}`)
    expect(me).toMatchObject({ status: 200, body: { full_name: 'Ann', role: 100 } })
  })

  it('with --empty prints no used link and no formula, and ends on request', {
    timeout: SLOW,
  }, async () => {
    const authorization = `Basic ${btoa(`${owner.email}:${await keyOf(server.url, owner.email)}`)}`
    for (const tex of ['\\message{zqxmarker}', '\\text{\u2e3b}']) {
      const init = { headers: { authorization }, body: new URLSearchParams({ content: `$$${tex}$$` }) }
      const shown = await fetch(`${server.url}/api/v1/messages/render`, { method: 'POST', ...init })
      expect(shown.status).toBe(200)
    }
    server.child.kill('SIGTERM')
    const { code, output } = await server.ended
    expect([code, output.includes('Begin')]).toEqual([TERMINATED, false])
    expect(output).not.toMatch(/zqxmarker|\u2e3b|No character metrics/)
  })

  it('refuses a folder with an organization of another build', { timeout: SLOW }, async () => {
    const objects = join(env.STATE_DIR, 'v3/do/parley-RealmObject')
    const file = readdirSync(objects).find((name) => /^[0-9a-f]+\.sqlite$/.test(name))!
    for (const [change, sentence] of [
      [
        `INSERT INTO schema_step SELECT max(version) + 1, 'next', '' FROM schema_step`,
        'a newer Parley, whose',
      ],
      [`UPDATE schema_step SET digest = 'of before'`, 'an earlier Parley, whose'],
    ] as const) {
      const database = new DatabaseSync(join(objects, file))
      database.exec(change)
      database.close()
      const { code, output } = await start(['scripts/start.ts', '--empty'], env).ended
      expect([code, output.trim().split('\n')]).toEqual([
        1,
        [expect.stringContaining(`was made by ${sentence}`)],
      ])
      expect(output).toContain('`npm run reset`')
    }
    const reset = await start(['scripts/reset.ts'], env).ended
    expect(reset).toEqual({ code: 0, output: `Deleted ${env.STATE_DIR}\n` })
  })
})
