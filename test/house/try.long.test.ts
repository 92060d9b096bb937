import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { createOrganization, hostInOtherAccount, moveOrganization } from '../../scripts/organizations.ts'
import { PROJECT, runProgram } from '../../scripts/project.ts'
import { readJson } from '../support/json.ts'
import { getFromHost } from './get-from-host.ts'
import { CLAIM_URL, inAccount, openStandInAccount, type StandInAccount } from './stand-in-account.ts'

const SLOW = 300_000

describe('npm run try', () => {
  let server: LocalServer
  let account: StandInAccount
  beforeAll(async () => {
    server = await startLocalServer({ entry: 'deployed', hasBuckets: false })
    const database = await server.runtime.getD1Database('DB')
    // The stand-in keeps no schema of its own: that of the server is there already.
    account = await openStandInAccount(async (sql) => {
      if (sql.includes('organization_ticket') && sql.startsWith('INSERT')) await database.prepare(sql).run()
    })
    account.databases.clear()
  }, SLOW)
  afterAll(async () => {
    account.stop()
    await server.stop()
  })

  const run = (program: string, args: readonly string[], env: Record<string, string>) =>
    runProgram(join(PROJECT, `scripts/${program}.ts`), [...args], { env })

  it('makes nothing before the terms are accepted', { timeout: SLOW }, async () => {
    const nobody = { ...inAccount(account), CLOUDFLARE_API_TOKEN: '', CLOUDFLARE_ACCOUNT_ID: '' }
    await expect(run('try', [], nobody)).rejects.toThrow('Nothing was made.')
    expect(account.changes).toEqual([])
  })

  it('puts the demo online without an account, and prints how to keep it', {
    timeout: 2 * SLOW,
  }, async () => {
    const nobody = { ...inAccount(account), CLOUDFLARE_API_TOKEN: '', CLOUDFLARE_ACCOUNT_ID: '' }
    const output = await run('try', ['--yes', '--url', server.url], nobody)
    expect(output).toContain(CLAIM_URL)
    const [, email, password] = /log in as (\S+) with the password (\S+)/.exec(output)!
    const body = new URLSearchParams({ username: email!, password: password! })
    const login = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body })
    const { api_key } = await readJson<{ api_key: string }>(login)
    const owner = new ApiClient(server.url, { email: email!, api_key })
    const { streams } = await owner.call<{ streams: { name: string }[] }>('GET', '/streams')
    expect(streams.map(({ name }) => name)).toContain('general')
    const { messages } = await owner.call<{ messages: object[] }>('GET', '/messages', {
      ...{ anchor: 'newest', num_before: 1_000, num_after: 0 },
    })
    expect(messages).toHaveLength(1_000)
    expect(account.isTemporary).toBe(true)
  })

  it('moves to the host that the Worker has in the account of whoever claimed it', {
    timeout: SLOW,
  }, async () => {
    const database = await server.runtime.getD1Database('DB')
    const write = (sql: string) => database.prepare(sql).run()
    const [from, to] = ['parley.brief-otter.workers.dev', 'parley.acme.workers.dev']
    const owner = { email: 'ann@example.com', full_name: 'Ann', password: 'correct horse' }
    await createOrganization(server.url, write, { name: 'Acme', host: from, owner })
    const known = ['localhost', 'other.brief-otter.workers.dev', from]
    expect(hostInOtherAccount(to, known)).toBe(from)
    expect([hostInOtherAccount(from, known), hostInOtherAccount('chat.example.com', known)]).toEqual([
      undefined,
      undefined,
    ])
    await moveOrganization(server.url, write, { from, to })
    const settings = async (host: string) =>
      (await getFromHost(server.url, host, '/api/v1/server_settings')).body
    expect(await settings(to)).toMatchObject({ result: 'success', realm_name: 'Acme' })
    expect(await settings(from)).toMatchObject({ msg: 'Invalid subdomain' })
  })

  it('keeps its database when it is claimed and deployed again', {
    timeout: SLOW,
  }, async () => {
    account.isTemporary = false
    account.changes.length = 0
    await run('deploy', ['--yes'], inAccount(account))
    expect(account.changes).not.toContain('POST /d1/database')
    expect(account.changes).toContain('PUT /workers/scripts/parley')
    const bound = (name: string) => account.uploaded!.bindings.find((binding) => binding.name === name)
    expect(bound('DB')?.id).toBe(account.databases.get('parley')!.uuid)
    // A bucket is there now, and files move to it.
    expect([bound('UPLOADS')?.bucket_name, bound('FILES_IN_D1')?.text]).toEqual(['parley-uploads', 'yes'])
  })
})
