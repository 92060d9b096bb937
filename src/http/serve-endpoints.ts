import { serveTus } from './files/tus.ts'
import { type ArrivedRequest, receiveBody, receiveForm, receiveStreamed } from './input/arrived-request.ts'
import { bodyLimitAt } from './input/body-limit.ts'
import { handleRequest } from './operations/handle-request.ts'
import { holdingMemory } from './request/admission-control.ts'
import { isByBrowser } from './request/browser-session.ts'
import { allowedMethods, type FoundPath } from './request/endpoint-paths.ts'
import type { Environment } from './request/environment.ts'
import type { RoutedRequest } from './request/request-url.ts'
import { respondMethodNotAllowed, respondOptions, respondToHead } from './request/respond.ts'

/** The endpoints of one path, and whether they are asked below /json. */
interface AtPath extends FoundPath {
  readonly isBelowJson: boolean
}

/** Serves a request to a path of the API. */
export async function serveEndpoints(at: AtPath, asked: RoutedRequest, env: Environment): Promise<Response> {
  const { request, address: url } = asked
  const { endpoints, values: path } = at
  if (endpoints.some(({ tus }) => tus)) return serveTus(endpoints, path, asked, env)
  if (request.method === 'OPTIONS') return respondOptions(allowedMethods(endpoints))
  const answer = (arrived: ArrivedRequest) => answerArrived(at, asked, arrived, env)
  if (endpoints.some(({ method, streamsFiles }) => streamsFiles && method === request.method))
    return answer(receiveStreamed(request, url))
  const readsBody = endpoints.find((endpoint) => endpoint.readsBody)?.readsBody
  if (request.method === 'HEAD' && readsBody?.answersHead?.(path)) return respondToHead()
  const limit = bodyLimitAt(endpoints, request.method)
  return holdingMemory(async (memory) =>
    answer(
      readsBody
        ? await receiveBody(request, url, memory, limit, readsBody.large?.maxMib(path))
        : await receiveForm(request, url, memory, limit),
    ),
  )
}

async function answerArrived(
  { endpoints, values: path, isBelowJson }: AtPath,
  asked: RoutedRequest,
  arrived: ArrivedRequest,
  env: Environment,
): Promise<Response> {
  const { request } = asked
  const method = effectiveMethod(request.method, arrived.method)
  const declared = endpoints.find((candidate) => candidate.method === method)
  const endpoint = (isBelowJson && declared?.belowJson) || declared
  if (!endpoint) return respondMethodNotAllowed(allowedMethods(endpoints))
  const response = await handleRequest(
    {
      endpoint,
      asked,
      arrived,
      path,
      isByBrowser: isBelowJson || (endpoint.takesSessions === true && isByBrowser(request)),
    },
    env,
  )
  // Sessions are for browsers, which must not show their own password prompt.
  if (isBelowJson) response.headers.delete('WWW-Authenticate')
  const repeated = endpoint.readsBody?.repeatedHeader?.(path)
  const value = repeated === undefined || !response.ok ? null : request.headers.get(repeated)
  if (value !== null) response.headers.set(repeated!, value)
  return request.method === 'HEAD' ? new Response(null, response) : response
}

/** Returns the effective method: a posted form may name one, since forms cannot PATCH. */
function effectiveMethod(method: string, meant: string | undefined): string {
  if (method === 'HEAD') return 'GET'
  return method === 'POST' && meant ? meant.toUpperCase() : method
}
