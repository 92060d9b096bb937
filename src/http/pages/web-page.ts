import { DailyLimitError } from '../../core/daily-limits.ts'
import { getServerSettingsEndpoint } from '../../features/server/get-server-settings.ts'
import { countRealms } from '../../store/d1/realms.ts'
import { respondRefusal, toFind } from '../html/auth-page.ts'
import { Html, html, respondPage } from '../html/html.ts'
import { textsOfRequest } from '../html/texts-of-request.ts'
import { contentTypeOf, gifHosts, readAsset } from '../html/web-client.ts'
import { askRealm } from '../operations/ask-realm.ts'
import type { Environment } from '../request/environment.ts'
import { findRealm } from '../request/find-realm.ts'
import type { PageRequest } from '../request/request-url.ts'
import { respondNotFound } from '../request/respond.ts'
import { sha256Hex } from '../request/sha256.ts'
import { PASSWORD_RESET_PATH } from './log-in/login-page.ts'
import { ASKED_ANEW, DIGESTED, headersOfPageFile, PAGE_FILES } from './page-file-headers.ts'
import { askForCode } from './set-up-page.ts'

/**
 * Returns the page's Content-Security-Policy: scripts, styles and connections of this origin only, and nothing inline. Pictures of other
 * servers come through /external_content; pictures about to be uploaded are blobs. The browser contacts only the GIF provider directly,
 * if this deployment has a key for it.
 */
function pagePolicy(env: Environment): string {
  const { search, pictures } = gifHosts(env)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...pictures].join(' '),
    "media-src 'self' blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...search].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** GET /: the web app, which loads the rest itself, login included. Without a build or an organization, a page that says so. */
export async function showWebPage(request: PageRequest, env: Environment): Promise<Response> {
  const file = await readAsset(env.ASSETS, '/index.html')
  if (!file || !(await mayHaveRealm(request, env))) return showHomePage(request, env)
  // Revalidated, so the page is never older than the server.
  return respondTagged(request, await file.text(), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pagePolicy(env),
    // Message addresses are in the fragment, which browsers do not send.
    'Referrer-Policy': 'no-referrer',
  })
}

/** Whether there is an organization, or nobody can tell today: then the page opens, with what the browser keeps, and says why there is no more. */
async function mayHaveRealm(request: PageRequest, env: Environment): Promise<boolean> {
  try {
    return (await findRealm(env.DB, new URL(request.url))) !== undefined
  } catch (error) {
    if (error instanceof DailyLimitError) return true
    throw error
  }
}

/** Answers with a file that is revalidated each time, and not sent again while unchanged. */
async function respondTagged(
  request: PageRequest,
  text: string,
  contentHeaders: Readonly<Record<string, string>>,
): Promise<Response> {
  // A browser that keeps the page keeps its policy too, which varies with the deployment's settings.
  const tag = `"${(await sha256Hex(JSON.stringify(contentHeaders) + text)).slice(0, 32)}"`
  const headers = { ...contentHeaders, 'Cache-Control': ASKED_ANEW, ETag: tag }
  const known = request.headers.get('if-none-match') ?? ''
  if (known.replace(/^W\//, '') === tag) return new Response(null, { status: 304, headers })
  return new Response(text, { headers })
}

const PAGE_FILE = /\.(?:css|js|json|png|svg|webmanifest|woff2)$/

/**
 * GET /page/…: scripts, styles and pictures of the page. At Cloudflare only those that do not exist come here: it serves the others itself
 * (wrangler.toml, `assets`).
 */
export async function servePageFile(request: PageRequest, env: Environment): Promise<Response> {
  const name = request.params.name ?? ''
  const file = PAGE_FILE.test(name) ? await readAsset(env.ASSETS, `${PAGE_FILES}/${name}`) : undefined
  if (!file) return respondNotFound()
  const headers = headersOfPageFile(name)
  if (!DIGESTED.test(name)) return respondTagged(request, await file.text(), headers)
  return new Response(file.body, { headers })
}

/** Policy of the page's service worker, which may load the page's own files. */
const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"

/** GET /service-worker.js: browsers identify it by its name, so it is revalidated each time. */
export async function serveServiceWorker(_request: PageRequest, env: Environment): Promise<Response> {
  const file = await readAsset(env.ASSETS, '/service-worker.js')
  if (!file) return respondNotFound()
  return new Response(file.body, {
    headers: {
      'Content-Type': contentTypeOf('.js'),
      'Cache-Control': ASKED_ANEW,
      'Content-Security-Policy': WORKER_POLICY,
    },
  })
}

/** `--ground-side` of the page (web/styles/tokens.css), which its top bar has. */
const BAR_COLOR = '#f1efe9'

/** GET /manifest.webmanifest: the name and icon of the installed page. Addresses are relative to it. */
export async function showManifest(request: PageRequest, env: Environment): Promise<Response> {
  const [page, realm] = [
    await readAsset(env.ASSETS, '/index.html'),
    await findRealm(env.DB, new URL(request.url)),
  ]
  if (!page || !realm) return respondNotFound()
  const text = await page.text()
  const [, icon] = /<link rel="icon" href="([^"]+)"/.exec(text) ?? []
  const pictures = [...text.matchAll(/<link rel="apple-touch-icon" sizes="(\w+)" href="([^"]+)"/g)]
  const { shortcuts } = textsOfRequest(request)
  const asked = await askRealm(request, env, getServerSettingsEndpoint.operation, {})
  const name = asked.ok ? (asked.value as { realm_name: string }).realm_name : realm.name
  const manifest = {
    id: './',
    name,
    short_name: name,
    start_url: './',
    scope: './',
    display: 'standalone',
    background_color: BAR_COLOR,
    theme_color: BAR_COLOR,
    icons: [
      ...(icon === undefined ? [] : [{ src: icon, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }]),
      // Their middle has the sign, and their edge may be cut off.
      ...pictures.map(([, sizes, src]) => ({ src, sizes, type: 'image/png', purpose: 'any maskable' })),
    ],
    shortcuts: [
      { name: shortcuts.inbox, url: './#inbox' },
      { name: shortcuts.mentions, url: './#narrow/is/mentioned' },
      { name: shortcuts.direct, url: './#narrow/is/dm' },
    ],
    // The page puts what is shared into the box of a new message (web/views/compose/shared-text.ts).
    share_target: { action: './', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
  }
  return new Response(JSON.stringify(manifest), {
    headers: { 'Content-Type': contentTypeOf('.webmanifest'), 'Cache-Control': ASKED_ANEW },
  })
}

/** Server settings shown on the page. The description is HTML that we rendered. */
interface ShownOrganization {
  readonly realm_name: string
  readonly realm_description: string
  readonly realm_url: string
}

/** GET /: shows the organization, and how to log in with a client. */
async function showHomePage(request: Request, env: Environment): Promise<Response> {
  const asked = await askRealm(request, env, getServerSettingsEndpoint.operation, {})
  if (!asked.ok) {
    if (asked.error.code === 'NONEXISTENT_SUBDOMAIN' && (await countRealms(env.DB, 1)) === 0)
      return askForCode(request)
    const texts = textsOfRequest(request)
    return respondRefusal(texts, 'Parley', asked.error, html`<p class="auth-links">${toFind(texts)}</p>`)
  }
  const { realm_name, realm_description, realm_url } = asked.value as ShownOrganization
  return respondPage(
    realm_name,
    html`${new Html(realm_description)}
<p>The team talks here with Parley. To log in, open your app, give it the address of this server, and then
your e-mail address and your password:</p>
<pre>${realm_url}</pre>
<p>There are apps for phones, for the desktop and for the terminal: any that is compatible with Zulip.
If you have no account yet, ask someone in the organization to invite you.</p>
<p><a href="${PASSWORD_RESET_PATH}/">Forgot your password?</a></p>`,
  )
}
