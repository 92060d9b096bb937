import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import {
  DEMO_ORGANIZATION,
  DEMO_OWNER,
  DEMO_PASSWORD,
  fillDemoOrganization,
} from '../../scripts/demo-organization.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { createOrganization } from '../../scripts/organizations.ts'

interface Snapshot {
  readonly subscriptions: readonly { stream_weekly_traffic: number | null; date_created: number }[]
  readonly realm_users: readonly { full_name: string; avatar_url: string; role: number; is_bot: boolean }[]
  readonly presences: Readonly<Record<string, unknown>>
  readonly user_status: Readonly<Record<string, unknown>>
  readonly realm_icon_url: string
  readonly unread_msgs: { readonly count: number }
}

let server: LocalServer
let snapshot: Snapshot
beforeAll(async () => {
  server = await startLocalServer({ vars: { RATE_LIMITS: 'off' } })
  const database = await server.runtime.getD1Database('DB')
  const created = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: DEMO_ORGANIZATION,
    host: 'localhost',
    owner: { ...DEMO_OWNER, password: DEMO_PASSWORD },
  })
  await fillDemoOrganization(server.url, created)
  const owner = new ApiClient(server.url, created)
  snapshot = await owner.call<Snapshot>('POST', '/register')
}, 120_000)
afterAll(() => server.stop())

describe('the demo organization', () => {
  it('has people of every role, and a bot', () => {
    const people = snapshot.realm_users.filter(({ is_bot }) => !is_bot)
    expect(new Set(people.map(({ role }) => role))).toEqual(new Set([100, 200, 300, 400, 600]))
    expect(people.filter(({ role }) => role === 400).length).toBeGreaterThanOrEqual(4)
    expect(snapshot.realm_users.filter(({ is_bot }) => is_bot)).toHaveLength(1)
  })

  it('shows a picture of everybody, from its own server', async () => {
    const addresses = [...snapshot.realm_users.map(({ avatar_url }) => avatar_url), snapshot.realm_icon_url]
    for (const address of addresses) {
      const url = new URL(address, server.url)
      expect(url.origin).toBe(server.url)
      const response = await fetch(url)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
      await response.arrayBuffer()
    }
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  it('has people with statuses, and channels with age and traffic', () => {
    expect(Object.keys(snapshot.presences).length).toBeGreaterThanOrEqual(6)
    expect(Object.keys(snapshot.user_status).length).toBeGreaterThanOrEqual(3)
    const busy = snapshot.subscriptions.filter(
      ({ stream_weekly_traffic }) => (stream_weekly_traffic ?? 0) > 0,
    )
    expect(busy.length).toBeGreaterThanOrEqual(10)
    for (const { stream_weekly_traffic, date_created } of snapshot.subscriptions) {
      expect(stream_weekly_traffic).not.toBeNull()
      expect(date_created).toBeLessThan(Date.now() / 1_000 - 7 * 86_400)
    }
    expect(snapshot.unread_msgs.count).toBeGreaterThan(0)
  })
})
