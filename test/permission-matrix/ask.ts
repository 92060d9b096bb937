import { ENDPOINTS } from '../../src/endpoints/index.ts'
import type { ParameterValue } from '../support/api.ts'
import type { Actor, Place } from './cast.ts'
import type { Organization } from './organization.ts'
import { type Expected, isVisit, type Row } from './read-table.ts'
import { REQUESTS } from './requests.ts'

const TUS_HEADERS = {
  'Tus-Resumable': '1.0.0',
  'Upload-Length': '10',
  'Upload-Offset': '0',
  'Content-Type': 'application/offset+octet-stream',
}

export const BY_OPERATION = new Map(ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint]))

export interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly msg: string | undefined
  readonly text: string
}

/** What a row of the table asks of an endpoint, asked. */
export async function askEndpoint(
  of: Organization,
  row: Row,
  actor: Actor,
  place: Place = 'public',
): Promise<Answer> {
  const endpoint = BY_OPERATION.get(row.operation)!
  const things = { ...of.things, ids: of.ids }
  const params: Record<string, ParameterValue> = {
    ...REQUESTS[row.name]!(of.places[place], things, actor, place),
  }
  const path = endpoint.path.replaceAll(/:(\w+)\+?/g, (_, name: string) => {
    const value = String(params[name])
    delete params[name]
    return value.split('/').map(encodeURIComponent).join('/')
  })
  const init = endpoint.tus ? { headers: TUS_HEADERS } : {}
  const { status, body } = await of.cast[actor].request(endpoint.method, path, params, init)
  return { status, code: body?.code, msg: body?.msg, text: JSON.stringify(body ?? '') }
}

/**
 * What is to be done is rehearsed: the request goes its whole way, the change is made in the object, and rolled back. Reads
 * change nothing, and what an answer shows is in the answer.
 */
export function isRehearsed(row: Row, expected: Expected): boolean {
  if (isVisit(row)) return false
  const { method } = BY_OPERATION.get(row.operation)!
  return method !== 'GET' && !row.shows && expected.startsWith('ok')
}
