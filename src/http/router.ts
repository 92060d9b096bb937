import { Router, type RouterType } from 'itty-router'
import type { Endpoint } from '../api/define-endpoint.ts'
import { ENDPOINTS } from '../features/index.ts'
import { EXTERNAL_CONTENT_PATH } from '../model/external-content/external-address.ts'
import { SCIM_PATH } from '../model/scim/scim-token.ts'
import { EMOJI_DATA_PATH, EXTRA_EMOJI_PATH } from '../model/server/version.ts'
import { UNCONFIRMED_PICTURE } from '../model/users/profile/avatar.ts'
import { EXPORT_PATH } from '../store/exports/export-rows.ts'
import { isByBrowser } from './browser-session.ts'
import { setUpOrganization } from './deployment/set-up-organization.ts'
import { sendTestMail } from './deployment/test-deliveries.ts'
import { verifyOrganization } from './deployment/verify-organization.ts'
import type { Environment } from './environment.ts'
import { respondEmojiData, respondExtraEmoji, respondUnconfirmedPicture } from './files/built-in-files.ts'
import { serveExternalContent } from './files/external-content.ts'
import { redirectToAvatar, servePublicImage } from './files/public-images.ts'
import { serveExport } from './files/serve-file.ts'
import { serveTus } from './files/tus.ts'
import { serveUserUpload } from './files/user-uploads.ts'
import { handleRequest } from './handle-request.ts'
import { serveDiscordHook, serveSlackHook } from './hooks-of-other-chats.ts'
import { type ArrivedRequest, receiveBody, receiveForm, receiveStreamed } from './input/arrived-request.ts'
import { bodyLimitAt } from './input/body-limit.ts'
import { holdingMemory } from './memory-share.ts'
import { serveOpenApi } from './openapi/openapi.ts'
import { respondMissing } from './pages/missing-page.ts'
import { routePages, routeWebClient } from './pages/pages.ts'
import type { PageRequest } from './request-url.ts'
import {
  respondFailure,
  respondMethodNotAllowed,
  respondNotFound,
  respondOptions,
  respondToHead,
} from './respond.ts'
import { allowedMethods, type FoundRoute, namedBy, RouteMap } from './routes.ts'
import { serveScim } from './scim/serve-scim.ts'
import { answerPreflight, withSecurityHeaders } from './security-headers.ts'

const API_ROOT = '/api/v1'
/** The root of the same endpoints for logged-in browsers (docs/interface/browsers.md#routes). */
const JSON_ROOT = '/json'
const API_ROOTS = [API_ROOT, JSON_ROOT]

interface FrontDoor {
  readonly routes: RouterType<PageRequest>['routes']
  readonly fetch: (request: Request, env: Environment) => Promise<Response>
}

/** Builds the front door from the list of endpoints and the few other routes. */
export function buildRouter(endpoints: readonly Endpoint[] = ENDPOINTS): FrontDoor {
  const routes = new RouteMap(endpoints)
  const others = routeOthers(endpoints)
  return {
    routes: others.routes,
    // Most requests are for the API, which is not in the patterns.
    async fetch(request, env) {
      const { pathname } = new URL(request.url)
      const preflight = answerPreflight(request)
      if (preflight) return withSecurityHeaders(preflight, request)
      const root = API_ROOTS.find((one) => pathname.startsWith(`${one}/`))
      const response = root && (await serveApi(routes, root, request, env).catch(failure))
      return response ? withSecurityHeaders(response, request) : others.fetch(request as PageRequest, env)
    },
  }
}

function failure(error: unknown): Response {
  return respondFailure('A request could not be served', error)
}

function routeOthers(endpoints: readonly Endpoint[]) {
  const router = Router<PageRequest, [Environment]>({ catch: failure, finally: [withSecurityHeaders] })
  router.post('/setup/organizations', (request, env) => setUpOrganization(request, env))
  router.post('/setup/verify', (request, env) => verifyOrganization(request, env))
  router.post('/setup/test-mail', (request, env) => sendTestMail(request, env))
  router.post('/services/:team/:hook/:key', (request, env) => serveSlackHook(request, env))
  router.post('/api/webhooks/:id/:key', (request, env) => serveDiscordHook(request, env))
  routePages(router)
  router.all('/user_uploads/*', (request, env) => serveUserUpload(request, env))
  router.all(`${EXTERNAL_CONTENT_PATH}*`, (request, env) => serveExternalContent(request, env))
  for (const root of ['', API_ROOT]) {
    router.get(`${root}/avatar/:user`, (request, env) => redirectToAvatar(request, env))
    router.get(`${root}/avatar/:user/medium`, (request, env) => redirectToAvatar(request, env))
  }
  router.all(`${SCIM_PATH}/*`, (request, env) => serveScim(request, env))
  router.all(`${EXPORT_PATH}*`, (request, env) => serveExport(request, env))
  router.all('/user_avatars/*', (request, env) => servePublicImage(request, env))
  router.get(EXTRA_EMOJI_PATH, () => respondExtraEmoji())
  router.get(UNCONFIRMED_PICTURE, () => respondUnconfirmedPicture())
  router.get(EMOJI_DATA_PATH, () => respondEmojiData())
  router.get(`${API_ROOT}/openapi.json`, serveOpenApi(endpoints))
  routeWebClient(router)
  for (const root of API_ROOTS) router.all(`${root}/*`, () => respondNotFound())
  router.all('*', respondMissing)
  return router
}

/** Serves an API request; undefined if it matches no route, since another route may have the path. */
async function serveApi(
  routes: RouteMap,
  root: string,
  request: Request,
  env: Environment,
): Promise<Response | undefined> {
  const url = new URL(request.url)
  const found = routes.find(url.pathname.slice(root.length))
  if (!found) return undefined
  const { route, values } = found
  if (route.endpoints.some(({ tus }) => tus)) return serveTus(route.endpoints, values, request, env)
  if (request.method === 'OPTIONS') return respondOptions(allowedMethods(route.endpoints))
  const streams = route.endpoints.some(
    ({ method, streamsFiles }) => streamsFiles && method === request.method,
  )
  if (streams) return serveMatched(found, request, url, receiveStreamed(request, url), env, root)
  const reading = route.endpoints.find(({ readsBody }) => readsBody)
  const path = reading ? namedBy(reading.path, values) : {}
  if (request.method === 'HEAD' && reading?.readsBody?.answersHead?.(path)) return respondToHead()
  return holdingMemory(async (memory) => {
    const limit = bodyLimitAt(route.endpoints, request.method)
    const largeLimit = reading?.readsBody?.large?.maxMib(path)
    const arrived = reading
      ? await receiveBody(request, url, memory, limit, largeLimit)
      : await receiveForm(request, url, memory, limit)
    return serveMatched(found, request, url, arrived, env, root)
  })
}

async function serveMatched(
  { route, values }: FoundRoute,
  request: Request,
  url: URL,
  arrived: ArrivedRequest,
  env: Environment,
  root: string,
): Promise<Response> {
  const method = effectiveMethod(request.method, arrived.method)
  const declared = route.endpoints.find((candidate) => candidate.method === method)
  const isBelowJson = root === JSON_ROOT
  const endpoint = (isBelowJson && declared?.belowJson) || declared
  if (!endpoint) return respondMethodNotAllowed(allowedMethods(route.endpoints))
  const path = namedBy(endpoint.path, values)
  const response = await handleRequest(
    {
      endpoint,
      request,
      url,
      arrived,
      path,
      isByBrowser: isBelowJson || (endpoint.takesSessions === true && isByBrowser(request)),
    },
    env,
  )
  // Sessions are for browsers, which must not show their own password prompt.
  if (root === JSON_ROOT) response.headers.delete('WWW-Authenticate')
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
