import {
  leasePreviewRequest,
  nextPreviewRequestAt,
  type PreviewRequest,
  retryPreviewRequestLater,
} from '../../store/website-previews/website-preview-rows.ts'
import { beginOutgoing, type OutgoingRuntime, type OutgoingWork } from '../outgoing-work.ts'
import { addWebsites } from './attempt.ts'
import { giveUpPreviews } from './failure.ts'

const PREVIEWS: OutgoingWork<PreviewRequest> = {
  lane: 'previews',
  job: 'preview-websites',
  lease: ({ sql }, now, until) => leasePreviewRequest(sql, now, until),
  carryOut: addWebsites,
  retryLater: (tx, request, dueAt) => retryPreviewRequestLater(tx.sql, request, dueAt),
  giveUp: giveUpPreviews,
  nextAt: ({ sql }) => nextPreviewRequestAt(sql),
}

/** Starts looking at the websites that messages link to. Returns when to look again (UNIX seconds). */
export function previewWebsites(runtime: OutgoingRuntime): number | undefined {
  return beginOutgoing(runtime, PREVIEWS)
}
