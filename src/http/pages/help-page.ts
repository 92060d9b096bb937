import { html, respondPage } from './html.ts'

/** Address of the help for compatible clients. Source: docs/interface/browsers.md#routes. */
const PUBLIC_HELP = 'https://zulip.com/help/'

/**
 * GET /help/…: clients link to their own help below this address. Nobody is redirected to another site
 * unasked, so it is a page with a link.
 */
export function showHelpPage(request: Request): Response {
  const { href, host } = new URL(pageOf(request), PUBLIC_HELP)
  return respondPage(
    'Help',
    html`<p>Help for clients that are compatible with Zulip is on another site, ${host}:</p>
<p><a href="${href}" rel="noreferrer">${href}</a></p>`,
  )
}

/** Returns the name of the help page, which is plain words; any other path leads to the beginning. */
function pageOf({ url }: Request): string {
  return /^\/help\/([a-z0-9-]{1,100})\/?$/.exec(new URL(url).pathname)?.[1] ?? ''
}
