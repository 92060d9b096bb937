import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** Failures of which the owner is notified. */
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

interface IncomingWebhookRow {
  user_id: number
  secrets: JsonText<string[]>
  allows_mentions: number
  topic_template: string
  text_template: string
  notified_at: JsonText<IncomingWebhook['notifiedAt']>
}

const NOTHING: IncomingWebhook = {
  secrets: [],
  allowsMentions: false,
  topicTemplate: '',
  textTemplate: '',
  notifiedAt: {},
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
  }
}

export function changeIncomingWebhook(
  sql: WritableSql,
  botId: number,
  changes: Partial<IncomingWebhook>,
): void {
  const { secrets, allowsMentions, topicTemplate, textTemplate, notifiedAt } = {
    ...incomingWebhook(sql, botId),
    ...changes,
  }
  sql.run(
    `INSERT OR REPLACE INTO incoming_webhook (user_id, secrets, allows_mentions, topic_template, text_template, notified_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    botId,
    jsonText([...secrets]),
    Number(allowsMentions),
    topicTemplate,
    textTemplate,
    jsonText(notifiedAt),
  )
}
