/**
 * The limits on the number and total size of stored things of each kind. A write beyond a quota is refused (model/quotas/within-quota.ts)
 * and changes nothing; things that existed before a quota was lowered stay readable and deletable. `QUOTA_OF_TABLE` says which table has
 * which quota, or why it has none.
 *
 * Data that POST /register sends to everyone has a quota in bytes for the organization, so that all of it stays below the 32 MiB of one
 * RPC, and each list that an event sends whole below the 2 MB of a row.
 */
export interface Quota {
  /** The plural that the refusal uses. */
  readonly what: string
  /** The number for one account. With `madeForAll`, only the organization's applies to administrators. */
  readonly account?: number
  /** Total UTF-8 bytes of one account's texts. */
  readonly accountBytes?: number
  readonly organization?: number
  readonly organizationBytes?: number
  /** Whether one person creates them for everyone; otherwise they belong to one account. */
  readonly madeForAll?: true
}

export type QuotaLimit = 'account' | 'accountBytes' | 'organization' | 'organizationBytes'

const KB = 1_000
const MB = 1_000_000

export const QUOTAS = {
  // Personal things. The organization's quotas reserve the object's 10 GB for messages.
  drafts: own('drafts', 1_000, 2 * MB, 500_000, 500 * MB),
  snippets: own('saved snippets', 500, 1 * MB, 200_000, 200 * MB),
  scheduled: own('scheduled messages', 500, 2 * MB, 200_000, 200 * MB),
  reminders: own('reminders', 500, 2 * MB, 200_000, 200 * MB),
  // Held in memory for the whole organization: two megabytes.
  alertWords: own('alert words', 500, 10 * KB, 50_000, 500 * KB),
  mutedUsers: own('muted users', 5_000, undefined, 500_000),
  // Sent in full in every snapshot. A topic has at most 60 code points: an account's are at most 2.4 MB, and five million take 1.2 GB of
  // the object.
  topicSettings: own('topics with a setting', 10_000, undefined, 5_000_000),
  views: own('navigation views', 200, 100 * KB, 200_000, 50 * MB),
  pushDevices: own('push devices', 50, 200 * KB, 100_000, 100 * MB),
  pushTokens: own('push devices', 50, 200 * KB, 100_000, 50 * MB),
  files: own('uploaded files', 20_000, 10 * MB, 2_000_000, 1_000 * MB),
  uploads: own('uploads under way', 100, 200 * KB, 10_000, 20 * MB),
  profiles: own('values in profiles', undefined, 32 * KB, undefined, 3 * MB),
  // Held in memory while an event is delivered. Load tests open a thousand as one user.
  queues: own('event queues', 1_200, 1 * MB, 20_000, 16 * MB),
  botStorage: own('stored keys', 10_000, 4 * MB, 1_000_000, 500 * MB),
  // Counted per bot: a message that mentions a bot with too many pending webhook calls makes no call.
  webhookCalls: own('webhook calls waiting', 1_000, 20 * MB, 20_000, 200 * MB),

  // Things that one person creates for everyone. Deactivated bots count too, since they stay listed.
  bots: made('bots', 100, undefined, 5_000),
  channels: made('channels', 500, 500 * KB, 10_000, 4 * MB),
  groups: made('user groups', 200, 200 * KB, 5_000, 2 * MB),
  // Counted over all groups that the account created. A permission or a mention may concern all of the organization's, which one turn
  // reads.
  groupMembers: made('members of user groups', 50_000, undefined, 200_000),
  subgroups: made('subgroups', 2_000, undefined, 20_000),
  emoji: made('custom emoji', 500, undefined, 5_000),
  folders: made('channel folders', 200, undefined, 1_000, 500 * KB),
  invitations: made('invitations', 1_000, 1 * MB, 50_000, 10 * MB),

  // Bots and deactivated accounts count too.
  accounts: ofOrganization('accounts', 20_000, undefined),

  // Only administrators create these.
  defaultGroups: ofOrganization('default channel groups', 200, 200 * KB),
  linkifiers: ofOrganization('linkifiers', 500, 300 * KB),
  playgrounds: ofOrganization('code playgrounds', 500, 300 * KB),
  profileFields: ofOrganization('custom profile fields', 100, 300 * KB),
  domains: ofOrganization('domains', 1_000, 100 * KB),
  settings: ofOrganization('settings', 1_000, 1 * MB),
} as const satisfies Record<string, Quota>

export type QuotaKind = keyof typeof QUOTAS

/**
 * Bytes of the object's SQLite, out of the platform's 10 GB, beyond which everything that makes it grow is refused, so that reading,
 * deleting and administration still have room.
 */
export const MAX_OBJECT = 9_500_000_000

/** Quotas per message. Answers with many messages send large reactions and submessages separately (core/budgets.ts, BYTES_AT_ONCE). */
export const MESSAGE_QUOTAS = {
  submessages: { message: 5_000, messageBytes: 500 * KB, account: 500, accountBytes: 50 * KB },
  reactions: { message: 10_000, account: 100 },
} as const

function own(
  what: string,
  account?: number,
  accountBytes?: number,
  organization?: number,
  organizationBytes?: number,
): Quota {
  return { what, account, accountBytes, organization, organizationBytes }
}

function made(...quota: Parameters<typeof own>): Quota {
  return { ...own(...quota), madeForAll: true }
}

function ofOrganization(what: string, organization: number, organizationBytes?: number): Quota {
  return { what, organization, organizationBytes }
}

export type LoweredQuotas = { readonly [Kind in QuotaKind]?: { readonly [Limit in QuotaLimit]?: number } }

/** The quotas of each table's rows, or why they need none. A test compares this list with the schema and `migrations/`. */
export const QUOTA_OF_TABLE: Readonly<Record<string, readonly QuotaKind[] | string>> = {
  // Personal things
  draft: ['drafts'],
  saved_snippet: ['snippets'],
  scheduled_message: ['scheduled'],
  emptied_topic: 'At most one row per topic.',
  unclaimed_attachment: 'At most one row per upload.',
  attachment_scheduled: 'As many as the texts of scheduled messages have links.',
  reminder: ['reminders'],
  alert_word: ['alertWords'],
  muted_user: ['mutedUsers'],
  ended_mute: ['mutedUsers'],
  user_topic: ['topicSettings'],
  navigation_view: ['views'],
  user_status: 'One row per account, its texts limited by their parameters.',
  onboarding_step: 'One row per account and known hint.',
  client_device: 'At most 50 per account: a new one replaces the oldest (client-devices.ts).',
  browser_session: 'At most 50 per account: a new one replaces the oldest (browser-session-rows.ts).',
  login_ticket: 'At most 10 per account: a new one replaces the oldest (login-ticket-rows.ts).',
  totp: 'One row per account.',
  recovery_code: 'Ten rows per account.',
  passkey: 'At most 20 per account (second-factors/passkeys.ts).',
  zoom_account: 'One row per account, its tokens limited (zoom-accounts.ts).',
  spent_challenge: 'One row per use of a passkey, deleted after five minutes.',
  code_failure: 'Counts wrong codes: as many as their rate limits allow, then deleted.',
  pending_api_key: 'One row per account, which its next key deletes.',
  web_push_subscription: 'At most 20 per account: a new one replaces the oldest (push-device-rows.ts).',
  push_device: ['pushDevices'],
  push_token: ['pushTokens'],
  push_shown: 'One row per account, packed.',
  queue: ['queues'],
  read_block: 'At most one row per account and 4,096 messages.',
  message_flag: 'At most one row per account and message.',
  unread_notice: 'At most one row per message and 4,096 accounts.',

  // Accounts
  user: ['accounts', 'bots', 'profiles'],
  id_set: 'One row per channel, group or role.',
  role_period: 'One row per change of a role, which administrators make.',
  bot_setting: 'One row per bot, its texts limited by their parameters.',
  webhook_secret: 'One row per outgoing webhook.',
  incoming_webhook: 'One row per bot, its texts limited by their parameters.',
  event_subscription: 'At most 20 bots (bots/bot-setting-rows.ts), their lists limited by their parameters.',
  bot_storage: ['botStorage'],
  webhook_call: ['webhookCalls'],
  incoming_delivery: 'The newest twenty of a bot (incoming-webhook-rows.ts).',
  webhook_delivery: 'The newest 100 of a bot (webhook-call-rows.ts).',
  confirmation: 'Written with a mail: limited by the rate limits of mail, and deleted when it expires.',
  mail_request: 'Counts mail: as many as the rate limits of mail allow, then deleted.',
  known_program: 'At most 50 per account: a new one replaces the oldest (email-rows.ts).',
  paused_address: 'One row per account.',
  login_network: 'The 10,000 from which people last logged in (attempt-rows.ts).',
  push_registration: 'At most 100 per account and day (register-token.ts), then deleted.',
  login_provider: 'At most 10 (login-provider-rows.ts).',
  login_identity: 'At most one per provider and account.',
  login_failure: 'Counts failed logins: as many as their rate limit allows, then deleted.',
  scim_user: 'One row per account, its texts limited by what is read of a request.',
  scim_group: 'One row per group, its texts limited by what is read of a request.',
  scim_token: 'At most two: the token, and the one before it (scim-rows.ts).',
  invitation: ['invitations'],
  invitation_link: ['invitations'],
  sign_up: 'Written with a mail: limited by the rate limits of mail, and deleted when it expires.',

  audit_entry: 'The newest 100,000, and 5,000 of one account, kept for AUDIT_LOG_DAYS (audit-entry-rows.ts).',

  // Things that one person creates for everyone
  channel: ['channels'],
  subscription: 'One row per account and channel, and both have quotas.',
  subscription_period:
    'One row each time an account leaves. An account with 50,000 can join nothing more itself (subscriptions/subscribe.ts).',
  default_channel_group: ['defaultGroups'],
  channel_folder: ['folders'],
  user_group: ['groups'],
  user_group_member: ['groupMembers'],
  user_group_subgroup: ['subgroups'],
  custom_emoji: ['emoji'],
  linkifier: ['linkifiers'],
  playground: ['playgrounds'],
  profile_field: ['profileFields'],
  realm_domain: ['domains'],
  realm_setting: ['settings'],
  realm_export: 'At most 5 per week (export-realm.ts).',
  realm_import: 'At most 20 per week, and one at a time (begin-import.ts).',
  realm_import_mapping: 'One row per import.',
  import_upload: 'One at a time; others are being deleted (import-uploads.ts).',
  import_upload_part: 'At most 10,000 per upload, the limit of R2.',
  realm_import_piece: 'Of the current import; deleted with it.',
  realm_import_note: 'Of the current import; deleted with it.',
  realm_import_choice: 'Of the current import, at most 100,000 (import-choice-rows.ts); deleted with it.',
  realm_import_problem: 'At most 1,000 per import (import-report.ts).',
  imported_thing: 'One row per thing that an owner has imported.',
  realm_export_chunk: 'Of current exports; deleted with them.',
  realm_export_gone: 'Messages deleted during an export; deleted with it.',

  // Messages: the object holds 10 GB, and sends are refused before it is full.
  message_index: 'The messages themselves: limited by the rate limit of sends and the size of the object.',
  message_move:
    'At most one row per moved message, and one per moved topic: limited by the rate limit of requests.',
  message_posting: 'About one row per hundred messages.',
  topic: 'At most one per message.',
  conversation: 'At most one per message.',
  conversation_member: 'The participants of each conversation.',
  client: '2,000 names of sending programs, of 30 characters (message-rows.ts).',
  reaction: 'MESSAGE_QUOTAS: counted when written, by the index on messages.',
  submessage: 'MESSAGE_QUOTAS: counted when written, by the index on messages.',
  attachment: ['files'],
  attachment_message: 'As many as the texts of messages have links.',
  resumable_upload: ['uploads'],
  resumable_upload_chunk: 'Of current uploads: all chunks but the last have the same size.',
  file_removal: 'Files that wait to be removed from R2: limited by the rate limit of requests.',
  seen_website: 'One row per website linked to in a week, its texts cut.',
  preview_request: 'At most one per message, until it is processed.',

  // Infrastructure
  meta: 'Single values.',
  schema_step: 'One row per schema step.',
  quota_use: 'At most one row per account and kind.',
  log: 'Trimmed up to the slowest queue and D1 (housekeeping.ts).',
  tail_block: 'One row per 1,000 log entries that a database lacks, and those have a limit (TAIL).',
  body_database: 'One row per database besides DB, at most 100.',
  refused_entry: 'At most 1,000 (realm/build-runtime.ts); beyond that the projection waits.',
  first_answer: 'Kept for a day, in number and bytes as model/idempotency/first-answer.ts says.',
  first_answer_total: 'One row per day.',
  job: 'One row per kind and key, each of which belongs to a row with a quota.',
  presence_block: 'One row per 256 accounts.',
  pending_push: 'The newest 1,000 messages with devices still to notify (pending-push-rows.ts).',
  dead_letter: 'The newest 200 of a kind, for a month (dead-letter-rows.ts).',
  missed_mail: 'One row per account, packed: at most 200 messages wait.',
  digest: 'One row per account.',
  missed_wave: 'One row per message that mentions hundreds, until they are entered.',
  email: 'At most 2,000 wait (email-rows.ts), and each expires.',

  // Tables of D1
  realm: 'One row per organization, founded by the operator.',
  organization_ticket: 'Created by the operator.',
  projection: 'One row per organization.',
  message_body: 'One row per message.',
  message_search: 'One row per message.',
  api_key_digest: 'One row per account; accounts have a quota.',
}
