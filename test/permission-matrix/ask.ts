import type { ParameterValue } from '../support/api.ts'
import { Browser } from '../support/browsing.ts'
import { csrfTokenOf } from '../support/inside-sessions.ts'
import type { Actor, Destination } from './cast.ts'
import type { Organization } from './organization.ts'
import { ALL_ENDPOINTS, BELOW_JSON_ALONE, type Expected, isVisit, type Row } from './read-table.ts'
import { requestOf } from './requests.ts'

const TUS_HEADERS = {
  'Tus-Resumable': '1.0.0',
  'Upload-Length': '10',
  'Upload-Offset': '0',
  'Content-Type': 'application/offset+octet-stream',
}

const BY_OPERATION = new Map(ALL_ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint]))

export interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly msg: string | undefined
  readonly text: string
}

/** Makes the request of a row. With `byBrowser` it goes below /json, with the cookies of the actor's browser. */
export async function askEndpoint(
  of: Organization,
  row: Row,
  actor: Actor,
  destination: Destination = 'public',
  byBrowser = actor === 'visitor' || BELOW_JSON_ALONE.has(row.operation),
): Promise<Answer> {
  const endpoint = BY_OPERATION.get(row.operation)!
  const things = { ...of.things, ids: of.ids }
  const params: Record<string, ParameterValue> = {
    ...requestOf(row)(of.destinations[destination], things, actor, destination),
  }
  const path = endpoint.path.replaceAll(/:(\w+)\+?/g, (_, name: string) => {
    const value = String(params[name])
    delete params[name]
    return value.split('/').map(encodeURIComponent).join('/')
  })
  const init = endpoint.tus ? { headers: TUS_HEADERS } : {}
  const { status, body } = byBrowser
    ? await (await browserOf(of, actor)).json(endpoint.method, path, params, {
        ...init.headers,
        ...(await tokenOf(of, actor)),
      })
    : await of.cast[actor].request(endpoint.method, path, params, init)
  return { status, code: body?.code, msg: body?.msg, text: JSON.stringify(body ?? '') }
}

/** Returns an actor's browser in its state before the first request. */
export async function browserOf({ realm, sessions }: Organization, actor: Actor): Promise<Browser> {
  const browser = new Browser(realm.host)
  const session = sessions[actor]
  if (session) {
    browser.cookies.set('sessionid', session.token)
    browser.cookies.set('csrftoken', await csrfTokenOf(session))
  }
  return browser
}

async function tokenOf({ sessions }: Organization, actor: Actor): Promise<Record<string, string>> {
  const session = sessions[actor]
  return session ? { 'X-CSRFToken': await csrfTokenOf(session) } : {}
}

/**
 * Whether a request is rehearsed: the object makes the change and rolls it back. Reads are not rehearsed, since they change
 * nothing, nor are requests whose answer is compared.
 */
export function isRehearsed(row: Row, expected: Expected): boolean {
  if (isVisit(row)) return false
  const { method } = BY_OPERATION.get(row.operation)!
  return method !== 'GET' && !row.shows && expected.startsWith('ok')
}
