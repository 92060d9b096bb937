import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { type Channel, hasLimitedChannels } from '../../store/channels/channel-rows.ts'
import { KEPT_SECONDS } from '../../store/dead-letters/dead-letter-rows.ts'
import { UNLIMITED_RETENTION_DAYS } from '../../store/realm/realm-properties.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'

export const EXPIRY_EVERY_SECONDS = DAY

/** Returns the days after which messages are deleted, null for never. `channel` is undefined for direct messages. */
export function retentionDays(sql: Sql, channel: Pick<Channel, 'retentionDays'> | undefined): number | null {
  const days = channel?.retentionDays ?? realmProperty(sql, 'message_retention_days')
  return days === UNLIMITED_RETENTION_DAYS ? null : days
}

export function isRetentionLimited(sql: Sql): boolean {
  if (realmProperty(sql, 'message_retention_days') !== UNLIMITED_RETENTION_DAYS) return true
  return hasLimitedChannels(sql)
}

/** Schedules the daily deletion when a policy is set. It begins a day later, so that a mistake can be corrected. */
export function awaitExpiry(tx: RealmTransaction): void {
  if (!isRetentionLimited(tx.sql)) return
  tx.schedule({ kind: 'expire-messages', key: '', dueAt: tx.now + EXPIRY_EVERY_SECONDS })
}

/** Schedules the job when something is stored for a limited time. */
export function keepForATime(tx: RealmTransaction): void {
  tx.schedule({ kind: 'forget-old', key: '', dueAt: tx.now + KEPT_SECONDS })
}
