import { Agent, request as httpRequest } from 'node:http'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { createOrganization } from '../../scripts/organizations.ts'
import { hashPassword } from '../../src/hasher/password-hash.ts'
import { requireDeclaredAnswer } from '../support/declared-answers.ts'
import { fromJson, type Json } from '../support/json.ts'
import { type Params, type Person, type ReopenablePerson, requireSuccess, succeed } from './person.ts'
import { until } from './until.ts'

export interface LocalOrganization {
  readonly id: number
  readonly owner: Person
  /** The role of the account, 400 by default. */
  addPerson(name: string, role?: number): Promise<ReopenablePerson>
  /** Returns the account of an API's answer, such as a new bot. */
  personOf(facts: { id: number; email: string; fullName: string; apiKey: string }): Person
  /** Executes an operation that has no route, as this account. */
  run(who: Person, operation: string, params: Params): Promise<Json>
  /** Waits until each of these queues has a poll that waits for events. */
  untilPolled(queues: readonly { readonly id: string }[]): Promise<void>
  /** Puts the organization's object to sleep. */
  evict(): Promise<void>
  /** Empties the Worker's cache of the blocks of snapshots. */
  forgetBlocks(): Promise<void>
}

/** A server with rate limits off, to make organizations on. */
export async function startModelServer(vars: Record<string, string> = {}): Promise<LocalServer> {
  return startLocalServer({ vars: { LOG: 'troubles', RATE_LIMITS: 'off', ...vars } })
}

let organizations = 0

export async function openOrganization(server: LocalServer): Promise<LocalOrganization> {
  organizations += 1
  const host = organizations === 1 ? 'localhost' : `org${organizations}.localhost`
  const web = new Web(new URL(server.url), host)
  const database = await server.runtime.getD1Database('DB')
  const account = { email: `owner@${host}.example`, full_name: 'Olga Owner', password: 'a fine password' }
  const made = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: 'Model',
    host,
    owner: account,
  })
  const person = (facts: { id: number; email: string; fullName: string; apiKey: string }) => web.person(facts)
  const owner = person({
    id: made.user_id,
    email: account.email,
    fullName: account.full_name,
    apiKey: made.api_key,
  })
  let people = 0
  return {
    id: made.realm_id,
    owner,
    personOf: person,
    async addPerson(name, role = 400) {
      people += 1
      const email = `person${people}@${host}.example`
      const id = (await web.run(await creation(made.user_id, name, email))).user_id
      const apiKey = await web.apiKeyOf(email)
      if (role !== 400) await succeed(owner, 'PATCH', `/users/${id}`, { role })
      return person({ id, email, fullName: name, apiKey })
    },
    run: (who, operation, params) => web.run({ operation, user_id: who.id, params, now: Date.now() / 1_000 }),
    async untilPolled(queues) {
      const objects = await server.runtime.getDurableObjectNamespace('REALM')
      const object = objects.get(objects.idFromName(`realm-${made.realm_id}`)) as {
        isPolled?(queueId: string): Promise<boolean>
      }
      for (const { id } of queues) await until(() => askRuntime(() => object.isPolled!(id)))
    },
    async forgetBlocks() {
      await web.send('DELETE', '/dev/sections', '', {})
    },
    async evict() {
      await askRuntime(() => server.evictRealm(made.realm_id)).catch((error) => {
        // The object was not in memory, as intended.
        if (!/not (currently )?running/i.test(String(error))) throw error
      })
    },
  }
}

/**
 * Makes a call that may be repeated, and repeats it once if it fails: the runtime may just have ended the HTTP connection.
 */
async function askRuntime<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof TypeError && error.message === 'fetch failed') return ask()
    throw error
  }
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
let passwordHash: Promise<string> | undefined

async function creation(ownerId: number, full_name: string, email: string) {
  passwordHash ??= hashPassword('a fine password')
  return {
    operation: 'dev-create-user',
    user_id: ownerId,
    params: { full_name, email, password: 'a fine password', password_hash: await passwordHash },
    now: Date.now() / 1_000,
  }
}

/** Parameters that are no text are sent as JSON; undefined ones are left out. */
function form(params: Params): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return fields.toString()
}

/** Makes requests to one organization of the server, which the Host header names. */
class Web {
  readonly #url: URL
  readonly #host: string
  readonly #agent = new Agent({ keepAlive: true })

  constructor(url: URL, host: string) {
    this.#url = url
    this.#host = host
  }

  person(
    facts: { id: number; email: string; fullName: string; apiKey: string },
    userAgent = 'ModelTest/1.0',
    level?: number,
  ): ReopenablePerson {
    const own = () => ({
      Authorization: `Basic ${btoa(`${facts.email}:${facts.apiKey}`)}`,
      'User-Agent': userAgent,
      ...(level === undefined ? {} : { 'X-Feature-Level': String(level) }),
    })
    return {
      ...facts,
      get apiKey() {
        return facts.apiKey
      },
      logInAgain: async () => {
        facts.apiKey = await this.apiKeyOf(facts.email)
      },
      request: async (method, path, params = {}) => {
        const inQuery = method === 'GET'
        const fields = form(params)
        const address = `/api/v1${path}${inQuery && fields !== '' ? `?${fields}` : ''}`
        const answer = await this.ask(method, address, inQuery ? '' : fields, { ...FORM, ...own() })
        requireDeclaredAnswer(method, path, answer.status, answer.body)
        return answer
      },
      using: (otherAgent, otherLevel) => this.person(facts, otherAgent, otherLevel),
      postFile: async (path, file, fields = {}) => {
        const body = new FormData()
        for (const [name, value] of Object.entries(fields)) body.append(name, value)
        body.append('file', file)
        const encoded = new Response(body)
        const bytes = Buffer.from(await encoded.arrayBuffer())
        const headers = { 'Content-Type': encoded.headers.get('Content-Type')!, ...own() }
        return requireSuccess(await this.ask('POST', `/api/v1${path}`, bytes, headers), path)
      },
    }
  }

  async apiKeyOf(username: string): Promise<string> {
    return (await this.send('POST', '/api/v1/dev_fetch_api_key', form({ username }), FORM)).api_key
  }

  async run(call: object): Promise<Json> {
    const { answers } = await this.send('POST', '/dev/run', JSON.stringify({ calls: [call] }), {
      'Content-Type': 'application/json',
    })
    return answers[0].value
  }

  async send(method: string, path: string, body: string, headers: Record<string, string>): Promise<Json> {
    return requireSuccess(await this.ask(method, path, body, headers), path)
  }

  ask(
    method: string,
    path: string,
    body: string | Buffer,
    headers: Record<string, string>,
  ): Promise<{ status: number; body: Json }> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path,
          agent: this.#agent,
          headers: {
            'User-Agent': 'ModelTest/1.0',
            ...headers,
            Host: this.#host,
            'Content-Length': Buffer.byteLength(body),
          },
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(parts).toString()
            resolve({ status: response.statusCode!, body: text === '' ? undefined : fromJson(text) })
          })
        },
      )
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server ends idle connections; this client had not noticed yet.
        const isUnheard = sent.reusedSocket && error.code === 'ECONNRESET'
        if (isUnheard) resolve(this.ask(method, path, body, headers))
        else reject(error)
      })
      sent.end(body)
    })
  }
}
