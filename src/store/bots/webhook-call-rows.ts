import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const DELIVERIES = new Rows<WebhookDelivery>(
  'webhook_delivery',
  'id bot_id webhook_id cause message_id event:json at attempt status ms answer error',
)

/** The cause of a call about a message: it is for the bot, mentions it, or is one of those to which the bot is subscribed. */
export type MessageCause = 'direct_message' | 'mention' | 'message'
export type WebhookCause = MessageCause | WebhookEvent['cause']

/** The message in the form for the webhook: as in GET /messages, with both forms of the content. */
export interface WebhookMessage {
  readonly id: number
  readonly type: 'stream' | 'private'
  readonly stream_id?: number
  readonly display_recipient: unknown
  readonly sender_id: number
  readonly sender_full_name: string
  readonly timestamp: number
  readonly content: string
  readonly rendered_content: string
  readonly [field: string]: unknown
}

interface WebhookMessageCall {
  readonly cause: MessageCause
  readonly message: WebhookMessage
}

/** Another event for an outgoing webhook, of ids alone: docs/interface/bots.md#event-subscriptions. */
export interface WebhookEvent {
  readonly cause: 'reaction' | 'subscription' | 'new_person'
  readonly event: { readonly op: string; readonly timestamp: number; readonly [field: string]: unknown }
}

export type WebhookContent = WebhookMessageCall | WebhookEvent

/** Something that is to be delivered to an outgoing webhook. The table `webhook_call` is owned by this file. */
export type WebhookCall = WebhookContent & CallFacts

interface CallFacts {
  readonly id: number
  readonly botId: number
  /** `https://chat.example.com`, for links. */
  readonly origin: string
  /** Id by which the receiver recognizes the call, at every try. */
  readonly webhookId: string
  /** Number of tries. */
  readonly attempts: number
  /** UNIX seconds; null before. */
  readonly firstTriedAt: number | null
}

interface WebhookCallRow extends CallFacts {
  readonly cause: WebhookCause
  readonly message: JsonText<WebhookMessage | WebhookEvent['event']>
  /** The call whose row has the message; null: this one. */
  readonly textIn: number | null
}

const CALLS = new Rows<WebhookCallRow>(
  'webhook_call',
  'id bot_id origin webhook_id attempts first_tried_at cause message text_in',
)

export type NewWebhookCall = WebhookContent & {
  readonly origin: string
  /** The id of the call that this one repeats; a new one by default. */
  readonly webhookId?: string
}

const NEW_WEBHOOK_ID = `'msg_' || lower(hex(randomblob(12)))`

/**
 * Inserts the same call for each of these bots. The message, whose HTML may have a quarter of a million characters, is stored only with the
 * first call: a hundred such rows would take half a second.
 */
export function insertWebhookCalls(
  sql: WritableSql,
  botIds: readonly number[],
  call: NewWebhookCall,
  dueAt: number,
): void {
  const { cause, origin, webhookId } = call
  const insert = (botId: number, text: string, textIn: number | null) =>
    sql.runForValue(
      `INSERT INTO webhook_call (bot_id, cause, message, origin, due_at, text_in, webhook_id)
       VALUES (?, ?, ?, ?, ?, ?, coalesce(?, ${NEW_WEBHOOK_ID})) RETURNING id`,
      botId,
      cause,
      text,
      origin,
      Math.floor(dueAt),
      textIn,
      webhookId ?? null,
    )!
  const [first, ...others] = botIds
  if (first === undefined) return
  const holder = insert(first, textOfCall(call), null)
  // A deleted message finds its calls by this id.
  const withoutText = JSON.stringify('message' in call ? { id: call.message.id } : {})
  for (const botId of others) insert(botId, withoutText, holder)
}

/**
 * Begins the call that has been due longest, of bots other than `busyBots`. Until it is finished it is due
 * again at `until`, in case the object dies meanwhile. Times in UNIX seconds.
 */
export function leaseWebhookCall(
  sql: WritableSql,
  now: number,
  until: number,
  busyBots: readonly number[],
): WebhookCall | undefined {
  const row = CALLS.returned(
    sql,
    `UPDATE webhook_call SET due_at = ?2, attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, ?1)
     WHERE id = (
       SELECT id FROM webhook_call
       WHERE due_at <= ?1 AND bot_id NOT IN (SELECT value FROM json_each(?3))
       ORDER BY due_at, id LIMIT 1
     ) RETURNING ${CALLS.columns}`,
    Math.floor(now),
    Math.ceil(until),
    busyBots,
  )
  if (!row) return undefined
  const { cause, message, textIn, ...facts } = row
  return { ...facts, ...contentOfCall(cause, textIn === null ? message : messageIn(sql, textIn)) }
}

/** Returns the stored form of a call's message or event. */
export function textOfCall(call: WebhookContent): string {
  return JSON.stringify('message' in call ? call.message : call.event)
}

/** Returns the content of a call from its stored form. */
export function contentOfCall(cause: WebhookCause, text: WebhookCallRow['message']): WebhookContent {
  const content = fromJson(text)
  return isMessageCause(cause)
    ? { cause, message: content as WebhookMessage }
    : { cause, event: content as WebhookEvent['event'] }
}

export function isMessageCause(cause: WebhookCause): cause is MessageCause {
  return cause === 'direct_message' || cause === 'mention' || cause === 'message'
}

function messageIn(sql: Sql, callId: number): WebhookCallRow['message'] {
  return sql.first<Pick<WebhookCallRow, 'message'>>(`SELECT message FROM webhook_call WHERE id = ?`, callId)!
    .message
}

export function hasWebhookCall(sql: Sql, id: number): boolean {
  return sql.finds(`SELECT 1 FROM webhook_call WHERE id = ?`, id)
}

/** Delays a call. The bot's other calls wait with it, since they would fail too. */
export function retryWebhookCallLater(
  sql: WritableSql,
  { id, botId }: Pick<WebhookCall, 'id' | 'botId'>,
  dueAt: number,
): void {
  sql.run(`UPDATE webhook_call SET due_at = ? WHERE id = ?`, Math.ceil(dueAt), id)
  sql.run(`UPDATE webhook_call SET due_at = ?2 WHERE bot_id = ?1 AND due_at < ?2`, botId, Math.ceil(dueAt))
}

/** Makes a call that waits for its next try due. False when it does not wait. */
export function hastenWebhookCall(sql: WritableSql, botId: number, webhookId: string, now: number): boolean {
  const written = sql.run(
    `UPDATE webhook_call SET due_at = min(due_at, ?3) WHERE bot_id = ?1 AND webhook_id = ?2`,
    botId,
    webhookId,
    Math.floor(now),
  )
  return written > 0
}

/** Deletes a call. Another one takes over the message where more have it from there. */
export function deleteWebhookCall(sql: WritableSql, id: number): void {
  const heir = sql.value(`SELECT min(id) AS heir FROM webhook_call WHERE text_in = ?`, id)
  if (heir !== undefined) {
    sql.run(`UPDATE webhook_call SET message = ?2, text_in = NULL WHERE id = ?1`, heir, messageIn(sql, id))
    sql.run(`UPDATE webhook_call SET text_in = ?1 WHERE text_in = ?2`, heir, id)
  }
  sql.run(`DELETE FROM webhook_call WHERE id = ?`, id)
}

/** Deletes the calls about these messages: all that share a text. */
export function deleteWebhookCallsAbout(sql: WritableSql, messageIds: readonly number[]): void {
  sql.run(`DELETE FROM webhook_call WHERE message ->> '$.id' IN (SELECT value FROM json_each(?))`, messageIds)
}

/** Returns the time at which the next call is due (UNIX seconds); undefined without one. */
export function nextWebhookCallAt(sql: Sql): number | undefined {
  return sql.value(`SELECT MIN(due_at) AS due_at FROM webhook_call`)
}

/** One try of a call; the newest of each bot are kept. The table `webhook_delivery` is owned by this file. */
export interface WebhookDelivery {
  readonly id: number
  readonly botId: number
  /** Id of the call, as its receiver knows it. */
  readonly webhookId: string
  readonly cause: WebhookCause
  /** Null where the call was about an event. */
  readonly messageId: number | null
  readonly event: WebhookEvent['event'] | null
  /** When it began, in UNIX seconds. */
  readonly at: number
  /** 1 for the first try of a call. */
  readonly attempt: number
  /** Null without an answer. */
  readonly status: number | null
  /** Milliseconds until the answer, or its absence. */
  readonly ms: number
  /** Beginning of the answer. */
  readonly answer: string
  /** Why it failed, for people; null where it did not. */
  readonly error: string | null
}

/** Number of tries of one bot that are kept. */
const MAX_OF_A_BOT = 100

/**
 * Inserts a try, and deletes the bot's oldest where there are too many. Its id is the time in milliseconds, or one more than the one before.
 */
export function insertDelivery(sql: WritableSql, delivery: Omit<WebhookDelivery, 'id'>, now: number): void {
  const { botId } = delivery
  const last = sql.value(`SELECT ifnull(max(id), 0) AS last FROM webhook_delivery WHERE bot_id = ?`, botId)!
  const id = Math.max(last + 1, Math.floor(now * 1_000))
  DELIVERIES.insert(sql, { ...delivery, id })
  sql.run(
    `DELETE FROM webhook_delivery WHERE bot_id = ?1 AND id <= (
       SELECT id FROM webhook_delivery WHERE bot_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    botId,
    MAX_OF_A_BOT,
  )
}

/** Lists a bot's tries, newest first. */
export function listDeliveries(sql: Sql, botId: number): WebhookDelivery[] {
  return DELIVERIES.list(sql, `WHERE bot_id = ? ORDER BY id DESC LIMIT ?`, botId, MAX_OF_A_BOT)
}

export function findDelivery(sql: Sql, botId: number, id: number): WebhookDelivery | undefined {
  return DELIVERIES.find(sql, `WHERE bot_id = ? AND id = ?`, botId, id)
}
