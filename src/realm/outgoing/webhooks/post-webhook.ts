import {
  readWebhookReply,
  type WebhookReply,
  type WebhookRequest,
} from '../../../domain/bots/webhook-request.ts'
import { CallTimeoutError, callOut, ForbiddenTargetError } from '../call-out.ts'
import { LANES } from '../lanes.ts'

const TIMEOUT_MS = LANES.webhooks.callTimeoutMs
/** Bytes of an answer. A message has at most 10,000 characters. */
const MAX_ANSWER_LENGTH = 65_536

/** Outcome of one try. */
export type WebhookOutcome =
  | { readonly kind: 'answered'; readonly reply: WebhookReply | undefined }
  /** A failure that may pass. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** Posts once, only to allowed addresses, without following redirects. Never rejects. */
export async function postWebhook(
  { url, headers, body }: WebhookRequest,
  allowedHosts: readonly string[],
): Promise<WebhookOutcome> {
  try {
    const {
      response,
      body: answer,
      isCut,
    } = await callOut({
      url,
      named: { by: 'user', allowedHosts },
      init: {
        method: 'POST',
        headers: { 'User-Agent': 'ParleyOutgoingWebhook/1.0', ...headers },
        body,
      },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_LENGTH,
      needsBody: ({ ok }) => ok,
    })
    if (response.ok) return readAnswer(isCut ? undefined : new TextDecoder().decode(answer))
    const reason = `it answered with the status ${response.status}.`
    return { kind: isForLater(response.status) ? 'unreachable' : 'failed', reason }
  } catch (error) {
    if (error instanceof ForbiddenTargetError) {
      return { kind: 'failed', reason: 'its address is not one that may be posted to.' }
    }
    const reason =
      error instanceof CallTimeoutError
        ? `it did not answer within ${TIMEOUT_MS / 1_000} seconds.`
        : 'it could not be reached.'
    return { kind: 'unreachable', reason }
  }
}

function isForLater(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

function readAnswer(answer: string | undefined): WebhookOutcome {
  if (answer === undefined) return { kind: 'failed', reason: 'its answer was too long.' }
  try {
    return { kind: 'answered', reply: readWebhookReply(answer) }
  } catch {
    return { kind: 'failed', reason: 'its answer was no JSON object.' }
  }
}
