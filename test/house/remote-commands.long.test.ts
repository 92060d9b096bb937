import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startLocalServer } from '../../scripts/local-server.ts'
import { PROJECT, runProgram } from '../../scripts/project.ts'
import { readJson } from '../support/json.ts'
import { getFromHost, textFromHost } from './get-from-host.ts'
import { inAccount, openStandInAccount } from './stand-in-account.ts'

const SLOW = 300_000

describe('npm run create-organization -- --remote', () => {
  it('writes the ticket to the account’s D1, and creates the organization with it', {
    timeout: SLOW,
  }, async () => {
    const server = await startLocalServer({ entry: 'deployed' })
    const database = await server.runtime.getD1Database('DB')
    const account = await openStandInAccount((sql) => database.prepare(sql).run())
    const output = await runProgram(
      join(PROJECT, 'scripts/create-organization.ts'),
      [
        ...['--remote', '--url', server.url, '--name', 'Acme', '--host', 'localhost'],
        ...['--owner-email', 'ann@example.com', '--owner-name', 'Ann', '--password', 'correct horse'],
      ],
      { env: inAccount(account) },
    )
    expect(output).toContain('Acme is organization 1, at https://localhost')
    const body = new URLSearchParams({ username: 'ann@example.com', password: 'correct horse' })
    const login = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body })
    const { api_key } = await readJson<{ api_key: string }>(login)
    expect(output).toContain(api_key)
    account.stop()
    await server.stop()
  })
})

describe('npm run owner-link -- --remote', () => {
  it('prints a link that the deployed server accepts, for the owner alone', {
    timeout: 3 * SLOW,
  }, async () => {
    const server = await startLocalServer({ entry: 'deployed' })
    const database = await server.runtime.getD1Database('DB')
    const account = await openStandInAccount((sql) => database.prepare(sql).run())
    const run = (program: string, ...args: string[]) =>
      runProgram(join(PROJECT, `scripts/${program}.ts`), ['--remote', '--url', server.url, ...args], {
        env: inAccount(account),
      })
    await run(
      'create-organization',
      ...['--name', 'Acme', '--host', 'acme.example.com', '--owner-email', 'ann@example.com'],
      ...['--owner-name', 'Ann', '--password', 'correct horse'],
    )
    const output = await run('owner-link', '--host', 'acme.example.com', '--email', 'ann@example.com')
    const { pathname, search } = new URL(/http\S+\/accounts\/owner-link\/\S+/.exec(output)![0])
    const shown = (query: string) => textFromHost(server.url, 'acme.example.com', `${pathname}${query}`)
    expect((await shown(search)).text).toContain('This link logs you in as ann@example.com, once.')
    expect((await shown('?email=bob%40example.com')).text).toContain('This link has expired')
    account.stop()
    await server.stop()
  })
})

describe('npm run verify -- --remote', () => {
  it('prints the findings of the deployed server, which accepts a ticket in the account’s D1', {
    timeout: SLOW,
  }, async () => {
    const server = await startLocalServer({ entry: 'deployed' })
    const database = await server.runtime.getD1Database('DB')
    const asked: string[] = []
    const account = await openStandInAccount((sql) => {
      asked.push(sql)
      return database.prepare(sql).run()
    })
    const run = (program: string, args: string[], env = inAccount(account)) =>
      runProgram(join(PROJECT, `scripts/${program}.ts`), ['--remote', '--url', server.url, ...args], { env })
    const created = await run('create-organization', [
      ...['--name', 'Acme', '--host', 'acme.example.com', '--owner-email', 'ann@example.com'],
      ...['--owner-name', 'Ann', '--password', 'correct horse'],
    ])
    const verify = (...args: string[]) => run('verify', ['--host', 'acme.example.com', ...args])
    const tickets = async () => (await database.prepare('SELECT host FROM organization_ticket').all()).results

    const credentials = `ann@example.com:${/\b[A-Za-z0-9]{32}\b/.exec(created)![0]}`
    const ask = (path: string, form?: URLSearchParams) =>
      getFromHost(server.url, 'acme.example.com', `/api/v1${path}`, credentials, form)
    const { user_id } = (await ask('/users/me')).body
    const note = new URLSearchParams({ type: 'direct', to: `[${user_id}]`, content: 'a note' })
    const { id } = (await ask('/messages', note)).body
    expect(await verify()).toMatch(/^acme\.example\.com: nothing found$/m)
    expect(await tickets()).toEqual([])
    await database.prepare(`DELETE FROM message_search WHERE rowid = (1 << 32) + ${id}`).run()
    const found = await verify().catch((error: unknown) => String((error as { output?: string }).output))
    expect(found).toMatch(/^search: message \d+ it is not found by its text$\n.*: 2 found, 0 repaired$/m)
    expect(await verify('--repair')).toMatch(/ \(repaired\)$/m)
    expect(await verify()).toContain('nothing found')

    asked.length = 0
    const stranger = { ...inAccount(account), CLOUDFLARE_API_TOKEN: 'another' }
    await expect(run('verify', ['--host', 'acme.example.com'], stranger)).rejects.toThrow()
    expect(asked).toEqual([])
    account.stop()
    await server.stop()
  })
})
