import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, integer, json, listUpTo, pathInteger } from '../../api/parameter-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { JobKind } from '../../core/job-kinds.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { queueEmail } from '../../model/emails/letter.ts'
import { retryDigest, retryMissedMail } from '../../outgoing/emails/failure.ts'
import { retryPreviews } from '../../outgoing/previews/failure.ts'
import { retryPush } from '../../outgoing/push/failure.ts'
import {
  contentOfCall,
  insertWebhookCalls,
  type WebhookCause,
  type WebhookMessage,
} from '../../store/bots/webhook-call-rows.ts'
import {
  countDeadLetters,
  type DeadLetter,
  type DeadLetterKind,
  type DeadLetterPayload,
  existingDeadLetterIds,
  listDeadLetters,
  oldestDeadLetterIds,
  takeDeadLetter,
} from '../../store/dead-letters/dead-letter-rows.ts'

/**
 * Lists what the organization has given up sending or doing, newest first: mail, webhook calls, notifications on devices, website previews,
 * its own jobs. Parley's own.
 */
export const getDeadLettersEndpoint = defineEndpoint({
  operation: 'get-dead-letters',
  route: 'GET /dead_letters',
  access: 'owner',
  returns: v.object({
    dead_letters: v.array(
      v.object({
        id: v.number(),
        kind: v.string(),
        description: v.string(),
        first_attempt: v.number(),
        last_attempt: v.number(),
        attempts: v.number(),
        error: v.string(),
      }),
    ),
  }),
  query: (tx) => ({ dead_letters: listDeadLetters(tx.sql, tx.now).map(present) }),
})

function present(letter: DeadLetter) {
  return {
    id: letter.id,
    kind: letter.kind,
    description: letter.description,
    first_attempt: letter.firstTriedAt,
    last_attempt: letter.lastTriedAt,
    attempts: letter.attempts,
    error: letter.error,
  }
}

/** Enqueues given-up work again, with all its attempts: the named dead letters, or else the oldest hundred. Parley's own. */
export const retryDeadLettersEndpoint = defineEndpoint({
  operation: 'retry-dead-letters',
  route: 'POST /dead_letters/retry',
  access: 'owner',
  params: {
    ids: described(
      v.optional(json(listUpTo(100, integer))),
      'The dead letters to send again; the oldest hundred by default.',
    ),
  },
  returns: v.object({ retried: v.number(), remaining: v.number() }),
  apply(tx, _caller, { ids }) {
    const chosen = ids ? existingDeadLetterIds(tx.sql, ids) : oldestDeadLetterIds(tx.sql, RETRIED_AT_ONCE)
    if (ids && chosen.length < new Set(ids).size) throw new NotFoundError('No such dead letter')
    for (const id of chosen) {
      const { kind, payload } = takeDeadLetter(tx.sql, id)!
      RETRY[kind](tx, payload)
    }
    return { retried: chosen.length, remaining: countDeadLetters(tx.sql, tx.now) }
  },
  audit: 'step',
})

/** Retries in one call without ids. */
const RETRIED_AT_ONCE = 100

/** Functions that retry each kind. The payload is what was stored when the work was given up. */
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
    tx.schedule({ kind: 'call-webhooks', key: '', dueAt: tx.now })
  },
  push: retryPush,
  preview: retryPreviews,
  job(tx, { kind, key }) {
    tx.schedule({ kind: String(kind) as JobKind, key: String(key), dueAt: tx.now })
  },
}

/** Deletes a dead letter, so that it is not retried. Parley's own. */
export const deleteDeadLetterEndpoint = defineEndpoint({
  operation: 'delete-dead-letter',
  route: 'DELETE /dead_letters/:dead_letter_id',
  access: 'owner',
  params: { dead_letter_id: pathInteger },
  apply(tx, _caller, { dead_letter_id }) {
    if (!takeDeadLetter(tx.sql, dead_letter_id)) throw new NotFoundError('No such dead letter')
  },
  audit: 'step',
})
