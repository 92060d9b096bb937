import { statementsAtOnce } from './at-once.ts'
import { AUDIT_LOG_TABLES } from './audit-log.ts'
import { BLOCK_CONTENT_STATEMENTS } from './block-contents.ts'
import { BLOCKS_NAMING_PEOPLE_STATEMENTS } from './blocks-naming-people.ts'
import { BODY_DATABASE_STATEMENTS } from './body-databases.ts'
import { BROWSER_SESSION_TABLES } from './browser-sessions.ts'
import { CHANNEL_BLOCK_STATEMENTS } from './channel-blocks.ts'
import { CHANNEL_TABLES } from './channels.ts'
import { CLIENT_DEVICE_TABLES } from './client-devices.ts'
import { CONFIRMATION_TABLES } from './confirmations.ts'
import { CONFIRMED_ADDRESS_STATEMENTS } from './confirmed-addresses.ts'
import { DELETED_ACCOUNT_STATEMENTS } from './deleted-accounts.ts'
import { DIGEST_STATEMENTS } from './digests.ts'
import { EDITED_SETTING_STATEMENTS } from './edited-settings.ts'
import { EXPORT_GONE_STATEMENTS } from './export-gone.ts'
import { EXPORT_STATEMENTS } from './exports.ts'
import { EXTERNAL_CONTENT_STATEMENTS } from './external-content.ts'
import { EXTRA_TABLES } from './extras.ts'
import { FILE_TABLES } from './files.ts'
import { FIRST_LOGIN_STATEMENTS } from './first-logins.ts'
import { FORGETTING_STATEMENTS } from './forgetting.ts'
import { FORGETTING_IN_ORDER_STATEMENTS } from './forgetting-in-order.ts'
import { FORGOTTEN_MOVE_STATEMENTS } from './forgotten-moves.ts'
import { GROUP_BLOCK_STATEMENTS } from './group-blocks.ts'
import { GUEST_STATEMENTS } from './guests.ts'
import { IDEMPOTENCY_TABLES } from './idempotency.ts'
import { JOINING_TABLES } from './joining.ts'
import { LANE_STATEMENTS } from './lanes.ts'
import { LOG_TABLES } from './log.ts'
import { LOG_CHAIN_STATEMENTS } from './log-chain.ts'
import { LOGIN_MAIL_STATEMENTS } from './login-mails.ts'
import { LOGIN_NETWORK_TABLES } from './login-networks.ts'
import { MAIL_STATEMENTS, MISSED_MAIL_ORDER_STATEMENTS } from './mail.ts'
import { MATCHING_FIELD_STATEMENTS } from './matching-fields.ts'
import { MESSAGE_POSTING_TABLES } from './message-postings.ts'
import { MESSAGE_TABLES } from './messages.ts'
import { MUTE_PERIOD_STATEMENTS } from './mute-periods.ts'
import { fillNameKeys, NAME_KEY_STATEMENTS } from './name-keys.ts'
import { NAMED_MENTION_STATEMENTS } from './named-mentions.ts'
import { OPEN_GROUP_CHANGE_STATEMENTS } from './open-group-changes.ts'
import { ORGANIZATION_TABLES } from './organization.ts'
import { OUTAGE_TABLES } from './outages.ts'
import { PENDING_API_KEY_TABLES } from './pending-api-keys.ts'
import { PEOPLE_TABLES } from './people.ts'
import { PERSONAL_TABLES } from './personal.ts'
import { PREVIEW_TABLES } from './previews.ts'
import { PUSH_NOTIFICATION_TABLES, PUSH_TABLES } from './push.ts'
import { PUSH_KEY_STATEMENTS } from './push-keys.ts'
import { PUSHES_BY_DEFAULT_STATEMENTS } from './pushes-by-default.ts'
import { QUOTA_STATEMENTS, TOPIC_SETTING_STATEMENTS, TOPIC_SETTINGS_BY_ACCOUNT_STATEMENTS } from './quotas.ts'
import { REALM_UUID_STATEMENTS } from './realm-uuids.ts'
import { REMINDER_STATEMENTS } from './reminders.ts'
import { RESUMABLE_UPLOAD_TABLES } from './resumable-uploads.ts'
import { REVERSE_LINKIFIER_STATEMENTS } from './reverse-linkifiers.ts'
import { SNAPSHOT_BLOCK_STATEMENTS } from './snapshot-blocks.ts'
import { TOPIC_MOVE_STATEMENTS } from './topic-moves.ts'
import { TOPIC_SPELLING_STATEMENTS } from './topic-spellings.ts'
import { UNREAD_NOTICE_STATEMENTS } from './unread-notices.ts'
import { UPLOADED_IMAGE_STATEMENTS } from './uploaded-images.ts'
import { WEB_PUBLIC_STATEMENTS } from './web-public.ts'
import { WEB_PUSH_STATEMENTS } from './web-push.ts'
import { SHARED_WEBHOOK_TEXT_STATEMENTS, WEBHOOK_CALL_STATEMENTS } from './webhook-calls.ts'

/**
 * The realm object's SQLite schema: an append-only list of steps. A step is never edited once it has been
 * released; when it starts, the object applies steps that it has not seen, and the list checks itself.
 *
 * Ids of rows that clients see rise and are never reused (AUTOINCREMENT, or a counter in `meta`). Each
 * secondary index is one more row written, and billed, for every insert: think before adding one.
 */
export interface SchemaStep {
  /** Position in the list, from 1. */
  readonly version: number
  readonly name: string
  readonly statements: readonly string[]
  /** Changes what rows there are, after the statements, where SQL cannot. A new organization has none. */
  readonly fill?: (sql: SqlStorage) => void
}

export const SCHEMA_STEPS: readonly SchemaStep[] = [
  {
    version: 1,
    name: 'first-conversation',
    statements: [
      ...PEOPLE_TABLES,
      ...CHANNEL_TABLES,
      ...MESSAGE_TABLES,
      ...LOG_TABLES,
      ...PERSONAL_TABLES,
      ...JOINING_TABLES,
      ...EXTRA_TABLES,
      ...CONFIRMATION_TABLES,
      ...FILE_TABLES,
      ...ORGANIZATION_TABLES,
      ...PUSH_TABLES,
    ],
  },
  { version: 2, name: 'push-notifications', statements: PUSH_NOTIFICATION_TABLES },
  { version: 3, name: 'previews-of-websites', statements: PREVIEW_TABLES },
  { version: 4, name: 'exports-and-retention', statements: EXPORT_STATEMENTS },
  { version: 5, name: 'client-devices', statements: CLIENT_DEVICE_TABLES },
  { version: 6, name: 'uploaded-images', statements: UPLOADED_IMAGE_STATEMENTS },
  { version: 7, name: 'resumable-uploads', statements: RESUMABLE_UPLOAD_TABLES },
  { version: 8, name: 'topic-spellings', statements: TOPIC_SPELLING_STATEMENTS },
  { version: 9, name: 'message-postings', statements: MESSAGE_POSTING_TABLES },
  { version: 10, name: 'idempotency', statements: IDEMPOTENCY_TABLES },
  { version: 11, name: 'quotas', statements: QUOTA_STATEMENTS },
  { version: 12, name: 'outages', statements: OUTAGE_TABLES },
  { version: 13, name: 'lanes', statements: LANE_STATEMENTS },
  { version: 14, name: 'topic-moves', statements: TOPIC_MOVE_STATEMENTS },
  { version: 15, name: 'reminders-without-quotes', statements: REMINDER_STATEMENTS },
  { version: 16, name: 'audit-log', statements: AUDIT_LOG_TABLES },
  { version: 17, name: 'gone-from-exports', statements: EXPORT_GONE_STATEMENTS },
  { version: 18, name: 'forgetting', statements: FORGETTING_STATEMENTS },
  { version: 19, name: 'external-content', statements: EXTERNAL_CONTENT_STATEMENTS },
  { version: 20, name: 'snapshot-blocks', statements: SNAPSHOT_BLOCK_STATEMENTS },
  { version: 21, name: 'browser-sessions', statements: BROWSER_SESSION_TABLES },
  { version: 22, name: 'pending-api-keys', statements: PENDING_API_KEY_TABLES },
  { version: 23, name: 'login-networks', statements: LOGIN_NETWORK_TABLES },
  { version: 24, name: 'forgotten-moves', statements: FORGOTTEN_MOVE_STATEMENTS },
  { version: 25, name: 'mail', statements: MAIL_STATEMENTS },
  { version: 26, name: 'login-mails', statements: LOGIN_MAIL_STATEMENTS },
  { version: 27, name: 'web-push', statements: WEB_PUSH_STATEMENTS },
  { version: 28, name: 'web-public', statements: WEB_PUBLIC_STATEMENTS },
  { version: 29, name: 'digests', statements: DIGEST_STATEMENTS },
  { version: 30, name: 'missed-mail-order', statements: MISSED_MAIL_ORDER_STATEMENTS },
  { version: 31, name: 'body-databases', statements: BODY_DATABASE_STATEMENTS },
  { version: 32, name: 'block-contents', statements: BLOCK_CONTENT_STATEMENTS },
  { version: 33, name: 'log-chain', statements: LOG_CHAIN_STATEMENTS },
  { version: 34, name: 'guests', statements: GUEST_STATEMENTS },
  { version: 35, name: 'topic-settings-counted', statements: TOPIC_SETTING_STATEMENTS },
  { version: 36, name: 'mute-periods', statements: MUTE_PERIOD_STATEMENTS },
  { version: 37, name: 'unread-notices', statements: UNREAD_NOTICE_STATEMENTS },
  { version: 38, name: 'forgetting-in-order', statements: FORGETTING_IN_ORDER_STATEMENTS },
  { version: 39, name: 'group-blocks', statements: GROUP_BLOCK_STATEMENTS },
  { version: 40, name: 'channel-blocks', statements: CHANNEL_BLOCK_STATEMENTS },
  { version: 41, name: 'webhook-calls-by-message', statements: WEBHOOK_CALL_STATEMENTS },
  { version: 42, name: 'topic-settings-by-account', statements: TOPIC_SETTINGS_BY_ACCOUNT_STATEMENTS },
  { version: 43, name: 'texts-of-webhook-calls', statements: SHARED_WEBHOOK_TEXT_STATEMENTS },
  { version: 44, name: 'blocks-naming-people', statements: BLOCKS_NAMING_PEOPLE_STATEMENTS },
  { version: 45, name: 'open-group-changes', statements: OPEN_GROUP_CHANGE_STATEMENTS },
  { version: 46, name: 'name-keys', statements: NAME_KEY_STATEMENTS, fill: fillNameKeys },
  { version: 47, name: 'confirmed-addresses', statements: CONFIRMED_ADDRESS_STATEMENTS },
  { version: 48, name: 'matching-fields', statements: MATCHING_FIELD_STATEMENTS },
  { version: 49, name: 'edited-settings', statements: EDITED_SETTING_STATEMENTS },
  { version: 50, name: 'realm-uuids', statements: REALM_UUID_STATEMENTS },
  { version: 51, name: 'push-keys', statements: PUSH_KEY_STATEMENTS },
  { version: 52, name: 'reverse-linkifiers', statements: REVERSE_LINKIFIER_STATEMENTS },
  { version: 53, name: 'deleted-accounts', statements: DELETED_ACCOUNT_STATEMENTS },
  { version: 54, name: 'named-mentions', statements: NAMED_MENTION_STATEMENTS },
  { version: 55, name: 'pushes-by-default', statements: PUSHES_BY_DEFAULT_STATEMENTS },
  { version: 56, name: 'first-logins', statements: FIRST_LOGIN_STATEMENTS },
]

/** Thrown when a newer Parley has written the database, before a rollback. */
export class NewerSchemaError extends Error {}

/** Throws when the list itself is wrong, so that a bad edit fails every test and not only one realm. */
function checkSchemaSteps(steps: readonly SchemaStep[] = SCHEMA_STEPS): void {
  steps.forEach((step, index) => {
    if (step.version !== index + 1) throw new Error(`Schema step ${step.name} must have version ${index + 1}`)
    if (step.statements.length === 0) throw new Error(`Schema step ${step.name} is empty`)
  })
}

/**
 * Brings the database up to date. Must run where nothing else can (the constructor's
 * `blockConcurrencyWhile`), inside one transaction.
 *
 * @throws NewerSchemaError when a newer Parley has written the database: continuing would harm it.
 */
export function upgradeSchema(sql: SqlStorage, steps = SCHEMA_STEPS): void {
  checkSchemaSteps(steps)
  sql.exec(
    `CREATE TABLE IF NOT EXISTS schema_step (version INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL)`,
  )
  const applied = sql
    .exec<{ version: number; name: string; digest: string }>(
      `SELECT version, name, digest FROM schema_step ORDER BY version`,
    )
    .toArray()
  if (applied.length > steps.length) {
    throw new NewerSchemaError(`The database has schema ${applied.length}, this server knows ${steps.length}`)
  }
  const isNew = applied.length === 0 && steps === SCHEMA_STEPS
  if (isNew) for (const statement of allAtOnce()) sql.exec(statement)
  for (const step of steps) {
    const before = applied[step.version - 1]
    const digest = digestOf(step)
    if (before) {
      if (before.digest !== digest) throw new Error(`Schema step ${step.version} (${step.name}) was edited`)
      continue
    }
    if (!isNew) {
      for (const statement of step.statements) sql.exec(statement)
      step.fill?.(sql)
    }
    sql.exec(`INSERT INTO schema_step VALUES (?, ?, ?)`, step.version, step.name, digest)
  }
}

let atOnce: readonly string[] | undefined

function allAtOnce(): readonly string[] {
  atOnce ??= statementsAtOnce(SCHEMA_STEPS.flatMap(({ statements }) => statements))
  return atOnce
}

const digests = new WeakMap<SchemaStep, string>()

/**
 * Returns the FNV-1a of the step's text, which is enough to notice an edit, and synchronous. Computed once in
 * an isolate, however many objects wake.
 */
function digestOf(step: SchemaStep): string {
  const known = digests.get(step)
  if (known !== undefined) return known
  let hash = 0x811c9dc5
  for (const char of [step.name, ...step.statements].join('\n')) {
    hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193)
  }
  const digest = (hash >>> 0).toString(16)
  digests.set(step, digest)
  return digest
}
