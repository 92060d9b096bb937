import { getServerSettingsEndpoint } from '../../endpoints/server/get-server-settings.ts'
import { askRealm } from '../ask-realm.ts'
import type { Environment } from '../environment.ts'
import { Html, html, respondPage } from './html.ts'
import { PASSWORD_RESET_PATH } from './login-page.ts'

/** Server settings that the page shows. The description is HTML of our own rendering. */
interface ShownOrganization {
  readonly realm_name: string
  readonly realm_description: string
  readonly realm_url: string
}

/** GET /: shows which organization this is, and how to log in with a client. */
export async function showHomePage(request: Request, env: Environment): Promise<Response> {
  const asked = await askRealm(request, env, getServerSettingsEndpoint.operation, {})
  if (!asked.ok) {
    const { status } = asked.error
    const text = status === 404 ? 'No organization answers at this address.' : asked.error.msg
    return respondPage('Parley', html`<p>${text}</p>`, status)
  }
  const { realm_name, realm_description, realm_url } = asked.value as ShownOrganization
  return respondPage(
    realm_name,
    html`${new Html(realm_description)}
<p>The team talks here with Parley. To log in, open your app, give it the address of this server, and then
your e-mail address and your password:</p>
<pre>${realm_url}</pre>
<p>There are apps for phones, for the desktop and for the terminal: any that is compatible with Zulip.
If you have no account yet, ask somebody of the organization to invite you.</p>
<p><a href="${PASSWORD_RESET_PATH}/">Forgot your password?</a></p>`,
  )
}
