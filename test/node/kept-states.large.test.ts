import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Response } from 'miniflare'
import { afterAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { SCHEMA_STEPS } from '../../src/store/schema/schema.ts'
import type { Json } from '../support/json.ts'
import { KEPT_STATES, unpackKeptState } from '../support/kept-states.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function unpack(name: string): ReturnType<typeof unpackKeptState> {
  const unpacked = unpackKeptState(name)
  folders.push(unpacked.stateDir)
  return unpacked
}

const open = (stateDir: string): Promise<LocalServer> =>
  startLocalServer({
    stateDir,
    vars: { RATE_LIMITS: 'off', LOG: 'troubles', EMAIL_DOMAIN: 'mail.localhost' },
    web: () => new Response('', { status: 500 }),
  })

/** Numbers of rows by table, of the object's database. */
function rowsIn(stateDir: string): Record<string, number> {
  const name = readdirSync(stateDir, { recursive: true, encoding: 'utf8' }).find((file) =>
    /\/do\/.*-RealmObject\/[0-9a-f]{40,}\.sqlite$/.test(`/${file}`),
  )!
  const database = new DatabaseSync(join(stateDir, name), { readOnly: true })
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
  const counts = tables.map(({ name: table }) => {
    const { count } = database.prepare(`SELECT count(*) AS count FROM "${String(table)}"`).get()!
    return [String(table), Number(count)] as const
  })
  database.close()
  return Object.fromEntries(counts)
}

/** Returns what the comparison of all stores finds. */
async function findingsOf(owner: ApiClient): Promise<Json[]> {
  const found: Json[] = []
  let after: string | null = null
  do {
    const answer: { findings: Json[]; next: string | null } = await owner.call('POST', '/realm/verify', {
      ...(after === null ? {} : { after }),
    })
    found.push(...answer.findings)
    after = answer.next
  } while (after !== null)
  return found
}

/** Tables whose rows end by themselves, sooner or later, or are written anew when an object wakes. */
const PASSING = new RegExp(
  `^(?:_cf_.*|sqlite_.*|${[
    ...['job', 'queue', 'log', 'read_block', 'presence_block', 'quota_use', 'scheduled_message', 'reminder'],
    ...['webhook_call', 'webhook_delivery', 'incoming_delivery', 'preview_request', 'email', 'file_removal'],
    ...['missed_mail', 'missed_wave', 'digest', 'mail_request', 'login_failure', 'browser_session'],
    ...[
      'pending_api_key',
      'confirmation',
      'invitation',
      'invitation_link',
      'first_answer',
      'first_answer_total',
    ],
    ...['resumable_upload', 'resumable_upload_chunk', 'import_upload', 'realm_export'],
    ...['attachment', 'unclaimed_attachment', 'user_status'],
  ].join('|')})$`,
)

describe('the state of an earlier build', () => {
  it('is kept for the first step', () => {
    expect(KEPT_STATES).toContain('step-1.br')
  })

  it.each(KEPT_STATES)(
    '%s is opened, upgraded, read and written',
    async (name) => {
      const { stateDir, state } = unpack(name)
      const { facts, rows } = state
      let server = await open(stateDir)
      try {
        const owner = await new ApiClient(server.url).logIn(String(facts.owner))
        const member = await new ApiClient(server.url).logIn(String(facts.member))
        const page = async (by: ApiClient, channel: unknown) => {
          const params = { anchor: 'oldest', num_before: 0, num_after: 200, apply_markdown: false }
          const narrow = [{ operator: 'channel', operand: channel as number }]
          const { messages } = await by.call<{ messages: Json[] }>('GET', '/messages', { ...params, narrow })
          return messages.map(({ id, content }) => [id, content])
        }
        expect(await page(member, facts.boats)).toEqual(
          expect.arrayContaining([
            [facts.first, expect.stringContaining('plan')],
            [facts.edited, 'broken'],
          ]),
        )
        expect(await page(owner, facts.board)).toContainEqual([facts.secret, 'between us'])
        const demo = await owner.call<{ messages: Json[] }>('GET', '/messages', {
          ...{ anchor: 'newest', num_before: 1_000, num_after: 0 },
          narrow: [{ operator: 'search', operand: 'window' }],
        })
        expect(demo.messages.length).toBeGreaterThan(5)
        const { url } = await member.call<{ url: string }>('GET', String(facts.file))
        const file = await fetch(`${server.url}${url}`)
        expect(await file.text()).toBe('the plan')
        const key = await fetch(`${server.url}/api/v1/fetch_api_key`, {
          method: 'POST',
          body: new URLSearchParams({ username: String(facts.owner), password: String(facts.password) }),
        })
        expect(key.status).toBe(200)
        const { id } = await member.call<{ id: number }>('POST', '/messages', {
          ...{ type: 'channel', to: facts.boats!, topic: 'engine', content: 'in the new build' },
        })
        await owner.call('POST', `/messages/${id}/reactions`, { emoji_name: 'octo' })
        await member.call('PATCH', `/messages/${id}`, { content: 'edited in the new build' })
        await server.stop()
        server = await open(stateDir)
        const later = await new ApiClient(server.url).logIn(String(facts.member))
        expect(await page(later, facts.boats)).toEqual(
          expect.arrayContaining([
            [id, 'edited in the new build'],
            [facts.first, expect.stringContaining('plan')],
          ]),
        )
        const checker = await new ApiClient(server.url).logIn(String(facts.owner))
        expect(await findingsOf(checker)).toEqual([])
      } finally {
        await server.stop()
      }
      const now = rowsIn(stateDir)
      expect(now['schema_step']).toBe(SCHEMA_STEPS.length)
      const fewer = Object.entries(rows.object).filter(
        ([table, count]) => !PASSING.test(table) && (now[table] ?? 0) < count,
      )
      expect(fewer).toEqual([])
    },
    300_000,
  )
})
