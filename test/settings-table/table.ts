/**
 * Every setting of people and organizations: what it does, and which test shows it. docs/settings.md is made from it (`npm
 * run settings`), and a house test fails for a setting or a test that is missing.
 */
export interface Setting {
  /** The setting's effect, as a sentence. */
  readonly effect: string
  readonly known: Shown | ForClients | NotYet
}

/** A test that shows what happens with one value and with another. */
interface Shown {
  readonly by: string
  /** The test's own name, or that of the block around it. */
  readonly named: string
}

/**
 * The server stores the setting, sends it to all clients of its owner or the organization, and does nothing else with it.
 */
interface ForClients {
  readonly isForClients: true
}

/** A setting that can be stored, but has no effect until its feature exists. */
interface NotYet {
  readonly notYet: string
}

export const LEVELS = {
  user: 'A user’s own settings',
  subscription: 'A user’s settings of a channel',
  realm: 'Settings of an organization',
  channel: 'Settings of a channel',
  group: 'Settings of a user group',
} as const

export type Level = keyof typeof LEVELS
export type SettingKey = `${Level} ${string}`

/** Tests that try one setting after the other, each named by its setting. */
export const BOTH_SIDES = 'test/http/settings-both-sides.test.ts'
export const PERMISSIONS_BOTH_SIDES = 'test/http/permissions-both-sides.test.ts'

const by = (path: string, named: string): Shown => ({ by: `test/${path}.test.ts`, named })
const ways = (key: SettingKey): Shown => ({
  by: /^group |_groups?$/.test(key) ? PERMISSIONS_BOTH_SIDES : BOTH_SIDES,
  named: key,
})
const forClients: ForClients = { isForClients: true }

function userSettings(): [SettingKey, Setting][] {
  const list: [string, string, Setting['known']][] = [
    [
      'twenty_four_hour_time',
      'Times are shown in 24-hour form; else as the language has it, unless 12 hours were chosen in the browser',
      forClients,
    ],
    ['web_mark_read_on_scroll_policy', 'Scrolling marks messages as read', forClients],
    ['web_channel_default_view', 'What clicking a channel opens', forClients],
    ['starred_message_counts', 'The number of starred messages is shown', forClients],
    [
      'receives_typing_notifications',
      'The user is notified that others are typing',
      by('features/typing/typing-settings', 'of a receiver prevent receiving'),
    ],
    [
      'web_suggest_update_timezone',
      'A client offers to change the time zone when the user travels',
      forClients,
    ],
    ['fluid_layout_width', 'The full width of the window is used', forClients],
    ['high_contrast_mode', 'Colours have high contrast', forClients],
    ['web_font_size_px', 'Font size', forClients],
    ['web_line_height_percent', 'Line height', forClients],
    ['color_scheme', 'Light, dark, or as the operating system has it', forClients],
    [
      'enable_drafts_synchronization',
      'Drafts are stored on the server; turning it off deletes them',
      by('features/drafts/drafts', 'when synchronization is off, which also deletes those on the server'),
    ],
    ['translate_emoticons', '`:)` in the user’s messages becomes an emoji', ways('user translate_emoticons')],
    ['display_emoji_reaction_users', 'The names of people who reacted are shown if they are few', forClients],
    [
      'default_language',
      'The language of clients, and of texts that the server sends to the user',
      by(
        'features/emails/missed-messages',
        'mail in their language, with a link to the conversation and one to unsubscribe',
      ),
    ],
    ['web_home_view', 'The view that is shown first', forClients],
    ['web_escape_navigates_to_home_view', 'The Escape key leads to that view', forClients],
    ['left_side_userlist', 'On which side the list of people is', forClients],
    ['emojiset', 'Which pictures are used for emoji', forClients],
    ['demote_inactive_streams', 'Channels without traffic are listed last', forClients],
    ['user_list_style', 'How much the list of people shows', forClients],
    ['web_animate_image_previews', 'Whether animated pictures move', forClients],
    [
      'web_stream_unreads_count_display_policy',
      'For which channels the number of unread messages is shown',
      forClients,
    ],
    ['web_left_sidebar_show_channel_folders', 'The list of channels is grouped by folders', forClients],
    ['web_left_sidebar_unreads_count_summary', 'The list shows totals of unread messages', forClients],
    ['web_inbox_show_channel_folders', 'The inbox is grouped by folders', forClients],
    [
      'hide_ai_features',
      'A client hides what a language model on the server does; there is none here',
      forClients,
    ],
    [
      'timezone',
      'Others see the user’s time zone',
      by('features/users/update-settings', 'is sent to everybody, in the canonical spelling'),
    ],
    ['enable_stream_desktop_notifications', 'Channel messages cause desktop notifications', forClients],
    [
      'enable_stream_email_notifications',
      'Channel messages are sent by mail',
      by(
        'features/emails/missed-messages',
        'users without a channel setting by the general one, from its change on',
      ),
    ],
    [
      'enable_stream_push_notifications',
      'Channel messages cause push notifications',
      by('features/push/who-is-notified', 'follows the general setting of that moment'),
    ],
    ['enable_stream_audible_notifications', 'Channel messages play a sound', forClients],
    ['notification_sound', 'Which sound is played', forClients],
    ['enable_desktop_notifications', 'Direct messages and mentions cause desktop notifications', forClients],
    ['enable_sounds', 'Direct messages and mentions play a sound', forClients],
    [
      'email_notifications_batching_period_seconds',
      'How long a mail waits for further messages',
      by(
        'features/emails/missed-messages',
        'the mail after the delay they chose, counted from the first message',
      ),
    ],
    [
      'enable_offline_email_notifications',
      'Direct messages and mentions are sent by mail while the user is away',
      by(
        'features/emails/missed-messages',
        'who wants no mail, has muted the sender, or is mentioned silently',
      ),
    ],
    [
      'enable_offline_push_notifications',
      'Direct messages and mentions cause push notifications',
      by('features/push/who-is-notified', 'notifies neither its sender, nor users who muted or disabled it'),
    ],
    [
      'enable_online_push_notifications',
      'Push notifications are sent even while the user has a client open',
      by('features/push/what-devices-show', 'a user who is active'),
    ],
    [
      'enable_followed_topic_desktop_notifications',
      'Messages in followed topics cause desktop notifications',
      forClients,
    ],
    [
      'enable_followed_topic_email_notifications',
      'Messages in followed topics are sent by mail',
      by(
        'features/emails/missed-messages',
        'users who want that for the channel, in general, or for the topic',
      ),
    ],
    [
      'enable_followed_topic_push_notifications',
      'Messages in followed topics cause push notifications',
      ways('user enable_followed_topic_push_notifications'),
    ],
    ['enable_followed_topic_audible_notifications', 'Messages in followed topics play a sound', forClients],
    [
      'enable_digest_emails',
      'Digests of missed messages are sent by mail',
      by('features/emails/digests', 'who was recently active, disabled it, or has nothing to read'),
    ],
    [
      'enable_marketing_emails',
      'New users get hints on using Parley by mail',
      by('features/emails/account-mails', 'gets a mail about topics some days later, unless they disable it'),
    ],
    [
      'enable_login_emails',
      'The user gets a mail about a login with a new program',
      by(
        'features/emails/account-mails',
        'is not mailed for a wrong password, a new member, or a disabled setting',
      ),
    ],
    [
      'message_content_in_email_notifications',
      'Mail contains the text of messages',
      by(
        'features/emails/missed-messages',
        'neither contents nor senders where the recipient or the organization disallows them',
      ),
    ],
    [
      'pm_content_in_desktop_notifications',
      'Desktop notifications show the text of direct messages',
      forClients,
    ],
    [
      'wildcard_mentions_notify',
      'A mention of everybody in a channel notifies like a personal mention',
      ways('user wildcard_mentions_notify'),
    ],
    [
      'enable_followed_topic_wildcard_mentions_notify',
      'The same for followed topics',
      ways('user enable_followed_topic_wildcard_mentions_notify'),
    ],
    ['desktop_icon_count_display', 'What the number on the client’s icon counts', forClients],
    [
      'realm_name_in_email_notifications_policy',
      'Mail names the organization',
      by('features/emails/missed-messages', 'the organization’s name as the reader’s setting says'),
    ],
    [
      'automatically_follow_topics_policy',
      'Which actions make the user follow a topic: starting it, sending to it, or reacting in it',
      by('features/user-topics/automatic-policies', 'settings of automatic policies'),
    ],
    [
      'automatically_unmute_topics_in_muted_streams_policy',
      'Which of these actions unmute a topic of a muted channel',
      by('features/user-topics/automatic-policies', 'settings of automatic policies'),
    ],
    [
      'automatically_follow_topics_where_mentioned',
      'A mention makes the user follow the topic',
      by('features/user-topics/automatic-policies', 'a disabled setting prevents following where mentioned'),
    ],
    [
      'resolved_topic_notice_auto_read_policy',
      'Whether notices that a topic was resolved arrive as read',
      ways('user resolved_topic_notice_auto_read_policy'),
    ],
    [
      'presence_enabled',
      'Others see whether the user is present',
      by('features/user-status/user-status', 'hides the user’s presence, with the setting’s event first'),
    ],
    ['enter_sends', 'The Enter key sends the message', forClients],
    [
      'send_private_typing_notifications',
      'Others are notified when the user types a direct message',
      by('features/typing/typing-settings', 'of the sender prevent sending'),
    ],
    [
      'send_stream_typing_notifications',
      'Others are notified when the user types in a channel',
      by('features/typing/typing-settings', 'of the sender prevent sending'),
    ],
    [
      'send_read_receipts',
      'Others see which messages the user has read',
      by(
        'features/messages/get-read-receipts',
        'leave out those who hide theirs, and pairs of whom one muted the other',
      ),
    ],
    [
      'allow_private_data_export',
      'Exports include the user’s private messages',
      by('features/exports/exports', 'also contains private data of users who consent'),
    ],
    [
      'email_address_visibility',
      'Who may see the user’s address',
      by('features/users/update-settings', 'hiding the address'),
    ],
    ['web_navigate_to_sent_message', 'A client goes to a message that the user has sent', forClients],
  ]
  return list.map(([name, effect, known]) => [`user ${name}`, { effect, known }])
}

const notifies = by(
  'features/push/who-is-notified',
  'notifies by the channel’s setting, the general one, or the topic’s policy',
)

function subscriptionSettings(): [SettingKey, Setting][] {
  const list: [string, string, Setting['known']][] = [
    ['color', 'Colour of the channel', forClients],
    ['is_muted', 'Messages are left out of combined views, and do not notify', notifies],
    ['in_home_view', 'The older name for the opposite of `is_muted`', ways('subscription in_home_view')],
    ['pin_to_top', 'The channel is listed first', forClients],
    ['desktop_notifications', 'Its messages cause desktop notifications', forClients],
    ['audible_notifications', 'Its messages play a sound', forClients],
    ['push_notifications', 'Its messages cause push notifications', notifies],
    [
      'email_notifications',
      'Its messages are sent by mail',
      by(
        'features/emails/missed-messages',
        'users who want that for the channel, in general, or for the topic',
      ),
    ],
    [
      'wildcard_mentions_notify',
      'Mentions of everybody in it notify',
      by('features/push/who-is-notified', 'with a wildcard mention notifies those whose settings allow it'),
    ],
  ]
  return list.map(([name, effect, known]) => [`subscription ${name}`, { effect, known }])
}

function realmProperties(): [SettingKey, Setting][] {
  const properties = 'features/realm/update-realm'
  const list: [string, string, Setting['known']][] = [
    [
      'name',
      'The organization’s name, also shown before login',
      by(properties, 'returns them, and notifies everybody with the right event for each'),
    ],
    ['description', 'The description that is shown before login', ways('realm description')],
    [
      'emails_restricted_to_domains',
      'New accounts need an address in one of the organization’s domains',
      by('features/realm/realm-domains', 'restrict the addresses of new accounts'),
    ],
    [
      'disallow_disposable_email_addresses',
      'Disposable addresses are refused',
      by('features/realm/realm-domains', 'are accepted where the organization allows them'),
    ],
    [
      'invite_required',
      'If off, invitations are limited; there is no page yet for joining without an invitation',
      by(
        'features/invitations/invitations',
        'open organizations have a hundred a day, resent ones included; none from new members',
      ),
    ],
    [
      'second_factor_required_for',
      'Who must have a second factor to log in with a password',
      ways('realm second_factor_required_for'),
    ],
    ['require_unique_names', 'Two people cannot have the same name', ways('realm require_unique_names')],
    [
      'name_changes_disabled',
      'Only administrators may change names',
      by(
        'features/users/update-settings',
        'is ignored where name changes are disabled, except from administrators',
      ),
    ],
    [
      'email_changes_disabled',
      'Only administrators may change their addresses',
      by(
        'features/users/change-email',
        'is for administrators alone when disabled, also with links sent before',
      ),
    ],
    [
      'avatar_changes_disabled',
      'Only administrators may change their pictures',
      by(
        'features/avatars/avatars',
        'is for administrators alone when the organization disables avatar changes',
      ),
    ],
    ['inline_image_preview', 'Previews of linked pictures are shown', ways('realm inline_image_preview')],
    [
      'inline_url_embed_preview',
      'Previews of linked websites are shown',
      by('features/messages/website-previews', 'nothing is fetched, and messages do not change'),
    ],
    [
      'message_content_delete_limit_seconds',
      'How long people may delete their own messages',
      ways('realm message_content_delete_limit_seconds'),
    ],
    [
      'message_content_edit_limit_seconds',
      'How long people may edit their own messages',
      ways('realm message_content_edit_limit_seconds'),
    ],
    ['allow_message_editing', 'Messages can be edited', ways('realm allow_message_editing')],
    [
      'message_edit_history_visibility_policy',
      'Which part of the edit history is shown: all of it, only moves, or nothing',
      by('features/messages/get-message-history', 'an organization that shows moves only'),
    ],
    ['default_language', 'The language of new accounts', ways('realm default_language')],
    [
      'waiting_period_threshold',
      'The age in days from which an account is a full member',
      by(
        'features/user-groups/full-members',
        'later or sooner when the organization changes the number of days',
      ),
    ],
    [
      'authentication_methods',
      'How people may log in',
      by('http/login-page', 'is off if passwords are disabled, or the organization is deactivated'),
    ],
    [
      'moderation_request_channel_id',
      'The channel for reported messages',
      by('features/messages/report-message', 'is off until the organization sets a channel for it'),
    ],
    [
      'new_stream_announcements_stream_id',
      'The channel in which new channels are announced',
      ways('realm new_stream_announcements_stream_id'),
    ],
    [
      'signup_announcements_stream_id',
      'The channel in which new people are announced',
      by(
        'features/users/create-user',
        'announces the user in the chosen channel, and greets with the organization’s text',
      ),
    ],
    [
      'zulip_update_announcements_stream_id',
      'The channel in which updates of the server are announced',
      { notYet: 'none are announced' },
    ],
    [
      'message_retention_days',
      'How long messages are kept',
      by(
        'features/channels/message-retention',
        'deletes direct messages, and those in channels without their own period',
      ),
    ],
    [
      'send_welcome_emails',
      'New members get a welcome mail',
      by(
        'features/emails/account-mails',
        'who was invited gets a welcome mail, unless the organization disables it',
      ),
    ],
    [
      'send_channel_events_messages',
      'A channel gets notices about its own creation and changes',
      by('features/channels/change-notices', 'is not sent in an organization that has turned them off'),
    ],
    [
      'message_content_allowed_in_email_notifications',
      'Mail may contain the text of messages',
      by(
        'features/emails/missed-messages',
        'neither contents nor senders where the recipient or the organization disallows them',
      ),
    ],
    [
      'digest_emails_enabled',
      'Digests of missed messages are sent by mail',
      by('features/emails/digests', 'in an organization that disables them, from that moment on'),
    ],
    [
      'digest_weekday',
      'On which day of the week',
      by('features/emails/digests', 'comes once on the organization’s weekday, and follows a change of it'),
    ],
    [
      'presence_disabled',
      'Nobody sees who is present',
      by('features/presence/presence', 'sends no presence to anybody'),
    ],
    [
      'enable_read_receipts',
      'People can see who has read a message',
      by(
        'features/messages/get-read-receipts',
        'where the organization disables them, after the check of access',
      ),
    ],
    [
      'enable_spectator_access',
      'Channels may be open to readers without an account',
      by(
        'features/channels/web-public-channels',
        'creating one is refused, by the deployment’s switch first, then the organization’s',
      ),
    ],
    [
      'want_advertise_in_communities_directory',
      'The organization may be listed in a directory of the server',
      { notYet: 'there is no directory' },
    ],
    ['enable_guest_user_indicator', 'Guests are marked next to their names', forClients],
    ['enable_guest_user_dm_warning', 'A client warns people who write to a guest', forClients],
    [
      'require_e2ee_push_notifications',
      'Devices get encrypted push notifications, or none',
      by(
        'features/push/what-devices-show',
        'is neither sent unencrypted nor removed if the organization requires encryption',
      ),
    ],
    ['video_chat_provider', 'The provider of video calls that a client offers', forClients],
    ['jitsi_server_url', 'The Jitsi server for them', forClients],
    ['giphy_rating', 'Which animated pictures a client offers', forClients],
    ['media_preview_size', 'How high pictures and videos in messages are', forClients],
    ['default_avatar_source', 'Who draws the pictures of new people', { notYet: 'Gravatar alone does' }],
    [
      'default_code_block_language',
      'The language of code blocks that name none',
      ways('realm default_code_block_language'),
    ],
    ['org_type', 'What kind of organization it is', forClients],
    ['topics_policy', 'Whether messages may have no topic', ways('realm topics_policy')],
    [
      'welcome_message_custom_text',
      'A text that the welcome bot adds for new people',
      by(
        'features/users/welcome-message',
        'the welcome bot greets a new user, then adds the organization’s text',
      ),
    ],
    [
      'move_messages_within_stream_limit_seconds',
      'For how long messages may be moved to another topic',
      ways('realm move_messages_within_stream_limit_seconds'),
    ],
    [
      'move_messages_between_streams_limit_seconds',
      'For how long messages may be moved to another channel',
      ways('realm move_messages_between_streams_limit_seconds'),
    ],
  ]
  return list.map(([name, effect, known]) => [`realm ${name}`, { effect, known }])
}

function channelProperties(): [SettingKey, Setting][] {
  const stream = 'features/channels/update-stream'
  const list: [string, string, Setting['known']][] = [
    ['new_name', 'The name', by(stream, 'is sent with the old one to all who see it, with a notice')],
    ['description', 'The description', by(stream, 'is sent with its rendered HTML')],
    [
      'is_private',
      'Only its subscribers see it',
      by(stream, 'removed shows the channel to those who could not see it'),
    ],
    [
      'is_web_public',
      'People without an account can read it',
      by('features/channels/web-public-channels', 'is created and sent to everybody, guests too'),
    ],
    [
      'history_public_to_subscribers',
      'New subscribers can read older messages',
      ways('channel history_public_to_subscribers'),
    ],
    [
      'is_default_stream',
      'New people are subscribed to it',
      by(
        'features/subscriptions/subscribe',
        'that is a default one gets new users, and all but guests are notified',
      ),
    ],
    [
      'message_retention_days',
      'How long its messages are kept',
      by(
        'features/channels/message-retention',
        'deletes older messages for everybody, with reactions, flags and files',
      ),
    ],
    [
      'is_archived',
      'The channel can only be read',
      by(
        'features/channels/archive-stream',
        'hides the channel from older clients, keeps it for newer ones, and refuses changes',
      ),
    ],
    [
      'folder_id',
      'The folder in which it is listed',
      by(
        'features/channel-folders/channel-folders',
        'is added at creation or later, and prevents archiving the folder',
      ),
    ],
    [
      'default_push_notifications',
      'Whether those who join get notifications of its messages on their devices',
      by(
        'features/subscriptions/pushes-by-default',
        'turns on notifications on devices for those who join first',
      ),
    ],
    [
      'topics_policy',
      'Whether the topic of a message may, must or must not be empty',
      ways('channel topics_policy'),
    ],
  ]
  return list.map(([name, effect, known]) => [`channel ${name}`, { effect, known }])
}

function groupProperties(): [SettingKey, Setting][] {
  const changed = by(
    'features/user-groups/user-groups',
    'sends one event for each thing that changed, in order',
  )
  const list: [string, string, Setting['known']][] = [
    ['name', 'The name, by which it is mentioned', changed],
    ['description', 'The description', changed],
    [
      'deactivated',
      'The group cannot be used',
      by('features/user-groups/user-groups', 'refuses a deactivated group as a new value'),
    ],
  ]
  return list.map(([name, effect, known]) => [`group ${name}`, { effect, known }])
}

/** Returns the permission settings, whose value is a group. */
function permissions(): [SettingKey, Setting][] {
  const list: [SettingKey, string, Setting['known']?][] = [
    ['realm create_multiuse_invite_group', 'create invitation links'],
    [
      'realm can_access_all_users_group',
      'see everybody, also as a guest',
      by('features/users/whom-guests-see', 'a guest who sees only people in shared conversations'),
    ],
    ['realm can_add_custom_emoji_group', 'add emoji'],
    ['realm can_add_subscribers_group', 'subscribe others to channels'],
    ['realm can_create_bots_group', 'create bots of any kind'],
    ['realm can_create_groups', 'create user groups'],
    ['realm can_create_private_channel_group', 'create private channels'],
    ['realm can_create_public_channel_group', 'create public channels'],
    [
      'realm can_create_web_public_channel_group',
      'create web-public channels',
      by(
        'features/channels/web-public-channels',
        'can be made only by members of can_create_web_public_channel_group',
      ),
    ],
    ['realm can_create_write_only_bots_group', 'create incoming webhooks'],
    ['realm can_delete_any_message_group', 'delete other people’s messages'],
    ['realm can_delete_own_message_group', 'delete their own messages'],
    ['realm can_invite_users_group', 'invite people'],
    ['realm can_manage_all_groups', 'manage every user group'],
    ['realm can_manage_billing_group', 'manage billing', { notYet: 'there is no billing' }],
    [
      'realm workplace_users_group',
      'count as people of the workplace for billing',
      { notYet: 'there is no billing' },
    ],
    ['realm can_mention_many_users_group', 'mention everybody in a large channel'],
    ['realm can_move_messages_between_channels_group', 'move messages to other channels'],
    ['realm can_move_messages_between_topics_group', 'move messages to other topics'],
    ['realm can_resolve_topics_group', 'resolve topics'],
    [
      'realm can_set_delete_message_policy_group',
      'set the permissions to delete in channels that they administer',
    ],
    ['realm can_set_topics_policy_group', 'set the policy for topics in channels that they administer'],
    ['realm can_summarize_topics_group', 'request summaries of topics', { notYet: 'there are no summaries' }],
    ['realm direct_message_initiator_group', 'start direct conversations'],
    [
      'realm direct_message_permission_group',
      'have direct conversations: at least one participant has to be among them',
    ],
    ['channel can_add_subscribers_group', 'subscribe others to it'],
    ['channel can_administer_channel_group', 'change it'],
    ['channel can_create_topic_group', 'begin topics in it'],
    ['channel can_delete_any_message_group', 'delete other people’s messages in it'],
    ['channel can_delete_own_message_group', 'delete their own messages in it'],
    ['channel can_move_messages_out_of_channel_group', 'move its messages to other channels'],
    ['channel can_move_messages_within_channel_group', 'move its messages to other topics'],
    ['channel can_remove_subscribers_group', 'unsubscribe others'],
    ['channel can_resolve_topics_group', 'resolve its topics'],
    ['channel can_send_message_group', 'send to it'],
    ['channel can_subscribe_group', 'join it even if it is private'],
    ['group can_add_members_group', 'add members'],
    ['group can_join_group', 'join it'],
    ['group can_leave_group', 'leave it'],
    ['group can_manage_group', 'change it'],
    ['group can_mention_group', 'mention it'],
    ['group can_remove_members_group', 'remove members'],
  ]
  return list.map(([key, may, known]) => [key, { effect: `Who may ${may}`, known: known ?? ways(key) }])
}

export const SETTINGS_TABLE: ReadonlyMap<SettingKey, Setting> = new Map([
  ...userSettings(),
  ...subscriptionSettings(),
  ...realmProperties(),
  ...channelProperties(),
  ...groupProperties(),
  ...permissions(),
])

/** Returns the settings that must be tested with both values. */
export function settingsShownBy(path: string): SettingKey[] {
  return [...SETTINGS_TABLE].flatMap(([key, { known }]) => ('by' in known && known.by === path ? [key] : []))
}
