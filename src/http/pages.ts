import type { RouterType } from 'itty-router'
import { confirmEmailChange, showEmailChange } from './confirm-email-page.ts'
import type { Environment } from './environment.ts'
import { respondHealth } from './health.ts'
import { showHomePage } from './home-page.ts'
import { acceptJoin, showJoinPage } from './join-page.ts'
import { LOGIN_PATH, logIn, PASSWORD_RESET_PATH, showLoginPage } from './login-page.ts'
import type { PageRequest } from './page-request.ts'
import { askPasswordReset, resetPassword, showPasswordReset, showResetForm } from './password-reset-page.ts'

/** What a browser finds here: no client, only what people need around one. */
export function routePages(router: RouterType<PageRequest, [Environment]>): void {
  router.get('/', showHomePage)
  router.get('/health', (_request, env) => respondHealth(env))
  router.get('/join/:secret', showJoinPage)
  router.post('/join/:secret', acceptJoin)
  router.get(LOGIN_PATH, showLoginPage)
  router.post(LOGIN_PATH, logIn)
  router.get(PASSWORD_RESET_PATH, showPasswordReset)
  router.post(PASSWORD_RESET_PATH, askPasswordReset)
  router.get(`${PASSWORD_RESET_PATH}/:secret`, showResetForm)
  router.post(`${PASSWORD_RESET_PATH}/:secret`, resetPassword)
  router.get('/accounts/confirm-email/:secret', showEmailChange)
  router.post('/accounts/confirm-email/:secret', confirmEmailChange)
}
