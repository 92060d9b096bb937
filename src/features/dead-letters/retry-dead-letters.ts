import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { integer, json, listUpTo } from '../../api/parameter-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DELIVER_WEBHOOK_CALLS } from '../../model/bots/enqueue-calls.ts'
import type { Caller } from '../../model/caller.ts'
import { retryDigest } from '../../model/digests/give-up-digest.ts'
import { queueEmail } from '../../model/emails/letter.ts'
import { retryMissedMail } from '../../model/missed-messages/plan-missed-mail.ts'
import { retryPush } from '../../model/push/give-up-push.ts'
import { retryPreviews } from '../../model/website-previews/add-previews.ts'
import {
  contentOfCall,
  insertWebhookCalls,
  type WebhookCause,
  type WebhookMessage,
} from '../../store/bots/webhook-call-rows.ts'
import {
  countDeadLetters,
  type DeadLetterKind,
  type DeadLetterPayload,
  existingDeadLetterIds,
  oldestDeadLetterIds,
  takeDeadLetter,
} from '../../store/dead-letters/dead-letter-rows.ts'

/** Retries dead letters: the named ones, or else the oldest hundred. Parley's own. */
export const retryDeadLettersEndpoint = defineEndpoint({
  operation: 'retry-dead-letters',
  method: 'POST',
  path: '/dead_letters/retry',
  access: 'owner',
  params: {
    ids: v.pipe(
      v.optional(json(listUpTo(100, integer))),
      v.description('The dead letters to send again; the oldest hundred by default.'),
    ),
  },
  returns: v.object({ retried: v.number(), remaining: v.number() }),
  command: { apply: retryDeadLetters },
  audit: 'step',
})

/** Number of retries in one call. */
const RETRIED_AT_ONCE = 100

interface RetryDeadLettersParams {
  /** Absent: all. */
  readonly ids?: readonly number[]
}

interface RetryAnswer {
  readonly retried: number
  readonly remaining: number
}

/** Queues given-up work anew, with all its tries: the named dead letters, or the oldest hundred. */
function retryDeadLetters(
  tx: RealmTransaction,
  _caller: Caller,
  { ids }: RetryDeadLettersParams,
): RetryAnswer {
  const chosen = ids ? existingDeadLetterIds(tx.sql, ids) : oldestDeadLetterIds(tx.sql, RETRIED_AT_ONCE)
  if (ids && chosen.length < new Set(ids).size) throw new NotFoundError('No such dead letter')
  for (const id of chosen) {
    const { kind, payload } = takeDeadLetter(tx.sql, id)!
    RETRY[kind](tx, payload)
  }
  return { retried: chosen.length, remaining: countDeadLetters(tx.sql, tx.now) }
}

/** Functions that retry each kind. The payload is what was stored when it was given up. */
const RETRY: Readonly<Record<DeadLetterKind, (tx: RealmTransaction, payload: DeadLetterPayload) => void>> = {
  mail(tx, { recipient, subject, body, html, headers, missed_by, missed, digest_of, round, origin }) {
    if (missed_by !== undefined) {
      return retryMissedMail(tx, Number(missed_by), String(missed), String(origin))
    }
    if (digest_of !== undefined) {
      return retryDigest(tx, Number(digest_of), Number(round), String(origin))
    }
    queueEmail(tx, {
      recipient: String(recipient),
      subject: String(subject),
      body: String(body),
      html: html === undefined ? null : String(html),
      headers: headers === undefined ? null : fromJson(String(headers) as JsonText<Record<string, string>>),
    })
  },
  webhook(tx, { botId, cause, message, origin, webhookId }) {
    insertWebhookCalls(
      tx.sql,
      [Number(botId)],
      {
        ...contentOfCall(cause as WebhookCause, String(message) as JsonText<WebhookMessage>),
        origin: String(origin),
        webhookId: String(webhookId),
      },
      tx.now,
    )
    tx.schedule({ kind: DELIVER_WEBHOOK_CALLS, key: '', dueAt: tx.now })
  },
  push: retryPush,
  preview: retryPreviews,
  job(tx, { kind, key }) {
    tx.schedule({ kind: String(kind), key: String(key), dueAt: tx.now })
  },
}
