import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { WebhookCause, WebhookEvent } from './webhook-call-rows.ts'

/** One try of a call, of which the newest of each bot are kept. The table `webhook_delivery` is owned by this file. */
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

interface WebhookDeliveryRow {
  bot_id: number
  id: number
  webhook_id: string
  cause: WebhookCause
  message_id: number | null
  event: JsonText<WebhookEvent['event']> | null
  at: number
  attempt: number
  status: number | null
  ms: number
  answer: string
  error: string | null
}

/**
 * Inserts a try, and deletes the bot's oldest where there are too many. Its id is the time in milliseconds, or one more than the one before.
 */
export function insertDelivery(sql: WritableSql, delivery: Omit<WebhookDelivery, 'id'>, now: number): void {
  const { botId } = delivery
  const { last } = sql.first<{ last: number }>(
    `SELECT ifnull(max(id), 0) AS last FROM webhook_delivery WHERE bot_id = ?`,
    botId,
  )!
  sql.run(
    `INSERT INTO webhook_delivery (bot_id, id, webhook_id, cause, message_id, event, at, attempt, status, ms, answer, error)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    botId,
    Math.max(last + 1, Math.floor(now * 1_000)),
    delivery.webhookId,
    delivery.cause,
    delivery.messageId,
    delivery.event && JSON.stringify(delivery.event),
    delivery.at,
    delivery.attempt,
    delivery.status,
    delivery.ms,
    delivery.answer,
    delivery.error,
  )
  sql.run(
    `DELETE FROM webhook_delivery WHERE bot_id = ?1 AND id <= (
       SELECT id FROM webhook_delivery WHERE bot_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    botId,
    MAX_OF_A_BOT,
  )
}

/** Lists a bot's tries, newest first. */
export function listDeliveries(sql: Sql, botId: number): WebhookDelivery[] {
  return sql
    .all<WebhookDeliveryRow>(
      `SELECT * FROM webhook_delivery WHERE bot_id = ? ORDER BY id DESC LIMIT ?`,
      botId,
      MAX_OF_A_BOT,
    )
    .map(deliveryOf)
}

export function findDelivery(sql: Sql, botId: number, id: number): WebhookDelivery | undefined {
  const row = sql.first<WebhookDeliveryRow>(
    `SELECT * FROM webhook_delivery WHERE bot_id = ? AND id = ?`,
    botId,
    id,
  )
  return row && deliveryOf(row)
}

function deliveryOf(row: WebhookDeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    botId: row.bot_id,
    webhookId: row.webhook_id,
    cause: row.cause,
    messageId: row.message_id,
    event: row.event && fromJson(row.event),
    at: row.at,
    attempt: row.attempt,
    status: row.status,
    ms: row.ms,
    answer: row.answer,
    error: row.error,
  }
}
