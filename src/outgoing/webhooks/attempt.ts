import { ApiError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { signatureHeaders } from '../../core/webhook-signature.ts'
import { callerOf } from '../../model/caller.ts'
import { topicOfMessage } from '../../model/messages/topic-of-message.ts'
import { sendForCaller } from '../../model/sending/send-for-caller.ts'
import { botSettings, signingSecrets } from '../../store/bots/bot-setting-rows.ts'
import {
  deleteWebhookCall,
  hasWebhookCall,
  insertDelivery,
  type WebhookCall,
} from '../../store/bots/webhook-call-rows.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { CallTimeoutError, callOut, ForbiddenTargetError, type OutgoingAnswer } from '../call-out.ts'
import { LANES } from '../lanes.ts'
import type { OutgoingRuntime } from '../outgoing-work.ts'
import { FinalFailure } from '../work-in-lanes.ts'
import { failWebhookCall, isReadBy } from './failure.ts'
import {
  readWebhookReply,
  type WebhookReply,
  type WebhookRequest,
  webhookRequest,
} from './webhook-request.ts'

/** Posts a call, and sends the answer as the bot. Throws if it has to be tried again. */
export async function postCall(runtime: OutgoingRuntime, call: WebhookCall): Promise<void> {
  const bot = findUser(runtime.sql, call.botId)
  const { service } = botSettings(runtime.sql, call.botId)
  if (!bot?.isActive || !service) {
    runtime.change((tx) => answerWebhookCall(tx, call, undefined))
    return
  }
  const unsigned = webhookRequest(runtime.realm, bot, service, call)
  // The bot had another format when the call was made.
  if (!unsigned) throw new FinalFailure('its format, Slack’s, has no direct messages.')
  const request = await signed(runtime, call, unsigned)
  const began = runtime.now()
  const outcome = await postWebhook(request, runtime.webhooks.allowedHosts)
  const ms = Math.round((runtime.now() - began) * 1_000)
  const note = (tx: RealmTransaction, error: string | null) =>
    noteDelivery(tx, call, { ...outcome, began, ms, error })
  if (outcome.kind !== 'answered') {
    runtime.change((tx) => note(tx, outcome.reason))
    throw outcome.kind === 'failed' ? new FinalFailure(outcome.reason) : new Error(outcome.reason)
  }
  try {
    await runtime.suspendableChange((tx) => {
      note(tx, null)
      answerWebhookCall(tx, call, outcome.reply)
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await runtime.suspendableChange((tx) => {
      note(tx, error.message)
      failWebhookCall(tx, call, error.message)
    })
  }
}

interface Tried {
  readonly status: number | null
  readonly said: string
  /** UNIX seconds. */
  readonly began: number
  readonly ms: number
  readonly error: string | null
}

function noteDelivery(
  { sql, now }: RealmTransaction,
  call: WebhookCall,
  { status, said, began, ms, error }: Tried,
): void {
  const { botId, webhookId, cause, attempts } = call
  insertDelivery(
    sql,
    {
      botId,
      webhookId,
      cause,
      messageId: 'message' in call ? call.message.id : null,
      event: 'event' in call ? call.event : null,
      at: Math.floor(began),
      attempt: attempts,
      status,
      ms,
      answer: said,
      error,
    },
    now,
  )
}

async function signed(
  runtime: OutgoingRuntime,
  call: WebhookCall,
  request: WebhookRequest,
): Promise<WebhookRequest> {
  const now = runtime.now()
  const secrets = signingSecrets(runtime.sql, call.botId, now)
  const { body } = request
  const signature = await signatureHeaders(secrets, { id: call.webhookId, timestamp: Math.floor(now), body })
  return { ...request, headers: { ...request.headers, ...signature } }
}

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
    // A character that is cut in two is left out.
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

const CLIENT = 'OutgoingWebhookResponse'

/** Posts a webhook's first answer as the bot, in the message's present conversation. Throws where the bot may not post. */
function answerWebhookCall(tx: RealmTransaction, call: WebhookCall, reply: WebhookReply | undefined): void {
  if (!hasWebhookCall(tx.sql, call.id)) return
  deleteWebhookCall(tx.sql, call.id)
  const bot = findUser(tx.sql, call.botId)
  const message = 'message' in call ? findMessage(tx.sql, call.message.id) : undefined
  if (!reply || !bot?.isActive || !message || !isReadBy(tx, bot, message)) return
  const source = { origin: call.origin, userAgent: CLIENT, ip: '' }
  sendForCaller(tx, callerOf(tx.sql, bot, source, tx.now), {
    ...recipientParametersOf(tx, message),
    ...reply,
  })
}

function recipientParametersOf({ sql }: RealmReads, message: IndexedMessage) {
  const recipient = recipientOf(message.recipientId)
  return recipient.kind === 'channel'
    ? ({ type: 'channel', to: String(recipient.id), topic: topicOfMessage(sql, message)!.name } as const)
    : ({ type: 'direct', to: JSON.stringify(conversationById(sql, recipient.id)!.members) } as const)
}
