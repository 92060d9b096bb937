import { Router } from 'itty-router'
import type { Endpoint } from '../endpoints/define-endpoint.ts'
import { ENDPOINTS } from '../endpoints/index.ts'
import type { Environment } from './environment.ts'
import { handleRequest } from './handle-request.ts'
import { openApiDocument } from './openapi.ts'
import { readRawParameters } from './read-parameters.ts'
import { respondMethodNotAllowed, respondNotFound, respondOptions } from './respond.ts'
import { setUpOrganization } from './set-up-organization.ts'

const API_ROOT = '/api/v1'

/** A path with everything that is served at it. */
interface Place {
  readonly path: string
  readonly endpoints: readonly Endpoint[]
}

type Handler = (request: Request & { params: Record<string, string> }, env: Environment) => unknown

/** The front door's map: the list of endpoints, and the two places that are no API. */
export function buildRouter(endpoints: readonly Endpoint[] = ENDPOINTS) {
  const router = Router()
  router.post('/setup/organizations', ((request, env) => setUpOrganization(request, env)) as Handler as never)
  router.get(`${API_ROOT}/openapi.json`, () => Response.json(openApiDocument(endpoints)))
  for (const place of placesOf(endpoints)) {
    router.all(`${API_ROOT}${place.path}`, ((request, env) =>
      servePlace(place, request, env)) as Handler as never)
  }
  router.all('*', () => respondNotFound())
  return router
}

/** Longer fixed beginnings first: `/users/me` is not the user called "me". */
function placesOf(endpoints: readonly Endpoint[]): Place[] {
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  return [...byPath]
    .map(([path, found]) => ({ path, endpoints: found }))
    .sort((a, b) => specificity(b.path) - specificity(a.path))
}

/** Fixed segments count most, and integers more than any text. */
function specificity(path: string): number {
  return path
    .split('/')
    .reduce((sum, segment) => sum * 4 + (segment.startsWith(':') ? (segment.endsWith('_id') ? 2 : 1) : 3), 0)
}

/** Undefined when an integer of the path is none: another place may know it. */
async function servePlace(
  place: Place,
  request: Request & { params: Record<string, string> },
  env: Environment,
): Promise<Response | undefined> {
  const path = decodePath(request.params)
  if (path === undefined || !Object.entries(path).every(([name, value]) => fitsPath(name, value)))
    return undefined
  const allowed = allowedMethods(place.endpoints)
  if (request.method === 'OPTIONS') return respondOptions(allowed)
  const url = new URL(request.url)
  const raw = await readRawParameters(request, url)
  const method = effectiveMethod(request, raw.values)
  const endpoint = place.endpoints.find((candidate) => candidate.method === method)
  if (!endpoint) return respondMethodNotAllowed(allowed)
  const response = await handleRequest({ endpoint, request, url, raw, path }, env)
  return request.method === 'HEAD' ? new Response(null, response) : response
}

/** A form may say which method it means, since forms cannot PATCH. */
function effectiveMethod(request: Request, values: ReadonlyMap<string, string>): string {
  if (request.method === 'HEAD') return 'GET'
  const override = values.get('method')?.toUpperCase()
  return request.method === 'POST' && override !== undefined && override !== '' ? override : request.method
}

function allowedMethods(endpoints: readonly Endpoint[]): string[] {
  const methods = new Set<string>(endpoints.map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  methods.add('OPTIONS')
  return [...methods].sort()
}

function fitsPath(name: string, value: string): boolean {
  return name.endsWith('_id') ? /^\d{1,15}$/.test(value) : value !== ''
}

function decodePath(params: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
  } catch {
    return undefined
  }
}
