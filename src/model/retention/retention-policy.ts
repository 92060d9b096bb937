import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { type Channel, hasLimitedChannels } from '../../store/channels/channel-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { UNLIMITED } from '../channels/change/channel-values.ts'

/** The job that deletes messages whose time is over. */
export const EXPIRE_MESSAGES = 'expire-messages'
export const EXPIRY_EVERY_SECONDS = DAY

/**
 * Returns the days after which messages are deleted: a channel's own setting, else the organization's, which
 * also applies to direct messages (`channel` undefined). Null for never.
 */
export function retentionDays(sql: Sql, channel: Pick<Channel, 'retentionDays'> | undefined): number | null {
  const days = channel?.retentionDays ?? realmProperty(sql, 'message_retention_days')
  return days === UNLIMITED ? null : days
}

/** Whether any messages are ever deleted. */
export function isRetentionLimited(sql: Sql): boolean {
  if (realmProperty(sql, 'message_retention_days') !== UNLIMITED) return true
  return hasLimitedChannels(sql)
}

/**
 * Schedules the daily deletion when a policy is set. It begins a day later, so that a mistake can be
 * corrected, and continues while there is a policy.
 */
export function awaitExpiry(tx: RealmTransaction): void {
  if (!isRetentionLimited(tx.sql)) return
  tx.schedule({ kind: EXPIRE_MESSAGES, key: '', dueAt: tx.now + EXPIRY_EVERY_SECONDS })
}
