import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { fromJson } from '../support/json.ts'
import { getFromHost } from './get-from-host.ts'
import { keyOf, start } from './started.ts'

const SLOW = 180_000

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
  beforeAll(() => {
    env = { STATE_DIR: mkdtempSync(join(tmpdir(), 'parley-test-')), PORT: '0' }
  })
  afterAll(() => rmSync(env.STATE_DIR, { recursive: true, force: true }))

  const startEmpty = async () => {
    const running = start(['scripts/start.ts', '--empty'], env)
    const [, url] = await running.saw(/listens at\s+(\S+)/)
    await running.saw(/Ctrl-C/)
    return { ...running, url: url as string }
  }
  it('with --empty prints a link for one organization, and resumes after a kill', {
    timeout: SLOW,
  }, async () => {
    const first = await startEmpty()
    const [, link] = await first.saw(/Begin\s+(\S+)/)
    expect(await (await fetch(link!)).text()).toContain('Name of the organization')
    const owner = { full_name: 'Ann Boss', email: 'ann@example.com', password: 'correct horse' }
    const made = await postForm(link!, { name: 'Acme', ...owner })
    expect([made.status, made.headers.get('location')]).toEqual([302, '/'])
    expect((await postForm(link!, { name: 'Again', ...owner })).status).toBe(404)
    const key = await keyOf(first.url, owner.email)
    expect(key).toMatch(/^\S{20,}$/)
    const { pid } = fromJson<{ pid: number }>(readFileSync(join(env.STATE_DIR, 'server.json'), 'utf8'))
    process.kill(pid, 'SIGKILL')
    await first.ended
    const second = await startEmpty()
    expect(await keyOf(second.url, owner.email)).toBe(key)
    second.child.kill('SIGTERM')
    expect((await second.ended).output).not.toContain('Begin')
  })

  it('refuses a folder that another server uses', { timeout: SLOW }, async () => {
    const first = await startEmpty()
    const second = await start(['scripts/start.ts', '--empty'], env).ended
    expect(second).toMatchObject({ code: 1, output: expect.stringContaining(`in use by the server at`) })
    first.child.kill('SIGTERM')
    await first.ended
  })

  it('gets a second organization by create-organization while it runs', { timeout: SLOW }, async () => {
    const { child, url, ended } = await startEmpty()
    const options = ['--name', 'Acme', '--host', 'acme.localhost']
    const person = ['--owner-email', 'ann@example.com', '--owner-name', 'Ann']
    const made = await start(['scripts/create-organization.ts', ...options, ...person], env).ended
    expect(made.output).toContain(`at http://acme.localhost:${new URL(url).port}`)
    const [, key] = /API key\s+(\S+)/.exec(made.output) ?? []
    const me = await getFromHost(url, 'acme.localhost', '/api/v1/users/me', `ann@example.com:${key}`)
    expect(me).toMatchObject({ status: 200, body: { full_name: 'Ann', role: 100 } })
    child.kill('SIGTERM')
    await ended
  })
})
