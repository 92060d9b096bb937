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
  /** The column by which the table is read: the first of its key, an integer. */
  readonly key: string
}

function refer(
  table: string,
  key: string,
  columns: Readonly<Record<string, string>>,
  repair: Reference['repair'] = 'delete',
  when?: string,
): Reference[] {
  return Object.entries(columns).map(([column, target]) => ({
    table,
    column,
    target,
    ...(when && { when }),
    repair,
    key,
  }))
}

/** Tables whose rows belong to a user, by `user_id`, the first column of their keys. */
const OF_USERS =
  'read_block role_period pending_api_key totp recovery_code zoom_account user_status ' +
  'alert_word missed_mail digest known_program paused_address navigation_view onboarding_step ' +
  'push_device push_token push_shown bot_setting incoming_webhook bot_storage scim_user'

const OF_IMPORTS =
  'realm_import_mapping realm_import_piece realm_import_note realm_import_choice realm_import_problem import_change'

/** Every reference from one table to another. A test holds the schema against this list and that of the tables without one (test/support/tables-without-references.ts). */
export const REFERENCES: readonly Reference[] = [
  ...refer('message_index', 'id', { sender_id: 'user', client_id: 'client' }, 'report'),
  ...refer('message_index', 'id', { topic_id: 'topic' }, 'report', 'topic_id > 0'),
  ...refer('message_index', 'id', { move_id: 'message_move' }, 'report', 'move_id IS NOT NULL'),
  ...refer('topic', 'id', { channel_id: 'channel' }, 'report'),
  ...refer('topic', 'id', { move_id: 'message_move' }, 'report', 'move_id IS NOT NULL'),
  ...refer('pin', 'id', { channel_id: 'channel' }),
  ...refer('pin', 'id', { message_id: 'message_index' }, 'delete', 'message_id IS NOT NULL'),
  ...refer('pin', 'id', { topic_id: 'topic' }, 'delete', 'topic_id IS NOT NULL'),
  ...refer('subscription', 'channel_id', { channel_id: 'channel', user_id: 'user' }),
  ...refer('subscription_period', 'user_id', { channel_id: 'channel', user_id: 'user' }),
  ...refer('conversation_member', 'user_id', { user_id: 'user', conversation_id: 'conversation' }),
  ...refer('message_flag', 'user_id', { user_id: 'user', message_id: 'message_index' }),
  ...refer('login_network_user', 'id', { user_id: 'user' }),
  ...refer('unread_notice', 'message_id', { message_id: 'message_index' }),
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
  ...refer('user_group_member', 'group_id', { group_id: 'user_group', user_id: 'user' }),
  ...refer('user_group_subgroup', 'group_id', { group_id: 'user_group', subgroup_id: 'user_group' }),
  ...refer('user_topic', 'user_id', { user_id: 'user', channel_id: 'channel' }),
  ...refer('login_identity', 'id', { provider_id: 'login_provider', user_id: 'user' }),
  ...refer('passkey', 'id', { user_id: 'user' }),
  ...refer('muted_user', 'user_id', { user_id: 'user', muted_user_id: 'user' }),
  ...refer('ended_mute', 'user_id', { user_id: 'user', muted_user_id: 'user' }),
  ...refer('saved_snippet', 'id', { user_id: 'user' }),
  ...refer('draft', 'id', { user_id: 'user' }),
  ...refer('client_device', 'id', { user_id: 'user' }),
  ...refer('webhook_secret', 'bot_id', { bot_id: 'user' }),
  ...refer('webhook_delivery', 'bot_id', { bot_id: 'user' }),
  ...refer('incoming_delivery', 'bot_id', { bot_id: 'user' }),
  ...refer('event_subscription', 'bot_id', { bot_id: 'user' }),
  ...OF_USERS.split(' ').flatMap((table) => refer(table, 'user_id', { user_id: 'user' })),
  ...OF_IMPORTS.split(' ').flatMap((table) => refer(table, 'import_id', { import_id: 'realm_import' })),
  ...refer('scim_group', 'group_id', { group_id: 'user_group' }),
  ...refer('realm_export_chunk', 'export_id', { export_id: 'realm_export' }),
  ...refer('realm_export_gone', 'export_id', { export_id: 'realm_export' }),
  ...refer('message_move', 'id', { user_id: 'user' }, 'report'),
  ...refer('message_move', 'id', { previous_id: 'message_move' }, 'report', 'previous_id IS NOT NULL'),
]
