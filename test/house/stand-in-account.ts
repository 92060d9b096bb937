/**
 * A Cloudflare account as a deployment sees it: wrangler itself runs against it, unchanged, by way of
 * CLOUDFLARE_API_BASE_URL. It records the requests in their order, and refuses those without its token, `token`.
 */

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fromJson } from '../support/json.ts'

const DATABASE_ID = '11111111-2222-4333-8444-555555555555'
/** Returns the id of a further database. */
const idOf = (number: number) => `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`

export interface StandInAccount {
  url: string
  /** Changes to the account: `METHOD /path` without the account, and `apply NAME` for a D1 migration. */
  changes: string[]
  /** The metadata part of the Worker that was uploaded last. */
  uploaded:
    | {
        bindings: {
          type: string
          name: string
          id?: string
          bucket_name?: string
          jurisdiction?: string
          text?: string
        }[]
        observability?: object
        code_update_strategy?: object
        assets?: { config: { _headers?: string; run_worker_first?: unknown } }
      }
    | undefined
  /** The texts of its modules, wherever in them; compiled code is no text. */
  uploadedCode: string
  /** Paths of the static assets that were announced last. */
  assets: string[]
  /** Its D1 databases, by name, with their size in bytes. */
  databases: Map<string, StandInDatabase>
  /** Its buckets, as `NAME`, or `NAME in JURISDICTION`. */
  buckets: Set<string>
  /** The keys of the files in each of them; it is not deleted before they are. */
  files: string[]
  /** The ids of the versions of each Worker that serve it, by its name, with their shares in percent. */
  served: Map<string, { version_id: string; percentage: number }[]>
  /** Whether R2 is switched on. */
  hasR2: boolean
  /** Whether it deletes no database. */
  refusesDeletion: boolean
  /** Its spending limits. */
  policies: StandInPolicy[]
  /** Whether it was made for an hour, and refuses what such an account may not have. */
  isTemporary: boolean
  /** Sets a variable of a Worker as if another build had deployed it; undefined: without it. */
  setVariable(worker: string, name: string, text: string | undefined): void
  stop(): void
}

export const CLAIM_URL = 'https://dash.cloudflare.com/claim-preview?claimToken=claim'
const CHALLENGE = { challengeToken: 'c', seed: Buffer.alloc(32, 7).toString('base64url'), k: 20, g: 3 }

interface TemporaryRequest {
  readonly acceptTermsOfService: string
  readonly solution: { readonly checkpoints: string }
}

/** Returns the first hash, and every third after it, as the account's maker computes them. */
function solutionOf({ seed, k, g }: typeof CHALLENGE): string {
  const hashes = [createHash('sha256').update(Buffer.from(seed, 'base64url')).digest()]
  while (hashes.length <= k * g) hashes.push(createHash('sha256').update(hashes.at(-1)!).digest())
  return Buffer.concat(hashes.filter((_, at) => at % g === 0)).toString('base64')
}

/** Whether a temporary account refuses the call. */
function isForOwners(call: string, body: string): boolean {
  const isUpload = call.startsWith('PUT /workers/scripts/') && body.includes('name="metadata"')
  return (
    / \/r2\//.test(call) ||
    call.endsWith('/schedules') ||
    (isUpload && /"type":"(?:r2_bucket|images)"/.test(body))
  )
}

interface StandInPolicy {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly product_id: string
  readonly action: string
  readonly enabled: boolean
  readonly threshold: number
}

/** All are required, on changes too. */
const POLICY_FIELDS = ['action', 'enabled', 'name', 'notification_email', 'product_id', 'threshold']

interface StandInDatabase {
  readonly uuid: string
  size: number
  readonly jurisdiction?: string | undefined
  isReplicated?: boolean
  /** Keys of files that it keeps. */
  files?: string[]
  /** Names of the migrations that it has. Absent: it has no table of them. */
  migrations?: string[] | undefined
}

/** @param database executes the statements for the account's D1, for tests that need more than a record of them. */
export async function openStandInAccount(
  database?: (sql: string) => Promise<unknown>,
): Promise<StandInAccount> {
  const databases: StandInAccount['databases'] = new Map()
  if (database) databases.set('parley', { uuid: DATABASE_ID, size: 0 })
  const buckets = new Set<string>()
  const scripts = new Set<string>()
  const secrets = new Map<string, string[]>()
  const versions: string[] = []
  const served: StandInAccount['served'] = new Map()
  const bindings = new Map<string, NonNullable<StandInAccount['uploaded']>['bindings']>()
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const path = (request.url ?? '').split('?')[0]?.replace('/accounts/acme', '') ?? ''
    const call = `${request.method} ${path}`
    const refuse = (status: number, code: number, message: string) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      const errors = [{ code, message }]
      response.end(JSON.stringify({ success: false, errors, messages: [], result: null }))
    }
    const answer = (result: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ success: true, errors: [], messages: [], result }))
    }
    if (call === 'POST /provisioning/previews/challenge') return answer(CHALLENGE)
    if (call === 'POST /provisioning/previews') {
      const asked = fromJson<TemporaryRequest>(body)
      if (asked.acceptTermsOfService !== 'yes' || asked.solution.checkpoints !== solutionOf(CHALLENGE))
        return refuse(400, 10001, 'The challenge was not solved, or the terms were not accepted.')
      account.isTemporary = true
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
      return answer({
        account: { id: 'acme', name: 'Temporary', apiToken: 'token', tokenId: 't', expiresAt },
        claim: { token: 'claim', url: CLAIM_URL, expiresAt },
      })
    }
    if (account.isTemporary && isForOwners(call, body)) return refuse(403, 10000, 'Authentication error')
    if (request.headers.authorization !== 'Bearer token') {
      return refuse(403, 10000, 'Authentication error')
    }
    if (request.method !== 'GET' && !path.endsWith('/query')) account.changes.push(call)
    const listed = [...databases].map(([name, { uuid, jurisdiction }]) => ({
      ...{ uuid, name, version: 'production' },
      jurisdiction: jurisdiction ?? null,
    }))
    const named = listed.find(({ name, uuid }) =>
      [name, uuid].some((one) => call === `GET /d1/database/${one}`),
    )
    const asked = [...databases.values()].find(({ uuid }) => call === `POST /d1/database/${uuid}/query`)

    if (call === 'GET /accounts')
      return answer([
        { id: 'acme', name: 'Acme' },
        { id: 'other', name: 'Other' },
      ])
    if (call === 'GET /d1/database') return answer(listed)
    if (named) {
      const mode = databases.get(named.name)?.isReplicated ? 'auto' : 'disabled'
      return answer({ ...named, read_replication: { mode } })
    }
    const doomed = listed.find(({ uuid }) => call === `DELETE /d1/database/${uuid}`)
    if (doomed && account.refusesDeletion) return refuse(500, 7500, 'An error occurred.')
    if (doomed) {
      databases.delete(doomed.name)
      return answer(null)
    }
    if (call === 'POST /d1/database') {
      const { name, jurisdiction } = fromJson<{ name: string; jurisdiction?: string }>(body)
      const uuid = name === 'parley' ? DATABASE_ID : idOf(databases.size)
      databases.set(name, { uuid, size: 0, jurisdiction })
      return answer({ uuid, name, version: 'production' })
    }
    const changed = [...databases.values()].find(({ uuid }) => call === `PUT /d1/database/${uuid}`)
    if (changed) {
      const { read_replication } = fromJson<{ read_replication: { mode: 'auto' | 'disabled' } }>(body)
      changed.isReplicated = read_replication.mode === 'auto'
      return answer({ uuid: changed.uuid, read_replication })
    }
    if (asked) {
      const { sql } = fromJson<{ sql: string }>(body)
      const migration = /INSERT INTO "d1_migrations".*'(.+?)'/s.exec(sql)?.[1]
      const table = /CREATE TABLE IF NOT EXISTS "d1_migrations"|SELECT [^;]*FROM "?d1_migrations"?/.exec(
        sql,
      )?.[0]
      if (table?.startsWith('CREATE')) asked.migrations ??= []
      const applied = asked.migrations ?? []
      if (migration !== undefined) {
        account.changes.push(`apply ${migration}`)
        applied.push(migration)
      }
      const isList = table?.startsWith('SELECT') === true
      if (isList && !asked.migrations) return refuse(400, 7500, 'no such table: d1_migrations: SQLITE_ERROR')
      const isOfFiles = sql.includes('stored_file') && !migration
      if (isOfFiles && !applied.some((name) => name.endsWith('-stored-file.sql')))
        return refuse(400, 7500, 'no such table: stored_file: SQLITE_ERROR')
      if (isOfFiles)
        return answer([{ results: (asked.files ?? []).map((name) => ({ name })), success: true, meta: {} }])
      const told = await database?.(sql)
      const rows = told instanceof Object && 'results' in told ? told.results : []
      const results = isList ? applied.map((name, at) => ({ id: at + 1, name, applied_at: '' })) : rows
      return answer([{ results, success: true, meta: { duration: 1, size_after: asked.size } }])
    }
    if (path.startsWith('/r2/') && !account.hasR2)
      return refuse(403, 10042, 'Please enable R2 through the Cloudflare Dashboard.')
    if (call === 'GET /r2/buckets') return answer({ buckets: [...buckets].map((name) => ({ name })) })
    if (path.startsWith('/billing/spend-policies')) {
      if (request.method === 'GET') return answer(account.policies)
      const policy = fromJson<StandInPolicy>(body)
      const lacks = POLICY_FIELDS.filter((field) => !(field in policy))
      if (lacks.length > 0) return refuse(400, 10001, `${lacks.join(', ')} is required.`)
      const id = path.split('/')[3] ?? `policy-${account.policies.length + 1}`
      const at = account.policies.findIndex((one) => one.id === id)
      const isOther = (one: StandInPolicy) =>
        one.id !== id && one.enabled && one.action === 'usage_block' && one.product_id === policy.product_id
      if (policy.enabled && policy.action === 'usage_block' && account.policies.some(isOther))
        return refuse(409, 10009, 'There is an enabled usage_block policy of this product.')
      const { version = 0 } = account.policies[at] ?? {}
      if (at >= 0 && request.headers['if-match'] !== String(version))
        return refuse(412, 10012, 'The policy has another version.')
      const stored = { ...policy, id, version: version + 1 }
      account.policies.splice(at >= 0 ? at : account.policies.length, 1, stored)
      return answer(stored)
    }
    const where = request.headers['cf-r2-jurisdiction']
    const inJurisdiction = (name: string) => (where === undefined ? name : `${name} in ${where}`)
    const [, bucket] = /^GET \/r2\/buckets\/([^/]+)$/.exec(call) ?? []
    if (bucket !== undefined && buckets.has(inJurisdiction(bucket))) return answer({ name: bucket })
    const [, verb, emptied = '', file] =
      /^(GET|DELETE) \/r2\/buckets\/([^/]+)(?:\/objects\/?([^/]*))?$/.exec(call) ?? []
    if (verb !== undefined && buckets.has(inJurisdiction(emptied))) {
      if (verb === 'GET') return answer(account.files.map((key) => ({ key })))
      if (file === undefined) {
        if (account.files.length > 0)
          return refuse(409, 10008, 'The bucket you tried to delete is not empty.')
        buckets.delete(inJurisdiction(emptied))
        return answer({})
      }
      account.files = account.files.filter((key) => key !== decodeURIComponent(file))
      return answer({})
    }
    if (call === 'POST /r2/buckets') {
      const name = inJurisdiction(fromJson<{ name: string }>(body).name)
      if (!buckets.has(name)) {
        buckets.add(name)
        return answer({ name })
      }
      return refuse(409, 10004, 'The bucket you tried to create already exists, and you own it.')
    }
    if (call === 'GET /workers/subdomain') return answer({ subdomain: 'acme' })
    if (call === 'GET /workers/scripts')
      return answer([...scripts].map((id) => ({ id, migration_tag: 'v1' })))
    const [script = '', ofScript = ''] = path.replace('/workers/scripts/', '').split('/')
    if (call === `GET /workers/scripts/${script}/secrets`) {
      const names = secrets.get(script)
      if (!names) return refuse(404, 10007, 'This Worker does not exist on your account.')
      return answer(names.map((name) => ({ name, type: 'secret_text' })))
    }
    if (call === `GET /workers/scripts/${script}/settings`) {
      const bound = bindings.get(script)
      if (!bound) return refuse(404, 10007, 'This Worker does not exist on your account.')
      return answer({
        bindings: bound.map(({ type, ...rest }) =>
          type === 'secret_text' ? { type, name: rest.name } : { type, ...rest },
        ),
      })
    }
    // The account answers as if it already had all of the files.
    if (call === `POST /workers/scripts/${script}/assets-upload-session`) {
      account.assets = Object.keys(fromJson<{ manifest: object }>(body).manifest)
      if (account.isTemporary && account.assets.length > 1_000)
        return refuse(403, 10000, 'Authentication error')
      return answer({ jwt: 'all-there', buckets: [] })
    }
    if (call === `PUT /workers/scripts/${script}` && ofScript === '') {
      scripts.add(script)
      account.uploaded = readMetadata(body)
      const given = account.uploaded?.bindings.filter(({ type }) => type === 'secret_text') ?? []
      bindings.set(script, account.uploaded?.bindings ?? [])
      secrets.set(script, [...(secrets.get(script) ?? []), ...given.map(({ name }) => name)])
      account.uploadedCode = body
      versions.push(`version-${versions.length + 1}`)
      served.set(script, [{ version_id: versions.at(-1)!, percentage: 100 }])
      return answer({ id: script, etag: 'e', startup_time_ms: 3, deployment_id: 'd' })
    }
    if (call === `DELETE /workers/scripts/${script}` && scripts.delete(script)) {
      for (const ofWorker of [bindings, secrets, served]) ofWorker.delete(script)
      return answer(null)
    }
    const now = served.get(script)
    if (now && call === `GET /workers/scripts/${script}/deployments`)
      return answer({ deployments: [{ id: 'd', strategy: 'percentage', versions: now }] })
    if (now && call === `POST /workers/scripts/${script}/deployments`) {
      const wanted = fromJson<{ strategy: string; versions: typeof now }>(body)
      const share = wanted.versions.reduce((sum, { percentage }) => sum + percentage, 0)
      const isKnown = wanted.versions.every(({ version_id }) => versions.includes(version_id))
      if (wanted.strategy !== 'percentage' || share !== 100 || !isKnown || wanted.versions.length > 2)
        return refuse(400, 10021, 'One or two known versions have to add up to 100 percent.')
      served.set(script, wanted.versions)
      return answer({ id: 'd' })
    }
    if (call === `PUT /workers/scripts/${script}/schedules`) return answer({ schedules: fromJson(body) })
    if (path === `/workers/scripts/${script}/subdomain`)
      return answer({ enabled: true, previews_enabled: false })
    const [, worker] = /^GET \/workers\/workers\/([^/]+)$/.exec(call) ?? []
    if (worker !== undefined && scripts.has(worker))
      return answer({ name: worker, subdomain: { enabled: true, previews_enabled: false } })
    refuse(404, 10007, `There is no ${call} here.`)
  })
  // On a busy machine a command takes longer than the usual five seconds between two requests.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const account: StandInAccount = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changes: [],
    uploaded: undefined,
    uploadedCode: '',
    assets: [],
    databases,
    buckets,
    files: [],
    served,
    hasR2: true,
    refusesDeletion: false,
    policies: [],
    isTemporary: false,
    setVariable: (worker, name, text) => {
      const others = bindings.get(worker)!.filter((one) => one.name !== name)
      bindings.set(worker, text === undefined ? others : [...others, { type: 'plain_text', name, text }])
    },
    stop: () => server.close(),
  }
  return account
}

/** Returns the environment in which commands use the account. */
export function inAccount(account: StandInAccount): Record<string, string> {
  return {
    CLOUDFLARE_API_BASE_URL: account.url,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: 'acme',
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** The upload is multipart, and its first part is the JSON that names the bindings. */
function readMetadata(body: string): StandInAccount['uploaded'] {
  const part = body.split(/\r\n--/).find((text) => text.includes('name="metadata"'))
  return part === undefined ? undefined : fromJson(part.slice(part.indexOf('\r\n\r\n')))
}
