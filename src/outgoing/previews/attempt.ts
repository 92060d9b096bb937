import { isAllowedTarget } from '../../core/outgoing-target.ts'
import { sharedParser } from '../../markdown/parser.ts'
import type { WebsitePreview } from '../../markdown/render.ts'
import { withoutEntities } from '../../markdown/rules/emphasis.ts'
import { rememberWebsites } from '../../model/website-previews/request-previews.ts'
import type { PreviewRequest } from '../../store/website-previews/website-preview-rows.ts'
import { callOut, followRedirects } from '../call-out.ts'
import { LANES } from '../lanes.ts'
import type { OutgoingRuntime } from '../outgoing-work.ts'
import { addPreviews, pagesToSee } from './add-previews.ts'

/** One page after the other: a message must not make us call a website many times at once. */
export async function addWebsites(runtime: OutgoingRuntime, request: PreviewRequest): Promise<void> {
  const bodies = await runtime.bodies().read([{ id: request.messageId }])
  const found = bodies.get(request.messageId)
  const body = found?.isLost ? undefined : found
  const seen = new Map<string, WebsitePreview | null>()
  for (const address of await runtime.suspendableChange((tx) => pagesToSee(tx, request, body))) {
    seen.set(address, await fetchWebsite(address))
  }
  // A commit of its own, so that a long text is rendered with what is stored.
  runtime.change((tx) => rememberWebsites(tx, seen))
  await runtime.suspendableChange((tx) => addPreviews(tx, request, body))
}

/** Milliseconds for a page with all its redirects. */
const TIMEOUT_MS = LANES.previews.callTimeoutMs
/** Bytes of a page that are read: its description of itself is at the beginning. */
const MAX_BEGINNING_LENGTH = 524_288

/** Looks at a website, if it is in the public network. Null when there is nothing to show. Never rejects. */
export async function fetchWebsite(address: string): Promise<WebsitePreview | null> {
  try {
    const page = await fetchPage(address)
    return page ? await readWebsite(page) : null
  } catch {
    return null
  }
}

async function fetchPage(address: string): Promise<WebPage | undefined> {
  const found = await followRedirects(address, TIMEOUT_MS, (url, timeoutMs) =>
    callOut({
      url,
      named: { by: 'user', allowedHosts: [] },
      init: {
        headers: { Accept: 'text/html', 'User-Agent': 'ParleyLinkPreview/1.0' },
      },
      timeoutMs,
      maxBytes: MAX_BEGINNING_LENGTH,
      needsBody: isPage,
    }),
  )
  if (!found || !isPage(found.answer.response)) return undefined
  const { response, body } = found.answer
  return { address: found.address, html: decode(body, response.headers.get('Content-Type') ?? '') }
}

function isPage({ ok, headers }: Response): boolean {
  return ok && /^text\/html\s*(?:;|$)/i.test(headers.get('Content-Type') ?? '')
}

/** Decodes a page in the encoding that the server or, at its very beginning, the page itself names; otherwise in UTF-8. */
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

/** The beginning of a page, and its final address. */
interface WebPage {
  readonly address: string
  readonly html: string
}

/** Length of a text that is kept, in UTF-16 units; a preview shows less. */
const MAX_TEXT_LENGTH = 1_000
const MAX_ADDRESS_LENGTH = 2_048
/** Tags that are looked at: each takes some 10 µs of the object. Pages have some dozens; one could have 80,000. */
const MAX_TAGS = 500

/** Reads a page's description of itself; null without a picture, since clients do not show such a preview. */
export async function readWebsite({ address, html }: WebPage): Promise<WebsitePreview | null> {
  const { title, meta } = await readHead(html)
  const imageUrl = pictureOf(meta, address)
  if (imageUrl === undefined) return null
  return {
    title: textOf(meta.get('og:title') || title),
    description: textOf(meta.get('og:description') || meta.get('description') || ''),
    imageUrl,
  }
}

interface Head {
  /** The title as written in the page, like all values. */
  readonly title: string
  /** Values by name in lower case: the first one of each. */
  readonly meta: ReadonlyMap<string, string>
}

async function readHead(html: string): Promise<Head> {
  const meta = new Map<string, string>()
  let title = ''
  /** The body may contain other titles, such as those of drawings. */
  let titleRead = false
  const rewriter = new HTMLRewriter()
    .on('meta', {
      element(element) {
        const name = (element.getAttribute('property') ?? element.getAttribute('name') ?? '').toLowerCase()
        const content = element.getAttribute('content')
        if (content !== null && !meta.has(name)) meta.set(name, content)
      },
    })
    .on('title', {
      text({ text, lastInTextNode }) {
        if (!titleRead) title += text
        if (lastInTextNode) titleRead = true
      },
    })
    .on('body', {
      element() {
        titleRead = true
      },
    })
  await rewriter.transform(new Response(withFirstTags(html))).arrayBuffer()
  return { title, meta }
}

/** Returns a page up to the last tag that is looked at. */
function withFirstTags(html: string): string {
  let count = 0
  for (const { index } of html.matchAll(/<(?:meta|title|body)/gi)) {
    count += 1
    if (count > MAX_TAGS) return html.slice(0, index)
  }
  return html
}

/** Returns the beginning of a value as text: `&amp;` and the like become characters. */
function textOf(html: string, maxLength = MAX_TEXT_LENGTH): string {
  return withoutEntities(sharedParser(), html.slice(0, maxLength)).trim()
}

/** Returns the absolute address of a picture that loads without credentials. */
function pictureOf(meta: ReadonlyMap<string, string>, address: string): string | undefined {
  const named = meta.get('og:image') || meta.get('og:image:url') || meta.get('og:image:secure_url') || ''
  const url = textOf(named, MAX_ADDRESS_LENGTH)
  if (url === '' || !URL.canParse(url, address)) return undefined
  const { href } = new URL(url, address)
  return isAllowedTarget(href) ? href : undefined
}
