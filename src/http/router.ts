import { Router, type RouterType } from 'itty-router'
import type { Endpoint } from '../api/define-endpoint.ts'
import { CALL_PATH } from '../features/calls/in-worker/big-blue-button.ts'
import { ENDPOINTS } from '../features/index.ts'
import { REACTIVATION_PATH } from '../features/realm/deactivation.ts'
import { UNSUBSCRIBE_PATH } from '../model/emails/unsubscribe-token.ts'
import { EXTERNAL_CONTENT_PATH } from '../model/external-content/external-address.ts'
import { ACCESS_PATH } from '../model/login-providers/login-methods.ts'
import { SCIM_PATH } from '../model/scim/scim-token.ts'
import { EMOJI_DATA_PATH, EXTRA_EMOJI_PATH } from '../model/server/version.ts'
import { UNCONFIRMED_PICTURE } from '../model/users/profile/avatar.ts'
import { EXPORT_PATH } from '../store/exports/export-rows.ts'
import { beginAtZoom, comeBackFromZoom, deauthorizeAtZoom, enterCall, ZOOM_PATH } from './calls/call-pages.ts'
import { respondCompatibility } from './deployment/compatibility.ts'
import { respondHealth } from './deployment/health.ts'
import { respondOrganizations } from './deployment/list-organizations.ts'
import { respondMetrics } from './deployment/metrics.ts'
import { moveIn } from './deployment/move-in.ts'
import { moveOut } from './deployment/move-out.ts'
import { operateBackups } from './deployment/restore-backup.ts'
import { sendTestMail } from './deployment/send-test-mail.ts'
import { setUpCopy } from './deployment/set-up-copy.ts'
import { setUpOrganization } from './deployment/set-up-organization.ts'
import { verifyOrganization } from './deployment/verify-organization.ts'
import { respondEmojiData, respondExtraEmoji, respondUnconfirmedPicture } from './files/built-in-files.ts'
import { serveExternalContent } from './files/external-content.ts'
import { redirectToAvatar, servePublicImage } from './files/public-images.ts'
import { serveExport } from './files/serve-file.ts'
import { serveUserUpload } from './files/user-uploads.ts'
import { serveDiscordHook, serveSlackHook } from './hooks-of-other-chats.ts'
import { PUBLIC_ROOT } from './html/addresses-of-public-pages.ts'
import { FIND_PATH } from './html/auth-page.ts'
import { serveWebClientFile } from './html/web-client.ts'
import { serveOpenApi } from './openapi/openapi.ts'
import { showDeactivatedPage } from './pages/deactivated-page.ts'
import { DOCS_ROOT, redirectToDocs, serveDocs } from './pages/docs-pages.ts'
import { showHelpPage } from './pages/help-page.ts'
import { acceptJoin, showJoinPage } from './pages/join-page.ts'
import {
  logInByLink,
  logInThroughAccess,
  OWNER_LINK_PATH,
  showOwnerLink,
} from './pages/log-in/access-login.ts'
import { checkSecondFactor } from './pages/log-in/check-second-factor.ts'
import { DESKTOP_END_PATH, logInDesktopApp } from './pages/log-in/desktop-page.ts'
import { LOGOUT_PATH, logOut } from './pages/log-in/log-out.ts'
import { LOGIN_PATH } from './pages/log-in/login-end.ts'
import { logIn, PASSWORD_RESET_PATH, SHORT_LOGIN_PATH, showLoginPage } from './pages/log-in/login-page.ts'
import { PASSKEY_PATH } from './pages/log-in/other-ways.ts'
import { logInWithPasskey, offerPasskeys } from './pages/log-in/passkey-page.ts'
import {
  beginAtProvider,
  beginForSession,
  comeBackFromProvider,
  logOutFromProvider,
} from './pages/log-in/provider-callback.ts'
import { SECOND_FACTOR_PATH } from './pages/log-in/second-factor-page.ts'
import {
  askForReactivation,
  askPasswordReset,
  confirmEmailChange,
  connectByLink,
  findOrganizations,
  reactivate,
  resetPassword,
  showConnection,
  showEmailChange,
  showFindPage,
  showPasswordReset,
  showReactivationForm,
  showReactivationLink,
  showResetForm,
} from './pages/mailed-link-pages.ts'
import { respondMissing } from './pages/missing-page.ts'
import { PAGE_FILES } from './pages/page-file-headers.ts'
import { enterCode, SET_UP_PATH, setUp, showSetUpPage } from './pages/set-up-page.ts'
import { allowToShowUnread, askToShowUnread, UNREAD_PATH } from './pages/unread-page.ts'
import { showUnsubscribePage, unsubscribeByPage } from './pages/unsubscribe-page.ts'
import { showWebClient } from './pages/web-client-page.ts'
import { servePageFile, serveServiceWorker, showManifest, showWebPage } from './pages/web-page.ts'
import { CALLBACK_PATH } from './providers/ask-provider.ts'
import { showPublicChannel, showPublicChannels, showPublicTopic } from './public-pages/public-pages.ts'
import { showRobots, showSitemap } from './public-pages/robots-and-sitemap.ts'
import { pathFinder } from './request/endpoint-paths.ts'
import type { Environment } from './request/environment.ts'
import type { PageRequest, RoutedRequest } from './request/request-url.ts'
import { respondFailure, respondNotFound } from './request/respond.ts'
import { answerPreflight, withSecurityHeaders } from './request/security-headers.ts'
import { serveScim } from './scim/serve-scim.ts'
import { serveEndpoints } from './serve-endpoints.ts'

const API_ROOT = '/api/v1'
/** The root of the same endpoints for logged-in browsers (docs/interface/browsers.md#routes). */
const JSON_ROOT = '/json'
const API_ROOTS = [API_ROOT, JSON_ROOT]
/** The address of our own page while another client has `/`. Its relative addresses lead to files next to it. */
const OWN_PAGE = '/parley'

type Shown = Response | undefined
type ShowPage = (request: PageRequest, env: Environment) => Shown | Promise<Shown>

export interface ServerRouter {
  serve(asked: RoutedRequest, env: Environment): Promise<Response>
  /** The routes besides those of the API's endpoints. */
  readonly routes: RouterType['routes']
}

/** Builds the router: every route of the server. Most requests are for the API, which is asked first. */
export function buildRouter(endpoints: readonly Endpoint[] = ENDPOINTS): ServerRouter {
  const api = pathFinder(endpoints)
  const others = routeOthers(endpoints)
  return {
    routes: others.routes,
    async serve(asked, env) {
      const answer = () => serveApi(api, asked, env) ?? others.fetch(asked.request, env)
      return withSecurityHeaders(answerPreflight(asked) ?? (await answer().catch(failure)), asked)
    },
  }
}

function failure(error: unknown): Response {
  return respondFailure('A request could not be served', error)
}

/** Serves a request for what a declaration says (src/features); undefined if it is for something else. */
function serveApi(
  find: ReturnType<typeof pathFinder>,
  asked: RoutedRequest,
  env: Environment,
): Promise<Response> | undefined {
  const { pathname } = asked.address
  const root = API_ROOTS.find((one) => pathname.startsWith(`${one}/`))
  const found = root === undefined ? undefined : find(pathname.slice(root.length))
  return found && serveEndpoints({ ...found, isBelowJson: root === JSON_ROOT }, asked, env)
}

/** The first route that has a path and answers counts; one that returns undefined leaves the path to the next. */
function routeOthers(endpoints: readonly Endpoint[]): RouterType<PageRequest, [Environment], Response> {
  const router = Router<PageRequest, [Environment]>()
  const show = (path: string, page: ShowPage) => {
    router.get(path, page)
    router.head(path, async (request, env) => {
      const shown = await page(request, env)
      return shown && new Response(null, shown)
    })
  }

  router.get(`${API_ROOT}/openapi.json`, serveOpenApi(endpoints))

  // Whoever runs the deployment, and other programs.
  show('/setup/organizations', respondOrganizations)
  router.post('/setup/organizations', (request, env) => setUpOrganization(request, env))
  router.post('/setup/backups', (request, env) => operateBackups(request, env))
  router.post('/setup/copies', (request, env) => setUpCopy(request, env))
  router.post('/setup/moves-in', (request, env) => moveIn(request, env))
  router.post('/setup/moves-out', (request, env) => moveOut(request, env))
  router.post('/setup/verify', (request, env) => verifyOrganization(request, env))
  router.post('/setup/test-mail', (request, env) => sendTestMail(request, env))
  show('/health', respondHealth)
  show('/metrics', respondMetrics)
  show('/compatibility', respondCompatibility)
  router.post('/services/:team/:hook/:key', (request, env) => serveSlackHook(request, env))
  router.post('/api/webhooks/:id/:key', (request, env) => serveDiscordHook(request, env))
  router.all(`${SCIM_PATH}/*`, (request, env) => serveScim(request, env))

  // Our page, and what anybody may read.
  show('/', async (request, env) => (await showWebClient(request, env)) ?? showWebPage(request, env))
  show(OWN_PAGE, showWebPage)
  for (const root of ['', OWN_PAGE]) {
    show(`${root}${PAGE_FILES}/:name`, servePageFile)
    show(`${root}/service-worker.js`, serveServiceWorker)
    show(`${root}/manifest.webmanifest`, showManifest)
  }
  show(PUBLIC_ROOT, showPublicChannels)
  show(`${PUBLIC_ROOT}/channel/:channel`, showPublicChannel)
  show(`${PUBLIC_ROOT}/topic/:message`, showPublicTopic)
  show('/robots.txt', showRobots)
  show('/sitemap.xml', showSitemap)
  show(DOCS_ROOT, (request) => redirectToDocs(request))
  show(`${DOCS_ROOT}/*`, serveDocs)
  show('/help', showHelpPage)
  show('/help/*', showHelpPage)

  // Ways in, and out.
  router.post(SET_UP_PATH, (request) => enterCode(request))
  show(`${SET_UP_PATH}/:ticket`, showSetUpPage)
  router.post(`${SET_UP_PATH}/:ticket`, setUp)
  show('/join/:secret', showJoinPage)
  router.post('/join/:secret', acceptJoin)
  for (const path of [LOGIN_PATH, SHORT_LOGIN_PATH]) {
    show(path, showLoginPage)
    router.post(path, logIn)
  }
  show(ACCESS_PATH, logInThroughAccess)
  show(`${DESKTOP_END_PATH}/:token`, logInDesktopApp)
  show(`${OWNER_LINK_PATH}/:ticket`, showOwnerLink)
  router.post(`${OWNER_LINK_PATH}/:ticket`, logInByLink)
  show(`${LOGIN_PATH}/social/:provider`, beginAtProvider)
  show('/accounts/register/social/:provider', beginAtProvider)
  router.post(`${LOGIN_PATH}/social/:provider`, beginForSession)
  show(`${CALLBACK_PATH}/:provider`, comeBackFromProvider)
  router.post(`${LOGOUT_PATH}/backchannel/:provider`, logOutFromProvider)
  router.post(SECOND_FACTOR_PATH, checkSecondFactor)
  router.post(`${PASSKEY_PATH}/options`, offerPasskeys)
  router.post(PASSKEY_PATH, logInWithPasskey)
  router.post(LOGOUT_PATH, logOut)

  // Pages around the log-in, most of them behind links in mails.
  show(FIND_PATH, showFindPage)
  router.post(FIND_PATH, findOrganizations)
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
  show('/accounts/deactivated', showDeactivatedPage)
  show(REACTIVATION_PATH, showReactivationForm)
  router.post(REACTIVATION_PATH, askForReactivation)
  show(`${REACTIVATION_PATH}/:secret`, showReactivationLink)
  router.post(`${REACTIVATION_PATH}/:secret`, reactivate)
  show(UNREAD_PATH, askToShowUnread)
  router.post(UNREAD_PATH, allowToShowUnread)

  // Calls.
  show(CALL_PATH, enterCall)
  show(`${ZOOM_PATH}/register`, beginAtZoom)
  show(`${ZOOM_PATH}/complete`, comeBackFromZoom)
  router.post(`${ZOOM_PATH}/deauthorize`, deauthorizeAtZoom)

  // Files.
  router.all('/user_uploads/*', (request, env) => serveUserUpload(request, env))
  router.all(`${EXTERNAL_CONTENT_PATH}*`, (request, env) => serveExternalContent(request, env))
  for (const root of ['', API_ROOT]) {
    router.get(`${root}/avatar/:user`, (request, env) => redirectToAvatar(request, env))
    router.get(`${root}/avatar/:user/medium`, (request, env) => redirectToAvatar(request, env))
  }
  // Addresses of exports begin like those of pictures.
  router.all(`${EXPORT_PATH}*`, (request, env) => serveExport(request, env))
  router.all('/user_avatars/*', (request, env) => servePublicImage(request, env))
  // A PNG, despite the address.
  show('/favicon.ico', respondExtraEmoji)
  router.get(EXTRA_EMOJI_PATH, () => respondExtraEmoji())
  router.get(UNCONFIRMED_PICTURE, () => respondUnconfirmedPicture())
  router.get(EMOJI_DATA_PATH, () => respondEmojiData())

  // Files of a web client, languages included, have the paths that no other route has.
  show('/:language', showWebClient)
  show('*', serveWebClientFile)
  for (const root of API_ROOTS) router.all(`${root}/*`, () => respondNotFound())
  router.all('*', respondMissing)
  return router
}
