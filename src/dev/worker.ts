import { Router } from 'itty-router'
import * as v from 'valibot'
import type { RealmAnswer } from '../core/call.ts'
import type { RowCounts } from '../core/sql.ts'
import { ENDPOINTS } from '../features/index.ts'
import { guardAttempts } from '../http/failed-attempts.ts'
import { html, respondPage } from '../http/html/html.ts'
import { contentTypeOf } from '../http/html/web-client.ts'
import { answerAfterBody } from '../http/input/arriving-body.ts'
import { logRequest } from '../http/log-requests.ts'
import { takeMail } from '../http/mail/take-mail.ts'
import { keptTexts } from '../http/operations/kept-texts.ts'
import type { Environment } from '../http/request/environment.ts'
import { findRealm } from '../http/request/find-realm.ts'
import { atRoutedPath, type PageRequest, type RoutedRequest } from '../http/request/request-url.ts'
import { respondNotFound } from '../http/request/respond.ts'
import { buildRouter } from '../http/router.ts'
import { sectionCache } from '../http/snapshot/section-cache.ts'
import type { Email } from '../store/emails/email-rows.ts'
import { countRows, ROWS_HEADER } from './count-rows.ts'
import { DEV_ENDPOINTS } from './endpoints.ts'
import { after, farAway } from './far-away.ts'
import { listPeople, logInAsAnybody, withSession } from './log-in.ts'
import { type DevEnvironment, localOrigin } from './realm-object.ts'
import { createOrganizations } from './seed/create-organizations.ts'
import { seedOrganization } from './seed/seed-organization.ts'
import { standIn } from './stand-in.ts'
import { KEEPING_MAIL, mailOfWorker } from './worker-mail.ts'

export { HasherObject } from '../hasher/hasher-object.ts'
export { DevRealmObject as RealmObject } from './realm-object.ts'

const router = buildRouter([...ENDPOINTS, ...DEV_ENDPOINTS])

const COMPONENTS_PATH = '/dev/components'

/** Content-Security-Policy of the page, as strict as that of the page whose components it shows. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src blob:; font-src 'self'"

/** GET /dev/components/…: the page that shows each component in all its states, and its files. */
async function showComponents(request: Request, { COMPONENTS }: DevEnvironment): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  // Its files have addresses relative to it.
  if (pathname === COMPONENTS_PATH) {
    return new Response(null, { status: 302, headers: { Location: `${COMPONENTS_PATH}/${search}` } })
  }
  const path = pathname.slice(COMPONENTS_PATH.length)
  const name = path === '/' ? '/index.html' : path
  const file = await COMPONENTS?.fetch(new Request(`https://page.invalid${name}`))
  if (!file?.ok) return respondNotFound()
  return new Response(file.body, {
    headers: { 'Content-Type': contentTypeOf(name), 'Content-Security-Policy': POLICY },
  })
}

/** Types worth compressing; pictures and fonts are compressed already. */
const TEXT = /^(?:text\/(?!event-stream)|application\/(?:json|manifest\+json|javascript)|image\/svg)/

/** Size in characters below which compression costs more than it saves, as at the platform's edge. */
const MIN_LENGTH = 48

/**
 * Returns the answer compressed for a browser, as the platform's edge does for every text. Other clients get it plain, since programs
 * that measure the Worker would otherwise measure compression too.
 */
function compressed(request: Request, response: Response): Response {
  if (response.status !== 200 || !request.headers.has('Sec-Fetch-Site')) return response
  if (!/\bgzip\b/.test(request.headers.get('Accept-Encoding') ?? '')) return response
  if (!TEXT.test(response.headers.get('Content-Type') ?? '')) return response
  if (response.body === null || response.webSocket || response.headers.has('Content-Encoding'))
    return response
  const length = response.headers.get('Content-Length')
  if (length !== null && Number(length) < MIN_LENGTH) return response
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  headers.set('Content-Encoding', 'gzip')
  headers.append('Vary', 'Accept-Encoding')
  // A tag of the plain text names the compressed one weakly.
  const tag = headers.get('ETag')
  if (tag?.startsWith('"')) headers.set('ETag', `W/${tag}`)
  // The runtime compresses the body because of this header.
  return new Response(response.body, { headers })
}

const body = v.object({
  calls: v.array(
    v.object({
      operation: v.string(),
      user_id: v.number(),
      params: v.record(v.string(), v.unknown()),
      /** UNIX seconds. */
      now: v.number(),
    }),
  ),
})

/**
 * POST /dev/run: operations as users, at given times, with parameters as values instead of text, which builds the demo organization's
 * history. Answers are in the order of the calls.
 */
async function runAsUsers(request: Request, env: DevEnvironment): Promise<Response> {
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  const parsed = v.safeParse(body, await request.json().catch(() => undefined))
  if (!realm || !parsed.success) return Response.json({ result: 'error' }, { status: 400 })
  // The demo is made at another port than it is served at later.
  const origin = localOrigin(env, realm.host) ?? url.origin
  const object = env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`))
  const answers = (await object.runAt(
    parsed.output.calls.map(({ operation, user_id, params, now }) => ({
      now,
      call: {
        operation,
        credentials: { kind: 'trusted', userId: user_id },
        parameters: { ok: true, value: params },
        source: { origin, userAgent: 'ParleyDemo/1.0', ip: '', development: true },
        counted: true,
        host: realm.host,
      },
    })),
  )) as RealmAnswer[]
  return Response.json({ result: 'success', answers: answers.map(({ outcome }) => outcome) })
}

const EMAILS_PATH = '/dev/emails'
const DIGESTS_PATH = `${EMAILS_PATH}/digests`

/** Content-Security-Policy of a shown mail: it can load and run nothing, and its links open new windows only. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups; frame-ancestors 'self'"
const LIST_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; frame-src 'self'; frame-ancestors 'none'"

/**
 * GET /dev/emails: the mail sent by the organization at this host, after what the Worker itself has sent, each newest first, as its readers
 * see it. GET /dev/emails/{id}: the HTML of one mail.
 */
async function showEmails(request: Request, env: DevEnvironment): Promise<Response> {
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  const object = realm && env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`))
  const emails = [...mailOfWorker(), ...((await object?.sentEmails()) ?? [])] as Email[]
  if (url.pathname !== EMAILS_PATH) return showOne(emails, Number(url.pathname.slice(EMAILS_PATH.length + 1)))
  const list = emails.map(
    (email) => html`<article>
  <h2>${email.subject}</h2>
  <p>To ${email.recipient}, ${new Date(email.createdAt * 1_000).toISOString()}${email.sentAt === null ? ' (waiting)' : ''}${replyTo(email)}</p>
  ${frameOf(email)}<pre>${email.body}</pre>
</article>`,
  )
  const page = respondPage(
    'Mail',
    html`<form method="post" action="${DIGESTS_PATH}"><button class="button">Make digests of the last week now</button></form>
${list.length === 0 ? html`<p>Nothing has been sent yet.</p>` : html`${list}`}`,
  )
  page.headers.set('Content-Security-Policy', LIST_POLICY)
  return page
}

function replyTo({ headers }: Email): string {
  const address = headers?.['Reply-To']
  return address === undefined ? '' : `, answers to ${address}`
}

/** POST /dev/emails/digests: writes the digests that people would get if they were away now, as sent mail. */
async function makeDigests(request: Request, env: DevEnvironment): Promise<Response> {
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  if (!realm) return respondPage('Mail', html`<p>No organization answers here.</p>`, 404)
  await env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`)).makeDigests(url.origin)
  return new Response(null, { status: 303, headers: { Location: EMAILS_PATH } })
}

function frameOf({ id, html: content }: Email) {
  if (content === null) return html``
  return html`<iframe sandbox="allow-popups" src="${EMAILS_PATH}/${id}" loading="lazy" title="The mail"></iframe>
  <p>As text:</p>`
}

function showOne(emails: readonly Email[], id: number): Response {
  const email = emails.find((each) => each.id === id)
  if (!email?.html) return respondPage('Mail', html`<p>There is no such mail in HTML.</p>`, 404)
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': MAIL_POLICY }
  // Links open in a new window.
  return new Response(email.html.replace('<head>', '<head><base target="_blank">'), {
    headers: { ...headers, 'X-Frame-Options': 'SAMEORIGIN' },
  })
}

/** The local-development entry: the server with a few routes that a deployed one must not have. */
export default {
  fetch: (request, env) =>
    atRoutedPath(
      request,
      async (asked) =>
        // So the many other requests take as long as with the deployed Worker.
        (asked.address.pathname.startsWith('/dev/') && (await devRoutes.fetch(asked.request, env))) ||
        serveAsDeployed(asked, env),
    ),
} satisfies ExportedHandler<DevEnvironment>

const devRoutes = Router<PageRequest, [DevEnvironment]>()
devRoutes.post('/dev/run', runAsUsers)
devRoutes.post('/dev/log_in', logInAsAnybody)
devRoutes.get('/dev/people', listPeople)
devRoutes.post('/dev/seed', seedOrganization)
devRoutes.post('/dev/organizations', createOrganizations)
devRoutes.post(DIGESTS_PATH, makeDigests)
devRoutes.get(`${EMAILS_PATH}/*`, showEmails)
devRoutes.delete('/dev/sections', forgetSections)
devRoutes.post('/dev/kept-texts', limitTexts)
devRoutes.delete('/dev/kept-texts', forgetTexts)
devRoutes.get(`${COMPONENTS_PATH}/*`, showComponents)
devRoutes.get('/dev/rows', showProjectedRows)
devRoutes.post('/dev/mail', deliverMail)

async function serveAsDeployed(asked: RoutedRequest, env: DevEnvironment): Promise<Response> {
  const { request } = asked
  const { pathname } = asked.address
  const serveWithin = (within: DevEnvironment) => {
    const environment = environmentOf(within)
    const routed = async () => {
      const answer = await router.serve(asked, environment)
      return FETCHES_KEY.test(pathname) ? withSession(request, environment, answer) : answer
    }
    const route = async () => compressed(request, closedToOtherOrigins(await routed(), pathname))
    return logRequest(asked, environment, () => guardAttempts(asked, environment, route))
  }
  return answerAfterBody(request, () =>
    request.headers.has(ROWS_HEADER) ? countRows(env, serveWithin) : serveWithin(env),
  )
}

/** The path of POST /dev_fetch_api_key. */
const FETCHES_KEY = /^\/api\/v1\/dev_fetch_api_key\/?$/

/** Refuses pages of other sites, which run in browsers on the same machine: some of these routes return any account's key. */
function closedToOtherOrigins(response: Response, pathname: string): Response {
  if (pathname.startsWith('/api/v1/dev_')) response.headers.delete('Access-Control-Allow-Origin')
  return response
}

/** The environment, made once for each Worker, since a deployed Worker has the same one for all its requests. */
const environments = new WeakMap<DevEnvironment, Environment>()

function environmentOf(within: DevEnvironment): Environment {
  const known = environments.get(within)
  if (known) return known
  const made: Environment = { SEND_EMAIL: KEEPING_MAIL, ...farFromAll(within), DEVELOPMENT: true }
  environments.set(within, made)
  return made
}

/** Limits the texts kept by this isolate to `?bytes`. */
function limitTexts(request: Request): Response {
  keptTexts.limitTo(Number(new URL(request.url).searchParams.get('bytes')))
  return Response.json({ result: 'success', complete: true })
}

function forgetTexts(): Response {
  keptTexts.clear()
  return Response.json({ result: 'success' })
}

/** Clears the caches of this isolate, as in a new one. */
function forgetSections(): Response {
  sectionCache.clear()
  keptTexts.clear()
  return Response.json({ result: 'success' })
}

/**
 * POST /dev/mail?from=ADDRESS&to=ADDRESS with a raw mail, as if Cloudflare's Email Routing had delivered it. Returns {"rejected": null},
 * or the reason that the sender would get.
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

/** Does the same as `farAway`, for the realm objects too. */
function farFromAll(env: DevEnvironment): DevEnvironment {
  const far = Number(env.LATENCY_MS ?? 0)
  return far > 0
    ? { ...farAway(env), REALM: farObjects(env.REALM, far), HASHER: farObjects(env.HASHER, far) }
    : env
}

function farObjects<Kind extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<Kind>,
  ms: number,
): DurableObjectNamespace<Kind> {
  return standIn<DurableObjectNamespace<Kind>>({
    idFromName: (name) => namespace.idFromName(name),
    get: (...args) => after(namespace.get(...args), ms),
  })
}

/** GET /dev/rows: the D1 rows that the organization's projection has read and written, once it is idle. */
async function showProjectedRows(request: Request, env: DevEnvironment): Promise<Response> {
  const realm = await findRealm(env.DB, new URL(request.url))
  if (!realm) return Response.json({ result: 'error' }, { status: 400 })
  const object = env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`))
  return Response.json({ result: 'success', d1: (await object.projectedRows()) as RowCounts })
}
