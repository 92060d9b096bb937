import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const WEBHOOKS = new Rows<IncomingWebhook>(
  'incoming_webhook',
  'secrets:json allows_mentions:flag topic_template text_template notified_at:json',
)

/** Failures that the owner is notified about. */
export type WebhookFailure = 'malformed' | 'no event' | 'unsupported'

/** A bot owner's settings for posts of other services. The table `incoming_webhook` is owned by this file. */
export interface IncomingWebhook {
  /** Secrets with which posts may be signed, sealed (core/sealed-secret.ts), the newest first; [] where they need no signature. */
  readonly secrets: readonly string[]
  /** Whether posts may mention people so that they are notified. */
  readonly allowsMentions: boolean
  /** Templates for posts without an integration; '' until the owner makes some. */
  readonly topicTemplate: string
  readonly textTemplate: string
  /** When the owner was last notified of a failure, in UNIX seconds. */
  readonly notifiedAt: Readonly<Partial<Record<WebhookFailure, number>>>
}

const NOTHING: IncomingWebhook = {
  secrets: [],
  allowsMentions: false,
  topicTemplate: '',
  textTemplate: '',
  notifiedAt: {},
}

export function incomingWebhook(sql: Sql, botId: number): IncomingWebhook {
  const query = `SELECT ${WEBHOOKS.columns} FROM incoming_webhook WHERE user_id = ?`
  return WEBHOOKS.first(sql, query, botId) ?? NOTHING
}

export function changeIncomingWebhook(
  sql: WritableSql,
  botId: number,
  changes: Partial<IncomingWebhook>,
): void {
  const changed = { ...incomingWebhook(sql, botId), ...changes }
  WEBHOOKS.replace(sql, changed, { user_id: botId })
}

/** A post of a service, and what came of it. The table `incoming_delivery` is owned by this file. */
export interface IncomingDelivery {
  /** UNIX seconds. */
  readonly at: number
  /** Name of the integration. */
  readonly integration: string
  /** Name of the event; '' where the post does not say it. */
  readonly event: string
  /** `nothing`: the address leaves the event out, or nobody needs to read of it. */
  readonly outcome: 'sent' | 'nothing' | 'refused'
  /** Why it was refused; null otherwise. */
  readonly error: string | null
}

/** Posts of one bot that are kept. */
const KEPT_DELIVERIES = 20
/** Characters of a reason: some name what does not exist. */
const ERROR_LENGTH = 300

/** Notes a post in place of the oldest of the bot's that are kept: one row, whatever else the bot has. */
export function noteIncomingDelivery(
  sql: WritableSql,
  botId: number,
  { at, integration, event, outcome, error }: IncomingDelivery,
): void {
  sql.run(
    `INSERT INTO incoming_delivery (bot_id, slot, number, at, integration, event, outcome, error)
     SELECT ?1, next % ?2, next, ?3, ?4, ?5, ?6, ?7
     FROM (SELECT ifnull(max(number), 0) + 1 AS next FROM incoming_delivery WHERE bot_id = ?1) WHERE true
     ON CONFLICT (bot_id, slot) DO UPDATE SET number = excluded.number, at = excluded.at,
       integration = excluded.integration, event = excluded.event, outcome = excluded.outcome, error = excluded.error`,
    botId,
    KEPT_DELIVERIES,
    at,
    integration,
    event,
    outcome,
    error?.slice(0, ERROR_LENGTH) ?? null,
  )
}

/** Lists the last posts of a bot, the newest first. */
export function listIncomingDeliveries(sql: Sql, botId: number): IncomingDelivery[] {
  return sql.all<IncomingDelivery>(
    `SELECT at, integration, event, outcome, error FROM incoming_delivery
     WHERE bot_id = ? ORDER BY number DESC LIMIT ?`,
    botId,
    KEPT_DELIVERIES,
  )
}
