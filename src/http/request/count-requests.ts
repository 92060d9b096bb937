import type { RealmCall } from '../../core/call.ts'
import { addCount, addCounts, type Counts, histogramSamples, observe, sample } from '../../core/metrics.ts'
import { remember } from '../../core/remember.ts'
import type { RequestRecord } from '../../core/request-record.ts'

/**
 * Requests are counted by the Worker, which alone sees all of them and how long they took, and kept by the organization's object, which gets
 * the counts with the next call. Until then they are in the isolate's memory: what its end loses is a few requests' counts.
 */
const pending = new Map<string, Counts>()
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
  { operation, organization }: Pick<RequestRecord, 'operation' | 'organization'>,
  { method, status, seconds }: Answered,
): void {
  if (organization === null || (pending.size >= MAX_PENDING && !pending.has(organization))) return
  const counts = pending.get(organization) ?? {}
  pending.set(organization, counts)
  const isRead = method === 'GET' || method === 'HEAD'
  const kind = (Object.hasOwn(KINDS, operation) && KINDS[operation]) || (isRead ? 'read' : 'write')
  addCount(counts, requestsOf(kind)(status === 429 ? '429' : `${Math.floor(status / 100)}xx`), 1)
  const op = FILE_OPERATIONS[kind]
  if (op) addCount(counts, filesOf(op), 1)
  if (TIMED.has(kind)) observe(counts, secondsOf(kind), seconds)
}

/** Makes a call that also tells the object what was counted. If it fails, the next call does. */
export async function withCounts<R>(call: RealmCall, make: (call: RealmCall) => Promise<R>): Promise<R> {
  const usage = pending.get(call.host)
  if (!usage) return make(call)
  pending.delete(call.host)
  try {
    return await make({ ...call, usage })
  } catch (error) {
    const since = pending.get(call.host) ?? {}
    addCounts(since, usage)
    pending.set(call.host, since)
    throw error
  }
}
