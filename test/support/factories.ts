import { env } from 'cloudflare:workers'
import { ApiClient, type ApiResponse, askWorker, type ParameterValue } from './api.ts'
import { hashPassword } from './inside-tools.ts'
import { type Json, readJson } from './json.ts'
import { withReliableD1 } from './reliable-d1.ts'
import { world } from './world.ts'

/** One account of a test realm. */
export interface TestUser {
  readonly id: number
  readonly email: string
  readonly fullName: string
  readonly apiKey: string
  readonly api: ApiClient
}

export interface TestRealm {
  readonly id: number
  readonly host: string
  readonly owner: TestUser
  /** A client without credentials. */
  readonly anonymous: ApiClient
}

export interface RealmOptions {
  readonly name?: string
  readonly ownerName?: string
  readonly host?: string
  readonly ownerEmail?: string
}

let realms = 0
let users = 0
let channels = 0

/** Restarts the numbers of names at 1, so that a test makes the same names in every run. */
export function countAnew(): void {
  realms = 0
  users = 0
  channels = 0
}

/** Founds a new organization with its owner, as `npm run create-organization` does. Tests get it from use-realm.ts. */
export async function createRealm({
  name = 'Test',
  ownerName = 'Olga Owner',
  host = `realm${realms + 1}-${crypto.randomUUID().slice(0, 8)}.test`,
  ownerEmail = `owner@${host}`,
}: RealmOptions = {}): Promise<TestRealm> {
  realms += 1
  const ticket = crypto.randomUUID()
  await env.DB.prepare('INSERT INTO organization_ticket (digest, host, created_at) VALUES (?, ?, ?)')
    .bind(await sha256(ticket), host, Math.floor(Date.now() / 1_000))
    .run()
  const owner = { email: ownerEmail, full_name: ownerName, password: 'correct horse' }
  const founding = new Request(`http://${host}/setup/organizations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket, name, host, owner }),
  })
  // An operator would repeat the command if it failed.
  const response = await withReliableD1(() => askWorker(founding))
  const made = await readJson<{ realm_id: number; user_id: number; api_key: string; msg?: string }>(response)
  if (response.status !== 200) throw new Error(`No realm: ${JSON.stringify(made)}`)
  const realmId = made.realm_id
  return {
    id: realmId,
    host,
    owner: testUser(
      { id: made.user_id, email: owner.email, fullName: ownerName, apiKey: made.api_key },
      host,
      realmId,
    ),
    anonymous: new ApiClient({ host, realmId }),
  }
}

export interface UserOptions {
  readonly name?: string
  readonly email?: string
  /** The role, 400 by default; the owner sets it afterwards. */
  readonly role?: 100 | 200 | 300 | 400 | 600
  readonly userAgent?: string
}

/** Creates an account as the owner, and gives it its role. */
export async function buildUser(realm: TestRealm, options: UserOptions = {}): Promise<TestUser> {
  const [user] = await buildUsers(realm, [options])
  return user!
}

/** The password of every account that tests create. */
const PASSWORD = 'a fine password'
let passwordHash: Promise<string> | undefined

/**
 * Creates accounts as the owner, with their roles, in two commits for all of them: like POST /users, but without mail, and
 * with the password hashed once for all accounts, since that is most of the work.
 */
export async function buildUsers(realm: TestRealm, people: readonly UserOptions[]): Promise<TestUser[]> {
  if (people.length === 0) return []
  passwordHash ??= hashPassword(PASSWORD)
  const password_hash = await passwordHash
  const accounts = people.map(({ name, email, role = 400, userAgent }) => {
    users += 1
    return {
      fullName: name ?? `User ${users}`,
      email: email ?? `user-${users}@${realm.host}`,
      role,
      userAgent,
    }
  })
  const made = await runAsOwner<{ user_id: number }>(
    realm,
    accounts.map(({ email, fullName }) => ({
      operation: 'dev-create-user',
      params: { email, full_name: fullName, password: PASSWORD, password_hash },
    })),
  )
  const promotions = accounts.flatMap(({ role }, index) =>
    role === 400 ? [] : [{ operation: 'update-user', params: { user_id: made[index]!.user_id, role } }],
  )
  const answers = await runAsOwner<{ api_key: string }>(realm, [
    ...promotions,
    ...accounts.map(({ email }) => ({ operation: 'dev-fetch-api-key', params: { username: email } })),
  ])
  const keys = answers.slice(promotions.length).map(({ api_key }) => api_key)
  return accounts.map(({ fullName, email, userAgent }, index) =>
    testUser(
      { id: made[index]!.user_id, email, fullName, apiKey: keys[index]! },
      realm.host,
      realm.id,
      userAgent,
    ),
  )
}

/** Reopens a closed account as the owner: its client has the new key afterwards. */
export async function reopen(realm: TestRealm, user: TestUser): Promise<TestUser> {
  expectSuccess(await realm.owner.api.post(`/users/${user.id}/reactivate`))
  const fetched = { operation: 'dev-fetch-api-key', params: { username: user.email } }
  const [{ api_key }] = (await runAsOwner(realm, [fetched])) as [{ api_key: string }]
  user.api.apiKey = api_key
  return user
}

/** Runs operations as the owner, with parameters as values. Throws at the first that fails. */
async function runAsOwner<Value>(
  realm: TestRealm,
  operations: readonly { operation: string; params: Record<string, unknown> }[],
): Promise<Value[]> {
  const now = Date.now() / 1_000 + world.clockOffset
  const calls = operations.map((operation) => ({ ...operation, user_id: realm.owner.id, now }))
  const response = await askWorker(
    new Request(`http://${realm.host}/dev/run`, { method: 'POST', body: JSON.stringify({ calls }) }),
  )
  const { answers } = await readJson<{
    answers: ({ ok: true; value: Value } | { ok: false; error: object })[]
  }>(response)
  return answers.map((answer, index) => {
    if (!answer.ok) throw new Error(`${operations[index]!.operation}: ${JSON.stringify(answer.error)}`)
    return answer.value
  })
}

function testUser(facts: Omit<TestUser, 'api'>, host: string, realmId: number, userAgent?: string): TestUser {
  const api = new ApiClient({ host, realmId, email: facts.email, apiKey: facts.apiKey, userAgent })
  return {
    ...facts,
    api,
    get apiKey() {
      return api.apiKey!
    },
  }
}

/** Returns the same user at a client that declares this level. */
export function atLevel(user: TestUser, level: number): TestUser {
  const { host, realmId, email, apiKey, userAgent } = user.api
  return { ...user, api: new ApiClient({ host, realmId, email, apiKey, userAgent, level }) }
}

/** Creates a bot as its owner, through the API. */
export async function createBot(
  { api }: TestUser,
  name: string,
  settings: Readonly<Record<string, ParameterValue>> = {},
): Promise<TestUser> {
  const short = name.toLowerCase().replaceAll(' ', '-')
  const bot = expectSuccess(await api.post('/bots', { full_name: name, short_name: short, ...settings }))
  const { host, realmId } = api
  const facts = {
    id: bot.user_id,
    email: `${short}-bot@${host}`,
    fullName: name,
    apiKey: bot.api_key,
  }
  return testUser(facts, host, realmId)
}

export interface TestChannel {
  readonly id: number
  readonly name: string
}

/** Creates a channel with these subscribers, as the first of them. Returns its id and name. */
export async function buildChannel(
  subscribers: readonly TestUser[],
  options: { name?: string; [setting: string]: unknown } = {},
): Promise<TestChannel> {
  channels += 1
  const { name = `channel ${channels}`, ...settings } = options
  const creator = subscribers[0]!
  expectSuccess(
    await creator.api.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: subscribers.map(({ id }) => id),
      ...(settings as Record<string, string>),
    }),
  )
  const { stream_id } = expectSuccess(await creator.api.get('/get_stream_id', { stream: name }))
  return { id: stream_id, name }
}

/** Returns the body of a success; throws with the error otherwise. */
export function expectSuccess(response: ApiResponse): Json {
  if (response.status !== 200 || response.body.result !== 'success') {
    throw new Error(`Expected success, got ${response.status} ${JSON.stringify(response.body)}`)
  }
  return response.body
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
