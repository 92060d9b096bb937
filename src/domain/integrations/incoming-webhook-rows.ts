import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** Failures of which the owner is notified. */
export type WebhookFailure = 'malformed' | 'no event' | 'unsupported'

/** A post of a service, and what came of it. */
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

/** What a bot's owner has made for posts of other services. The table `incoming_webhook` is owned by this file. */
export interface IncomingWebhook {
  /** Secrets with which posts may be signed, the newest first; [] where they need no signature. */
  readonly secrets: readonly string[]
  /** Whether posts may mention people so that they are notified. */
  readonly allowsMentions: boolean
  /** Templates for posts without an integration; '' until the owner makes some. */
  readonly topicTemplate: string
  readonly textTemplate: string
  /** When the owner was last notified of a failure, in UNIX seconds. */
  readonly notifiedAt: Readonly<Partial<Record<WebhookFailure, number>>>
  /** The last posts, the newest first. */
  readonly deliveries: readonly IncomingDelivery[]
}

interface IncomingWebhookRow {
  user_id: number
  secrets: JsonText<string[]>
  allows_mentions: number
  topic_template: string
  text_template: string
  notified_at: JsonText<IncomingWebhook['notifiedAt']>
  deliveries: JsonText<IncomingDelivery[]>
}

const NOTHING: IncomingWebhook = {
  secrets: [],
  allowsMentions: false,
  topicTemplate: '',
  textTemplate: '',
  notifiedAt: {},
  deliveries: [],
}

export function incomingWebhook(sql: Sql, botId: number): IncomingWebhook {
  const row = sql.first<IncomingWebhookRow>(`SELECT * FROM incoming_webhook WHERE user_id = ?`, botId)
  if (!row) return NOTHING
  return {
    secrets: fromJson(row.secrets),
    allowsMentions: row.allows_mentions === 1,
    topicTemplate: row.topic_template,
    textTemplate: row.text_template,
    notifiedAt: fromJson(row.notified_at),
    deliveries: fromJson(row.deliveries),
  }
}

export function changeIncomingWebhook(
  sql: WritableSql,
  botId: number,
  changes: Partial<IncomingWebhook>,
): void {
  const { secrets, allowsMentions, topicTemplate, textTemplate, notifiedAt, deliveries } = {
    ...incomingWebhook(sql, botId),
    ...changes,
  }
  sql.run(
    `INSERT OR REPLACE INTO incoming_webhook (user_id, secrets, allows_mentions, topic_template, text_template, notified_at, deliveries)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    botId,
    jsonText([...secrets]),
    Number(allowsMentions),
    topicTemplate,
    textTemplate,
    jsonText(notifiedAt),
    jsonText([...deliveries]),
  )
}

/** Notes a post among the last ones of a bot. */
export function noteIncomingDelivery(sql: WritableSql, botId: number, delivery: IncomingDelivery): void {
  const noted = { ...delivery, error: delivery.error?.slice(0, ERROR_LENGTH) ?? null }
  const { deliveries } = incomingWebhook(sql, botId)
  changeIncomingWebhook(sql, botId, { deliveries: [noted, ...deliveries].slice(0, KEPT_DELIVERIES) })
}
