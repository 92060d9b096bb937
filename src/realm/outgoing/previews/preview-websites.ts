import type { WebsitePreview } from '../../../markdown/render.ts'
import { addPreviews, giveUpPreviews, pagesToSee } from '../../../model/website-previews/add-previews.ts'
import { PREVIEW_WEBSITES, rememberWebsites } from '../../../model/website-previews/request-previews.ts'
import {
  leasePreviewRequest,
  nextPreviewRequestAt,
  type PreviewRequest,
  retryPreviewRequestLater,
} from '../../../store/website-previews/website-preview-rows.ts'
import { changeBy, suspendableChange } from '../../jobs/change-by-job.ts'
import type { Runtime } from '../../runtime.ts'
import { callOut, followRedirects } from '../call-out.ts'
import { LANES } from '../lanes.ts'
import { beginOutgoing, type OutgoingWork } from '../outgoing-work.ts'
import { readWebsite, type WebPage } from './read-website.ts'

const PREVIEWS: OutgoingWork<PreviewRequest> = {
  lane: 'previews',
  job: PREVIEW_WEBSITES,
  lease: ({ sql }, now, until) => leasePreviewRequest(sql, now, until),
  carryOut,
  retryLater: (tx, request, dueAt) => retryPreviewRequestLater(tx.sql, request, dueAt),
  giveUp: giveUpPreviews,
  nextAt: ({ sql }) => nextPreviewRequestAt(sql),
}

/** Begins to look at the websites to which messages link. Returns when to look again (UNIX seconds). */
export function previewWebsites(runtime: Runtime): number | undefined {
  return beginOutgoing(runtime, PREVIEWS)
}

/** One page after the other: a message must not make us call a website many times at once. */
async function carryOut(runtime: Runtime, request: PreviewRequest): Promise<void> {
  const bodies = await runtime.tail.readerOver(runtime).read([{ id: request.messageId }])
  const found = bodies.get(request.messageId)
  const body = found?.isLost ? undefined : found
  const seen = new Map<string, WebsitePreview | null>()
  for (const address of await suspendableChange(runtime, (tx) => pagesToSee(tx, request, body))) {
    seen.set(address, await fetchWebsite(address))
  }
  // By itself, so that a long text is rendered with what is stored.
  changeBy(runtime, (tx) => rememberWebsites(tx, seen))
  await suspendableChange(runtime, (tx) => addPreviews(tx, request, body))
}

/** Milliseconds for a page with all its redirects. */
const TIMEOUT_MS = LANES.previews.callTimeoutMs
/** Bytes of a page that are read: its description of itself is at its beginning. */
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

/**
 * Decodes a page, in the encoding that the server or, at its very beginning, the page itself names; else in
 * UTF-8.
 */
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
