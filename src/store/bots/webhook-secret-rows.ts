import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * Secrets with which the calls of an outgoing webhook are signed. The table `webhook_secret` is owned by this file.
 */
export interface WebhookSecret {
  readonly secret: string
  /** The secret before this one; null without one. */
  readonly former: string | null
  /** UNIX seconds until which the former one signs too. */
  readonly formerUntil: number | null
}

interface WebhookSecretRow {
  bot_id: number
  secret: string
  former: string | null
  former_until: number | null
}

export function findWebhookSecret(sql: Sql, botId: number): WebhookSecret | undefined {
  const row = sql.first<WebhookSecretRow>(`SELECT * FROM webhook_secret WHERE bot_id = ?`, botId)
  return row && { secret: row.secret, former: row.former, formerUntil: row.former_until }
}

/** Returns the secrets that sign a call now, the newest first. */
export function signingSecrets(sql: Sql, botId: number, now: number): string[] {
  const found = findWebhookSecret(sql, botId)
  if (!found) return []
  const { secret, former, formerUntil } = found
  return former !== null && formerUntil! > now ? [secret, former] : [secret]
}

export function putWebhookSecret(
  sql: WritableSql,
  botId: number,
  { secret, former, formerUntil }: WebhookSecret,
): void {
  sql.run(
    `INSERT OR REPLACE INTO webhook_secret (bot_id, secret, former, former_until) VALUES (?, ?, ?, ?)`,
    botId,
    secret,
    former,
    formerUntil,
  )
}
