import type { WebsitePreview } from '../markdown/render.ts'
import { readWebsite, type WebPage } from './read-website.ts'
import { isAllowedTarget } from './webhook-target.ts'

/** For a page with all that it redirects to. */
const TIMEOUT_MS = 5_000
const MOST_REDIRECTS = 3
/** Bytes of a page that are read: what it says of itself stands at its beginning. */
const LONGEST_BEGINNING = 524_288

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Looks at a website, if it is of the public network. Null when there is nothing to show. Never rejects. */
export async function fetchWebsite(address: string): Promise<WebsitePreview | null> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  // Not AbortSignal.timeout: that would keep the object awake until the end of the time.
  const timeUp = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      controller.abort()
      resolve(undefined)
    }, TIMEOUT_MS)
  })
  try {
    const page = await Promise.race([fetchPage(address, controller.signal), timeUp])
    return page ? await readWebsite(page) : null
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

async function fetchPage(address: string, signal: AbortSignal): Promise<WebPage | undefined> {
  let at = address
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    if (!mayLookAt(at)) return undefined
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { Accept: 'text/html', 'User-Agent': 'ParleyLinkPreview/1.0' },
      signal,
    })
    const contentType = response.headers.get('Content-Type') ?? ''
    if (response.ok && /^text\/html\s*(?:;|$)/i.test(contentType)) {
      return { address: at, html: decode(await readBeginning(response, signal), contentType) }
    }
    await response.body?.cancel()
    const location = REDIRECTS.has(response.status) ? response.headers.get('Location') : null
    if (location === null || !URL.canParse(location, at)) return undefined
    at = new URL(location, at).href
  }
  return undefined
}

/** Every address on the way is checked, and none with a name and password, which `fetch` would send along. */
export function mayLookAt(address: string): boolean {
  if (!isAllowedTarget(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}

/** What follows is not read. */
async function readBeginning(response: Response, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length >= LONGEST_BEGINNING || signal.aborted) break
  }
  const beginning = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    beginning.set(chunk, offset)
    offset += chunk.byteLength
  }
  return beginning.subarray(0, LONGEST_BEGINNING)
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
