/**
 * The number of stored things of each kind that there may be, and their size together. Anything above is
 * refused where it is written (model/quotas/within-quota.ts) and changes nothing; a thing that was there
 * before a quota stays readable and deletable. Which table has which quota, or why it has none: `QUOTA_OF_TABLE`.
 *
 * The data that POST /register sends to everybody has an organization's quota in bytes, so that all of it
 * together stays below the 32 MiB of one RPC, and each list that is sent whole in an event below the 2 MB of
 * a row.
 */
export interface Quota {
  /** The things as the refusal names them. */
  readonly what: string
  /** The number for one account. Administrators are held only to the organization's, where `madeForAll`. */
  readonly account?: number
  /** UTF-8 bytes of all texts of one account. */
  readonly accountBytes?: number
  readonly organization?: number
  readonly organizationBytes?: number
  /** Whether one person makes them and everybody sees them; otherwise they belong to one account. */
  readonly madeForAll?: true
}

export type QuotaLimit = 'account' | 'accountBytes' | 'organization' | 'organizationBytes'

const KB = 1_000
const MB = 1_000_000

export const QUOTAS = {
  // Things that everybody has alone. The organization's quotas keep the object, which holds 10 GB, for
  // messages.
  drafts: own('drafts', 1_000, 2 * MB, 500_000, 500 * MB),
  snippets: own('saved snippets', 500, 1 * MB, 200_000, 200 * MB),
  scheduled: own('scheduled messages', 500, 2 * MB, 200_000, 200 * MB),
  reminders: own('reminders', 500, 2 * MB, 200_000, 200 * MB),
  // Held in memory for the whole organization, in two megabytes.
  alertWords: own('alert words', 500, 10 * KB, 50_000, 500 * KB),
  mutedUsers: own('muted users', 5_000, undefined, 500_000),
  // Sent in full in every snapshot. A topic has at most 60 code points: all of an account are at most 2.4 MB, and five million 1.2 GB of
  // the object.
  topicSettings: own('topics with a setting', 10_000, undefined, 5_000_000),
  views: own('navigation views', 200, 100 * KB, 200_000, 50 * MB),
  pushDevices: own('push devices', 50, 200 * KB, 100_000, 100 * MB),
  pushTokens: own('push devices', 50, 200 * KB, 100_000, 50 * MB),
  files: own('uploaded files', 20_000, 10 * MB, 2_000_000, 1_000 * MB),
  uploads: own('uploads under way', 100, 200 * KB, 10_000, 20 * MB),
  profiles: own('values in profiles', undefined, 32 * KB, undefined, 3 * MB),
  // Held in memory while an event is looked at. Load tests open a thousand as one user.
  queues: own('event queues', 1_200, 1 * MB, 20_000, 16 * MB),
  botStorage: own('stored keys', 10_000, 4 * MB, 1_000_000, 500 * MB),
  // Counted by bot: a message that mentions a bot with too many pending webhook calls makes no call for it.
  webhookCalls: own('webhook calls waiting', 1_000, 20 * MB, 20_000, 200 * MB),

  // Things that one person makes and everybody gets. Deactivated bots count too, since they stay among the
  // users.
  bots: made('bots', 100, undefined, 5_000),
  channels: made('channels', 500, 500 * KB, 10_000, 4 * MB),
  groups: made('user groups', 200, 200 * KB, 5_000, 2 * MB),
  // Counted over all groups that the account made. A permission, or a mention, may concern all of the organization's, which one turn reads.
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
 * Bytes of the object's SQLite, of 10 GB that the platform allows, from which on everything that makes it
 * grow is refused, so that reading, deleting and administration have room.
 */
export const MAX_OBJECT = 9_500_000_000

/**
 * Quotas of one message. Answers with many messages send large reactions and submessages separately
 * (core/budgets.ts, BYTES_AT_ONCE).
 */
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

/** The quotas that a deployment has lowered. */
export type LoweredQuotas = { readonly [Kind in QuotaKind]?: { readonly [Limit in QuotaLimit]?: number } }

/** The quotas of a table's rows, or why they need none. A test holds this list against the schema and `migrations/`. */
export const QUOTA_OF_TABLE: Readonly<Record<string, readonly QuotaKind[] | string>> = {
  // Things that everybody has alone
  draft: ['drafts'],
  saved_snippet: ['snippets'],
  scheduled_message: ['scheduled'],
  emptied_topic: 'At most one row a topic.',
  unclaimed_attachment: 'At most one row an upload.',
  attachment_scheduled: 'As many as the texts of scheduled messages have links.',
  reminder: ['reminders'],
  alert_word: ['alertWords'],
  muted_user: ['mutedUsers'],
  ended_mute: ['mutedUsers'],
  user_topic: ['topicSettings'],
  navigation_view: ['views'],
  user_status: 'One row an account, its texts limited by their parameters.',
  onboarding_step: 'One row an account and hint that the server knows.',
  client_device: 'At most 50 an account: a new one takes the place of the oldest (client-devices.ts).',
  browser_session:
    'At most 50 an account: a new one takes the place of the oldest (browser-session-rows.ts).',
  login_ticket: 'At most 10 an account: a new one takes the place of the oldest (login-ticket-rows.ts).',
  totp: 'One row an account.',
  recovery_code: 'Ten rows an account.',
  passkey: 'At most 20 an account (second-factors/passkeys.ts).',
  zoom_account: 'One row an account, its tokens limited (zoom-accounts.ts).',
  spent_challenge: 'One row a passkey that was used, each cleared away after five minutes.',
  code_failure: 'Counts wrong codes: as many as their rate limits let through, then cleared away.',
  pending_api_key: 'One row an account, which the next key of the account takes away.',
  web_push_subscription:
    'At most 20 an account: a new one takes the place of the oldest (push-device-rows.ts).',
  push_device: ['pushDevices'],
  push_token: ['pushTokens'],
  push_shown: 'One row an account, packed.',
  queue: ['queues'],
  read_block: 'One row an account and 4,096 messages, at most.',
  message_flag: 'One row an account and message, at most.',
  unread_notice: 'One row a message and 4,096 accounts, at most.',

  // Accounts
  user: ['accounts', 'bots', 'profiles'],
  id_set: 'One row a channel, a group or a role.',
  role_period: 'One row a change of a role, which administrators make.',
  bot_setting: 'One row a bot, its texts limited by their parameters.',
  webhook_secret: 'One row an outgoing webhook.',
  incoming_webhook: 'One row a bot, its texts limited by their parameters.',
  event_subscription: 'At most 20 bots (webhook-setting-rows.ts), the list limited by its parameters.',
  bot_storage: ['botStorage'],
  webhook_call: ['webhookCalls'],
  incoming_delivery: 'The newest twenty of a bot (incoming-webhook-rows.ts).',
  webhook_delivery: 'The newest 100 of a bot (webhook-call-rows.ts).',
  confirmation: 'Written with a mail: the rate limits of mail hold it, and it is cleared away when it ends.',
  mail_request: 'Counts mail: as many as the rate limits of mail let through, then cleared away.',
  known_program: 'At most 50 an account: a new one takes the place of the oldest (email-rows.ts).',
  paused_address: 'One row an account.',
  login_network: 'The 10,000 that were logged in from last (attempt-rows.ts).',
  push_registration: 'At most 100 an account and day (register-token.ts), then cleared away.',
  login_provider: 'At most 10 (login-provider-rows.ts).',
  login_identity: 'At most one a provider and account.',
  login_failure: 'Counts failed logins: as many as their rate limit lets through, then cleared away.',
  scim_user: 'One row an account, its texts limited by what is read of a request.',
  scim_group: 'One row a group, its texts limited by what is read of a request.',
  scim_token: 'At most two: the token, and the one before it (scim-rows.ts).',
  invitation: ['invitations'],
  invitation_link: ['invitations'],
  sign_up: 'Written with a mail: the rate limits of mail hold it, and it is cleared away when it ends.',

  audit_entry:
    'The newest 100,000, of one account 5,000, as long as AUDIT_LOG_DAYS says (audit-entry-rows.ts).',

  // Things that are made for all
  channel: ['channels'],
  subscription: 'One row an account and channel, and both have quotas.',
  subscription_period:
    'One row each time somebody leaves. An account with 50,000 joins nothing more by itself (subscriptions/subscribe.ts).',
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
  realm_export: 'At most 5 a week (export-realm.ts).',
  realm_import: 'At most 20 a week, and one at a time (begin-import.ts).',
  realm_import_mapping: 'One row an import.',
  import_upload: 'One at a time; others are being deleted (import-uploads.ts).',
  import_upload_part: 'At most 10,000 an upload, as R2 has it.',
  realm_import_piece: 'Of the import under way; goes with it.',
  realm_import_note: 'Of the import under way; goes with it.',
  realm_import_choice: 'Of the import under way, at most 100,000 (import-choice-rows.ts); goes with it.',
  realm_import_problem: 'At most 1,000 an import (import-report.ts).',
  imported_thing: 'One row a thing that an owner has imported.',
  realm_export_chunk: 'Of the exports under way; goes with them.',
  realm_export_gone: 'Messages deleted while an export is under way; goes with it.',

  // Messages: the object has 10 GB, and sends are refused before it is full.
  message_index: 'The messages themselves: held by the rate limit of sends and the size of the object.',
  message_move:
    'At most one row a message that is moved, and one each time a topic is: held by the rate limit of requests.',
  message_posting: 'A row or so for a hundred messages.',
  topic: 'At most one a message.',
  conversation: 'At most one a message.',
  conversation_member: 'The participants of each conversation.',
  client: '2,000 names of 30 characters, of the kinds of program that have sent (message-rows.ts).',
  reaction: 'MESSAGE_QUOTAS: counted where it is written, by the index of its message.',
  submessage: 'MESSAGE_QUOTAS: counted where it is written, by the index of its message.',
  attachment: ['files'],
  attachment_message: 'As many as the texts of messages have links.',
  resumable_upload: ['uploads'],
  resumable_upload_chunk: 'Of the uploads under way: each has all chunks but the last of the same size.',
  file_removal: 'Files that wait to be removed from R2: held by the rate limit of requests, and each ends.',
  seen_website: 'One row a website linked to in a week, its texts cut.',
  preview_request: 'At most one a message, until it is looked at.',

  // The machinery
  meta: 'Single values.',
  schema_step: 'One row a step of the schema.',
  quota_use: 'One row an account and kind, of those that have any.',
  log: 'Trimmed behind the slowest queue and D1 (housekeeping.ts).',
  tail_block: 'One row for 1,000 entries of the log that a database lacks, and those have a limit (TAIL).',
  body_database: 'One row a database that the deployment has beside DB, at most 100.',
  refused_entry: 'At most a thousand (realm/build-runtime.ts); beyond that the projection waits.',
  first_answer: 'Kept for a day, in number and bytes as model/idempotency/first-answer.ts says.',
  first_answer_total: 'One row a day.',
  job: 'One row a kind and key, each of which belongs to a row that has a quota.',
  presence_block: 'One row for 256 accounts.',
  pending_push: 'The newest 1,000 messages whose devices are still to be notified (pending-push-rows.ts).',
  dead_letter: 'The newest 200 of a kind, for a month (dead-letter-rows.ts).',
  missed_mail: 'One row an account, packed: at most 200 messages wait.',
  digest: 'One row an account.',
  missed_wave: 'One row a message that calls hundreds, until they are entered.',
  email: 'At most 2,000 that wait (email-rows.ts), and each ends.',

  // Tables of D1
  realm: 'One row an organization, which whoever has the deployment founds.',
  organization_ticket: 'Made by whoever has the deployment.',
  projection: 'One row an organization.',
  message_body: 'One row a message.',
  message_search: 'One row a message.',
  api_key_digest: 'One row an account; accounts have a quota.',
}
