import type { ContinuationName } from '../core/continuation-names.ts'
import { fromJson, type JsonText } from '../core/json.ts'
import type { Sql, SqlValue, WritableSql } from '../core/sql.ts'

/** Names of single values of the realm object. */
export type MetaKey =
  | 'identity'
  | 'ephemeral_limit'
  | 'message_id_floor'
  | 'projected'
  | 'd1_applied'
  | 'd1_restored'
  | 'd1_copies_from'
  | 'trimmed'
  | 'clock'
  /** JSON: how far rows have followed a clock that was set back, while some have not. */
  | 'clock_set_back'
  /** JSON: how far the rewrites of steps have come that are not over (schema/rewrites.ts). */
  | 'rewrites'
  /** JSON: what an object that is filled with a backup of another server knows of its store (model/backups/move-plan.ts). */
  | 'move_plan'
  /** JSON: the last restore of a backup (backups/restoration-rows.ts). */
  /** JSON: what an object that becomes a copy of a backup knows of the organization (model/backups/plan-copy.ts). */
  | 'copy_plan'
  | 'restoration'
  | 'realm_uuid'
  /** JSON: the push bouncer's last refusal of this server. */
  | 'push_refusal'
  | `push_user_uuid:${number}`
  | 'web_push_keys'
  | 'upload_secret'
  | 'unsubscribe_secret'
  | 'challenge_secret'
  | 'mail_address_secret'
  | 'missed_mail_hour'
  | 'external_content_key'
  | 'external_content_fetched'
  | 'export_address_key'
  /** Sealed (core/sealed-secret.ts). */
  | 'jwt_secret'
  | 'upload_space_used'
  | 'queue_use'
  /** Time up to which full members were announced. */
  | 'full_members_announced_until'
  | 'expired_up_to'
  /** JSON: ids of the messages that imports have brought, whose times are older than their ids say (messages/message-time-rows.ts). */
  | 'imported_ranges'
  /** The last account that was compared with D1, while others are left. */
  | 'accounts_compared'
  /** A digest that shows with which key the digests of addresses in D1 were made; '' for none. */
  | 'address_key'
  /** JSON: with which key the files in the stores of backups are sealed (model/backups/sealing-key.ts). */
  | 'backup_key'
  /** When the activity that D1 has was noted (UNIX seconds). */
  | 'activity_noted_at'
  /** JSON: how far it is noted, while some is left. */
  | 'noting_activity'
  /** JSON: the number of messages up to an id (messages/message-count.ts). */
  | 'messages_counted'
  /** JSON: the number of texts and the day of the newest that D1 has; absent if it may have others. */
  | 'texts_noted'
  /** Dollars a month, as the owners have set it. */
  | 'cost_cap'
  /** The month, and of which part of the cap owners were told in it: `2026-11 0.8`. */
  | 'cost_told'
  /** JSON: the last limit of the platform of which owners were told (core/met-limit.ts). */
  | 'limit_told'
  | 'feature_level'
  | 'posted_below'
  | 'deletion_planned'
  /** The last person with an imported account who was mailed, while others are left. */
  | 'imported_invited_up_to'
  /** The group whose members alone are mailed then; absent for all people. */
  | 'imported_invited_group'
  | 'deletion_begun'
  /** 1: the deletion has begun since another organization takes the host (model/realm/give-up-host.ts). */
  | 'host_given_up'
  | 'digest_round'
  | 'digest_period'
  /** JSON: a change of several commits that is not over (open-changes/open-change-rows.ts). */
  | `change:${string}`
  /** JSON: what one of its commits has returned. */
  | `change_made:${string}`
  /** JSON: what is left for a continuation (open-changes/continuation-rows.ts). */
  | `continuation:${ContinuationName}:${string}`

export function readMeta<Value extends SqlValue>(sql: Sql, key: MetaKey): Value | undefined {
  const read = () => sql.first<{ value: Value }>(`SELECT value FROM meta WHERE key = ?`, key)
  return sql.about('meta', key, read)?.value
}

/** Returns a value that is stored as JSON. */
export function readMetaJson<Value extends object>(sql: Sql, key: MetaKey): Value | undefined {
  const json = readMeta<JsonText<Value>>(sql, key)
  return json === undefined ? undefined : fromJson(json)
}

/** Returns the values whose keys lie between these two, `limit` at most. */
export function metaBetween<Value extends SqlValue>(
  sql: Sql,
  from: MetaKey,
  to: MetaKey,
  limit: number,
): Value[] {
  return sql.values<Value>(
    `SELECT value FROM meta WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?`,
    from,
    to,
    limit,
  )
}

/** SQL: a single value as a column of another statement; its key is a parameter. */
export const META_VALUE = `(SELECT value FROM meta WHERE key = ?)`

export function writeMeta(sql: WritableSql, key: MetaKey, value: SqlValue): void {
  const statement = `INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2`
  sql.changing('meta', [key], () => sql.run(statement, key, value))
}

/** Returns the keys between these two, `limit` at most. */
export function metaKeysBetween(sql: Sql, from: MetaKey, to: MetaKey, limit: number): MetaKey[] {
  return sql.values<MetaKey>(
    `SELECT key FROM meta WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?`,
    from,
    to,
    limit,
  )
}

/** Returns the number of values whose keys lie between these two. */
export function countMetaBetween(sql: Sql, from: MetaKey, to: MetaKey): number {
  return sql.value<number>(`SELECT COUNT(*) FROM meta WHERE key BETWEEN ? AND ?`, from, to) ?? 0
}

export function deleteMeta(sql: WritableSql, key: MetaKey): void {
  sql.changing('meta', [key], () => sql.run(`DELETE FROM meta WHERE key = ?`, key))
}

type SecretName = Extract<MetaKey, `${string}_secret`>

/** Returns a secret with which the organization signs: made when it is first needed, and never given away. */
export function ownSecret(
  { sql, randomHex }: { readonly sql: WritableSql; randomHex(bytes: number): string },
  name: Exclude<SecretName, 'jwt_secret'>,
): string {
  const known = readMeta<string>(sql, name)
  if (known !== undefined) return known
  const secret = randomHex(32)
  writeMeta(sql, name, secret)
  return secret
}
