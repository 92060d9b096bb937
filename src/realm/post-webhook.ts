import { readWebhookReply, type WebhookReply, type WebhookRequest } from '../domain/bots/webhook-request.ts'
import { isAllowedTarget } from './webhook-target.ts'

const TIMEOUT_MS = 10_000
/** Bytes of an answer. A message has at most 10,000 characters. */
const LONGEST_ANSWER = 65_536

/** What came of one attempt. */
export type WebhookOutcome =
  | { readonly kind: 'answered'; readonly reply: WebhookReply | undefined }
  /** It may work later. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** Posts once, to allowed places only; follows nobody elsewhere. Never rejects. */
export async function postWebhook(
  { url, contentType, body }: WebhookRequest,
  allowedHosts: readonly string[],
): Promise<WebhookOutcome> {
  if (!isAllowedTarget(url, allowedHosts)) {
    return { kind: 'failed', reason: 'its address is not one that may be posted to.' }
  }
  const controller = new AbortController()
  // Not AbortSignal.timeout: that would keep the object awake until the end of the time.
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': contentType, 'User-Agent': 'ParleyOutgoingWebhook/1.0' },
      body,
      signal: controller.signal,
    })
    if (response.ok) return readAnswer(await readShort(response))
    await response.body?.cancel()
    const reason = `it answered with the status ${response.status}.`
    return { kind: response.status >= 500 ? 'unreachable' : 'failed', reason }
  } catch {
    const reason = controller.signal.aborted
      ? `it did not answer within ${TIMEOUT_MS / 1_000} seconds.`
      : 'it could not be reached.'
    return { kind: 'unreachable', reason }
  } finally {
    clearTimeout(timer)
  }
}

function readAnswer(answer: string | undefined): WebhookOutcome {
  if (answer === undefined) return { kind: 'failed', reason: 'its answer was too long.' }
  try {
    return { kind: 'answered', reply: readWebhookReply(answer) }
  } catch {
    return { kind: 'failed', reason: 'its answer was no JSON object.' }
  }
}

/** Undefined when the body is longer than allowed; no more than that is read of it. */
async function readShort(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > LONGEST_ANSWER) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
