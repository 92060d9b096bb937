import { env } from 'cloudflare:workers'
import { hashPassword } from '../../src/endpoints/users/password-hash.ts'
import { ApiClient, type ApiResponse, askWorker } from './api.ts'
import { withCalmD1 } from './calm-d1.ts'
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
  /** Nobody: no credentials. */
  readonly anonymous: ApiClient
}

let realms = 0

/** A new organization with its owner, as `npm run create-organization` makes one. */
export async function buildRealm({
  name = 'Test',
  ownerName = 'Olga Owner',
  host = `realm${realms + 1}-${crypto.randomUUID().slice(0, 8)}.test`,
  ownerEmail = `owner@${host}`,
}: {
  name?: string
  ownerName?: string
  host?: string
  ownerEmail?: string
} = {}): Promise<TestRealm> {
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
  // Its operator looks at the answer, and founds again when it failed.
  const response = await withCalmD1(() => askWorker(founding))
  const made = (await response.json()) as { realm_id: number; user_id: number; api_key: string; msg?: string }
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

let users = 0

export interface UserOptions {
  readonly name?: string
  readonly email?: string
  /** 400 unless told otherwise: given by the owner afterwards. */
  readonly role?: 100 | 200 | 300 | 400 | 600
  readonly userAgent?: string
}

/** A new account, made by the owner and given its role. */
export async function buildUser(realm: TestRealm, options: UserOptions = {}): Promise<TestUser> {
  users += 1
  const fullName = options.name ?? `User ${users}`
  const email = options.email ?? `user-${users}@${realm.host}`
  const user_id = await createUser(realm, { email, full_name: fullName, password: PASSWORD })
  if (options.role !== undefined && options.role !== 400) {
    expectSuccess(await realm.owner.api.patch(`/users/${user_id}`, { role: options.role }))
  }
  const { api_key } = expectSuccess(await realm.anonymous.post('/dev_fetch_api_key', { username: email }))
  return testUser({ id: user_id, email, fullName, apiKey: api_key }, realm.host, realm.id, options.userAgent)
}

/** Of every account that the tests make. */
const PASSWORD = 'a fine password'
let passwordHash: Promise<string> | undefined

/** As POST /users does it, but for the mail, with the password hashed once for all accounts: that is most of the work. */
async function createUser(realm: TestRealm, params: Record<string, string>): Promise<number> {
  passwordHash ??= hashPassword(PASSWORD)
  const call = {
    operation: 'dev-create-user',
    user_id: realm.owner.id,
    params: { ...params, password_hash: await passwordHash },
    now: Date.now() / 1_000 + world.clockOffset,
  }
  const response = await askWorker(
    new Request(`http://${realm.host}/dev/run`, { method: 'POST', body: JSON.stringify({ calls: [call] }) }),
  )
  const { answers } = (await response.json()) as {
    answers: [{ ok: true; value: { user_id: number } } | { ok: false; error: object }]
  }
  if (!answers[0].ok) throw new Error(`No user: ${JSON.stringify(answers[0].error)}`)
  return answers[0].value.user_id
}

function testUser(facts: Omit<TestUser, 'api'>, host: string, realmId: number, userAgent?: string): TestUser {
  return {
    ...facts,
    api: new ApiClient({ host, realmId, email: facts.email, apiKey: facts.apiKey, userAgent }),
  }
}

let channels = 0

/** A channel with these subscribers, made by the first of them. Returns id and name. */
export async function buildChannel(
  subscribers: readonly TestUser[],
  options: { name?: string; [setting: string]: unknown } = {},
): Promise<{ id: number; name: string }> {
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

/** The body of a success; throws with the error otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects
export function expectSuccess(response: ApiResponse): any {
  if (response.status !== 200 || response.body.result !== 'success') {
    throw new Error(`Expected success, got ${response.status} ${JSON.stringify(response.body)}`)
  }
  return response.body
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
