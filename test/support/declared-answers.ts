import * as v from 'valibot'
import { byPath, DEV_ENDPOINTS, ENDPOINTS, type Endpoint } from './inside-declarations.ts'
import { describeMisfits, mismatches } from './mismatches.ts'

const PATHS = byPath([...ENDPOINTS, ...DEV_ENDPOINTS]).map(([path, endpoints]) => ({
  endpoints,
  pattern: patternOf(path),
}))

function patternOf(path: string): RegExp {
  const source = path
    .replace(/\/$/, '')
    .replace(/:\w+_id(_str)?\b/g, String.raw`\d+`)
    .replace(/:\w+\+/g, '.+')
    .replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source}/*$`)
}

/** Keys that every answer may have besides those that its endpoint declares (docs/interface/conventions.md#answers). */
const ENVELOPE = ['result', 'msg', 'ignored_parameters_unsupported']

/**
 * Throws when an answer differs from what its endpoint declares: a field has another type, is missing,
 * or is not declared.
 *
 * @param path below /api/v1
 */
export function requireDeclaredAnswer(method: string, path: string, status: number, body: unknown): void {
  if (body === undefined || method === 'HEAD' || method === 'OPTIONS') return
  const fields = v.parse(v.record(v.string(), v.unknown()), body)
  if (fields.result === 'error') {
    requireErrorEnvelope(status, fields)
    return
  }
  const endpoint = endpointAt(method, path)
  if (!endpoint || status !== 200) return
  const problems = mismatches(endpoint.returns, fields).filter((problem) => !ENVELOPE.includes(problem.where))
  if (problems.length === 0) return
  throw new Error(`${endpoint.operation} answers what it does not declare:\n${describeMisfits(problems)}`)
}

function requireErrorEnvelope(status: number, { msg, code }: Record<string, unknown>): void {
  // Services count any other status as a failure of the whole address.
  const isRefused = status >= 400 || (status === 200 && code === 'UNSUPPORTED_WEBHOOK_EVENT_TYPE')
  if (typeof msg === 'string' && typeof code === 'string' && isRefused) return
  throw new Error(`An error without its envelope: ${status} ${JSON.stringify({ msg, code })}`)
}

function endpointAt(method: string, path: string): Endpoint | undefined {
  const found = PATHS.find(({ pattern }) => pattern.test(path))
  return found?.endpoints.find((endpoint) => endpoint.method === method)
}
