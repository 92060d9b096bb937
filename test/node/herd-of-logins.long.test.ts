import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { hashPassword } from '../../src/hasher/password-hash.ts'
import { found } from './found.ts'

/** An organization that logs in at nine o'clock, all in the same moment. `LOGINS=300` (npm run test:nightly) is the full size: a minute of hashing. */
const PEOPLE = Number(process.env.LOGINS ?? 60)
/** Half of them come through one address, as from a large office, and the others through one of these. */
const OFFICES = 30
const PASSWORD = 'correct horse battery'

let server: LocalServer
beforeAll(async () => {
  server = await startLocalServer({ vars: { LOG: 'troubles' } })
  const { user_id } = await found(server)
  const password_hash = await hashPassword(PASSWORD)
  const now = Math.floor(Date.now() / 1_000)
  const calls = Array.from({ length: PEOPLE }, (_, person) => ({
    operation: 'dev-create-user',
    user_id,
    now,
    params: { email: emailOf(person), full_name: `Person ${person}`, password: PASSWORD, password_hash },
  }))
  for (let at = 0; at < calls.length; at += 50) {
    const body = JSON.stringify({ calls: calls.slice(at, at + 50) })
    await (await fetch(`${server.url}/dev/run`, { method: 'POST', body })).arrayBuffer()
  }
}, 300_000)
afterAll(() => server?.stop())

const emailOf = (person: number) => `person-${person}@example.com`

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

/** Logs a user in over a connection of their own. Rejects when it ends without an answer. */
function logIn(person: number): Promise<Answer> {
  const fields = new URLSearchParams({ username: emailOf(person), password: PASSWORD }).toString()
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': fields.length,
    'CF-Connecting-IP': person % 2 === 0 ? '192.0.2.200' : `192.0.2.${1 + (person % OFFICES)}`,
  }
  return new Promise((resolve, reject) => {
    const address = `${server.url}/api/v1/fetch_api_key`
    const sent = request(address, { method: 'POST', headers, agent: new Agent() }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          retryAfter: response.headers['retry-after'],
          body: Buffer.concat(parts).toString(),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(fields)
  })
}

/** Times that somebody of a herd of the full size has to come back at most, each after the seconds that they were told: a thread checks seven passwords a second. */
const MOST_RETRIES = 20

/** How somebody got in: the times that they were told to wait, and for how many seconds altogether. */
interface Arrival {
  readonly retries: number
  readonly waited: number
}

/** Logs somebody in as a client does: whoever is told to wait comes back after that time, and not before. */
async function arrive(person: number): Promise<Arrival> {
  for (let retries = 0, waited = 0; ; retries += 1) {
    const { status, retryAfter, body } = await logIn(person)
    if (status === 200) return { retries, waited }
    const seconds = Number(retryAfter)
    expect([status, seconds > 0, body]).toEqual([503, true, body])
    expect(retries).toBeLessThan(MOST_RETRIES)
    waited += seconds
    await setTimeout(seconds * 1_000)
  }
}

it('everyone who logs in at the same moment is answered, and let in', async () => {
  // From each office a user has logged in before.
  for (let office = 0; office < OFFICES; office += 1) expect((await logIn(office)).status).toBe(200)
  const began = Date.now()
  const arrivals = await Promise.allSettled(Array.from({ length: PEOPLE }, (_, person) => arrive(person)))
  const seconds = (Date.now() - began) / 1_000
  const lost = arrivals.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  expect(lost).toEqual([])
  const met = arrivals.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const told = met.filter(({ retries }) => retries > 0)
  const most = Math.max(...met.map(({ retries }) => retries))
  process.stdout.write(
    `${PEOPLE} log-ins: all in after ${seconds.toFixed(1)} s; ${told.length} were told to wait, at most ${most} times\n`,
  )
  expect(met).toHaveLength(PEOPLE)
}, 1_200_000)
