import { respondAuthPage } from '../html/auth-page.ts'
import { html } from '../html/html.ts'
import { textsOfRequest } from '../html/texts-of-request.ts'

/** Address of the help for compatible clients. Source: docs/interface/browsers.md#routes. */
const PUBLIC_HELP = 'https://zulip.com/help/'

/** GET /help/…, to which clients link for help: a page with a link, since no one is redirected elsewhere unasked. */
export function showHelpPage(request: Request): Response {
  const { href, host } = new URL(pageOf(request), PUBLIC_HELP)
  const texts = textsOfRequest(request)
  return respondAuthPage(
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
