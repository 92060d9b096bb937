import type { AuthTexts } from '../../../../texts/compiled/auth.ts'
import { getServerSettingsEndpoint } from '../../../features/server/get-server-settings.ts'
import { type Html, html } from '../../html/html.ts'
import { askRealm } from '../../operations/ask-realm.ts'
import type { Environment } from '../../request/environment.ts'
import { type Destination, LOGIN_PATH, queryFor } from './login-end.ts'

/** A login elsewhere, as sent to clients. */
export interface OtherWay {
  readonly display_name: string
  readonly login_url: string
  readonly signup_url: string
}

/** The organization's ways to log in, as sent to clients. */
interface LoginMethods {
  readonly external_authentication_methods: readonly OtherWay[]
  readonly email_auth_enabled: boolean
  readonly realm_web_public_access_enabled: boolean
}

/** The ways to log in while the organization does not answer. */
const PASSWORD_ALONE: LoginMethods = {
  external_authentication_methods: [],
  email_auth_enabled: true,
  realm_web_public_access_enabled: false,
}

/** Returns the ways to log in besides this page itself, which phones get as one too. */
export async function askLoginMethods(request: Request, env: Environment) {
  const asked = await askRealm(request, env, getServerSettingsEndpoint.operation, {})
  const settings = asked.ok ? (asked.value as LoginMethods) : PASSWORD_ALONE
  const others = settings.external_authentication_methods.filter(
    ({ login_url }) => login_url !== `${LOGIN_PATH}/`,
  )
  return {
    others,
    hasPassword: settings.email_auth_enabled || others.length === 0,
    isOpenToTheWeb: settings.realm_web_public_access_enabled,
  }
}

/** Returns a link for each way, all with the same destination. */
export function linksTo(ways: readonly OtherWay[], words: (name: string) => string, query: string): Html[] {
  return ways.map(
    ({ display_name, login_url }) =>
      html`<p class="auth-way"><a class="button" href="${login_url}${query}">${words(display_name)}</a></p>`,
  )
}

/** The route for a passkey's answer; `options/` below it gives the challenge. */
export const PASSKEY_PATH = '/accounts/login/passkey'

/** The script that fills the form in (web/passkey-form.ts). */
export const PASSKEY_SCRIPT = '/page/passkey-form.js'

/**
 * Returns the form that logs in with a passkey. The page's script shows it if the browser supports passkeys, and fills it in. `ticket`:
 * of a user who knew the password; '' for a login without a name.
 */
export function passkeyForm(texts: AuthTexts, destination: Destination, ticket = ''): Html {
  return html`<form method="post" action="${PASSKEY_PATH}/${queryFor(destination)}" data-passkey="${PASSKEY_PATH}/options/" hidden>
<input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="credential">
<p class="refusal" role="alert" hidden>${texts.secondFactor.passkeyFailed}</p>
<button class="button">${texts.secondFactor.passkey}</button>
</form>`
}
