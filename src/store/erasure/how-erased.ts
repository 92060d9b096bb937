/** How a table loses what it says of an erased person. */
export type HowErased =
  /** The rows with the account's id in this column are deleted. */
  | { readonly rows: string }
  /** It goes otherwise. */
  | { readonly gone: string }
  /** It stays, and says nothing of who the person was. */
  | { readonly kept: string }

const rows = (column: string): HowErased => ({ rows: column })
const gone = (how: string): HowErased => ({ gone: how })
const kept = (why: string): HowErased => ({ kept: why })

const IDS = kept('ids: who “Deleted user 12” was is nowhere')
const NOBODY = kept('says nothing of people')
const OTHERS = kept('what other people have written and set')
const WITH_MESSAGES = gone('with the messages, where these are removed')
const SOON = gone('within minutes to days, as docs/retention.md says')

/**
 * Every table of an organization's object, and how erasing a person empties it: a new table needs a line here (test/realm/erased-tables.test.ts). Rows are
 * deleted in this order.
 */
export const HOW_ERASED: Readonly<Record<string, HowErased>> = {
  // The account
  user: gone(
    'name, addresses, password, key, settings, profile, picture are overwritten in the first commit',
  ),
  role_period: IDS,
  id_set: IDS,
  erasure: kept('the certificate: ids'),
  hold: IDS,

  // Logging in
  login_identity: rows('user_id'),
  totp: rows('user_id'),
  recovery_code: rows('user_id'),
  passkey: rows('user_id'),
  zoom_account: rows('user_id'),
  login_ticket: rows('user_id'),
  pending_api_key: rows('user_id'),
  confirmation: rows('user_id'),
  browser_session: rows('user_id'),
  known_program: rows('user_id'),
  login_network_user: rows('user_id'),
  login_network: kept('addresses of networks without people'),
  login_failure: gone('those with the address in the first commit'),
  code_failure: SOON,
  mail_request: gone('those with the address in the first commit'),
  spent_challenge: NOBODY,
  scim_user: gone('what the provider alone knew, in the first commit; that it was removed stays'),
  scim_group: NOBODY,
  scim_token: IDS,
  login_provider: NOBODY,
  invitation: rows('referrer_id'),
  invitation_link: rows('referrer_id'),
  sign_up: gone('those with the address in the first commit'),

  // Devices and notifications
  web_push_subscription: rows('user_id'),
  client_device: rows('user_id'),
  push_device: rows('user_id'),
  push_token: rows('user_id'),
  push_shown: rows('user_id'),
  push_registration: SOON,
  pending_push: SOON,
  missed_mail: rows('user_id'),
  missed_wave: SOON,
  digest: rows('user_id'),
  paused_address: rows('user_id'),
  email: gone('mail to the address in the first commit'),

  // What people keep for themselves
  draft: rows('user_id'),
  saved_snippet: rows('user_id'),
  attachment_scheduled: gone('with scheduled_message'),
  scheduled_message: rows('user_id'),
  reminder: rows('user_id'),
  alert_word: rows('user_id'),
  muted_user: rows('user_id'),
  ended_mute: rows('user_id'),
  user_topic: rows('user_id'),
  user_status: rows('user_id'),
  navigation_view: rows('user_id'),
  onboarding_step: rows('user_id'),
  presence_block: gone('the entry of the account, in the first commit'),
  message_flag: rows('user_id'),
  read_block: rows('user_id'),
  unread_notice: IDS,

  // Bots
  bot_setting: rows('user_id'),
  webhook_secret: rows('bot_id'),
  incoming_webhook: rows('user_id'),
  incoming_delivery: rows('bot_id'),
  event_subscription: rows('bot_id'),
  bot_storage: rows('user_id'),
  webhook_call: rows('bot_id'),
  webhook_delivery: rows('bot_id'),

  // Files
  attachment: gone('with the bytes in R2; those that are on hold stay'),
  attachment_message: gone('with attachment'),
  unclaimed_attachment: gone('with attachment'),
  resumable_upload: gone('with the bytes in R2'),
  resumable_upload_chunk: gone('with resumable_upload'),
  file_removal: gone('when the bytes are removed from R2'),

  // Messages, channels, groups
  message_index: WITH_MESSAGES,
  message_move: IDS,
  moved_and_deleted: IDS,
  message_posting: IDS,
  reaction: WITH_MESSAGES,
  submessage: WITH_MESSAGES,
  topic: WITH_MESSAGES,
  emptied_topic: NOBODY,
  pin: IDS,
  conversation: IDS,
  conversation_member: IDS,
  client: kept('names of programs, without people'),
  channel: OTHERS,
  channel_folder: OTHERS,
  default_channel_group: OTHERS,
  subscription: kept('ids, for who received what'),
  subscription_period: kept('ids, for who received what'),
  user_group: OTHERS,
  user_group_member: IDS,
  user_group_subgroup: NOBODY,
  custom_emoji: OTHERS,
  linkifier: NOBODY,
  playground: NOBODY,
  profile_field: NOBODY,
  realm_domain: NOBODY,
  realm_setting: IDS,
  replaced_setting: NOBODY,
  audit_entry: gone('network addresses of what the person did; ids of who did what stay as long as the log'),

  // Exports, imports, backups
  realm_export: kept('ids; archives made before go after 30 days'),
  realm_export_chunk: gone('with the export under way'),
  realm_export_gone: NOBODY,
  realm_import: OTHERS,
  realm_import_mapping: OTHERS,
  realm_import_piece: gone('with the import under way'),
  realm_import_note: gone('with the import under way'),
  realm_import_choice: gone('those with the address in the first commit, others with the import under way'),
  realm_import_problem: OTHERS,
  import_upload: gone('within a week'),
  import_upload_part: gone('with import_upload'),
  imported_thing: kept('ids at the source, so that a further import does not make the person again'),
  imported_members: IDS,
  import_change: gone('former names of the account'),
  backup: IDS,
  backup_chunk: NOBODY,
  backup_mark: SOON,
  backup_reading: IDS,
  backup_finding: gone('with the reading under way'),
  backup_difference: IDS,

  // What passes
  log: gone('when all clients have it, after a week and a day at most'),
  tail_block: NOBODY,
  refused_entry: WITH_MESSAGES,
  queue: gone('in the first commit'),
  first_answer: SOON,
  first_answer_total: NOBODY,
  dead_letter: gone('those with the address in the first commit'),
  seen_website: NOBODY,
  preview_request: SOON,
  job: kept('kinds and ids of work'),
  meta: kept('single values; what is left of the erasure, until it is over'),
  usage: NOBODY,
  quota_use: IDS,
  body_database: NOBODY,
  schema_step: NOBODY,
}

/** The same of D1. Its rows follow from the object's. */
export const HOW_ERASED_IN_D1: Readonly<Record<string, HowErased>> = {
  account: gone(
    'name, and digests of address and key, seconds after the first commit; id, role and days stay',
  ),
  message_body: WITH_MESSAGES,
  message_search: WITH_MESSAGES,
  mail_request: gone('digests of addresses, after a day'),
  api_key_digest: NOBODY,
  organization_ticket: NOBODY,
  organization_usage: NOBODY,
  stored_file: gone('with attachment, where a deployment has no bucket'),
  stored_piece: gone('with stored_file'),
  stored_space: NOBODY,
  projection: NOBODY,
  realm: NOBODY,
}
