import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import {
  DEMO_ORGANIZATION,
  DEMO_OWNER,
  DEMO_PASSWORD,
  fillDemoOrganization,
} from '../../scripts/demo-organization.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { createOrganization } from '../../scripts/organizations.ts'
import { countFindings } from '../../scripts/verify.ts'
import { readJson } from '../support/json.ts'

const MINUTES = 5 * 60_000

let server: LocalServer
let people: readonly ApiClient[]
beforeAll(async () => {
  server = await startLocalServer({ vars: { RATE_LIMITS: 'off' } })
  const database = await server.runtime.getD1Database('DB')
  const created = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: DEMO_ORGANIZATION,
    host: 'localhost',
    owner: { ...DEMO_OWNER, password: DEMO_PASSWORD },
  })
  await fillDemoOrganization(server.url, created)
  const listed = await fetch(`${server.url}/api/v1/dev_list_users`)
  const { direct_admins, direct_users } =
    await readJson<Record<'direct_admins' | 'direct_users', { email: string }[]>>(listed)
  people = await Promise.all(
    [...direct_admins, ...direct_users].map(async ({ email }) => {
      const body = new URLSearchParams({ username: email })
      const key = await fetch(`${server.url}/api/v1/dev_fetch_api_key`, { method: 'POST', body })
      return new ApiClient(server.url, { email, ...(await readJson<{ api_key: string }>(key)) })
    }),
  )
}, MINUTES)
afterAll(() => server.stop())

interface Backups {
  readonly backups: readonly { readonly id: number; readonly stage: string | null }[]
  readonly restore: { readonly outcome: string | null } | null
}

const backups = () => people[0]!.call<Backups>('GET', '/backups')

/** Waits until something is over; while an organization is closed nobody gets an answer. */
async function until(isOver: () => Promise<boolean>): Promise<void> {
  while (!(await isOver().catch(() => false))) await setTimeout(200)
}

/** What each person sees of the organization and of the newest messages, and the digest of all that there is. */
async function seen() {
  const newest = { anchor: 'newest', num_before: 1_000, num_after: 0, apply_markdown: true }
  const views = []
  for (const person of people) {
    const { sections } = await person.call<{ sections: object }>('GET', '/realm/digest')
    const { messages } = await person.call<{ messages: object[] }>('GET', '/messages', newest)
    views.push({ sections, messages: messages.map((message) => ({ ...message, avatar_url: undefined })) })
  }
  return views
}

it('a backup of the demo restores it for each of its people', { timeout: MINUTES }, async () => {
  const [owner, second, third] = people
  const before = await seen()
  expect(before.length).toBeGreaterThan(8)
  expect(before[0]!.messages.length).toBeGreaterThan(500)
  const { id } = await owner!.call<{ id: number }>('POST', '/backups')
  await until(async () => (await backups()).backups[0]!.stage === null)

  for (const person of [owner!, second!, third!])
    await person.call('POST', '/messages', { type: 'channel', to: 'general', topic: 'since', content: 'new' })
  const { streams } = await owner!.call<{ streams: { stream_id: number }[] }>('GET', '/streams')
  for (const { stream_id } of streams.slice(0, 3)) await owner!.call('DELETE', `/streams/${stream_id}`)
  const { members } = await owner!.call<{ members: { user_id: number; role: number }[] }>('GET', '/users')
  for (const { user_id } of members.filter(({ role }) => role === 400).slice(0, 2))
    await owner!.call('DELETE', `/users/${user_id}`)

  await owner!.call('POST', `/backups/${id}/restore`)
  await until(async () => (await backups()).restore?.outcome === 'restored')
  const after = await seen()
  for (const [at, view] of after.entries()) {
    expect(view.sections).toEqual(before[at]!.sections)
    expect(JSON.stringify(view.messages) === JSON.stringify(before[at]!.messages)).toBe(true)
  }
  const database = await server.runtime.getD1Database('DB')
  expect(await countFindings(server.url, (sql) => database.prepare(sql).run(), 'localhost')).toBe(0)
})
