/** The organization that is measured: a thousand people, and channels that ten, a hundred or all of them read. */
import { ApiClient } from '../scripts/api-client.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { createOrganization, readAnswer } from '../scripts/organizations.ts'

export interface BenchUser {
  readonly id: number
  readonly authorization: Record<string, string>
}

export interface BenchOrganization {
  readonly url: string
  /** Subscribed to all three channels; sends, edits and moves. */
  readonly speaker: BenchUser
  readonly client: ApiClient
  readonly people: readonly BenchUser[]
  /** Channel ids by number of subscribers, the speaker among them. */
  readonly channels: { readonly 10: number; readonly 100: number; readonly 1000: number }
}

const PEOPLE = 999
const CALLS_AT_ONCE = 111

export async function buildBenchOrganization(server: LocalServer): Promise<BenchOrganization> {
  const database = await server.runtime.getD1Database('DB')
  const account = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: 'Bench',
    host: 'localhost',
    owner: { email: 'speaker@example.com', full_name: 'The Speaker', password: 'measured words' },
  })
  const client = new ApiClient(server.url, account)
  const ids = await createPeople(server.url, account.user_id)
  const channels = { 10: 0, 100: 0, 1000: 0 }
  for (const size of [10, 100, 1000] as const) {
    const name = `read by ${size}`
    const principals = [account.user_id, ...ids.slice(0, size - 1)]
    await client.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
    const { stream_id } = await client.call<{ stream_id: number }>('GET', '/get_stream_id', { stream: name })
    channels[size] = stream_id
  }
  const people: BenchUser[] = []
  for (const [index, id] of ids.entries()) {
    const user = await client.logIn(emailOf(index))
    people.push({ id, authorization: user.authorization() })
  }
  return {
    url: server.url,
    speaker: { id: account.user_id, authorization: client.authorization() },
    client,
    people,
    channels,
  }
}

function emailOf(index: number): string {
  return `person-${index}@example.com`
}

/** Makes accounts through `POST /dev/run` of the development Worker, without hashing a thousand passwords. */
async function createPeople(url: string, owner: number): Promise<number[]> {
  const ids: number[] = []
  for (let start = 0; start < PEOPLE; start += CALLS_AT_ONCE) {
    const params = Array.from({ length: Math.min(CALLS_AT_ONCE, PEOPLE - start) }, (_, index) => ({
      email: emailOf(start + index),
      full_name: `Person ${start + index}`,
      password: 'never used',
      password_hash: 'none',
    }))
    ids.push(...(await run(url, owner, 'dev-create-user', params)).map(({ user_id }) => user_id as number))
  }
  return ids
}

async function run(
  url: string,
  userId: number,
  operation: string,
  params: readonly object[],
): Promise<Record<string, unknown>[]> {
  const now = Date.now() / 1_000
  const response = await fetch(`${url}/dev/run`, {
    method: 'POST',
    // The local runtime ends a kept connection after some seconds.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ calls: params.map((one) => ({ operation, user_id: userId, params: one, now })) }),
  })
  const { answers } = (await readAnswer(response)) as {
    answers: ({ ok: true; value: Record<string, unknown> } | { ok: false; error: { msg: string } })[]
  }
  return answers.map((answer) => {
    if (!answer.ok) throw new Error(`${operation} was refused: ${answer.error.msg}`)
    return answer.value
  })
}
