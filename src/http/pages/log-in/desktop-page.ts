import { ApiError, BadRequestError, RateLimitHitError } from '../../../core/errors.ts'
import { HOUR } from '../../../core/time.ts'
import { redeemDesktopTicketStep } from '../../../features/users/login-steps.ts'
import { field, form, respondAuthPage, respondRefusal, toLogIn } from '../../html/auth-page.ts'
import { html, respondPage } from '../../html/html.ts'
import { textsOfRequest } from '../../html/texts-of-request.ts'
import { askOrRefuse } from '../../operations/ask-realm.ts'
import {
  cookiesOf,
  hostCookie,
  hostCookieSet,
  isOpened,
  makeKnown,
  newSession,
  requireOwnOrigin,
} from '../../request/browser-session.ts'
import type { Environment } from '../../request/environment.ts'
import type { PageRequest } from '../../request/request-url.ts'
import { sha256Hex } from '../../request/sha256.ts'
import { listOfCodes, redirectWith, respondTooMany } from './login-answers.ts'
import { countingFailures, ownPath } from './login-end.ts'

/** The path at which the desktop app begins its session; the token follows. */
export const DESKTOP_END_PATH = '/accounts/login/subdomain'

/** The script of both pages (web/desktop-login.ts). */
const SCRIPT = '/page/desktop-login.js'

/**
 * The cookie of a login that the app started elsewhere: without it, a link in a message could log its reader in to the author's account.
 */
const BEGUN = 'desktop_login'
const BEGUN_SECONDS = HOUR

/** Length of the leading AES-GCM nonce, in bytes. */
const NONCE_BYTES = 12

/** Whether Zulip's desktop app shows the page, by its User-Agent. */
export function isDesktopApp({ headers }: Pick<Request, 'headers'>): boolean {
  return /^ZulipElectron\//.test(headers.get('user-agent') ?? '')
}

/**
 * The page that the desktop app shows for a login elsewhere, which happens in the user's own browser. The script opens the present
 * address there, with a key of the app, and waits for the token that the browser shows. Source:
 * docs/interface/login.md#in-a-browser-for-the-desktop-app.
 */
export function respondInDesktopApp(request: Request): Response {
  const { language, logIn, desktop } = textsOfRequest(request)
  const pasted = { label: desktop.paste, name: 'pasted' }
  const body = html`<p class="auth-about">${desktop.elsewhere}</p>
<p class="auth-on"><a id="open" class="button button-main" target="_blank" rel="noopener">${desktop.open}</a></p>
<p id="refusal" class="refusal" role="alert" hidden>${desktop.unreadable}</p>
<div id="by-hand" hidden>
${form(field(pasted, 'required autocomplete="off" spellcheck="false"'), logIn.button)}
</div>`
  const page = respondPage(logIn.title, body, 200, { language, script: SCRIPT })
  page.headers.append('Set-Cookie', hostCookieSet(new URL(request.url), BEGUN, 'yes', BEGUN_SECONDS))
  return page
}

/** The page in the browser after a login for the desktop app: shows the token, which only the app can read. */
export async function respondForDesktopApp(
  request: Request,
  key: string,
  token: string,
  recoveryCodes: readonly string[],
): Promise<Response> {
  const texts = textsOfRequest(request)
  const { language, desktop } = texts
  const shown = { label: desktop.token, name: 'token', value: await encryptForClipboard(token, key) }
  const body = html`${listOfCodes(texts, recoveryCodes)}
<p class="auth-about">${desktop.copyIt}</p>
${field(shown, 'id="token" readonly')}
<p class="auth-on"><button id="copy" type="button" class="button button-main">${desktop.copy}</button></p>
<p id="copied" role="status" hidden>${desktop.copied}</p>`
  return respondPage(desktop.title, body, 200, { language, script: SCRIPT })
}

/** GET /accounts/login/subdomain/{token}: starts the session of the desktop app, and redirects to `next`. */
export async function logInDesktopApp(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const url = new URL(request.url)
  try {
    // A link on another site, or a picture or frame on one of our pages, could log its reader in to a foreign account.
    requireOwnOrigin(request)
    if (!isOpened(request) || hostCookie(request, BEGUN) === undefined) throw new BadRequestError('')
    const session = await newSession()
    const ticket = await sha256Hex(request.params.token ?? '')
    const { operation } = redeemDesktopTicketStep
    const { user_id } = await countingFailures('desktop', request, env, () =>
      askOrRefuse<{ user_id: number }>(
        request,
        env,
        operation,
        { ticket, digest: session.digest },
        { counted: true },
      ),
    )
    const cookies = [...(await cookiesOf(session, url)), hostCookieSet(url, BEGUN, '', 0)]
    const onward = redirectWith(ownPath(url.searchParams.get('next') ?? '', url.origin), cookies)
    return makeKnown(onward, request, env, user_id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { title } = texts.logIn
    if (error instanceof RateLimitHitError) return respondTooMany(request, error)
    if (error.status !== 400) return respondRefusal(texts, title, error.toWire())
    return respondAuthPage(texts, title, html`<p>${texts.desktop.used}</p>${toLogIn(texts)}`, error.status)
  }
}

/** Returns the ciphertext for the app: hex of the nonce and the AES-256-GCM ciphertext with its tag. `key`: 64 hex digits. */
async function encryptForClipboard(token: string, key: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const aes = await crypto.subtle.importKey('raw', Buffer.from(key, 'hex'), 'AES-GCM', false, ['encrypt'])
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, aes, new TextEncoder().encode(token))
  return Buffer.concat([iv, new Uint8Array(encrypted)]).toString('hex')
}
