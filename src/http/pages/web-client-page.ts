import { allowsWebPublic } from '../../core/deployment-settings.ts'
import { ApiError } from '../../core/errors.ts'
import { membersText } from '../../core/json.ts'
import { noteOfRequest } from '../../core/request-record.ts'
import type { PlaceholderName } from '../../core/web-client.ts'
import { getPageFactsStep, type PageFacts } from '../../features/browser-sessions/browser-sessions.ts'
import { registerQueueEndpoint } from '../../features/events/event-queues.ts'
import { getServerSettingsEndpoint } from '../../features/server/get-server-settings.ts'
import { escapedBytes, html, respondPage } from '../html/html.ts'
import { findWebClient, policyOf, type WebClient } from '../html/web-client.ts'
import { asRead } from '../input/arrived-request.ts'
import { askOrRefuse } from '../operations/ask-realm.ts'
import { handleRequest } from '../operations/handle-request.ts'
import { csrfTokenOf, endedCookies, type SessionOfBrowser, sessionOf } from '../request/browser-session.ts'
import type { Environment } from '../request/environment.ts'
import { findRealm } from '../request/find-realm.ts'
import type { PageRequest } from '../request/request-url.ts'
import { retryLater } from '../request/respond.ts'
import { redirectWith } from './log-in/login-answers.ts'
import { SHORT_LOGIN_PATH } from './log-in/login-page.ts'
import { pageParameters, REGISTRATION, spectatorParameters, stateFor } from './page-parameters.ts'

const COLOR_SCHEMES = ['', 'automatic', 'dark', 'light']

/**
 * GET / and GET /de/, if a web client is deployed: its page, filled for the browser that asks, with the snapshot from which its events
 * continue. Undefined without a client, or without this language of it. Source: docs/interface/browsers.md#page-parameters.
 */
export async function showWebClient(request: PageRequest, env: Environment): Promise<Response | undefined> {
  const client = await findWebClient(env)
  const wanted = request.params.language
  if (!client || (wanted !== undefined && languageOf(client, wanted) === undefined)) return undefined
  // Our own page reports the missing organization.
  if (!(await findRealm(env.DB, new URL(request.url)))) return undefined
  const session = await sessionOf(request)
  try {
    if (!session) {
      return (await showToSpectator(client, wanted, request, env)) ?? leadToLogin(request)
    }
    return await fill(client, wanted, session, request, env)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refuse(error, request)
  }
}

/** @throws ApiError */
async function fill(
  client: WebClient,
  wanted: string | undefined,
  session: SessionOfBrowser,
  request: PageRequest,
  env: Environment,
): Promise<Response> {
  const facts = await askOrRefuse<PageFacts>(request, env, getPageFactsStep.operation, {}, { session })
  const language = languageOf(client, wanted ?? facts.default_language) ?? client.languages[0]!.code
  const headers = headersOf(client, env)
  // A HEAD request gets no queue.
  if (request.method === 'HEAD') return new Response(null, { headers })
  const placeholders = {
    csrf_token: await csrfTokenOf(session),
    language,
    color_scheme: COLOR_SCHEMES[facts.color_scheme] ?? 'automatic',
    realm_name: facts.realm_name,
  }
  const parameters = pageParameters(client, facts, language, env)
  const snapshot = await register(request, env)
  // Its log line is about the page, not about the registration in it.
  noteOfRequest({ operation: 'web-client-page' })
  const parts = partsOf(client, placeholders, parameters, snapshot)
  return new Response(streamOf(parts, snapshot), { headers })
}

/**
 * Returns the page for a browser without a session, if the organization can be read without an account (docs/interface/visitors.md#when);
 * else undefined.
 * @throws ApiError
 */
async function showToSpectator(
  client: WebClient,
  wanted: string | undefined,
  request: PageRequest,
  env: Environment,
): Promise<Response | undefined> {
  if (!allowsWebPublic(env)) return undefined
  const { operation } = getServerSettingsEndpoint
  const facts = await askOrRefuse<OpenOrganization>(request, env, operation, {}, { counted: true })
  if (!facts.realm_web_public_access_enabled) return undefined
  const language =
    (wanted === undefined ? languageOfBrowser(client, request) : languageOf(client, wanted)) ??
    client.languages[0]!.code
  noteOfRequest({ operation: 'web-client-page' })
  const headers = headersOf(client, env)
  if (request.method === 'HEAD') return new Response(null, { headers })
  const placeholders: Readonly<Record<PlaceholderName, string>> = {
    page_params: JSON.stringify(spectatorParameters(client, language, env, facts)),
    csrf_token: '',
    language,
    color_scheme: 'automatic',
    realm_name: facts.realm_name,
  }
  const encoder = new TextEncoder()
  const parts = client.page.map((part) =>
    typeof part === 'string'
      ? encoder.encode(part)
      : escapedBytes(encoder.encode(placeholders[part.placeholder])),
  )
  return new Response(Buffer.concat(parts), { headers })
}

function headersOf(client: WebClient, env: Environment) {
  return { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policyOf(client, env) }
}

interface OpenOrganization {
  readonly realm_name: string
  /** HTML. */
  readonly realm_description: string
  readonly realm_web_public_access_enabled: boolean
}

/** Limit of the browser languages considered; browsers name a handful. */
const LANGUAGES_LOOKED_AT = 20

/** Returns the first of the browser's languages that the client has. */
function languageOfBrowser(client: WebClient, { headers }: Request): string | undefined {
  const languages = (headers.get('accept-language') ?? '').split(',', LANGUAGES_LOOKED_AT)
  for (const language of languages) {
    const [code = ''] = language.trim().split(';', 1)
    const found = languageOf(client, code) ?? languageOf(client, code.split('-', 1)[0]!)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the answer of POST /register as it arrives. @throws ApiError */
async function register(request: PageRequest, env: Environment): Promise<ReadableStream<Uint8Array>> {
  const arrived = asRead({ values: REGISTRATION, files: [] })
  const matched = {
    endpoint: registerQueueEndpoint,
    asked: { request, address: new URL(request.url) },
    arrived,
    path: {},
  }
  const response = await handleRequest({ ...matched, isByBrowser: true }, env)
  if (response.ok && response.body) return response.body
  const { code, msg, ...extra } = await response.json<{ code: string; msg: string }>()
  throw new ApiError(code, msg, extra, response.status)
}

async function* partsOf(
  client: WebClient,
  placeholders: Readonly<Record<Exclude<PlaceholderName, 'page_params'>, string>>,
  parameters: object,
  snapshot: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  for (const part of client.page) {
    if (typeof part === 'string') yield encoder.encode(part)
    else if (part.placeholder !== 'page_params')
      yield escapedBytes(encoder.encode(placeholders[part.placeholder]))
    else {
      yield escapedBytes(encoder.encode(`{${membersText(parameters)},"state_data":`))
      const state = stateFor(client.feature_level)
      for await (const chunk of snapshot) yield escapedBytes(Buffer.concat([...state.push(chunk)]))
      yield escapedBytes(encoder.encode('}'))
    }
  }
}

/** Streams parts. `source`: the stream from which they are made; a reader who leaves before the start cancels it too. */
function streamOf(
  parts: AsyncGenerator<Uint8Array, void>,
  source: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel(reason) {
      await parts.return()
      if (!source.locked) await source.cancel(reason)
    },
  })
}

/** Finds a language, ignoring case, since browsers and people write `pt-BR`. */
function languageOf({ languages }: WebClient, code: string): string | undefined {
  const wanted = code.toLowerCase()
  return languages.find((language) => language.code.toLowerCase() === wanted)?.code
}

function leadToLogin({ url }: Request, cookies: readonly string[] = []): Response {
  const { pathname, search } = new URL(url)
  const next = pathname === '/' && search === '' ? '' : `?${new URLSearchParams({ next: pathname + search })}`
  return redirectWith(`${SHORT_LOGIN_PATH}/${next}`, cookies)
}

function refuse(error: ApiError, request: Request): Response {
  noteOfRequest({ code: error.code })
  // The session has ended, and its cookies are removed.
  if (error.status === 401) return leadToLogin(request, endedCookies(new URL(request.url)))
  return retryLater(respondPage('Parley', html`<p>${error.message}</p>`, error.status), error)
}
