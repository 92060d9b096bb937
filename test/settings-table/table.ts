/**
 * Every setting that people and organizations have: what it does, and how one knows. docs/settings.md is made of it
 * (`npm run settings`), and a test of the house fails for a setting that is not in it, or whose test is not there.
 */
export interface Setting {
  /** What it says, as a sentence about what happens. */
  readonly effect: string
  readonly known: Shown | ForClients | NotYet
}

/** A test that shows what happens with one value and with another. */
interface Shown {
  readonly by: string
  /** The test's own name, or that of the block that it stands in. */
  readonly named: string
}

/** The server keeps it, tells it to all clients of its owner or the organization, and does nothing else by it. */
interface ForClients {
  readonly forClients: string
}

/** It can be set, and has no effect until what it is about is there. */
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

/** Tests that turn one setting after the other, each named by its setting. */
export const BOTH_SIDES = 'test/spec/settings-both-sides.test.ts'

const by = (path: string, named: string): Shown => ({ by: `test/${path}.test.ts`, named })
const ways = (key: SettingKey): Shown => ({ by: BOTH_SIDES, named: key })
const looks: ForClients = { forClients: 'how a client looks' }
const behaves: ForClients = { forClients: 'how a client behaves' }
const calls: ForClients = {
  forClients: 'clients show and sound notifications by themselves, from the messages’ flags and this',
}

function userSettings(): [SettingKey, Setting][] {
  const list: [string, string, Setting['known']][] = [
    ['twenty_four_hour_time', 'Times of day are shown with 24 hours', looks],
    ['web_mark_read_on_scroll_policy', 'Scrolling marks messages as read', behaves],
    ['web_channel_default_view', 'What a click on a channel opens', behaves],
    ['starred_message_counts', 'Starred messages are counted', looks],
    [
      'receives_typing_notifications',
      'Others’ typing is told',
      by('endpoints/typing/typing-settings', 'of a receiver keep it away'),
    ],
    ['web_suggest_update_timezone', 'A client offers to change the time zone when one travels', behaves],
    ['fluid_layout_width', 'The whole width of a window is used', looks],
    ['high_contrast_mode', 'Contrasts are high', looks],
    ['web_font_size_px', 'Size of letters', looks],
    ['web_line_height_percent', 'Height of lines', looks],
    ['color_scheme', 'Light, dark, or as the system', looks],
    [
      'enable_drafts_synchronization',
      'Drafts are kept on the server; off, those that were kept are gone',
      by(
        'endpoints/drafts/create-drafts',
        'of somebody who keeps drafts on the device; those that were kept are gone',
      ),
    ],
    ['translate_emoticons', '`:)` in one’s messages becomes an emoji', ways('user translate_emoticons')],
    ['display_emoji_reaction_users', 'Few who reacted are named', looks],
    [
      'default_language',
      'Language of a client, and of what the server writes to one',
      by('endpoints/emails/missed-messages', 'in their language, with the way there and the way out of it'),
    ],
    ['web_home_view', 'What is shown first', behaves],
    ['web_escape_navigates_to_home_view', 'The key Escape leads there', behaves],
    ['left_side_userlist', 'Where the list of people is', looks],
    ['emojiset', 'How emoji are drawn', looks],
    ['demote_inactive_streams', 'Channels without traffic are listed last', looks],
    ['user_list_style', 'How the list of people is written', looks],
    ['web_animate_image_previews', 'Pictures that move do so', looks],
    ['web_stream_unreads_count_display_policy', 'For which channels unread messages are counted', looks],
    ['web_left_sidebar_show_channel_folders', 'Channels are listed by folders', looks],
    ['web_left_sidebar_unreads_count_summary', 'Unread messages are summed up beside the list', looks],
    ['web_inbox_show_channel_folders', 'The inbox has folders', looks],
    [
      'hide_ai_features',
      'A client does not offer what the server’s language model does; there is none here',
      looks,
    ],
    [
      'timezone',
      'Others are told one’s time zone',
      by('endpoints/users/update-settings', 'is told to everybody, in the usual spelling'),
    ],
    ['enable_stream_desktop_notifications', 'Channel messages notify on the desktop', calls],
    [
      'enable_stream_email_notifications',
      'Channel messages are mailed',
      by(
        'endpoints/emails/missed-messages',
        'what the general setting says, from its change on, where the channel has none',
      ),
    ],
    [
      'enable_stream_push_notifications',
      'Channel messages notify on devices',
      by('endpoints/push/who-is-notified', 'inherits the general setting, as it is at the time'),
    ],
    ['enable_stream_audible_notifications', 'Channel messages sound', calls],
    ['notification_sound', 'Which sound', calls],
    ['enable_desktop_notifications', 'Direct messages and mentions notify on the desktop', calls],
    ['enable_sounds', 'Direct messages and mentions sound', calls],
    [
      'email_notifications_batching_period_seconds',
      'How long mail waits for more to come',
      by(
        'endpoints/emails/missed-messages',
        'after as long as they want mail to wait for more, counted from the first',
      ),
    ],
    [
      'enable_offline_email_notifications',
      'Direct messages and mentions are mailed to who is away',
      by(
        'endpoints/emails/missed-messages',
        'who wants no mail, has muted the sender, or is mentioned silently',
      ),
    ],
    [
      'enable_offline_push_notifications',
      'Direct messages and mentions notify on devices',
      by('endpoints/push/who-is-notified', 'is not notified to its sender, nor against a mute or a setting'),
    ],
    [
      'enable_online_push_notifications',
      'Devices are notified of what one’s open clients have too',
      by('endpoints/push/what-devices-show', 'somebody who is there'),
    ],
    ['enable_followed_topic_desktop_notifications', 'Followed topics notify on the desktop', calls],
    [
      'enable_followed_topic_email_notifications',
      'Followed topics are mailed',
      by('endpoints/emails/missed-messages', 'who wants that: of the channel, in general, of the topic'),
    ],
    [
      'enable_followed_topic_push_notifications',
      'Followed topics notify on devices',
      ways('user enable_followed_topic_push_notifications'),
    ],
    ['enable_followed_topic_audible_notifications', 'Followed topics sound', calls],
    [
      'enable_digest_emails',
      'What was missed is summed up by mail',
      by('endpoints/emails/digests', 'who was active in the last days, wants none, or has nothing to read'),
    ],
    [
      'enable_marketing_emails',
      'Newcomers are mailed hints on how to use it',
      by(
        'endpoints/emails/account-mails',
        'gets a hint on topics some days later, unless they want no such mail',
      ),
    ],
    [
      'enable_login_emails',
      'A login with a new program is told by mail',
      by(
        'endpoints/emails/account-mails',
        'is not mailed after a wrong password, to a newcomer, or against one’s setting',
      ),
    ],
    [
      'message_content_in_email_notifications',
      'Mail has the messages’ text',
      by(
        'endpoints/emails/missed-messages',
        'neither contents nor senders where the recipient or the organization wants neither in mail',
      ),
    ],
    ['pm_content_in_desktop_notifications', 'Desktop notifications show text of direct messages', calls],
    [
      'wildcard_mentions_notify',
      'Mentions of all in a channel notify as personal ones do',
      ways('user wildcard_mentions_notify'),
    ],
    [
      'enable_followed_topic_wildcard_mentions_notify',
      'The same in followed topics',
      ways('user enable_followed_topic_wildcard_mentions_notify'),
    ],
    ['desktop_icon_count_display', 'What the number on a client’s icon counts', looks],
    [
      'realm_name_in_email_notifications_policy',
      'Mail names the organization',
      by('endpoints/emails/missed-messages', 'the organization’s name where they want it'),
    ],
    [
      'automatically_follow_topics_policy',
      'Topics are followed by starting them, sending or reacting',
      by('endpoints/user-topics/automatic-policies', 'the settings say when'),
    ],
    [
      'automatically_unmute_topics_in_muted_streams_policy',
      'Topics of muted channels are unmuted by the same',
      by('endpoints/user-topics/automatic-policies', 'the settings say when'),
    ],
    [
      'automatically_follow_topics_where_mentioned',
      'A mention makes one follow the topic',
      by(
        'endpoints/user-topics/automatic-policies',
        'whoever does not want to follow where mentioned does not',
      ),
    ],
    [
      'resolved_topic_notice_auto_read_policy',
      'That a topic was resolved arrives read',
      ways('user resolved_topic_notice_auto_read_policy'),
    ],
    [
      'presence_enabled',
      'Others see whether one is there',
      by(
        'endpoints/user-status/update-own-status',
        'hides the user’s presence, and the setting is told first',
      ),
    ],
    ['enter_sends', 'The key Enter sends', behaves],
    [
      'send_private_typing_notifications',
      'Typing of direct messages is told',
      by('endpoints/typing/typing-settings', 'of the sender forbid it'),
    ],
    [
      'send_stream_typing_notifications',
      'Typing in channels is told',
      by('endpoints/typing/typing-settings', 'of the sender forbid it'),
    ],
    [
      'send_read_receipts',
      'Others are told what one has read',
      by(
        'endpoints/messages/get-read-receipts',
        'leave out those who hide theirs, and pairs of whom one muted the other',
      ),
    ],
    [
      'allow_private_data_export',
      'One’s private messages are in exports',
      by('endpoints/exports/export-realm', 'holds also what is private to those who consent'),
    ],
    [
      'email_address_visibility',
      'Who sees the address',
      by('endpoints/users/update-settings', 'hiding the address'),
    ],
    ['web_navigate_to_sent_message', 'A client goes to what was sent', behaves],
  ]
  return list.map(([name, effect, known]) => [`user ${name}`, { effect, known }])
}

const told = by(
  'endpoints/push/who-is-notified',
  'is notified by the setting of the channel, in general, or of the topic',
)

function subscriptionSettings(): [SettingKey, Setting][] {
  const list: [string, string, Setting['known']][] = [
    ['color', 'Colour of the channel', looks],
    ['is_muted', 'Messages are not in the combined views, and do not notify', told],
    ['in_home_view', 'The older name for the contrary of `is_muted`', ways('subscription in_home_view')],
    ['pin_to_top', 'The channel is listed first', looks],
    ['desktop_notifications', 'Its messages notify on the desktop', calls],
    ['audible_notifications', 'Its messages sound', calls],
    ['push_notifications', 'Its messages notify on devices', told],
    [
      'email_notifications',
      'Its messages are mailed',
      by('endpoints/emails/missed-messages', 'who wants that: of the channel, in general, of the topic'),
    ],
    [
      'wildcard_mentions_notify',
      'Mentions of all in it notify',
      by(
        'endpoints/push/who-is-notified',
        'that calls all in the channel is told to those who want that there',
      ),
    ],
  ]
  return list.map(([name, effect, known]) => [`subscription ${name}`, { effect, known }])
}

function realmProperties(): [SettingKey, Setting][] {
  const properties = 'endpoints/realm/update-realm'
  const list: [string, string, Setting['known']][] = [
    [
      'name',
      'How the organization is called, also before login',
      by(properties, 'answers them and tells everybody, each in the event it belongs to'),
    ],
    ['description', 'What is said of it before login', ways('realm description')],
    [
      'emails_restricted_to_domains',
      'Addresses of accounts are of the organization’s domains',
      by('endpoints/realm/realm-domains', 'restrict the addresses of new accounts'),
    ],
    [
      'disallow_disposable_email_addresses',
      'Addresses for one day are refused',
      by('endpoints/realm/realm-domains', 'are like others where the organization allows them'),
    ],
    [
      'invite_required',
      'Off, there are limits to invitations; a page to join without one is not there yet',
      by(
        'endpoints/invitations/send-invites',
        'a hundred invitations a day where anybody may join, resent included; none from newcomers',
      ),
    ],
    ['require_unique_names', 'No two people have the same name', ways('realm require_unique_names')],
    [
      'name_changes_disabled',
      'Only administrators change names',
      by('endpoints/users/update-settings', 'is passed over where names are fixed, but for administrators'),
    ],
    [
      'email_changes_disabled',
      'Only administrators change their addresses',
      by(
        'endpoints/users/change-email',
        'is for administrators only where the organization fixed addresses, also for links sent before',
      ),
    ],
    [
      'avatar_changes_disabled',
      'Only administrators change their pictures',
      by(
        'endpoints/avatars/avatars',
        'is for administrators where the organization has switched changes off',
      ),
    ],
    ['inline_image_preview', 'Linked pictures are shown', ways('realm inline_image_preview')],
    [
      'inline_url_embed_preview',
      'Linked websites are shown',
      by('endpoints/messages/website-previews', 'nothing is asked, and messages stay as they are'),
    ],
    [
      'message_content_delete_limit_seconds',
      'How long one may delete what one has sent',
      ways('realm message_content_delete_limit_seconds'),
    ],
    [
      'message_content_edit_limit_seconds',
      'How long one may edit it',
      ways('realm message_content_edit_limit_seconds'),
    ],
    ['allow_message_editing', 'Messages can be edited', ways('realm allow_message_editing')],
    [
      'message_edit_history_visibility_policy',
      'What is shown of edits: all, moves alone, nothing',
      by('endpoints/messages/get-message-history', 'an organization that shows moves only'),
    ],
    ['default_language', 'Language that new people begin with', ways('realm default_language')],
    [
      'waiting_period_threshold',
      'After how many days somebody is a full member',
      by('endpoints/user-groups/full-members', 'later or sooner when the organization changes its mind'),
    ],
    [
      'authentication_methods',
      'Ways to log in',
      by('http/login-page', 'is closed where passwords are no way in, or the organization is closed'),
    ],
    [
      'moderation_request_channel_id',
      'Where reported messages are shown',
      by('endpoints/messages/report-message', 'is off until there is a channel for it'),
    ],
    [
      'new_stream_announcements_stream_id',
      'Where new channels are announced',
      ways('realm new_stream_announcements_stream_id'),
    ],
    [
      'signup_announcements_stream_id',
      'Where new people are announced',
      by(
        'endpoints/users/create-user',
        'says so where the organization has a channel for it, and greets with its text',
      ),
    ],
    [
      'zulip_update_announcements_stream_id',
      'Where news of the server are announced',
      { notYet: 'none are announced' },
    ],
    [
      'message_retention_days',
      'How long messages are kept',
      by(
        'endpoints/channels/message-retention',
        'loses direct messages and those of channels without a period of their own',
      ),
    ],
    [
      'send_welcome_emails',
      'Who joins is greeted by mail',
      by('endpoints/emails/account-mails', 'is greeted by mail, unless the organization does not want that'),
    ],
    [
      'message_content_allowed_in_email_notifications',
      'Mail may have the messages’ text',
      by(
        'endpoints/emails/missed-messages',
        'neither contents nor senders where the recipient or the organization wants neither in mail',
      ),
    ],
    [
      'digest_emails_enabled',
      'What was missed is summed up by mail',
      by('endpoints/emails/digests', 'in an organization that wants none, from the moment that it says so'),
    ],
    [
      'digest_weekday',
      'On which day',
      by(
        'endpoints/emails/digests',
        'comes on the organization’s weekday, once, and on another where that is changed',
      ),
    ],
    [
      'presence_disabled',
      'Nobody sees who is there',
      by('endpoints/presence/update-presence', 'tells nobody of anybody'),
    ],
    [
      'enable_read_receipts',
      'Who has read a message is told',
      by(
        'endpoints/messages/get-read-receipts',
        'where the organization does without, and only to those who see the message',
      ),
    ],
    [
      'enable_spectator_access',
      'Channels may be open to readers without an account',
      by(
        'endpoints/channels/web-public-channels',
        'the organization’s switch is asked before anything is made, and the deployment’s before it',
      ),
    ],
    [
      'want_advertise_in_communities_directory',
      'The organization may be listed in a directory of the server',
      { notYet: 'there is no directory' },
    ],
    ['enable_guest_user_indicator', 'Guests are marked beside their names', looks],
    ['enable_guest_user_dm_warning', 'A client warns who writes to a guest', looks],
    [
      'require_e2ee_push_notifications',
      'No text leaves unencrypted for devices',
      by(
        'endpoints/push/what-devices-show',
        'keeps its text where the organization lets none out unencrypted',
      ),
    ],
    ['video_chat_provider', 'Whose video calls a client offers', behaves],
    ['jitsi_server_url', 'On which server', behaves],
    ['giphy_rating', 'Which moving pictures a client offers', behaves],
    [
      'default_code_block_language',
      'Language of code that names none',
      ways('realm default_code_block_language'),
    ],
    ['org_type', 'What kind of organization it is', looks],
    ['topics_policy', 'Whether messages may have no topic', ways('realm topics_policy')],
    [
      'welcome_message_custom_text',
      'What the welcome bot says besides to new people',
      by(
        'endpoints/users/welcome-message',
        'the welcome bot greets a new person, starred and unread, then adds the organization’s text',
      ),
    ],
    [
      'move_messages_within_stream_limit_seconds',
      'How long messages may be moved to another topic',
      ways('realm move_messages_within_stream_limit_seconds'),
    ],
    [
      'move_messages_between_streams_limit_seconds',
      'How long to another channel',
      ways('realm move_messages_between_streams_limit_seconds'),
    ],
  ]
  return list.map(([name, effect, known]) => [`realm ${name}`, { effect, known }])
}

function channelProperties(): [SettingKey, Setting][] {
  const stream = 'endpoints/channels/update-stream'
  const list: [string, string, Setting['known']][] = [
    [
      'new_name',
      'The name',
      by(stream, 'is told under the old one to all who see the channel, with a notice'),
    ],
    ['description', 'The description', by(stream, 'comes with its rendering')],
    [
      'is_private',
      'Only those in it see it',
      by(stream, 'taken away shows the channel to those who could not see it'),
    ],
    [
      'is_web_public',
      'Readers without an account see it',
      by('endpoints/channels/web-public-channels', 'is made, and told to everybody, guests too'),
    ],
    [
      'history_public_to_subscribers',
      'Newcomers read what was sent before them',
      ways('channel history_public_to_subscribers'),
    ],
    [
      'is_default_stream',
      'New people are subscribed',
      by(
        'endpoints/subscriptions/subscribe',
        'that is default is joined by new users, and told as such to non-guests',
      ),
    ],
    [
      'message_retention_days',
      'How long its messages are kept',
      by(
        'endpoints/channels/message-retention',
        'loses older ones for everybody, with all that hangs on them',
      ),
    ],
    [
      'is_archived',
      'It is there to be read alone',
      by(stream, 'hides the channel from older clients, keeps it for newer ones, and refuses changes'),
    ],
    [
      'folder_id',
      'In which folder it is listed',
      by(
        'endpoints/channel-folders/channel-folders',
        'is put there at creation or later, and keeps the folder from being archived',
      ),
    ],
    ['topics_policy', 'Whether messages may have no topic, or must', ways('channel topics_policy')],
  ]
  return list.map(([name, effect, known]) => [`channel ${name}`, { effect, known }])
}

function groupProperties(): [SettingKey, Setting][] {
  const changed = by(
    'endpoints/user-groups/update-user-group',
    'sends one event for each thing that changed, in order',
  )
  const list: [string, string, Setting['known']][] = [
    ['name', 'The name, by which it is mentioned', changed],
    ['description', 'The description', changed],
    [
      'deactivated',
      'It is used nowhere',
      by('endpoints/user-groups/update-user-group', 'refuses a deactivated group as a new value'),
    ],
  ]
  return list.map(([name, effect, known]) => [`group ${name}`, { effect, known }])
}

/** Those whose value is a group: who may do what. */
function permissions(): [SettingKey, Setting][] {
  const list: [SettingKey, string, Setting['known']?][] = [
    ['realm create_multiuse_invite_group', 'make links by which many can join'],
    [
      'realm can_access_all_users_group',
      'see everybody, guests too',
      by('endpoints/users/whom-guests-see', 'a guest who sees only those of shared conversations'),
    ],
    ['realm can_add_custom_emoji_group', 'add emoji'],
    ['realm can_add_subscribers_group', 'subscribe others to channels'],
    ['realm can_create_bots_group', 'make bots of any kind'],
    ['realm can_create_groups', 'make user groups'],
    ['realm can_create_private_channel_group', 'make private channels'],
    ['realm can_create_public_channel_group', 'make public channels'],
    [
      'realm can_create_web_public_channel_group',
      'make web-public channels',
      by('endpoints/channels/web-public-channels', 'is made by those alone who are in the group'),
    ],
    ['realm can_create_write_only_bots_group', 'make incoming webhooks'],
    ['realm can_delete_any_message_group', 'delete messages of others'],
    ['realm can_delete_own_message_group', 'delete their own messages'],
    ['realm can_invite_users_group', 'invite people'],
    ['realm can_manage_all_groups', 'manage every user group'],
    [
      'realm can_manage_billing_group',
      'manage what the organization pays',
      { notYet: 'there is no billing' },
    ],
    ['realm can_mention_many_users_group', 'mention all in a large channel'],
    ['realm can_move_messages_between_channels_group', 'move messages to other channels'],
    ['realm can_move_messages_between_topics_group', 'move messages to other topics'],
    ['realm can_resolve_topics_group', 'resolve topics'],
    ['realm can_set_delete_message_policy_group', 'say in their channels who may delete'],
    ['realm can_set_topics_policy_group', 'say in their channels whether topics are needed'],
    ['realm can_summarize_topics_group', 'have topics summed up', { notYet: 'there are no summaries' }],
    ['realm direct_message_initiator_group', 'begin direct conversations'],
    ['realm direct_message_permission_group', 'be in direct conversations: one of them has to be'],
    ['channel can_add_subscribers_group', 'subscribe others to it'],
    ['channel can_administer_channel_group', 'change it'],
    ['channel can_delete_any_message_group', 'delete messages of others in it'],
    ['channel can_delete_own_message_group', 'delete their own messages in it'],
    ['channel can_move_messages_out_of_channel_group', 'move its messages to other channels'],
    ['channel can_move_messages_within_channel_group', 'move its messages to other topics'],
    ['channel can_remove_subscribers_group', 'unsubscribe others'],
    ['channel can_resolve_topics_group', 'resolve its topics'],
    ['channel can_send_message_group', 'send to it'],
    ['channel can_subscribe_group', 'join it, though it is private'],
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

/** Those that the tests of both sides have to show. */
export function settingsOfBothSides(): SettingKey[] {
  return [...SETTINGS_TABLE].flatMap(([key, { known }]) =>
    'by' in known && known.by === BOTH_SIDES ? [key] : [],
  )
}
