/** A column that names a row of another table. */
export interface Reference {
  readonly table: string
  readonly column: string
  /** The table of the named row. */
  readonly target: string
  /** SQL condition on the row for it to be a reference. */
  readonly when?: string
  /** Repair of a row whose target is gone; `report`: none is known. */
  readonly repair: 'delete' | 'report'
  /** The column by which the table is read: the first of its key. */
  readonly key: string
}

function refer(
  table: string,
  key: string,
  columns: Readonly<Record<string, string>>,
  repair: Reference['repair'] = 'delete',
): Reference[] {
  return Object.entries(columns).map(([column, target]) => ({ table, column, target, repair, key }))
}

/** Every reference from one table to another. `npm test` holds the schema against this list and the next. */
export const REFERENCES: readonly Reference[] = [
  ...refer('message_index', 'id', { sender_id: 'user', client_id: 'client' }, 'report'),
  {
    table: 'message_index',
    key: 'id',
    column: 'topic_id',
    target: 'topic',
    when: 'topic_id > 0',
    repair: 'report',
  },
  {
    table: 'message_index',
    key: 'id',
    column: 'move_id',
    target: 'message_move',
    when: 'move_id IS NOT NULL',
    repair: 'report',
  },
  ...refer('topic', 'id', { channel_id: 'channel' }, 'report'),
  {
    table: 'topic',
    key: 'id',
    column: 'move_id',
    target: 'message_move',
    when: 'move_id IS NOT NULL',
    repair: 'report',
  },
  ...refer('subscription', 'channel_id', { channel_id: 'channel', user_id: 'user' }),
  ...refer('subscription_period', 'user_id', { channel_id: 'channel', user_id: 'user' }),
  ...refer('conversation_member', 'user_id', { user_id: 'user', conversation_id: 'conversation' }),
  ...refer('message_flag', 'user_id', { user_id: 'user', message_id: 'message_index' }),
  ...refer('unread_notice', 'message_id', { message_id: 'message_index' }),
  ...refer('read_block', 'user_id', { user_id: 'user' }),
  ...refer('reaction', 'message_id', { message_id: 'message_index', user_id: 'user' }),
  ...refer('submessage', 'id', { message_id: 'message_index', sender_id: 'user' }),
  ...refer('attachment', 'id', { owner_id: 'user' }, 'report'),
  ...refer('attachment_message', 'attachment_id', {
    attachment_id: 'attachment',
    message_id: 'message_index',
  }),
  ...refer('attachment_scheduled', 'scheduled_id', {
    scheduled_id: 'scheduled_message',
    attachment_id: 'attachment',
  }),
  ...refer('scheduled_message', 'id', { user_id: 'user' }),
  ...refer('reminder', 'id', { user_id: 'user' }),
  ...refer('role_period', 'user_id', { user_id: 'user' }),
  ...refer('user_group_member', 'group_id', { group_id: 'user_group', user_id: 'user' }),
  ...refer('user_group_subgroup', 'group_id', { group_id: 'user_group', subgroup_id: 'user_group' }),
  ...refer('user_topic', 'user_id', { user_id: 'user', channel_id: 'channel' }),
  ...refer('pending_api_key', 'user_id', { user_id: 'user' }),
  ...refer('user_status', 'user_id', { user_id: 'user' }),
  ...refer('muted_user', 'user_id', { user_id: 'user', muted_user_id: 'user' }),
  ...refer('ended_mute', 'user_id', { user_id: 'user', muted_user_id: 'user' }),
  ...refer('alert_word', 'user_id', { user_id: 'user' }),
  ...refer('missed_mail', 'user_id', { user_id: 'user' }),
  ...refer('digest', 'user_id', { user_id: 'user' }),
  ...refer('known_program', 'user_id', { user_id: 'user' }),
  ...refer('paused_address', 'user_id', { user_id: 'user' }),
  ...refer('saved_snippet', 'id', { user_id: 'user' }),
  ...refer('draft', 'id', { user_id: 'user' }),
  ...refer('navigation_view', 'user_id', { user_id: 'user' }),
  ...refer('onboarding_step', 'user_id', { user_id: 'user' }),
  ...refer('client_device', 'id', { user_id: 'user' }),
  ...refer('push_device', 'user_id', { user_id: 'user' }),
  ...refer('push_token', 'user_id', { user_id: 'user' }),
  ...refer('push_shown', 'user_id', { user_id: 'user' }),
  ...refer('bot_setting', 'user_id', { user_id: 'user' }),
  ...refer('webhook_secret', 'bot_id', { bot_id: 'user' }),
  ...refer('webhook_delivery', 'bot_id', { bot_id: 'user' }),
  ...refer('incoming_webhook', 'user_id', { user_id: 'user' }),
  ...refer('bot_storage', 'user_id', { user_id: 'user' }),
  ...refer('realm_export_chunk', 'export_id', { export_id: 'realm_export' }),
  ...refer('realm_export_gone', 'export_id', { export_id: 'realm_export' }),
  ...refer('message_move', 'id', { user_id: 'user' }, 'report'),
  {
    table: 'message_move',
    key: 'id',
    column: 'previous_id',
    target: 'message_move',
    when: 'previous_id IS NOT NULL',
    repair: 'report',
  },
]

/** Tables without a reference that could break, each with the reason. */
export const WITHOUT_REFERENCES: Readonly<Record<string, string>> = {
  body_database: 'names what the deployment has bound',
  browser_session: 'ends by itself',
  web_push_subscription: 'ends with its session, or when its push service knows it no longer',
  pending_api_key: 'ends with the next key of the account',
  login_network: 'names nobody',
  channel: 'creator and folder may be gone; what is shown says so',
  channel_folder: 'creator may be gone',
  client: 'names',
  confirmation: 'ends by itself',
  conversation: 'the members are in its own row',
  custom_emoji: 'stays when its author goes',
  default_channel_group: 'lists that are read with what is there',
  email: 'ends by itself',
  dead_letter: 'ends by itself',
  audit_entry: 'names what may be gone by now: that is what it is for',
  emptied_topic: 'looked at again when it is due',
  file_removal: 'keys in R2 that are to go',
  first_answer: 'ends by itself',
  first_answer_total: 'counted from the rows',
  id_set: 'has a check of its own',
  invitation: 'ends by itself',
  invitation_link: 'ends by itself',
  sign_up: 'ends by itself',
  job: 'a handler finds nothing to do',
  linkifier: 'the organization itself',
  log: 'has a check of its own',
  login_failure: 'ends by itself',
  mail_request: 'ends by itself',
  push_registration: 'ends by itself',
  missed_wave: 'ends by itself',
  message_posting: 'has a check of its own',
  meta: 'single values',
  playground: 'the organization itself',
  presence_block: 'packed; who is gone is not shown',
  preview_request: 'ends by itself',
  profile_field: 'the organization itself',
  pending_push: 'ends by itself',
  queue: 'ends by itself',
  quota_use: 'counted from the rows',
  realm_domain: 'the organization itself',
  realm_export: 'the organization itself',
  realm_setting: 'the organization itself',
  refused_entry: 'has a check of its own',
  resumable_upload: 'ends by itself',
  resumable_upload_chunk: 'ends with its upload',
  schema_step: 'the schema itself',
  seen_website: 'ends by itself',
  tail_block: 'made from the log',
  unclaimed_attachment: 'looked at again when it is due',
  user: 'the organization itself',
  user_group: 'creator may be gone',
  webhook_call: 'ends by itself',
}
