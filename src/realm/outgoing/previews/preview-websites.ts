import { addPreviews, pagesToSee } from '../../../domain/website-previews/add-previews.ts'
import { giveUpPreviews } from '../../../domain/website-previews/give-up-previews.ts'
import {
  leasePreviewRequest,
  nextPreviewRequestAt,
  type PreviewRequest,
  retryPreviewRequestLater,
} from '../../../domain/website-previews/preview-request-rows.ts'
import { rememberWebsites } from '../../../domain/website-previews/remember-websites.ts'
import { PREVIEW_WEBSITES } from '../../../domain/website-previews/request-previews.ts'
import type { WebsitePreview } from '../../../markdown/render.ts'
import { changeBy, suspendableChange } from '../../jobs/change-by-job.ts'
import type { Runtime } from '../../runtime.ts'
import { beginOutgoing, type OutgoingWork } from '../outgoing-work.ts'
import { fetchWebsite } from './fetch-website.ts'

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
