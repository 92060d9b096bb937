import type { RouterType } from 'itty-router'
import { BadRequestError } from '../../core/errors.ts'
import {
  type ShownUnsubscription,
  showUnsubscriptionStep,
  unsubscribeStep,
} from '../../features/emails/unsubscribe.ts'
import { REACTIVATION_PATH } from '../../features/realm/deactivation.ts'
import { isIncompatible } from '../../features/server/get-server-settings.ts'
import { UNSUBSCRIBE_PATH } from '../../model/emails/unsubscribe-token.ts'
import { ACCESS_PATH } from '../../model/login-providers/login-methods.ts'
import { askRealm, type PageOutcome } from '../ask-realm.ts'
import { CALL_PATH } from '../calls/big-blue-button.ts'
import {
  beginAtZoom,
  comeBackFromZoom,
  deauthorizeAtZoom,
  enterCall,
  ZOOM_PATH,
} from '../calls/call-pages.ts'
import { respondHealth } from '../deployment/health.ts'
import type { Environment } from '../environment.ts'
import { respondExtraEmoji } from '../files/built-in-files.ts'
import { CALLBACK_PATH } from '../providers/ask-provider.ts'
import { PUBLIC_ROOT } from '../public-pages/addresses.ts'
import { showPublicChannel, showPublicChannels, showPublicTopic } from '../public-pages/public-pages.ts'
import { showRobots, showSitemap } from '../public-pages/robots-and-sitemap.ts'
import { type PageRequest, userAgentOf } from '../request-url.ts'
import { respondError, respondSuccess } from '../respond.ts'
import { DOCS_ROOT, redirectToDocs, serveDocs } from './docs-pages.ts'
import { form, respondDoor, respondRefusal } from './door-page.ts'
import { textsOfRequest } from './door-texts/texts-of-request.ts'
import { type Html, html, respondPage } from './html.ts'
import { acceptJoin, showJoinPage } from './join-page.ts'
import { enterThroughAccess, logInByLink, OWNER_LINK_PATH, showOwnerLink } from './log-in/access-door.ts'
import { DESKTOP_END_PATH, enterDesktopApp } from './log-in/desktop-page.ts'
import { enterSecondFactor } from './log-in/enter-second-factor.ts'
import { LOGOUT_PATH, logOut } from './log-in/log-out.ts'
import { LOGIN_PATH } from './log-in/login-end.ts'
import { logIn, PASSWORD_RESET_PATH, SHORT_LOGIN_PATH, showLoginPage } from './log-in/login-page.ts'
import { PASSKEY_PATH } from './log-in/other-ways.ts'
import { logInWithPasskey, offerPasskeys } from './log-in/passkey-page.ts'
import {
  beginAtProvider,
  beginForSession,
  comeBackFromProvider,
  logOutFromProvider,
} from './log-in/provider-callback.ts'
import { SECOND_FACTOR_PATH } from './log-in/second-factor-page.ts'
import {
  askForReactivation,
  askPasswordReset,
  confirmEmailChange,
  connectByLink,
  reactivate,
  resetPassword,
  showConnection,
  showEmailChange,
  showPasswordReset,
  showReactivationForm,
  showReactivationLink,
  showResetForm,
} from './mailed-link-pages.ts'
import { SET_UP_PATH, setUp, showSetUpPage } from './set-up-page.ts'
import { allowToShowUnread, askToShowUnread, UNREAD_PATH } from './unread-page.ts'
import { serveWebClientFile } from './web-client.ts'
import { showWebClient } from './web-client-page.ts'
import { PAGE_FILES, servePageFile, serveServiceWorker, showManifest, showWebPage } from './web-page.ts'

type Shown = Response | undefined
type ShowPage = (request: PageRequest, env: Environment) => Shown | Promise<Shown>

const OWN_PAGE = '/parley'

/** Routes the pages that browsers open: the web app, and the pages around it. */
export function routePages(router: RouterType<PageRequest, [Environment]>): void {
  const show = (path: string, page: ShowPage) => showAt(router, path, page)
  show('/', async (request, env) => (await showWebClient(request, env)) ?? showWebPage(request, env))
  // The address of our own page while another client has `/`. Its relative addresses lead to files next to it.
  show(OWN_PAGE, showWebPage)
  for (const root of ['', OWN_PAGE]) {
    show(`${root}${PAGE_FILES}/:name`, servePageFile)
    show(`${root}/service-worker.js`, serveServiceWorker)
    show(`${root}/manifest.webmanifest`, showManifest)
  }
  show(PUBLIC_ROOT, showPublicChannels)
  show(`${PUBLIC_ROOT}/channel/:channel`, showPublicChannel)
  show(`${PUBLIC_ROOT}/topic/:message`, showPublicTopic)
  show(DOCS_ROOT, (request) => redirectToDocs(request))
  show(`${DOCS_ROOT}/*`, serveDocs)
  show('/robots.txt', showRobots)
  show('/sitemap.xml', showSitemap)
  show('/health', respondHealth)
  show('/compatibility', respondCompatibility)
  // A PNG, despite the address.
  show('/favicon.ico', respondExtraEmoji)
  show('/help', showHelpPage)
  show('/help/*', showHelpPage)
  show('/accounts/deactivated', showDeactivatedPage)
  show(`${SET_UP_PATH}/:ticket`, showSetUpPage)
  router.post(`${SET_UP_PATH}/:ticket`, setUp)
  show('/join/:secret', showJoinPage)
  router.post('/join/:secret', acceptJoin)
  show(LOGIN_PATH, showLoginPage)
  router.post(LOGIN_PATH, logIn)
  show(ACCESS_PATH, enterThroughAccess)
  show(SHORT_LOGIN_PATH, showLoginPage)
  router.post(SHORT_LOGIN_PATH, logIn)
  show(`${DESKTOP_END_PATH}/:token`, enterDesktopApp)
  show(`${OWNER_LINK_PATH}/:ticket`, showOwnerLink)
  router.post(`${OWNER_LINK_PATH}/:ticket`, logInByLink)
  show(`${LOGIN_PATH}/social/:provider`, beginAtProvider)
  show('/accounts/register/social/:provider', beginAtProvider)
  router.post(`${LOGIN_PATH}/social/:provider`, beginForSession)
  show(`${CALLBACK_PATH}/:provider`, comeBackFromProvider)
  router.post(`${LOGOUT_PATH}/backchannel/:provider`, logOutFromProvider)
  router.post(SECOND_FACTOR_PATH, enterSecondFactor)
  router.post(`${PASSKEY_PATH}/options`, offerPasskeys)
  router.post(PASSKEY_PATH, logInWithPasskey)
  router.post(LOGOUT_PATH, logOut)
  show(CALL_PATH, enterCall)
  show(`${ZOOM_PATH}/register`, beginAtZoom)
  show(`${ZOOM_PATH}/complete`, comeBackFromZoom)
  router.post(`${ZOOM_PATH}/deauthorize`, deauthorizeAtZoom)
  show(UNREAD_PATH, askToShowUnread)
  router.post(UNREAD_PATH, allowToShowUnread)
  show(PASSWORD_RESET_PATH, showPasswordReset)
  router.post(PASSWORD_RESET_PATH, askPasswordReset)
  show(`${PASSWORD_RESET_PATH}/:secret`, showResetForm)
  router.post(`${PASSWORD_RESET_PATH}/:secret`, resetPassword)
  show('/accounts/confirm-email/:secret', showEmailChange)
  router.post('/accounts/confirm-email/:secret', confirmEmailChange)
  show('/accounts/connect/:secret', showConnection)
  router.post('/accounts/connect/:secret', connectByLink)
  show(`${UNSUBSCRIBE_PATH}/:kind/:token`, showUnsubscribePage)
  router.post(`${UNSUBSCRIBE_PATH}/:kind/:token`, unsubscribeByPage)
  show(REACTIVATION_PATH, showReactivationForm)
  router.post(REACTIVATION_PATH, askForReactivation)
  show(`${REACTIVATION_PATH}/:secret`, showReactivationLink)
  router.post(`${REACTIVATION_PATH}/:secret`, reactivate)
}

function showAt(router: RouterType<PageRequest, [Environment]>, path: string, page: ShowPage): void {
  router.get(path, page)
  router.head(path, async (request, env) => {
    const shown = await page(request, env)
    return shown && new Response(null, shown)
  })
}

/** Routes the files of a web client, languages included, at paths that no other route has. */
export function routeWebClient(router: RouterType<PageRequest, [Environment]>): void {
  showAt(router, '/:language', showWebClient)
  showAt(router, '*', serveWebClientFile)
}

/** GET /accounts/deactivated/: the page to which clients of a deactivated organization go. Source: docs/interface/browsers.md#routes. */
function showDeactivatedPage(request: Request): Response {
  const texts = textsOfRequest(request)
  const { deactivated, reactivation, logIn } = texts
  return respondDoor(
    texts,
    deactivated.title,
    html`<p>${deactivated.about}</p>
<p class="door-links"><a href="${REACTIVATION_PATH}/">${reactivation.button}</a> <a href="${LOGIN_PATH}/">${logIn.button}</a></p>`,
  )
}

/** Address of the help for compatible clients. Source: docs/interface/browsers.md#routes. */
const PUBLIC_HELP = 'https://zulip.com/help/'

/** GET /help/…, to which clients link for help: a page with a link, since no one is redirected elsewhere unasked. */
function showHelpPage(request: Request): Response {
  const { href, host } = new URL(pageOf(request), PUBLIC_HELP)
  const texts = textsOfRequest(request)
  return respondDoor(
    texts,
    texts.help.title,
    html`<p>${texts.help.elsewhere(host)}</p>
<p><a href="${href}" rel="noreferrer" dir="ltr">${href}</a></p>`,
  )
}

/** Returns the name of the help page, plain words; any other path leads to the start. */
function pageOf({ url }: Request): string {
  return /^\/help\/([a-z0-9-]{1,100})\/?$/.exec(new URL(url).pathname)?.[1] ?? ''
}

/** GET /accounts/unsubscribe/{kind}/{token}: the page behind a mailed link. It changes nothing yet, since scanners follow links. */
async function showUnsubscribePage(request: PageRequest, env: Environment): Promise<Response> {
  const { kind, token } = request.params
  const shown = await askRealm(request, env, showUnsubscriptionStep.operation, { kind, token })
  return respondAboutMail(request, shown, ({ text, button }) => html`<p>${text}</p>${form(html``, button)}`)
}

/** POST of the same address: by the page's button, or by that of a mail program (RFC 8058). */
async function unsubscribeByPage(request: PageRequest, env: Environment): Promise<Response> {
  const { kind, token } = request.params
  const done = await askRealm(request, env, unsubscribeStep.operation, { kind, token })
  return respondAboutMail(
    request,
    done,
    ({ text, open }) => html`<p role="status">${text}</p>
<p class="door-links"><a href="/">${open}</a></p>`,
  )
}

function respondAboutMail(
  request: Request,
  outcome: PageOutcome,
  bodyOf: (shown: ShownUnsubscription) => Html,
): Response {
  if (!outcome.ok) {
    const texts = textsOfRequest(request)
    const { error } = outcome
    const isBroken = error.status === 400
    return respondRefusal(texts, texts.mail.title, isBroken ? { ...error, msg: texts.mail.broken } : error)
  }
  const shown = outcome.value as ShownUnsubscription
  return respondPage(shown.title, bodyOf(shown), 200, { language: shown.language })
}

/** GET /compatibility: whether this client may be used here. Browsers ask before they reload. */
async function respondCompatibility(request: Request): Promise<Response> {
  const userAgent = userAgentOf(request)
  if (userAgent === '') return respondError(new BadRequestError('User-Agent header missing from request'))
  if (isIncompatible({ userAgent })) return respondError(new BadRequestError('Client is too old'))
  return respondSuccess({})
}
