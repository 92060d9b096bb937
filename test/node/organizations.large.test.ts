import { execFileSync } from 'node:child_process'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { PROJECT } from '../../scripts/project.ts'
import { hostOf, type SeededOwner, seedOrganizations } from '../../scripts/seed-organizations.ts'
import { fromJson, type Json } from '../support/json.ts'
import { found } from './found.ts'

let server: LocalServer
let here: CreatedOrganization
let there: CreatedOrganization
beforeAll(async () => {
  server = await startLocalServer()
  here = await found(server, 'here.localhost')
  there = await found(server, 'there.localhost')
})
afterAll(() => server.stop())

type Fields = Record<string, string>

/** A request to one of the hosts, as the account of one of the organizations. */
function ask(method: string, host: string, account: CreatedOrganization, path: string, fields: Fields = {}) {
  const body = new URLSearchParams(fields).toString()
  const headers = {
    host: `${host}:${new URL(server.url).port}`,
    authorization: `Basic ${btoa(`${account.email}:${account.api_key}`)}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
  }
  return new Promise<{ status: number; body: Json }>((resolve, reject) => {
    const asked = request(`${server.url}/api/v1${path}`, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: fromJson(text) }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const send = (host: string, account: CreatedOrganization, content: string) =>
  ask('POST', host, account, '/messages', { type: 'stream', to: 'general', topic: 'x', content })
const register = (host: string, account: CreatedOrganization) => ask('POST', host, account, '/register')
const newest = (host: string, account: CreatedOrganization) =>
  ask('GET', host, account, '/messages?anchor=newest&num_before=50&num_after=0&apply_markdown=false')

describe('two organizations of one deployment', () => {
  it('have their own ids, which may be equal', async () => {
    expect(there.realm_id).not.toBe(here.realm_id)
    expect(there.user_id).toBe(here.user_id)
    const [first, second] = [
      await send('here.localhost', here, 'a'),
      await send('there.localhost', there, 'b'),
    ]
    expect(second.body.id).toBe(first.body.id)
  })

  it('have separate messages, though their ids are equal', async () => {
    const contents = async (host: string, account: CreatedOrganization) =>
      (await newest(host, account)).body.messages.map(({ content }: { content: string }) => content)
    expect(await contents('here.localhost', here)).toContain('a')
    expect(await contents('here.localhost', here)).not.toContain('b')
    expect(await contents('there.localhost', there)).toContain('b')
    expect(await contents('there.localhost', there)).not.toContain('a')
  })

  it('refuse accounts of the other', async () => {
    expect((await newest('there.localhost', here)).status).toBe(401)
    expect((await send('here.localhost', there, 'x')).status).toBe(401)
  })

  it('have separate queues', async () => {
    const { queue_id } = (await register('here.localhost', here)).body
    const poll = `/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`
    await send('there.localhost', there, 'not here')
    expect((await ask('GET', 'here.localhost', here, poll)).body.events).toEqual([])
    expect((await ask('GET', 'there.localhost', there, poll)).body.code).toBe('BAD_EVENT_QUEUE_ID')
  })

  it('show only their own data at registration', async () => {
    const snapshot = (await register('here.localhost', here)).body
    expect(snapshot.realm_name).toBe('here.localhost')
    for (const address of [snapshot.realm_url, ...snapshot.realm_users.map(({ email }: Fields) => email)]) {
      expect(address).not.toContain('there')
    }
    expect(JSON.stringify(snapshot)).not.toContain('there.localhost')
  })
})

describe('organizations that are seeded together', () => {
  const seed = (count: number) =>
    seedOrganizations(
      async (body) => {
        const response = await fetch(`${server.url}/dev/organizations`, {
          method: 'POST',
          body: JSON.stringify(body),
        })
        return response.json()
      },
      count,
      'many.localhost',
      { email: 'owner@example.com', full_name: 'Olive', password: 'a fine password' },
    )

  it('answer each at its own host and key; existing ones are unchanged', async () => {
    const [first, second] = (await seed(2)) as [SeededOwner, SeededOwner]
    expect([first.host, second.host]).toEqual([hostOf('many.localhost', 1), 'many-2.localhost'])
    const asFirst = first.account as CreatedOrganization
    expect((await send(first.host, asFirst, 'mine')).status).toBe(200)
    expect((await send(second.host, asFirst, 'not mine')).status).toBe(401)
    expect((await seed(3)).map(({ account }) => account !== null)).toEqual([false, false, true])
    expect((await newest(first.host, asFirst)).body.messages.at(-1).content).toBe('mine')
  })
})

describe('npm run organizations', () => {
  const list = (...options: string[]) =>
    execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/list-organizations.ts', ...options], {
      cwd: PROJECT,
      env: { ...process.env, STATE_DIR: server.stateDir },
      encoding: 'utf8',
    })

  it('lists them from D1, while the server runs, as JSON or a table', async () => {
    const organizations = fromJson<Json[]>(list('--json', '--sort=-host'))
    const hosts = organizations.map(({ host }) => host)
    expect(hosts).toEqual(hosts.toSorted().toReversed())
    expect(organizations).toContainEqual(
      expect.objectContaining({ host: 'here.localhost', name: 'here.localhost', people: 1, owners: 1 }),
    )
    const [head, ...lines] = list().trim().split('\n')
    expect(head).toMatch(
      /^host +name +founded +people +active +guests +owners +bots +last activity +texts +place$/,
    )
    expect(lines).toHaveLength(organizations.length)
    expect(lines.find((line) => line.startsWith('here.localhost'))).toMatch(
      / \d{4}-\d\d-\d\d +1 +0 +0 +1 +0 /,
    )
    expect(() => list('--sort=secret')).toThrow(/--sort COLUMN/)
  })
})
