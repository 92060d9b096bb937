/**
 * The Cloudflare account that `npm run deploy` and the commands with `--remote` use, asked over Cloudflare's API with wrangler's log-in: each
 * command of wrangler takes seconds to start. What wrangler does with files, it does itself: migrations and the Worker.
 */
import { fromJson } from './json.ts'
import { ProgramFailedError, runWrangler, WRANGLER_CONFIG } from './project.ts'

export const API = process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4'
/** Databases on a page of their list. */
const PAGE = 100
/** Cloudflare's codes for a bucket that the account has, and a Worker that it has not. */
const BUCKET_EXISTS = 10004
const NO_SUCH_WORKER = 10007
/** Its code where R2 is not switched on. */
const R2_IS_OFF = 10042

/** The jurisdiction in which a deployment stores its data. It is chosen once, since nothing can move the data. */
const JURISDICTIONS = ['eu', 'fedramp', 'us'] as const
export type Jurisdiction = (typeof JURISDICTIONS)[number] | undefined

/** Returns the jurisdiction that a command line names. @throws {Error} if there is no such one */
export function readJurisdiction(name: string | undefined): Jurisdiction {
  const found = JURISDICTIONS.find((known) => known === name)
  if (name !== undefined && found === undefined)
    throw new Error('The jurisdiction must be eu, fedramp or us.')
  return found
}

export interface ListedDatabase {
  readonly uuid: string
  readonly name: string
  readonly jurisdiction?: Jurisdiction | null
}

interface D1Answer {
  readonly results: readonly { readonly name: string }[]
  readonly meta?: { readonly size_after?: number }
}

interface Answer<Result> {
  readonly success: boolean
  readonly result: Result
  readonly errors?: readonly { readonly code: number; readonly message: string }[]
}

type Access = { type: 'api_token' | 'oauth'; token: string } | { type: 'api_key'; key: string; email: string }

/** What Cloudflare has refused, in its words. */
export class RefusedByCloudflareError extends Error {
  readonly code: number | undefined
  readonly status: number

  constructor(call: string, status: number, errors: Answer<unknown>['errors'] = []) {
    const words = errors.map(({ code, message }) => `${message} [code: ${code}]`).join(' ')
    super(`Cloudflare refused ${call} (${status}): ${words || 'without a reason'}`)
    this.code = errors[0]?.code
    this.status = status
  }
}

export interface Binding {
  readonly name: string
  /** Of a plain variable. */
  readonly text?: string
  /** Of a class of objects. */
  readonly class_name?: string
}

/** What Cloudflare does when an account has spent so much in a month. */
export interface SpendPolicy {
  readonly name: string
  readonly product_id: string
  readonly action: 'notification' | 'usage_block'
  readonly enabled: boolean
  readonly notification_email: string
  /** Dollars. No document that we have names this field: if Cloudflare calls it otherwise, it refuses the policy, which is printed. */
  readonly threshold: number
}

export interface KnownSpendPolicy extends SpendPolicy {
  readonly id: string
  /** Rises with each change. */
  readonly version: number
}

function inJurisdiction(jurisdiction: Jurisdiction): Record<string, string> {
  return jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : {}
}

export class CloudflareAccount {
  readonly id: string
  readonly #headers: Record<string, string>

  private constructor(id: string, headers: Record<string, string>) {
    this.id = id
    this.#headers = headers
  }

  /** @throws {Error} with the way to log in, or to choose one of several accounts. */
  static async open(): Promise<CloudflareAccount> {
    const headers = await readAccess()
    return new CloudflareAccount(await chosenAccount(headers), headers)
  }

  async databases(): Promise<ListedDatabase[]> {
    const listed: ListedDatabase[] = []
    for (let page = 1; ; page += 1) {
      const some = await this.#ask<ListedDatabase[]>('GET', `/d1/database?page=${page}&per_page=${PAGE}`)
      listed.push(...some)
      if (some.length < PAGE) return listed
    }
  }

  createDatabase(name: string, jurisdiction: Jurisdiction): Promise<ListedDatabase> {
    return this.#ask('POST', '/d1/database', { name, ...(jurisdiction && { jurisdiction }) })
  }

  /** Turns on read replication, which is free. */
  async replicate({ uuid }: ListedDatabase): Promise<void> {
    await this.#ask('PUT', `/d1/database/${uuid}`, { read_replication: { mode: 'auto' } })
  }

  async isReplicated({ uuid }: ListedDatabase): Promise<boolean> {
    const { read_replication } = await this.#ask<{ read_replication?: { mode: string } }>(
      'GET',
      `/d1/database/${uuid}`,
    )
    return read_replication?.mode === 'auto'
  }

  async query({ uuid }: ListedDatabase, sql: string): Promise<D1Answer> {
    const [answer] = await this.#ask<[D1Answer]>('POST', `/d1/database/${uuid}/query`, { sql })
    return answer
  }

  /** Creates the bucket, unless the account has it. */
  async ensureBucket(name: string, jurisdiction: Jurisdiction): Promise<void> {
    await this.#ask('POST', '/r2/buckets', { name }, inJurisdiction(jurisdiction)).catch((error: unknown) => {
      if (!(error instanceof RefusedByCloudflareError && error.code === BUCKET_EXISTS)) throw error
    })
  }

  /** Whether the account has R2: it is switched on in the dashboard, with a means of payment. */
  async hasR2(): Promise<boolean> {
    try {
      await this.#ask('GET', '/r2/buckets?per_page=1')
      return true
    } catch (error) {
      if (error instanceof RefusedByCloudflareError && error.code === R2_IS_OFF) return false
      throw error
    }
  }

  /** Whether the account has the bucket. */
  async hasBucket(name: string, jurisdiction: Jurisdiction): Promise<boolean> {
    try {
      await this.#ask('GET', `/r2/buckets/${name}`, undefined, inJurisdiction(jurisdiction))
      return true
    } catch (error) {
      if (error instanceof RefusedByCloudflareError && error.status === 404) return false
      throw error
    }
  }

  /** Returns the names of the secrets that a Worker has; none before its first deployment. */
  async secretsOf(worker: string): Promise<string[]> {
    return (await this.#ofWorker<{ name: string }[]>(worker, 'secrets'))?.map(({ name }) => name) ?? []
  }

  /** Returns what a Worker has bound, by name; undefined before its first deployment. */
  async bindingsOf(worker: string): Promise<ReadonlyMap<string, Binding> | undefined> {
    const settings = await this.#ofWorker<{ bindings?: Binding[] }>(worker, 'settings')
    return settings && new Map(settings.bindings?.map((binding) => [binding.name, binding]))
  }

  /** Deletes a Worker, if the account has it, with its objects and all that they store. */
  async deleteWorker(name: string): Promise<void> {
    if (await this.bindingsOf(name)) await this.#ask('DELETE', `/workers/scripts/${name}?force=true`)
  }

  /** Deletes a database, if the account has it. */
  async deleteDatabase(name: string): Promise<void> {
    const found = (await this.databases()).find((database) => database.name === name)
    if (found) await this.#ask('DELETE', `/d1/database/${found.uuid}`)
  }

  /** Deletes a bucket with its files, if the account has it. */
  async deleteBucket(name: string, jurisdiction: Jurisdiction): Promise<void> {
    if (!(await this.hasR2()) || !(await this.hasBucket(name, jurisdiction))) return
    const bucket = `/r2/buckets/${name}`
    const where = inJurisdiction(jurisdiction)
    const list = () => this.#ask<{ key: string }[]>('GET', `${bucket}/objects`, undefined, where)
    for (let files = await list(); files.length > 0; files = await list()) {
      for (const { key } of files) {
        await this.#ask('DELETE', `${bucket}/objects/${encodeURIComponent(key)}`, undefined, where)
      }
    }
    await this.#ask('DELETE', bucket, undefined, where)
  }

  /** Returns the id of the version that was deployed last. */
  async newestVersion(worker: string): Promise<string> {
    const { deployments } = await this.#ask<{ deployments: { versions: { version_id: string }[] }[] }>(
      'GET',
      `/workers/scripts/${worker}/deployments`,
    )
    return deployments[0]!.versions[0]!.version_id
  }

  /** Serves the versions with these ids, each to its share of the requests, in percent. */
  async serve(worker: string, shares: Readonly<Record<string, number>>): Promise<void> {
    const versions = Object.entries(shares).map(([version_id, percentage]) => ({ version_id, percentage }))
    await this.#ask('POST', `/workers/scripts/${worker}/deployments`, { strategy: 'percentage', versions })
  }

  spendPolicies(): Promise<KnownSpendPolicy[]> {
    return this.#ask('GET', '/billing/spend-policies')
  }

  /** Makes the policy, or puts it in the place of one that nobody has changed since. */
  async setSpendPolicy(policy: SpendPolicy, known: KnownSpendPolicy | undefined): Promise<void> {
    if (!known) await this.#ask('POST', '/billing/spend-policies', policy)
    else
      await this.#ask('PUT', `/billing/spend-policies/${known.id}`, policy, {
        'if-match': String(known.version),
      })
  }

  /** Asks about a Worker; undefined before its first deployment. */
  async #ofWorker<Result>(worker: string, what: string): Promise<Result | undefined> {
    try {
      return await this.#ask<Result>('GET', `/workers/scripts/${worker}/${what}`)
    } catch (error) {
      if (error instanceof RefusedByCloudflareError && error.code === NO_SUCH_WORKER) return undefined
      throw error
    }
  }

  #ask<Result>(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    return askCloudflare<Result>(
      method,
      `/accounts/${this.id}${path}`,
      { ...this.#headers, ...headers },
      body,
    )
  }
}

/** Returns what runs a statement on the D1 of a deployment, for the commands with `--remote`. */
export function remoteD1(deployment: string): (sql: string) => Promise<D1Answer> {
  return async (sql) => {
    const account = await CloudflareAccount.open()
    const database = (await account.databases()).find(({ name }) => name === deployment)
    if (!database) throw new Error(`The account has no D1 database ${deployment}.`)
    return account.query(database, sql)
  }
}

/** Returns the headers of wrangler's log-in. */
async function readAccess(): Promise<Record<string, string>> {
  const token = process.env.CLOUDFLARE_API_TOKEN
  if (token) return { authorization: `Bearer ${token}` }
  const answer = await runWrangler(['auth', 'token', '--json']).catch((error: unknown) => {
    if (!(error instanceof ProgramFailedError && error.output.includes('Not logged in'))) throw error
    throw new Error(
      'Not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, and try again.',
    )
  })
  const access = fromJson<Access>(answer)
  return access.type === 'api_key'
    ? { 'x-auth-key': access.key, 'x-auth-email': access.email }
    : { authorization: `Bearer ${access.token}` }
}

/** Returns the id of the account of CLOUDFLARE_ACCOUNT_ID, or else of wrangler.toml, or of the only one of the log-in. */
async function chosenAccount(headers: Record<string, string>): Promise<string> {
  if (process.env.CLOUDFLARE_ACCOUNT_ID) return process.env.CLOUDFLARE_ACCOUNT_ID
  const { experimental_readRawConfig } = await import('wrangler')
  const { rawConfig } = experimental_readRawConfig({ config: WRANGLER_CONFIG })
  if (rawConfig.account_id) return rawConfig.account_id
  const accounts = await askCloudflare<{ id: string; name: string }[]>(
    'GET',
    '/accounts?per_page=50',
    headers,
  )
  if (accounts.length === 1) return accounts[0]!.id
  const listed = accounts.map(({ id, name }) => `\n  ${id}  ${name}`).join('')
  throw new Error(
    `Set CLOUDFLARE_ACCOUNT_ID to the account to use:${listed || ' the log-in has no account.'}`,
  )
}

/** Makes a request of Cloudflare's API. @throws RefusedByCloudflareError */
export async function askCloudflare<Result>(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Result> {
  const response = await fetch(API + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json().catch(() => undefined)
  const { success, result, errors } = (answer ?? { success: false }) as Answer<Result>
  if (!response.ok || !success)
    throw new RefusedByCloudflareError(`${method} ${path}`, response.status, errors)
  return result
}
