import { isAllowedTarget } from '../../../core/outgoing-target.ts'
import { decodeEntities } from '../../../markdown/entities.ts'
import type { WebsitePreview } from '../../../markdown/render.ts'

/** The beginning of a page, and its final address. */
export interface WebPage {
  readonly address: string
  readonly html: string
}

/** Length of a text that is kept, in UTF-16 units. A preview shows less. */
const MAX_TEXT_LENGTH = 1_000
const MAX_ADDRESS_LENGTH = 2_048
/** Tags that are looked at, each of which takes some 10 µs of the object: pages have some dozens, and one could have 80,000. */
const MAX_TAGS = 500

/**
 * Reads a page's description of itself: by Open Graph, or by the tags of every page. Null for one without a
 * picture, since clients show none of these.
 */
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
  /** Values by name, in lower case: the first of several. */
  readonly meta: ReadonlyMap<string, string>
}

async function readHead(html: string): Promise<Head> {
  const meta = new Map<string, string>()
  let title = ''
  /** The body may contain other titles, of its drawings. */
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

function textOf(html: string): string {
  return decodeEntities(html.slice(0, MAX_TEXT_LENGTH)).trim()
}

/** Returns the absolute address of a picture that loads without credentials. */
function pictureOf(meta: ReadonlyMap<string, string>, address: string): string | undefined {
  const named = meta.get('og:image') || meta.get('og:image:url') || meta.get('og:image:secure_url') || ''
  const url = decodeEntities(named.slice(0, MAX_ADDRESS_LENGTH)).trim()
  if (url === '' || !URL.canParse(url, address)) return undefined
  const { href } = new URL(url, address)
  return isAllowedTarget(href) ? href : undefined
}
