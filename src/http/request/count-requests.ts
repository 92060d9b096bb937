import type { RealmCall } from '../../core/call.ts'
import { bothLimits, isLimitCode, type MetLimit } from '../../core/met-limit.ts'
import { addCount, addCounts, type Counts, histogramSamples, observe, sample } from '../../core/metrics.ts'
import { remember } from '../../core/remember.ts'
import type { RequestRecord } from '../../core/request-record.ts'

/** What an organization's object is yet to be told. */
interface Pending {
  readonly usage: Counts
  readonly limit: MetLimit | undefined
}

/**
 * Requests are counted by the Worker, which alone sees all of them and how long they took, and kept by the organization's object, which gets
 * the counts with the next call. Until then they are in the isolate's memory: what its end loses is a few requests' counts.
 */
const pending = new Map<string, Pending>()

/** Organizations whose counts an isolate keeps. Further ones are not counted until some have called their objects. */
const MAX_PENDING = 10_000

/** Kinds of operations, and of routes that are none, by name. All others are a kind by their method. */
const KINDS: Readonly<Record<string, string>> = {
  'send-message': 'send',
  'get-messages': 'messages',
  'get-message': 'messages',
  'register-queue': 'register',
  'get-events': 'poll',
  'fetch-api-key': 'login',
  'jwt-fetch-api-key': 'login',
  'log-in': 'login',
  'receive-webhook': 'webhook',
  'upload-file': 'upload',
  'append-to-resumable-upload': 'upload',
  'read-upload': 'file',
  'public-image': 'file',
  'external-content': 'file',
  'page-file': 'page',
  'home-page': 'page',
  'static-file': 'page',
}

/** The kinds whose durations are kept. */
const TIMED: ReadonlySet<string> = new Set(['send', 'messages', 'register', 'login'])

/** The kinds that write or read R2 for each request. */
const FILE_OPERATIONS: Readonly<Record<string, 'read' | 'write'>> = { upload: 'write', file: 'read' }

interface Answered {
  readonly method: string
  readonly status: number
  readonly seconds: number
}

/** Names of samples are made once. */
const requestsOf = remember((kind: string) =>
  remember((status: string) => sample('requests_total', { kind, status })),
)
const filesOf = remember((op: string) => sample('file_operations_total', { op }))
const secondsOf = remember((kind: string) => histogramSamples('request_seconds', { kind }))

export function countRequest(
  { operation, organization, code }: Pick<RequestRecord, 'operation' | 'organization' | 'code'>,
  { method, status, seconds }: Answered,
): void {
  if (organization === null || (pending.size >= MAX_PENDING && !pending.has(organization))) return
  const known = pending.get(organization)
  const counts = known?.usage ?? {}
  const now = Date.now() / 1_000
  const met = isLimitCode(code) ? { code, since: now, last: now, refused: 1 } : undefined
  pending.set(organization, { usage: counts, limit: met ? bothLimits(known?.limit, met) : known?.limit })
  const isRead = method === 'GET' || method === 'HEAD'
  const kind = (Object.hasOwn(KINDS, operation) && KINDS[operation]) || (isRead ? 'read' : 'write')
  addCount(counts, requestsOf(kind)(status === 429 ? '429' : `${Math.floor(status / 100)}xx`), 1)
  const op = FILE_OPERATIONS[kind]
  if (op) addCount(counts, filesOf(op), 1)
  if (TIMED.has(kind)) observe(counts, secondsOf(kind), seconds)
}

/** Makes a call that also tells the object what was counted. If it fails, the next call does. */
export async function withCounts<R>(call: RealmCall, make: (call: RealmCall) => Promise<R>): Promise<R> {
  const told = pending.get(call.host)
  if (!told) return make(call)
  pending.delete(call.host)
  try {
    return await make({ ...call, ...told })
  } catch (error) {
    const { usage = {}, limit } = pending.get(call.host) ?? {}
    addCounts(usage, told.usage)
    pending.set(call.host, {
      usage,
      limit: limit && told.limit ? bothLimits(told.limit, limit) : (limit ?? told.limit),
    })
    throw error
  }
}
