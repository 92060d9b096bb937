import type { WebsitePreview } from '../markdown/render.ts'
import { callOut } from './call-out.ts'
import { LANES } from './lanes.ts'
import { isAllowedTarget } from './outgoing-target.ts'
import { readWebsite, type WebPage } from './read-website.ts'

/** For a page with all that it redirects to. */
const TIMEOUT_MS = LANES.previews.callTimeoutMs
const MOST_REDIRECTS = 3
/** Bytes of a page that are read: what it says of itself stands at its beginning. */
const LONGEST_BEGINNING = 524_288

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Looks at a website, if it is of the public network. Null when there is nothing to show. Never rejects. */
export async function fetchWebsite(address: string): Promise<WebsitePreview | null> {
  try {
    const page = await fetchPage(address)
    return page ? await readWebsite(page) : null
  } catch {
    return null
  }
}

async function fetchPage(address: string): Promise<WebPage | undefined> {
  const until = Date.now() + TIMEOUT_MS
  let at = address
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    if (!mayLookAt(at)) return undefined
    const { response, body } = await callOut({
      url: at,
      named: { by: 'user', allowedHosts: [] },
      init: {
        headers: { Accept: 'text/html', 'User-Agent': 'ParleyLinkPreview/1.0' },
      },
      timeoutMs: Math.max(until - Date.now(), 1),
      mostBytes: LONGEST_BEGINNING,
      wants: isPage,
    })
    if (isPage(response)) {
      return { address: at, html: decode(body, response.headers.get('Content-Type') ?? '') }
    }
    const location = REDIRECTS.has(response.status) ? response.headers.get('Location') : null
    if (location === null || !URL.canParse(location, at)) return undefined
    at = new URL(location, at).href
  }
  return undefined
}

function isPage({ ok, headers }: Response): boolean {
  return ok && /^text\/html\s*(?:;|$)/i.test(headers.get('Content-Type') ?? '')
}

/** Every address on the way is checked, and none with a name and password, which `fetch` would send along. */
export function mayLookAt(address: string): boolean {
  if (!isAllowedTarget(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}

/** In the encoding that the server or, at its very beginning, the page itself names; else in UTF-8. */
function decode(bytes: Uint8Array, contentType: string): string {
  const named = /charset\s*=\s*["']?([\w:.-]+)/i
  const begins = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024))
  const encoding = named.exec(contentType)?.[1] ?? named.exec(begins)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
