import { beforeEach, expect, it, vi } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import type { Rows } from '../support/counted-rows.ts'
import { keepAlarmsAway } from '../support/exports.ts'
import { expectSuccess, type TestRealm } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { openQueue, type TestEvent } from '../support/queues.ts'
import { rowsOfTransactions } from '../support/rows-of-transactions.ts'
import { buildRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'
import { expectKept } from './expect-kept.ts'
import { LARGE_CHANGES, type LargeChange } from './large-changes.ts'
import { LARGE_LISTS } from './large-lists.ts'
import { LARGE_ROWS, type LargeRows } from './large-rows.ts'
import { openClients } from './watching-clients.ts'

/*
 * Every change that takes more than one commit (docs/reliability.md#changes-of-several-commits), made three times in organizations that are
 * alike: whole, cut by a crash after its first commit, and after a later one. Nobody asks again; state and events must be the same, and each
 * commit small. A client that applies the events has what a new registration gets.
 */

/** What is not the state of the organization, or differs by name and time alone. */
const OTHER_TABLES =
  /^(log|job|queue|meta|first_answer.*|schema_step|client|known_program|tail_block|email|sqlite_.*|_cf_.*)$/
const OTHER_COLUMNS =
  /(_at|_event|_key|email|full_name|hash|uuid|seq|secret|bytes|name)$|^(at|since|details|entries|value)$/

/** Returns the rows of all tables. */
function stateOf(realm: TestRealm): Promise<Record<string, string[]>> {
  return inRealm(realm, ({ parts: { sql } }) => {
    const tables = sql.values<string>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    return Object.fromEntries(
      tables
        .filter((table) => !OTHER_TABLES.test(table))
        .map((table) => [
          table,
          sql
            .all<Record<string, unknown>>(`SELECT * FROM ${table}`)
            .map((row) =>
              JSON.stringify(
                Object.entries(row).filter(([column]) => !OTHER_COLUMNS.test(column)),
                (_, value) => (value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value),
              ),
            )
            .sort(),
        ]),
    )
  })
}

/** Returns an event without its id, times and what the organization is called. */
function told({ id: _, ...event }: TestEvent, { host }: TestRealm): string {
  return JSON.stringify(event)
    .replaceAll(host, 'HOST')
    .replaceAll(host.split('.')[0]!, 'HOST')
    .replaceAll(/Person \d+/g, 'Person')
    .replaceAll(/person-\d+/g, 'person')
    .replaceAll(/"(\w*timestamp|date_\w+|last_updated|avatar_url)":("[^"]*"|[\d.]+)/g, '"$1":0')
}

/** Makes the change of a case. `cutAfter`: the number of its commits after which the object is stopped. */
async function make(one: LargeChange, cutAfter?: number) {
  const alike = await buildRealm(
    { ann: 'member', ben: 'member', guest: 'guest', zoe: 'member' },
    {
      channels: {
        from: ['owner', 'ann', 'ben', 'guest', 'zoe'],
        to: { subscribers: ['owner', 'ann'], invite_only: true, history_public_to_subscribers: false },
      },
    },
  )
  const { realm, owner, ann, ben, guest } = alike
  const ask = await one(alike)
  const queues = []
  for (const user of [owner, ann, ben, guest]) queues.push(await openQueue(user, { fetch_event_types: [] }))
  const clients = await openClients([owner, ann, ben, guest])
  let commits = 0
  world.stopsAt = (point) => {
    if (point === 'committed') commits += 1
    return point === 'committed' && commits === cutAfter
  }
  let inRequest = 0
  const change = async () => {
    const answer = await ask()
    inRequest = commits
    // A stop after the last commit of a request may let its answer pass.
    if (cutAfter === undefined || cutAfter > inRequest) expectSuccess(answer)
    // Nobody asks again. The object may be stopped within an alarm.
    for (let run = 0; run < 8; run += 1) await runAlarms(realm, 1, 70).catch(() => {})
  }
  const rows = cutAfter === undefined ? await rowsOfTransactions(realm, change) : await change()
  world.stopsAt = () => false
  const events = []
  for (const queue of queues) events.push((await queue.events()).map((event) => told(event, realm)))
  const left = await inRealm(realm, ({ parts: { sql } }) =>
    sql.values<string>(`SELECT key FROM meta WHERE key LIKE 'change%' OR key LIKE 'continuation%'`),
  )
  return { inRequest, commits, rows: rows ?? [], clients, events, left, state: await stateOf(realm) }
}

beforeEach(() => {
  keepAlarmsAway()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

/** Checks that clients which have applied all events have what a new registration gets. */
async function expectToldAll({ clients }: Awaited<ReturnType<typeof make>>): Promise<void> {
  for (const client of clients) expect(await client.differences()).toEqual([])
}

/** Returns the number of commits that are not far smaller than the largest, and what the largest read and wrote. */
function largestOf(commits: readonly Rows[]): LargeRows {
  const most = (kind: keyof Rows) => Math.max(0, ...commits.map((one) => one[kind]))
  const [read, written] = [most('read'), most('written')]
  return { slices: commits.filter((one) => one.written > written / 10).length, read, written }
}

it.each(Object.entries(LARGE_CHANGES))(
  '%s, cut by a crash, ends as if it had not been cut',
  async (name, one) => {
    const whole = await make(one)
    expect(whole.left).toEqual([])
    expect(whole.commits).toBeGreaterThan(1)
    await expectToldAll(whole)
    const later = 2 + Math.floor(Math.random() * (whole.commits - 2))
    for (const cutAfter of new Set([1, later])) {
      const cut = await make(one, cutAfter)
      expect(cut.commits).toBeGreaterThanOrEqual(cutAfter)
      const where = `cut after ${cutAfter} of ${whole.commits} commits, ${whole.inRequest} of them in the request`
      expect(cut.left, where).toEqual([])
      await expectToldAll(cut)
      expect(cut.state, where).toEqual(whole.state)
      expect(cut.events, where).toEqual(whole.events)
    }
    expectKept(name, largestOf(whole.rows))
  },
)

it('the table has limits for large changes and lists, and no others', () => {
  expect([...LARGE_ROWS.keys()]).toEqual([...Object.keys(LARGE_CHANGES), ...Object.keys(LARGE_LISTS)])
})
