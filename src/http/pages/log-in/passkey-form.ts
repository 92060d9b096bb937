import type { DoorTexts } from '../door-texts/english.ts'
import { type Html, html } from '../html.ts'
import type { Destination } from './login-end.ts'
import { queryFor } from './other-ways.ts'

/** The route for a passkey's answer; `options/` below it gives the challenge. */
export const PASSKEY_PATH = '/accounts/login/passkey'

/** The script that fills the form in (web/passkey-form.ts). */
export const PASSKEY_SCRIPT = '/page/passkey-form.js'

/**
 * Returns the form that logs in with a passkey. The page's script shows it if the browser supports passkeys, and fills it in. `ticket`:
 * of a user who knew the password; '' for a login without a name.
 */
export function passkeyForm(texts: DoorTexts, destination: Destination, ticket = ''): Html {
  return html`<form method="post" action="${PASSKEY_PATH}/${queryFor(destination)}" data-passkey="${PASSKEY_PATH}/options/" hidden>
<input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="credential">
<p class="refusal" role="alert" hidden>${texts.secondFactor.passkeyFailed}</p>
<button class="button">${texts.secondFactor.passkey}</button>
</form>`
}
