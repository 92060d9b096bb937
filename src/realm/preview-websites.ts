import type { RealmTransaction } from '../core/realm-transaction.ts'
import {
  leasePreviewRequest,
  nextPreviewRequestAt,
  type PreviewRequest,
} from '../domain/website-previews/preview-request-rows.ts'
import { endPreviewRequest, pagesToSee, showPreviews } from '../domain/website-previews/show-previews.ts'
import type { WebsitePreview } from '../markdown/render.ts'
import { afterCommit } from './after-commit.ts'
import { fetchWebsite } from './fetch-website.ts'
import type { Runtime } from './runtime.ts'
import { transactOn } from './transaction.ts'

const ATTEMPTS = 3
/** Longer than all pages of a message take. */
const LEASE_SECONDS = 60
/** How soon to look again for what is due and had no place yet. */
const PAUSE_SECONDS = 5

/**
 * Begins to look at the websites that messages link to, a few messages at a time, and answers when to look
 * again. Nothing waits for them: a website that is slow holds up no other job.
 */
export function previewWebsites(runtime: Runtime): number | undefined {
  beginRequests(runtime)
  const next = nextPreviewRequestAt(runtime.sql)
  return next === undefined ? undefined : Math.max(next, runtime.now() + PAUSE_SECONDS)
}

function beginRequests(runtime: Runtime): void {
  while (runtime.previews.isFree) {
    const now = runtime.now()
    const request = leasePreviewRequest(runtime.sql, now, now + LEASE_SECONDS)
    if (!request) return
    runtime.previews.take()
    void carryOut(runtime, request)
      .catch((error) => console.error(`Previews of message ${request.messageId} failed`, error))
      .finally(() => {
        runtime.previews.leave()
        beginRequests(runtime)
      })
  }
}

/** One page after the other: a message is no way to have us ask a website many times at once. */
async function carryOut(runtime: Runtime, request: PreviewRequest): Promise<void> {
  if (request.attempts > ATTEMPTS) {
    change(runtime, (tx) => endPreviewRequest(tx, request))
    return
  }
  const bodies = await runtime.tail.readerOver(runtime.db, runtime.realm.id).read([request.messageId])
  const body = bodies.get(request.messageId)
  const seen = new Map<string, WebsitePreview | null>()
  for (const address of change(runtime, (tx) => pagesToSee(tx, request, body))) {
    seen.set(address, await fetchWebsite(address))
  }
  change(runtime, (tx) => showPreviews(tx, request, body, seen))
}

function change<R>(
  runtime: Runtime,
  make: (tx: RealmTransaction) => R extends PromiseLike<unknown> ? never : R,
): R {
  const onCommit = (commit: Parameters<typeof afterCommit>[1]) => afterCommit(runtime, commit)
  return transactOn({ ...runtime, now: runtime.now(), onCommit })(make)
}
