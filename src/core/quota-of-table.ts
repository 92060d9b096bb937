import type { QuotaKind } from './quotas.ts'

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
  client_device:
    'At most 50 an account: a new one takes the place of the oldest (register-client-device.ts).',
  browser_session:
    'At most 50 an account: a new one takes the place of the oldest (browser-session-rows.ts).',
  pending_api_key: 'One row an account, which the next key of the account takes away.',
  web_push_subscription: 'At most 20 an account: a new one takes the place of the oldest (web-push-rows.ts).',
  push_device: ['pushDevices'],
  push_token: ['pushTokens'],
  push_shown: 'One row an account, packed.',
  queue: ['queues'],
  read_block: 'One row an account and 4,096 messages, at most.',
  message_flag: 'One row an account and message, at most.',
  unread_notice: 'One row a message and 4,096 accounts, at most.',

  // Accounts
  user: ['accounts', 'bots', 'profiles'],
  role_period: 'One row a change of a role, which administrators make.',
  bot_setting: 'One row a bot, its texts limited by their parameters.',
  bot_storage: ['botStorage'],
  webhook_call: ['webhookCalls'],
  confirmation: 'Written with a mail: the rate limits of mail hold it, and it is cleared away when it ends.',
  mail_request: 'Counts mail: as many as the rate limits of mail let through, then cleared away.',
  known_program: 'At most 50 an account: a new one takes the place of the oldest (known-program-rows.ts).',
  paused_address: 'One row an account.',
  login_network: 'The 10,000 that were logged in from last (login-network-rows.ts).',
  push_registration: 'At most 100 an account and day (register-token.ts), then cleared away.',
  login_failure: 'Counts failed logins: as many as their rate limit lets through, then cleared away.',
  invitation: ['invitations'],
  invitation_link: ['invitations'],
  sign_up: 'Written with a mail: the rate limits of mail hold it, and it is cleared away when it ends.',

  audit_entry:
    'The newest 100,000, of one account 5,000, as long as AUDIT_LOG_DAYS says (audit-entry-rows.ts).',

  // Things that are made for all
  channel: ['channels'],
  subscription: 'One row an account and channel, and both have quotas.',
  subscription_period:
    'One row each time somebody leaves. An account with 50,000 joins nothing more by itself (join-limits.ts).',
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
  client: '2,000 names of 30 characters, of the kinds of program that have sent (client-rows.ts).',
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
  snapshot_block: 'One row for 128 accounts, and two a channel.',
  snapshot_block_content:
    'One row for 128 accounts and class of viewers (some 15), and two a channel; each of 1 MB at most (MAX_STORED_BLOCK).',
  schema_step: 'One row a step of the schema.',
  quota_use: 'One row an account and kind, of those that have any.',
  log: 'Trimmed behind the slowest queue and D1 (housekeeping.ts).',
  tail_block:
    'One row for 1,000 entries of the log that a database lacks, and those have a limit (TAIL_ENTRIES).',
  body_database: 'One row a database that the deployment has beside DB, at most 100.',
  refused_entry: 'REFUSED_ENTRIES; beyond it the projection waits.',
  first_answer: 'Kept for a day, in number and bytes as domain/idempotency/first-answer.ts says.',
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
