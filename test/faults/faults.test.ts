import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { CLIENT_CAPABILITIES } from '../../src/events/queue.ts'
import { type ClientForm, openClient } from '../reference-model/client-state.ts'
import { buildChannel, buildUser } from '../support/factories.ts'
import { neverEvict } from '../support/never-evict.ts'
import { buildRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'
import { actOnce, type FaultRun } from './actions.ts'
import { findingsOf, type Listener, listen, passTime } from './checks.ts'
import { FaultSchedule } from './fault-schedule.ts'
import { PatientPerson } from './patient-person.ts'

/** `FAULT_SEED=` repeats a run; `FAULT_SECONDS=` says how long (npm test: twenty seconds; npm run test:all: a minute; npm run test:nightly: an hour). */
const SEED = Number(env.FAULT_SEED || Math.floor(Math.random() * 2 ** 31))
const SECONDS = Number(env.FAULT_SECONDS || 4)

/** Number of actions of each person in a run. */
const ACTS_EACH = 14

const CLIENT: ClientForm = {
  name: 'a modern client',
  capabilities: Object.fromEntries(CLIENT_CAPABILITIES.map((name) => [name, true])),
  options: {
    apply_markdown: true,
    client_gravatar: true,
    include_subscribers: true,
    queue_lifespan_secs: 604_800,
  },
}

// The test evicts and stops objects itself.
neverEvict()
beforeEach(() => {
  // Logs that the faults cause are collected, and shown only when the test finds something.
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...words) => {
      lastWords.push(words.map(String).join(' ').slice(0, 300))
      lastWords.splice(0, lastWords.length - LAST_WORDS)
    })
  }
})

/** Returns the server's latest log lines. */
const lastWords: string[] = []
const LAST_WORDS = 20

const met = new Map<string, number>()
const unanswered = new Map<number, number>()
let runs = 0

/** Makes one run. Returns everything that is wrong afterwards, with the actions of the run; [] if all is well. */
async function play(seed: number): Promise<string[]> {
  // Users who join after a message was sent have it as a message from before their time.
  world.clockOffset = -3_600
  const { realm } = await buildRealm()
  const schedule = new FaultSchedule(seed)
  const users = [
    realm.owner,
    await buildUser(realm, { name: 'Ann' }),
    await buildUser(realm, { name: 'Ben' }),
  ]
  const channels = [await buildChannel(users), await buildChannel(users, { invite_only: true })]
  const people = users.map((user) => new PatientPerson(user, unanswered))
  const listeners: Listener[] = []
  for (const person of people) listeners.push({ person, heard: [], ...(await openClient(person, CLIENT)) })
  const run: FaultRun = {
    schedule,
    people,
    queues: listeners.map(({ queue }) => queue),
    channels: channels.map(({ id }) => id),
    said: new Map(),
    deleted: new Set(),
    scheduled: [],
    drafts: [],
    files: new Map(),
    invited: [],
    done: [],
  }
  world.pollHoldSeconds = 0.2
  world.settings = { EMAIL_API_URL: 'https://mail.example.com/send' }
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => schedule.outside(async () => new Response('{}')))
  schedule.begin()
  await Promise.all(
    listeners.map(async (listener, index) => {
      for (let count = 0; count < ACTS_EACH; count += 1) {
        await actOnce(run, index)
        const listening = schedule.draw(`listening of ${index}`, 4)
        if (listening <= 1) await listen(listener, { wait: listening === 1 })
      }
    }),
  )
  schedule.calm()
  // By now everything that was put off or scheduled is due.
  await passTime(realm, 5 * 3_600)
  const findings = await findingsOf(run, realm, listeners)
  for (const [name, count] of schedule.counts) met.set(name, (met.get(name) ?? 0) + count)
  return findings.length === 0 ? [] : [...findings, `What was done: ${run.done.join('; ')}`]
}

it('under random faults nothing acknowledged is lost or doubled, and nothing is stuck', {
  timeout: (SECONDS + 180) * 1_000,
}, async () => {
  const until = Date.now() + SECONDS * 1_000
  do {
    const seed = SEED + runs
    const findings = await play(seed).catch((error: unknown) => [String(error)])
    expect(findings, `FAULT_SEED=${seed}\n${lastWords.join('\n')}`).toEqual([])
    runs += 1
  } while (Date.now() < until)
})

afterAll(() => {
  vi.restoreAllMocks()
  const faults = [...met].sort(([a], [b]) => a.localeCompare(b)).map(([name, count]) => `${name} ${count}`)
  const repeated = [...unanswered].map(([status, count]) => `${status || 'broken off'} ${count}`)
  console.log(
    `Faults: ${runs} runs from seed ${SEED}; ${faults.join(', ')}; repeated by clients: ${repeated.join(', ')}`,
  )
})
