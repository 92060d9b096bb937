import { ownerAt } from '../core/fair-scheduler.ts'
import { configureLog, type LogLevel, log } from '../core/log.ts'
import { type MemoryOwner, newRecord, type RequestRecord, recorded } from '../core/request-record.ts'
import { keyOrSession } from './request/browser-session.ts'
import { countRequest } from './request/count-requests.ts'
import { callerKey, isAccepted } from './request/credentials.ts'
import type { Environment } from './request/environment.ts'
import { findRealm } from './request/find-realm.ts'
import type { RoutedRequest } from './request/request-url.ts'

/** Names of non-API paths in the log, by their first segment. */
const NAMES: Readonly<Record<string, string>> = {
  '': 'home-page',
  accounts: 'account-pages',
  api: 'no-operation',
  avatar: 'avatar',
  compatibility: 'compatibility',
  complete: 'provider-callback',
  health: 'health',
  metrics: 'metrics',
  external_content: 'external-content',
  'favicon.ico': 'static-file',
  find: 'find-organizations',
  help: 'help-page',
  join: 'join-page',
  login: 'login-page',
  page: 'page-file',
  parley: 'home-page',
  public: 'public-page',
  'robots.txt': 'public-page',
  setup: 'set-up-organization',
  'sitemap.xml': 'public-page',
  static: 'static-file',
  user_avatars: 'public-image',
  user_uploads: 'read-upload',
}

/** Answers with `serve`, and logs one line about it: no path, no query, no address. */
export async function logRequest(
  asked: RoutedRequest,
  env: Environment,
  serve: () => Promise<Response>,
): Promise<Response> {
  configureLog(env)
  const began = Date.now()
  const workOwner = ownerAt(asked.request.headers.get('cf-connecting-ip') ?? '')
  const record = newRecord(routeNameOf(asked), () => ownerOf(asked, env), workOwner)
  const response = await recorded(record, serve)
  const durationMs = Date.now() - began - record.heldMs
  const { method } = asked.request
  const { status } = response
  countRequest(record, { method, status, seconds: durationMs / 1_000 })
  writeLine(record, method, status, durationMs)
  return response
}

/** Returns the name of a page's route; endpoints record their operation instead. */
function routeNameOf({ address }: RoutedRequest): string {
  const first = address.pathname.split('/', 2)[1]!
  return Object.hasOwn(NAMES, first) ? NAMES[first]! : 'nothing-there'
}

/** Writes the line. `duration_ms`: until the answer began, without the time that a poll was held. */
function writeLine(record: RequestRecord, method: string, status: number, durationMs: number): void {
  log(levelOf(status), 'request', {
    operation: record.operation,
    method,
    status,
    ...(record.code === null ? {} : { code: record.code }),
    duration_ms: durationMs,
    ...(record.heldMs > 0 ? { held_ms: record.heldMs } : {}),
    rows_read: record.rowsRead,
    rows_written: record.rowsWritten,
    far_trips: record.farTrips,
    near_trips: record.nearTrips,
    organization: record.organization,
  })
}

function levelOf(status: number): LogLevel {
  if (status < 500) return 'info'
  return status === 500 ? 'error' : 'warn'
}

/** The owner of memory at all hosts without an organization: host names are free, so they get no share of their own. */
const NOWHERE: MemoryOwner = { organization: 'none', account: 'none', isAccepted: false }

/** Returns the owner to whom the memory of a request is counted. */
async function ownerOf(
  { request, address }: RoutedRequest,
  { DB }: Pick<Environment, 'DB'>,
): Promise<MemoryOwner> {
  const realm = await findRealm(DB, address).catch(() => undefined)
  if (!realm) return NOWHERE
  const { host, id } = realm
  const credentials = await keyOrSession(request).catch(() => ({ kind: 'none' }) as const)
  return {
    organization: host,
    // All callers without credentials count as one.
    account: callerKey(id, credentials) ?? `${id}`,
    isAccepted: isAccepted(id, credentials),
  }
}
