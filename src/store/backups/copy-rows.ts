import { nameKey } from '../../core/names.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { ROLES } from '../../rules/roles.ts'
import { systemGroupId } from '../../rules/system-groups.ts'
import { addToSet, removeFromSet } from '../id-set-rows.ts'
import { enqueueJob } from '../jobs/job-rows.ts'
import type { MetaKey } from '../meta-rows.ts'
import { writeRealmSetting } from '../realm/realm-setting-rows.ts'
import { type MovedThere, readMovedSince } from './moved-since-rows.ts'
import { partedFrom } from './restoration-rows.ts'

/** What a copy of a backup may show, as of today: nobody sees more in it. */
export interface CopyLimits {
  /** Today's owners, with their addresses, for the links by which they enter. */
  readonly owners: readonly Owner[]
  readonly publicChannels: readonly number[]
  /** Channels with protected history. */
  readonly protectedChannels: readonly number[]
  /** The owners' subscriptions to private channels: channel and account. */
  readonly subscriptions: readonly (readonly [channelId: number, userId: number])[]
  /** Messages that were moved since to channels where not all owners read. */
  readonly moved: readonly MovedThere[]
  /**
   * Set where another backup has replaced the organization since: channels where not all owners read, and the moment up to which today and the
   * backup have one history.
   */
  readonly parted: { readonly since: number; readonly closed: readonly number[] } | null
  /** People whose personal data was deleted, with what their accounts say now. */
  readonly deleted: readonly DeletedPerson[]
}

interface Owner {
  readonly id: number
  readonly email: string
}

interface DeletedPerson {
  readonly id: number
  readonly name: string
  readonly email: string
}

/** Number of owners who may enter a copy. */
const OWNERS = 1_000

/**
 * Reads what a copy of a moment may show. Reads each channel, the owners' subscriptions, and each move of messages. Undefined if too many were
 * moved to name them.
 */
export function readCopyLimits(sql: Sql, moment: number): CopyLimits | undefined {
  const owners = sql.all<Owner>(
    `SELECT id, delivery_email AS email FROM user
     WHERE role = ${ROLES.owner} AND is_active = 1 AND bot_type IS NULL ORDER BY id LIMIT ${OWNERS}`,
  )
  const channels = (where: string) =>
    sql.list(`SELECT json_group_array(id) AS ids FROM channel WHERE ${where}`)
  const publicChannels = channels('is_private = 0')
  const protectedChannels = channels('history_public = 0')
  const subscriptions = sql.list<readonly [number, number]>(
    `SELECT json_group_array(json_array(channel_id, user_id)) AS pairs FROM subscription
     WHERE is_active = 1 AND user_id IN (SELECT value FROM json_each(?))
       AND channel_id IN (SELECT id FROM channel WHERE is_private = 1)`,
    owners.map(({ id }) => id),
  )
  const ownersIn = Map.groupBy(subscriptions, ([channelId]) => channelId)
  const protectedHere = new Set(protectedChannels)
  const closed = channels('is_private = 1').filter(
    (id) => protectedHere.has(id) || ownersIn.get(id)?.length !== owners.length,
  )
  const since = partedFrom(sql, moment)
  const moved = readMovedSince(sql, since, closed)
  if (!moved) return undefined
  return {
    owners,
    publicChannels,
    protectedChannels,
    subscriptions,
    moved,
    parted: since < moment ? { since, closed } : null,
    deleted: sql.all<DeletedPerson>(
      `SELECT id, full_name AS name, delivery_email AS email FROM user WHERE is_deleted = 1 ORDER BY id LIMIT 100000`,
    ),
  }
}

/** Tables of which a copy has nothing: what people log in with, and what is sent to others. */
const NOT_IN_COPIES = [
  ...['confirmation', 'sign_up', 'invitation', 'invitation_link', 'dead_letter', 'digest'],
  ...[
    'login_provider',
    'login_identity',
    'known_program',
    'totp',
    'recovery_code',
    'passkey',
    'zoom_account',
  ],
  ...['scim_token', 'scim_user', 'scim_group', 'webhook_secret', 'incoming_webhook', 'event_subscription'],
  ...['webhook_delivery', 'push_device', 'push_token', 'web_push_subscription', 'client_device'],
]

/** Single values that a copy has not, or makes anew. What signs the addresses of pictures in texts stays. */
const VALUES_NOT_IN_COPIES: readonly MetaKey[] = [
  ...(['realm_uuid', 'jwt_secret', 'web_push_keys', 'upload_secret', 'unsubscribe_secret'] as const),
  ...([
    'challenge_secret',
    'mail_address_secret',
    'export_address_key',
    'cost_cap',
    'cost_told',
    'limit_told',
  ] as const),
]

/**
 * Makes a filled object the copy that it is to be: nobody gets in with what they had, nothing of it is sent, and its channels show no more than
 * those of today.
 */
export function limitCopy(
  sql: WritableSql,
  limits: CopyLimits,
  { name, until }: { name: string; until: number },
): void {
  sql.run(`DELETE FROM job WHERE kind <> 'rewrite-rows'`)
  for (const table of NOT_IN_COPIES) sql.run(`DELETE FROM ${table}`)
  sql.run(
    `DELETE FROM meta WHERE key IN (SELECT value FROM json_each(?)) OR key GLOB 'change*:*' OR key GLOB 'continuation:*'
       OR key GLOB 'push_*'`,
    VALUES_NOT_IN_COPIES,
  )
  sql.run(`INSERT INTO meta (key, value) VALUES ('realm_uuid', ?)`, crypto.randomUUID())
  sql.run(`UPDATE user SET password_hash = NULL, api_key = lower(hex(randomblob(16)))`)
  sql.run(`UPDATE bot_setting SET service_url = NULL, service_token = NULL`)
  for (const person of limits.deleted) forgetPerson(sql, person)
  for (const owner of limits.owners) openOwner(sql, owner)
  limitChannels(sql, limits)
  writeRealmSetting(sql, 'name', name)
  enqueueJob(sql, { kind: 'remove-copy', key: '', dueAt: until })
}

function forgetPerson(sql: WritableSql, { id, name, email }: DeletedPerson): void {
  sql.run(
    `UPDATE user SET full_name = ?2, name_key = ?3, profile_data = '{}', settings = '{}', avatar_source = 'G', avatar_path = NULL,
       former_email = NULL, is_deleted = 1 WHERE id = ?1`,
    id,
    name,
    nameKey(name),
  )
  sql.run(`UPDATE OR IGNORE user SET delivery_email = ?2 WHERE id = ?1`, id, email)
  sql.run(`DELETE FROM user_status WHERE user_id = ?`, id)
}

/** Makes an account that of an owner, with today's address. */
function openOwner(sql: WritableSql, { id, email }: Owner): void {
  const role = sql.value(`SELECT role FROM user WHERE id = ?`, id)
  if (role === undefined) return
  sql.run(`UPDATE user SET role = ?2, is_active = 1 WHERE id = ?1`, id, ROLES.owner)
  sql.run(`UPDATE OR IGNORE user SET delivery_email = ?2, is_email_confirmed = 1 WHERE id = ?1`, id, email)
  removeFromSet(sql, 'closed', [id])
  removeFromSet(sql, `role ${role}`, [id])
  addToSet(sql, `role ${ROLES.owner}`, [id])
}

function limitChannels(
  sql: WritableSql,
  { owners, publicChannels, protectedChannels, subscriptions }: CopyLimits,
): void {
  sql.run(`UPDATE channel SET is_web_public = 0`)
  // The groups whose members may read a private channel are those of the backup: in a copy only subscribers read it.
  sql.run(
    `UPDATE channel SET is_private = 1,
       settings = json_set(settings, '$.can_subscribe_group', ?2, '$.can_add_subscribers_group', ?2)
     WHERE id NOT IN (SELECT value FROM json_each(?1)) OR is_private = 1`,
    publicChannels,
    systemGroupId('role:nobody'),
  )
  sql.run(
    `UPDATE channel SET history_public = 0 WHERE id IN (SELECT value FROM json_each(?))`,
    protectedChannels,
  )
  const ended = sql.runForAll<{ channel_id: number; user_id: number }>(
    `UPDATE subscription SET is_active = 0
     WHERE is_active = 1 AND user_id IN (SELECT value FROM json_each(?1))
       AND channel_id NOT IN (SELECT value FROM json_each(?2))
       AND (channel_id, user_id) NOT IN (SELECT value->>0, value->>1 FROM json_each(?3))
     RETURNING channel_id, user_id`,
    owners.map(({ id }) => id),
    publicChannels,
    subscriptions,
  )
  for (const [channelId, some] of Map.groupBy(ended, ({ channel_id }) => channel_id))
    removeFromSet(
      sql,
      `subscribers ${channelId}`,
      some.map(({ user_id }) => user_id),
    )
}
