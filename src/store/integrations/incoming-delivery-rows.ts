import type { Sql, WritableSql } from '../../core/sql.ts'

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

interface IncomingDeliveryRow {
  at: number
  integration: string
  event: string
  outcome: IncomingDelivery['outcome']
  error: string | null
}

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
  return sql.all<IncomingDeliveryRow>(
    `SELECT at, integration, event, outcome, error FROM incoming_delivery
     WHERE bot_id = ? ORDER BY number DESC LIMIT ?`,
    botId,
    KEPT_DELIVERIES,
  )
}
