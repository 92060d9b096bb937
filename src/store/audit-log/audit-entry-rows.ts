import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { Rows } from '../select-rows.ts'

const ENTRIES = new Rows<AuditEntry>('audit_entry', 'id at action actor_id address details:json')

/** The actions that the log records. Clients may meet others, of newer versions. */
export const AUDIT_ACTIONS = [
  'login',
  'login_failed',
  'login_identity_connected',
  'logged_out',
  'key_offered',
  'key_renewed',
  'key_read',
  'password_changed',
  'password_reset',
  'second_factor_added',
  'second_factor_removed',
  'second_factors_reset',
  'recovery_codes_renewed',
  'identity_proved',
  'email_changed',
  'user_created',
  'user_joined',
  'user_deactivated',
  'user_reactivated',
  'user_erased',
  'role_changed',
  'bot_created',
  'bot_owner_changed',
  'invitations_sent',
  'invitation_link_created',
  'invitation_revoked',
  'organization_changed',
  'organization_deactivated',
  'organization_reactivated',
  'default_settings_changed',
  'settings_changed',
  'channel_changed',
  'channel_archived',
  'group_created',
  'group_changed',
  'backup_begun',
  'backup_compared',
  'backup_copied',
  'backup_part_given_back',
  'restore_begun',
  'backup_restored',
  'export_begun',
  'export_downloaded',
  'export_deleted',
  'import_begun',
  'import_changed',
  'imported_users_invited',
  'message_deleted',
  'topic_deleted',
  'file_deleted',
  'hold_placed',
  'hold_released',
  'scim_token_created',
  'scim_token_changed',
  'scim_token_deleted',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Details of an entry: ids, names of settings, values. No text that a user wrote, no key and no mail address. */
export type AuditDetails = Readonly<Record<string, AuditDetail>>
export type AuditDetail = string | number | boolean | null | readonly number[]

/** One change, or one login. The table `audit_entry` is owned by this file. */
export interface AuditEntry {
  readonly id: number
  /** UNIX seconds. */
  readonly at: number
  readonly action: AuditAction
  /** The account that made the change; null where it is not known: a failed login, a download by link. */
  readonly actorId: number | null
  /** The client's address; null where the Worker did not know it. */
  readonly address: string | null
  readonly details: AuditDetails
}

/** Number of the newest entries that are kept of an organization. An entry takes some 200 bytes. */
const MAX_ENTRIES = 100_000
/**
 * Number of entries of one account, or of callers without one: someone who does much, or fails to log in a
 * thousand times, displaces only entries of their own.
 */
const MAX_OF_ONE_ACTOR = 5_000
/** Number of entries between two checks of these limits. */
const TRIMMED_EVERY = 100

/** Inserts an entry: three rows written. */
export function insertAuditEntry(sql: WritableSql, entry: Omit<AuditEntry, 'id'>): void {
  const id = ENTRIES.insertNew(sql, entry)
  if (id % TRIMMED_EVERY === 0) trimToLimits(sql, id, entry.actorId)
}

function trimToLimits(sql: WritableSql, newest: number, actorId: number | null): void {
  sql.run(
    `DELETE FROM audit_entry WHERE id IN (SELECT id FROM audit_entry WHERE id <= ? ORDER BY id LIMIT ?)`,
    newest - MAX_ENTRIES,
    ENTRIES_AT_ONCE,
  )
  sql.run(
    `DELETE FROM audit_entry WHERE actor_id IS ?1 AND id <= (
       SELECT id FROM audit_entry WHERE actor_id IS ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    actorId,
    MAX_OF_ONE_ACTOR,
  )
}

/**
 * Deletes entries older than `days`, some at a time. Returns when there will be something to delete again
 * (UNIX seconds); undefined when nothing is left.
 */
export function trimOldAuditEntries(sql: WritableSql, now: number, days: number): number | undefined {
  const before = now - days * DAY
  const oldest = () => sql.value(`SELECT at FROM audit_entry ORDER BY id LIMIT 1`)
  if ((oldest() ?? before) < before) {
    sql.run(
      `DELETE FROM audit_entry WHERE at < ? AND id IN (SELECT id FROM audit_entry ORDER BY id LIMIT ?)`,
      before,
      ENTRIES_AT_ONCE,
    )
  }
  const left = oldest()
  return left === undefined ? undefined : Math.max(left + days * DAY, now)
}

/** Lists entries below an id, newest first, of one account alone if given. */
export function listAuditEntries(
  sql: Sql,
  { below, since, actorId, limit }: { below: number; since: number; actorId?: number; limit: number },
): AuditEntry[] {
  return ENTRIES.all(
    sql,
    `SELECT ${ENTRIES.columns} FROM audit_entry
     WHERE ${actorId === undefined ? '' : 'actor_id = ? AND '}id < ? AND at >= ? ORDER BY id DESC LIMIT ?`,
    ...(actorId === undefined ? [] : [actorId]),
    below,
    since,
    limit,
  )
}
