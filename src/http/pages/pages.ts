import type { RouterType } from 'itty-router'
import { UNSUBSCRIBE_PATH } from '../../domain/emails/unsubscribe-token.ts'
import { REACTIVATION_PATH } from '../../domain/realm/deactivate-realm.ts'
import { respondCompatibility } from '../compatibility.ts'
import { respondHealth } from '../deployment/health.ts'
import type { Environment } from '../environment.ts'
import { respondExtraEmoji } from '../files/drawn-pictures.ts'
import { PUBLIC_ROOT } from '../public-pages/addresses.ts'
import { showRobots, showSitemap } from '../public-pages/for-crawlers.ts'
import { showPublicChannel, showPublicChannels, showPublicTopic } from '../public-pages/public-pages.ts'
import { confirmEmailChange, showEmailChange } from './confirm-email-page.ts'
import { showDeactivatedPage } from './deactivated-page.ts'
import { showHelpPage } from './help-page.ts'
import { acceptJoin, showJoinPage } from './join-page.ts'
import { LOGIN_PATH, logIn, PASSWORD_RESET_PATH, SHORT_LOGIN_PATH, showLoginPage } from './login-page.ts'
import { LOGOUT_PATH, logOut } from './logout-page.ts'
import type { PageRequest } from './page-request.ts'
import { askPasswordReset, resetPassword, showPasswordReset, showResetForm } from './password-reset-page.ts'
import {
  askForReactivation,
  reactivate,
  showReactivationForm,
  showReactivationLink,
} from './reactivation-page.ts'
import { SET_UP_PATH, setUp, showSetUpPage } from './set-up-page.ts'
import { showUnsubscribePage, unsubscribeByPage } from './unsubscribe-page.ts'
import { serveWebClientFile } from './web-client.ts'
import { showWebClient } from './web-client-page.ts'
import { PAGE_FILES, servePageFile, serveServiceWorker, showManifest, showWebPage } from './web-page.ts'

type Shown = Response | undefined
type ShowPage = (request: PageRequest, env: Environment) => Shown | Promise<Shown>

const OWN_PAGE = '/parley'

/** Routes the pages that browsers open here: the web app, and the pages around it. */
export function routePages(router: RouterType<PageRequest, [Environment]>): void {
  const show = (path: string, page: ShowPage) => showAt(router, path, page)
  show('/', async (request, env) => (await showWebClient(request, env)) ?? showWebPage(request, env))
  // The address of the own page while another client has `/`. Its addresses are relative, and all it loads is
  // beside it.
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
  show('/health', respondHealth)
  show('/compatibility', respondCompatibility)
  // A PNG, although the address says otherwise.
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
  show(SHORT_LOGIN_PATH, showLoginPage)
  router.post(SHORT_LOGIN_PATH, logIn)
  router.post(LOGOUT_PATH, logOut)
  show(PASSWORD_RESET_PATH, showPasswordReset)
  router.post(PASSWORD_RESET_PATH, askPasswordReset)
  show(`${PASSWORD_RESET_PATH}/:secret`, showResetForm)
  router.post(`${PASSWORD_RESET_PATH}/:secret`, resetPassword)
  show('/accounts/confirm-email/:secret', showEmailChange)
  router.post('/accounts/confirm-email/:secret', confirmEmailChange)
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

/** Routes the files of a web client, its languages included, to paths that nothing else has. */
export function routeWebClient(router: RouterType<PageRequest, [Environment]>): void {
  showAt(router, '/:language', showWebClient)
  showAt(router, '*', serveWebClientFile)
}
