import {
  readWebhookReply,
  type WebhookReply,
  type WebhookRequest,
} from '../../../model/bots/webhook-request.ts'
import { CallTimeoutError, callOut, ForbiddenTargetError, type OutgoingAnswer } from '../call-out.ts'
import { LANES } from '../lanes.ts'

const TIMEOUT_MS = LANES.webhooks.callTimeoutMs
/** Bytes of an answer. A message has at most 10,000 characters. */
const MAX_ANSWER_LENGTH = 65_536

/** Bytes of an answer that the list of deliveries shows. */
const SHOWN_LENGTH = 1_000

type Verdict =
  | { readonly kind: 'answered'; readonly reply: WebhookReply | undefined }
  /** A failure that may pass. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** Outcome of one try. */
export type WebhookOutcome = Verdict & {
  /** Null without an answer. */
  readonly status: number | null
  /** Beginning of the answer. */
  readonly said: string
}

/** Posts once, only to allowed addresses, without following redirects. Never rejects. */
export async function postWebhook(
  { url, headers, body, ignoresAnswer }: WebhookRequest,
  allowedHosts: readonly string[],
): Promise<WebhookOutcome> {
  try {
    const answer = await callOut({
      url,
      named: { by: 'user', allowedHosts },
      init: {
        method: 'POST',
        headers: { 'User-Agent': 'ParleyOutgoingWebhook/1.0', ...headers },
        body,
      },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_LENGTH,
    })
    // A character that is cut is left out.
    const said = new TextDecoder().decode(answer.body.subarray(0, SHOWN_LENGTH), { stream: true })
    return { ...verdictOn(answer, ignoresAnswer), status: answer.response.status, said }
  } catch (error) {
    return { ...verdictOnError(error), status: null, said: '' }
  }
}

function verdictOnError(error: unknown): Verdict {
  if (error instanceof ForbiddenTargetError) {
    return { kind: 'failed', reason: 'its address is not one that may be posted to.' }
  }
  const reason =
    error instanceof CallTimeoutError
      ? `it did not answer within ${TIMEOUT_MS / 1_000} seconds.`
      : 'it could not be reached.'
  return { kind: 'unreachable', reason }
}

function verdictOn(
  { response: { ok, status }, body, isCut }: OutgoingAnswer,
  ignoresAnswer = false,
): Verdict {
  if (!ok) {
    return {
      kind: isForLater(status) ? 'unreachable' : 'failed',
      reason: `it answered with the status ${status}.`,
    }
  }
  if (ignoresAnswer) return { kind: 'answered', reply: undefined }
  if (isCut) return { kind: 'failed', reason: 'its answer was too long.' }
  try {
    return { kind: 'answered', reply: readWebhookReply(new TextDecoder().decode(body)) }
  } catch {
    return { kind: 'failed', reason: 'its answer was no JSON object.' }
  }
}

function isForLater(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}
