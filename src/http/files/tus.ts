import { waitUntil } from 'cloudflare:workers'
import type { Endpoint } from '../../api/define-endpoint.ts'
import { ApiError, BrokenOffError, StalledBodyError } from '../../core/errors.ts'
import { type IncomingFile, MIB } from '../../core/files.ts'
import { noteOfRequest } from '../../core/request-record.ts'
import { CHUNK_TYPE } from '../../model/uploads/resumable-upload.ts'
import { asRead } from '../input/arrived-request.ts'
import { arrivingBytes } from '../input/arriving-body.ts'
import type { RawParameters } from '../input/read-parameters.ts'
import { handleRequest } from '../operations/handle-request.ts'
import { isByBrowser } from '../request/browser-session.ts'
import { allowedMethods } from '../request/endpoint-paths.ts'
import { deploymentFacts, type Environment } from '../request/environment.ts'
import type { RoutedRequest } from '../request/request-url.ts'
import { respondMethodNotAllowed, respondOptions } from '../request/respond.ts'

/**
 * Serves the tus protocol: parameters and most results are headers, and the status tells the error. A refusal also has the API's body,
 * with the text repeated under `message`, where clients of this protocol look.
 */
export async function serveTus(
  endpoints: readonly Endpoint[],
  path: Record<string, string>,
  asked: RoutedRequest,
  env: Environment,
): Promise<Response> {
  const { request, address } = asked
  const allowed = allowedMethods(endpoints)
  if (request.method === 'OPTIONS') {
    const facts = deploymentFacts(env, address)
    const { maxMib } = endpoints.find(({ tus }) => tus?.maxMib)?.tus ?? {}
    return inTus(describeServer(allowed, maxMib?.(facts) ?? facts.maxFileUploadMib))
  }
  const method = methodOf(request)
  const endpoint = endpoints.find((candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method))
  if (!endpoint) return inTus(respondMethodNotAllowed(allowed))
  const arrived = asRead(parametersOf(endpoint, request))
  const answering = handleRequest({ endpoint, asked, arrived, path, isByBrowser: isByBrowser(request) }, env)
  // The received bytes are kept even if the connection breaks.
  waitUntil(answering)
  const response = inTus(await translate(endpoint, await answering))
  return method === 'HEAD' ? new Response(null, response) : response
}

/** Returns the effective method. Only a POST may override it: protection from other sites goes by the real method. */
function methodOf({ method, headers }: Request): string {
  return (method === 'POST' && headers.get('x-http-method-override')?.toUpperCase()) || method
}

function describeServer(allowed: readonly string[], maxMib: number): Response {
  const response = respondOptions(allowed)
  response.headers.set('Tus-Version', TUS_VERSION)
  response.headers.set('Tus-Extension', TUS_EXTENSIONS)
  response.headers.set('Tus-Max-Size', String(Math.floor(maxMib * MIB)))
  return response
}

function parametersOf({ tus }: Endpoint, request: Request): RawParameters {
  const values = new Map<string, string>()
  for (const name of tus?.headers ?? []) {
    const value = request.headers.get(headerName(name))
    if (value !== null) values.set(name, value)
  }
  const isChunk = request.headers.get('content-type') === CHUNK_TYPE
  const files = tus?.chunk && isChunk ? [chunkOf(request)] : []
  if (request.headers.get('tus-resumable') !== TUS_VERSION) return { values, files, refusal: otherVersion() }
  if (tus?.chunk === 'required' && !isChunk) return { values, files, refusal: otherType() }
  return { values, files }
}

function chunkOf({ body }: Request): IncomingFile {
  return { name: 'chunk', contentType: CHUNK_TYPE, content: body ? arrivingBytes(body) : nothing() }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function otherVersion(): ApiError {
  return new ApiError('BAD_REQUEST', `Tus-Resumable must be ${TUS_VERSION}`, {}, 412)
}

function otherType(): ApiError {
  return new ApiError('BAD_REQUEST', `Content-Type must be ${CHUNK_TYPE}`, {}, 415)
}

function inTus(response: Response): Response {
  response.headers.set('Tus-Resumable', TUS_VERSION)
  if (response.status === 412) response.headers.set('Tus-Version', TUS_VERSION)
  return response
}

/** Returns the body of an answer to a request whose body ended early; what arrived is stored. */
function refusalOf(status: number): string {
  const { message, code } =
    status === new StalledBodyError().status ? new StalledBodyError() : new BrokenOffError()
  noteOfRequest({ code })
  return JSON.stringify({ result: 'error', msg: message, code, message })
}

async function translate({ tus }: Endpoint, answer: Response): Promise<Response> {
  const said = await answer.json<{ msg: string }>()
  if (!answer.ok || !tus) return Response.json({ ...said, message: said.msg }, answer)
  const { status, headers, body } = tus.answer(said)
  const text =
    status >= 400 ? refusalOf(status) : body && JSON.stringify({ result: 'success', msg: '', ...body })
  const response = new Response(text, { status, headers: answer.headers })
  if (!text) response.headers.delete('Content-Type')
  for (const [name, value] of Object.entries(headers)) {
    if (value !== null) response.headers.set(name, String(value))
  }
  return response
}

/** The only supported version of the tus protocol (tus.io/protocols/resumable-upload). */
export const TUS_VERSION = '1.0.0'
const TUS_EXTENSIONS = 'creation,creation-with-upload,termination,expiration'

/** Returns the header of a parameter: `upload_length` is sent as `Upload-Length`. */
export function headerName(parameter: string): string {
  return parameter
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('-')
}
