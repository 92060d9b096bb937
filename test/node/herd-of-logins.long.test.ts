import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { hashPassword } from '../../src/api/in-worker/password-hash.ts'
import { found } from './found.ts'

/** An organization that logs in at nine o'clock, all in the same moment. `LOGINS=300` is the full size: a minute of hashing. */
const PEOPLE = Number(process.env.LOGINS ?? 100)
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

it('all who log in at the same moment are answered, and let in', async () => {
  // From each office a user has logged in before.
  for (let office = 0; office < OFFICES; office += 1) expect((await logIn(office)).status).toBe(200)
  const waiting = new Set(Array.from({ length: PEOPLE }, (_, person) => person))
  while (waiting.size > 0) {
    const herd = [...waiting]
    const answers = await Promise.allSettled(herd.map(logIn))
    const dropped = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []))
    expect(dropped).toEqual([])
    for (const [at, answer] of answers.entries()) {
      const { status, retryAfter, body } = (answer as PromiseFulfilledResult<Answer>).value
      if (status === 200) waiting.delete(herd[at]!)
      else expect([status, Number(retryAfter) > 0, body]).toEqual([503, true, body])
    }
    // Whoever had to wait gets in with one of the next tries.
    expect(waiting.size).toBeLessThan(herd.length)
  }
}, 1_200_000)
