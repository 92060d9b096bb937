import type { RowCounts } from '../core/sql.ts'
import { ENDPOINTS } from '../features/index.ts'
import type { Environment } from '../http/environment.ts'
import { guardAttempts } from '../http/failed-attempts.ts'
import { findRealm } from '../http/find-realm.ts'
import { answerAfterBody } from '../http/input/answer-after-body.ts'
import { keptTexts } from '../http/kept-texts.ts'
import { logRequest } from '../http/log-requests.ts'
import { takeMail } from '../http/mail/take-mail.ts'
import { urlOf } from '../http/request-url.ts'
import { buildRouter } from '../http/router.ts'
import { sectionCache } from '../http/snapshot/section-cache.ts'
import { COMPONENTS_PATH, showComponents } from './components.ts'
import { compressed } from './compressed.ts'
import { countRows, ROWS_HEADER } from './count-rows.ts'
import { DEV_ENDPOINTS } from './endpoints.ts'
import type { DevEnvironment } from './environment.ts'
import { after, farAway } from './far-away.ts'
import { listPeople, logInAsAnybody } from './log-in.ts'
import { runAsUsers } from './run-as-users.ts'
import { foundOrganizations } from './seed/found-organizations.ts'
import { seedOrganization } from './seed/seed-organization.ts'
import { DIGESTS_PATH, EMAILS_PATH, makeDigests, showEmails } from './show-emails.ts'
import { standIn } from './stand-in.ts'

export { DevRealmObject as RealmObject } from './realm-object.ts'

const router = buildRouter([...ENDPOINTS, ...DEV_ENDPOINTS])

/** The local-development entry: the server with a few doors that a deployed one must not have. */
export default {
  async fetch(request, env) {
    const { pathname } = urlOf(request)
    if (request.method === 'POST' && pathname === '/dev/run') return runAsUsers(request, env)
    if (request.method === 'POST' && pathname === '/dev/log_in') return logInAsAnybody(request, env)
    if (request.method === 'GET' && pathname === '/dev/people') return listPeople(request, env)
    if (request.method === 'POST' && pathname === '/dev/seed') return seedOrganization(request, env)
    if (request.method === 'POST' && pathname === '/dev/organizations')
      return foundOrganizations(request, env)
    if (request.method === 'POST' && pathname === DIGESTS_PATH) return makeDigests(request, env)
    if (request.method === 'GET' && pathname.startsWith(EMAILS_PATH)) return showEmails(request, env)
    if (request.method === 'DELETE' && pathname === '/dev/sections') return forgetSections()
    if (request.method === 'POST' && pathname === '/dev/kept-texts') return limitTexts(request)
    if (request.method === 'DELETE' && pathname === '/dev/kept-texts') return forgetTexts()
    if (request.method === 'GET' && pathname.startsWith(COMPONENTS_PATH)) return showComponents(request, env)
    if (request.method === 'GET' && pathname === '/dev/rows') return showProjectedRows(request, env)
    if (request.method === 'POST' && pathname === '/dev/mail') return deliverMail(request, env)
    const serve = (within: DevEnvironment) => {
      const environment = environmentOf(within)
      const route = async () =>
        compressed(request, closedToOtherOrigins(await router.fetch(request, environment), pathname))
      return logRequest(request, environment, () => guardAttempts(request, environment, route))
    }
    return answerAfterBody(request, () =>
      request.headers.has(ROWS_HEADER) ? countRows(env, serve) : serve(env),
    )
  },
} satisfies ExportedHandler<DevEnvironment>

/** Keeps from pages of other sites what gives anybody's key: they run in browsers beside this server. */
function closedToOtherOrigins(response: Response, pathname: string): Response {
  if (pathname.startsWith('/api/v1/dev_')) response.headers.delete('Access-Control-Allow-Origin')
  return response
}

/** The environment, made once for each Worker, since a deployed Worker has the same one for all its requests. */
const environments = new WeakMap<DevEnvironment, Environment>()

function environmentOf(within: DevEnvironment): Environment {
  const known = environments.get(within)
  if (known) return known
  const made: Environment = { ...farFromAll(within), DEVELOPMENT: true }
  environments.set(within, made)
  return made
}

/** Limits the texts that this isolate keeps to `?bytes`. */
function limitTexts(request: Request): Response {
  keptTexts.limitTo(Number(new URL(request.url).searchParams.get('bytes')))
  return Response.json({ result: 'success', complete: true })
}

function forgetTexts(): Response {
  keptTexts.clear()
  return Response.json({ result: 'success' })
}

/** Empties this isolate, which then holds no more than a new one. */
function forgetSections(): Response {
  sectionCache.clear()
  keptTexts.clear()
  return Response.json({ result: 'success' })
}

/**
 * POST /dev/mail?from=ADDRESS&to=ADDRESS with a mail as it comes over the wire, as if Cloudflare's Email
 * Routing had delivered it. Answers {"rejected": null}, or the reason with which the sender would get it
 * back.
 */
async function deliverMail(request: Request, env: DevEnvironment): Promise<Response> {
  const { searchParams, origin } = new URL(request.url)
  const raw = new Uint8Array(await request.arrayBuffer())
  let rejected: string | null = null
  await takeMail(
    {
      from: searchParams.get('from') ?? '',
      to: searchParams.get('to') ?? '',
      raw: new Response(raw).body!,
      rawSize: raw.length,
      setReject(reason) {
        rejected = reason
      },
    },
    { ...env, DEVELOPMENT: true },
    origin,
  )
  return Response.json({ rejected })
}

/** Does what `farAway` does, for the realm objects too. */
function farFromAll(env: DevEnvironment): DevEnvironment {
  const far = Number(env.LATENCY_MS ?? 0)
  return far > 0 ? { ...farAway(env), REALM: farObjects(env.REALM, far) } : env
}

function farObjects(namespace: DevEnvironment['REALM'], ms: number): DevEnvironment['REALM'] {
  return standIn<DevEnvironment['REALM']>({
    idFromName: (name) => namespace.idFromName(name),
    get: (...args) => after(namespace.get(...args), ms),
  })
}

/** GET /dev/rows: rows of D1 that the organization's projection has read and written, once it has caught up. */
async function showProjectedRows(request: Request, env: DevEnvironment): Promise<Response> {
  const realm = await findRealm(env.DB, new URL(request.url))
  if (!realm) return Response.json({ result: 'error' }, { status: 400 })
  const object = env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`))
  return Response.json({ result: 'success', d1: (await object.projectedRows()) as RowCounts })
}
