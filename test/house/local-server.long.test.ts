import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorker } from '../../scripts/build.ts'
import { type LocalServer, startLocalServer, withLocalD1 } from '../../scripts/local-server.ts'
import { listMigrations } from '../../scripts/migrations.ts'
import {
  type CreatedOrganization,
  createOrganization,
  organizationExists,
} from '../../scripts/organizations.ts'
import { deleteStateDir } from '../../scripts/state-folder.ts'
import { readJson } from '../support/json.ts'
import { getFromHost } from './get-from-host.ts'

const SLOW = 90_000
const owner = { email: 'ann@example.com', full_name: 'Ann', password: 'correct horse' }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function found(server: LocalServer, host: string) {
  const database = await server.runtime.getD1Database('DB')
  return createOrganization(server.url, (sql) => database.prepare(sql).run(), { name: host, host, owner })
}

describe('the local server', () => {
  it('applies every migration once, and keeps its state and files', { timeout: SLOW }, async () => {
    const stateDir = join(folder, 'kept')
    const first = await startLocalServer({ stateDir })
    expect(first.migrations).toEqual(listMigrations())
    expect(await organizationExists(first.url)).toBe(false)
    const { api_key, email } = await found(first, 'localhost')
    const authorization = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` }
    const form = new FormData()
    form.append('file', new File(['kept bytes'], 'kept.txt'))
    const upload = { method: 'POST', headers: authorization, body: form }
    const { url } = await readJson<{
      url: string
    }>(await fetch(`${first.url}/api/v1/user_uploads`, upload))
    await first.stop()

    const second = await startLocalServer({ stateDir })
    expect(second.migrations).toEqual(listMigrations())
    expect(await organizationExists(second.url)).toBe(true)
    expect(await whoAmI(second.url, email, api_key)).toBe(email)
    const file = await fetch(`${second.url}${url}`, { headers: authorization })
    expect(await file.text()).toBe('kept bytes')
    await second.stop()
  })

  it('refuses a folder of another build in a sentence, and leaves it', { timeout: SLOW }, async () => {
    const stateDir = join(folder, 'of-another')
    const server = await startLocalServer({ stateDir })
    const bundle = await buildWorker('local')
    await server.stop()
    const [first] = listMigrations()
    const rename = (from: string, to: string) =>
      withLocalD1(bundle, stateDir, (db) =>
        db.prepare(`UPDATE d1_migrations SET name = ? WHERE name = ?`).bind(to, from).run(),
      )
    await rename(first!, '0001-of-before.sql')
    await expect(startLocalServer({ stateDir })).rejects.toThrow(
      `${stateDir} was made by an earlier Parley, whose data this one cannot read: delete it with \`npm run reset\`.`,
    )
    await rename('0001-of-before.sql', first!)
    const later = `INSERT INTO d1_migrations (name) VALUES ('9999-later.sql')`
    await withLocalD1(bundle, stateDir, (db) => db.prepare(later).run())
    await expect(startLocalServer({ stateDir })).rejects.toThrow(
      `${stateDir} was made by a newer Parley, whose data this one cannot read: start that one, or delete it with \`npm run reset\`.`,
    )
    await withLocalD1(bundle, stateDir, (db) =>
      db.prepare(`DELETE FROM d1_migrations WHERE name = '9999-later.sql'`).run(),
    )
    await (await startLocalServer({ stateDir })).stop()
  })

  it('keeps using all databases for texts that its folder has', { timeout: SLOW }, async () => {
    const stateDir = join(folder, 'texts')
    const first = await startLocalServer({ stateDir })
    const { api_key, email } = await found(first, 'localhost')
    const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` }
    const send = async ({ url }: LocalServer, content: string) => {
      const me = await fetch(`${url}/api/v1/users/me`, { headers })
      const { user_id } = await readJson<{ user_id: number }>(me)
      const body = new URLSearchParams({ type: 'direct', to: JSON.stringify([user_id]), content })
      const sent = await fetch(`${url}/api/v1/messages`, { method: 'POST', headers, body })
      expect(sent.status).toBe(200)
    }
    await send(first, 'before')
    await first.stop()
    const second = await startLocalServer({ stateDir, bodyDatabases: 2 })
    await send(second, 'after')
    const texts = await second.runtime.getD1Database('BODIES_2')
    const there = () => texts.prepare('SELECT content FROM message_body').all<{ content: string }>()
    await expect.poll(async () => (await there()).results).toEqual([{ content: 'after' }])
    await second.stop()
    const third = await startLocalServer({ stateDir })
    const asked = '/api/v1/messages?anchor=newest&num_before=2&num_after=0&apply_markdown=false'
    const answer = await fetch(`${third.url}${asked}`, { headers })
    const { messages } = await readJson<{ messages: { content: string }[] }>(answer)
    expect(messages.map(({ content }) => content)).toEqual(['before', 'after'])
    await third.stop()
  })

  it('restarts on the same port and state when its process is killed', { timeout: SLOW }, async () => {
    const server = await startLocalServer()
    const { api_key, email } = await found(server, 'localhost')
    const before = server.runtimePid()
    process.kill(before, 'SIGKILL')
    await expect.poll(() => server.runtimePid(), { timeout: 5000 }).not.toBe(before)
    await expect.poll(() => whoAmI(server.url, email, api_key).catch(() => ''), { timeout: 5000 }).toBe(email)
    await server.stop()
  })

  it('separates organizations by host name', { timeout: SLOW }, async () => {
    const server = await startLocalServer()
    const one = await found(server, 'localhost')
    const other = await found(server, 'acme.localhost')
    expect(other.realm_id).not.toBe(one.realm_id)
    const me = (host: string, { email, api_key }: CreatedOrganization) =>
      getFromHost(server.url, host, '/api/v1/users/me', `${email}:${api_key}`)
    expect(await me('localhost', one)).toMatchObject({ status: 200, body: { full_name: 'Ann' } })
    expect(await me('acme.localhost', other)).toMatchObject({ status: 200, body: { full_name: 'Ann' } })
    expect(await me('acme.localhost', one)).toMatchObject({ status: 401 })
    expect(await isFounded(server, 'nobody.localhost')).toBe(false)
    await server.stop()
  })

  it('accepts a ticket once', { timeout: SLOW }, async () => {
    const server = await startLocalServer()
    const database = await server.runtime.getD1Database('DB')
    let statement = ''
    const remember = (sql: string) => {
      statement = sql
      return database.prepare(sql).run()
    }
    await createOrganization(server.url, remember, { name: 'A', host: 'a.localhost', owner })
    expect(statement).toMatch(/^INSERT INTO organization_ticket/)
    const left = await database.prepare('SELECT count(*) AS n FROM organization_ticket').first('n')
    expect(left).toBe(0)
    const withoutTicket = createOrganization(server.url, async () => {}, {
      name: 'B',
      host: 'b.localhost',
      owner,
    })
    await expect(withoutTicket).rejects.toThrow('/setup/organizations answered 4')
    expect(await isFounded(server, 'a.localhost')).toBe(true)
    expect(await isFounded(server, 'b.localhost')).toBe(false)
    await server.stop()
  })

  it('reports when the port is in use', { timeout: SLOW }, async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => blocker.once('listening', done))
    const address = blocker.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await expect(startLocalServer({ port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken.`)
    blocker.close()
  })

  it('does not touch a folder with other contents', async () => {
    await expect(startLocalServer({ stateDir: import.meta.dirname })).rejects.toThrow('something other than')
    await expect(deleteStateDir(import.meta.dirname)).rejects.toThrow('so it was left alone')
  })
})

async function isFounded(server: LocalServer, host: string): Promise<boolean> {
  return (await getFromHost(server.url, host, '/api/v1/server_settings')).status === 200
}

async function whoAmI(url: string, email: string, apiKey: string): Promise<string> {
  const authorization = `Basic ${btoa(`${email}:${apiKey}`)}`
  const response = await fetch(`${url}/api/v1/users/me`, { headers: { authorization } })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await readJson<{ email: string }>(response)).email
}
