/**
 * Every feature level of the public API since 417: what changed with it, and what shows it here. A test fails for a
 * level that is missing, and for a test that does not exist (feature-levels.test.ts); docs/compatibility.md has the
 * table. The announced level (`svc_feature_level`) is below the first one that is `notYet`.
 */
export interface FeatureLevel {
  readonly level: number
  readonly change: string
  readonly here: Shown | Refuses | Nothing | Differs | NotYet
}

/** A test that shows it: its file, and its own title. */
interface Shown {
  readonly by: string
  readonly named: string
}

/** The operation of the level exists, and refuses everybody with this text. */
interface Refuses extends Shown {
  readonly refuses: string
}

/** The level changes nothing for this server. */
interface Nothing {
  readonly nothing: string
}

interface Differs {
  readonly differs: string
}

/** What a new line begins with: the level is known, and nothing is built. */
interface NotYet {
  readonly notYet: true
}

const shown = (by: string, named: string): Shown => ({ by: `test/${by}.test.ts`, named })
const refuses = (refusal: string): Refuses => ({
  ...shown('features/server/not-offered', '%s %s is refused to everyone'),
  refuses: refusal,
})
const differs = (why: string): Differs => ({ differs: why })
const nothing = (why: string): Nothing => ({ nothing: why })

/** Levels without a change in the public documents, as far as these say. */
const unknown = nothing('none is documented.')

const TABLE: readonly (readonly [level: number, change: string, here: FeatureLevel['here']])[] = [
  [
    417,
    '`POST /channels/create`',
    shown(
      'features/channels/create-channel',
      'subscribes those who are listed, and not the creator otherwise',
    ),
  ],
  [
    418,
    'event `channel_folder` `reorder`',
    shown('features/channel-folders/channel-folders', 'into another order writes only the folders that move'),
  ],
  [
    419,
    'capability `simplified_presence_events`',
    shown('features/presence/presence', 'when a user becomes active, in the form that each client knows'),
  ],
  [
    420,
    '`POST /mobile_push/e2ee/test_notification`',
    shown('features/push/test-sealed-notification', 'goes to the device that is named'),
  ],
  [421, 'release 11.0', unknown],
  [422, 'a later release of 11', unknown],
  [423, 'a later release of 11', unknown],
  [424, 'a later release of 11', unknown],
  [425, 'reserved for later releases of 11', unknown],
  [
    426,
    'register: `realm_is_zephyr_mirror_realm` removed',
    shown('http/web-client-page', 'gets the snapshot keys of its feature level, and those removed since'),
  ],
  [
    427,
    '`server_supported_permission_settings`: default group `channel_creator`',
    shown(
      'http/representations-by-level',
      'names the default of channels’ permissions channel_creator from 427 on',
    ),
  ],
  [
    428,
    'closing an account sends `peer_remove` for archived channels too',
    shown('features/users/accounts', 'notifies the peers in archived channels too'),
  ],
  [
    429,
    'push payload: `recipient_user_ids` instead of `pm_users`',
    shown('features/push/keyed-notifications', 'of a direct message has all participants, on either service'),
  ],
  [
    430,
    '`GET /export/realm/consents`: `email_address_visibility`',
    shown('features/exports/get-realm-export-consents', 'is listed for every active account except bots'),
  ],
  [
    431,
    'setting `web_inbox_show_channel_folders`',
    shown('features/realm/defaults-of-new-users', 'may be one of the settings of later levels: %s'),
  ],
  [
    432,
    '`POST /mobile_push/register`: `push_key`',
    shown('features/push/register-by-device', 'gets a new key without the bouncer'),
  ],
  [
    433,
    'users: `is_imported_stub`',
    shown('features/users/get-users', 'says that no user is imported, in lists, snapshots and events too'),
  ],
  [
    434,
    'organization setting `send_channel_events_messages`',
    shown('features/channels/change-notices', 'is not sent in an organization that has turned them off'),
  ],
  [
    435,
    'register: `server_report_message_types`',
    shown('features/events/register-queue', 'has every key that the %s client needs'),
  ],
  [
    436,
    'messages of emoji alone are shown enlarged',
    shown('page/app-shell.long', 'shows a message of emoji alone enlarged, and no others'),
  ],
  [
    437,
    'Markdown: `![alt](url)` for pictures',
    shown(
      'features/uploads/thumbnails',
      'in its place in the text, written as ![…](…), if it is uploaded here',
    ),
  ],
  [
    438,
    'register: `realm_owner_full_content_access`',
    shown(
      'features/exports/full-content-access',
      'is for organizations whose host the deployment names, and is announced there',
    ),
  ],
  [
    439,
    'events `update_display_settings` and `update_global_notifications` removed',
    shown('http/representations-by-level', 'of old settings is none from 439 on, whatever the client can'),
  ],
  [
    440,
    '`GET /users/{user_id}/channels`',
    shown(
      'features/subscriptions/get-user-channels',
      'a user’s channels are those that the caller may know of',
    ),
  ],
  [
    441,
    'channels: `can_create_topic_group`',
    shown(
      'features/channels/who-begins-topics',
      'is refused to those outside can_create_topic_group, administrators too',
    ),
  ],
  [
    442,
    'register: `tenor_api_key`, `gif_rating_options`',
    shown('features/events/register-queue', 'has every key that the %s client needs'),
  ],
  [
    443,
    'uploads: times in seconds',
    shown('http/representations-by-level', 'have times in seconds from 443 on, and message_ids from 472 on'),
  ],
  [
    444,
    '`PATCH /settings`: `target_users`',
    shown(
      'features/users/settings-of-others',
      'others’ settings are changed by administrators, with events to these people alone',
    ),
  ],
  [
    445,
    '`GET /messages`: `anchor=date`',
    shown(
      'features/messages/anchor-by-date',
      'is the first message of that moment or later, however it is written',
    ),
  ],
  [
    446,
    'narrow `mentions`',
    shown(
      'features/messages/mentions-narrow',
      'finds messages that mention a user by name, for every reader',
    ),
  ],
  [
    447,
    '`PATCH /bots/{bot_id}`: `short_name`',
    shown('features/bots/update-bot', 'gives it the address of a new short name, with the key that it had'),
  ],
  [
    448,
    "a channel's mail address for those who may post there",
    shown(
      'features/emails/incoming-mail',
      'is refused when the address’s owner may not post, or the channel is archived',
    ),
  ],
  [
    449,
    'exports: `export_type` as text',
    shown(
      'http/representations-by-level',
      'have types in words from 449 on; a request may name either, at any level',
    ),
  ],
  [
    450,
    '`push_device`: `push_account_id`',
    nothing('Level 468 removed the event; below it the id is a text.'),
  ],
  [
    451,
    'Markdown: an invalid `<time:…>` is escaped text',
    shown('features/messages/render-message', 'shows a time that is none as it was written'),
  ],
  [
    452,
    'retention sends `delete_message`',
    shown(
      'features/channels/message-retention',
      'deletes older messages for everybody, with reactions, flags and files',
    ),
  ],
  [
    453,
    '`gif_rating_policy` instead of `giphy_rating`',
    shown(
      'http/representations-by-level',
      'call the rating of pictures gif_rating_policy from 453 on, in both requests and events',
    ),
  ],
  [
    454,
    '`web_home_view`: `recent`',
    shown(
      'http/representations-by-level',
      'call the recent conversations recent from 454 on, and take both words',
    ),
  ],
  [
    455,
    'profile fields: `use_for_user_matching`',
    shown(
      'features/profile-fields/profile-fields',
      'can be created, are sent to everybody, and listed in order',
    ),
  ],
  [
    456,
    'organization setting `default_avatar_source`',
    differs(
      'The setting is announced and has one value, `G` (Gravatar). `J` is refused with “Invalid default_avatar_source”, since this server draws no Jdenticons (test/features/realm/update-realm.test.ts).',
    ),
  ],
  [
    457,
    '`delete_message` only for messages that the reader could read',
    shown('features/messages/delete-message', 'sends the event to everybody who still has access to it'),
  ],
  [
    458,
    'bots in queries about channels, groups and subscriptions',
    shown(
      'features/subscriptions/get-user-channels',
      'a bot’s channels can be asked for too, by people and by bots',
    ),
  ],
  [
    459,
    '`DELETE /users/{user_id}`: `actions`',
    shown(
      'features/users/erase-account',
      'an erasure with %s deletes these messages, of bots too, and no others',
    ),
  ],
  [460, 'calls by Constructor Groups', refuses('Constructor Groups is not configured.')],
  [461, '`realm_bot` `update` for a new address', nothing('Level 474 replaces it.')],
  [
    462,
    'description of the organization by `update_dict`',
    shown('http/representations-by-level', 'send a new description by update_dict from 464 on'),
  ],
  [
    463,
    '`GET /bots/{bot_id}/api_key`',
    shown('features/bots/get-bot-api-key', 'a bot’s key can be read by its owner'),
  ],
  [
    464,
    'description of the organization: `rendered_description`',
    shown('http/representations-by-level', 'send a new description by update_dict from 464 on'),
  ],
  [
    465,
    'calls by Nextcloud Talk',
    shown('features/calls/create-nextcloud-talk-video-call', 'makes a public room with the name'),
  ],
  [
    466,
    'register: `realm_uuid`; `avatar_source` `J`',
    differs(
      '`realm_uuid` is served (test/realm/realm-uuids.test.ts). `avatar_source` is `G` or `U` as before: `J` would ask clients to draw a Jdenticon, which nobody can choose here.',
    ),
  ],
  [
    467,
    '`![alt](url)` only for uploaded files',
    shown(
      'features/uploads/thumbnails',
      'in its place in the text, written as ![…](…), if it is uploaded here',
    ),
  ],
  [
    468,
    'push notifications by device, encrypted in the new form',
    shown(
      'features/push/register-by-device',
      'has the key at once, and the token when the bouncer accepts it',
    ),
  ],
  [
    469,
    'organization setting `media_preview_size`',
    shown('features/realm/update-realm', 'takes the sizes of previews, and the people of the workplace'),
  ],
  [
    470,
    '`POST /remove_client_device`',
    shown(
      'features/client-devices/client-devices',
      'is removed once, and sent to all of its user’s clients only',
    ),
  ],
  [
    471,
    'linkifiers: `example_input`, `reverse_template`',
    shown(
      'features/realm/linkifiers',
      'say how an address becomes the text again; an empty text removes that',
    ),
  ],
  [
    472,
    'uploads: `message_ids`',
    shown('http/representations-by-level', 'have times in seconds from 443 on, and message_ids from 472 on'),
  ],
  [
    473,
    "bots that are administrators set others' status",
    shown('features/user-status/user-status', 'is set by bots that are administrators, and by no others'),
  ],
  [
    474,
    'bots without copied fields',
    shown(
      'http/representations-by-level',
      'have their own fields alone from 474 on, and no events about their accounts',
    ),
  ],
  [
    475,
    '`date_joined` is that of the first log-in',
    shown(
      'features/users/first-login',
      'at the first login of an account that an administrator made, its person joins',
    ),
  ],
  [
    476,
    'long texts in the summary of a profile',
    shown('features/profile-fields/profile-fields', 'need a known type, and at most two are in the summary'),
  ],
  [
    477,
    '`workplace_users_group`',
    shown('features/realm/update-realm', 'takes the sizes of previews, and the people of the workplace'),
  ],
  [
    478,
    'linkifiers: `alternative_url_templates`',
    shown(
      'features/realm/linkifiers',
      'say how an address becomes the text again; an empty text removes that',
    ),
  ],
  [
    479,
    'status of thumbnails',
    shown(
      'features/uploads/check-thumbnail-status',
      'is ready for its readers as soon as the picture is uploaded',
    ),
  ],
  [
    480,
    '`GET /streams/{stream_id}` for archived channels',
    shown('features/channels/streams', 'of an archived channel stay readable'),
  ],
  [
    481,
    'register: `idle_queue_timeout`, `idle_queue_timeout_secs`',
    shown('features/events/get-events', 'with idle_queue_timeout %s lasts for %i seconds'),
  ],
  [482, '`recipient_id` of direct messages has another value', nothing('No client interprets it.')],
  [
    483,
    'an encrypted registration ends the plain one of the same token',
    shown('features/push/keyed-notifications', 'gets no unencrypted one on a phone that now has a key: %s'),
  ],
  [
    484,
    'reaction events without `user`',
    shown(
      'http/representations-by-level',
      'is that of the level declared at registration: reactions have a user below 484',
    ),
  ],
  [
    485,
    'incoming webhooks: `input_type`',
    shown('features/events/integrations', 'have options in the form of the client’s level'),
  ],
  [486, '', unknown],
  [
    487,
    '`GET /users/{user_id}/presence`: both forms',
    shown(
      'features/presence/presence',
      'says whether a user is active, idle or offline, by id and by address',
    ),
  ],
  [488, '', unknown],
  [489, '', unknown],
  [
    490,
    'users: `is_deleted`',
    shown(
      'features/users/erase-account',
      'an erased account has no name, picture, address, profile, status or time zone',
    ),
  ],
  [
    491,
    'capability `individual_emoji_changes`',
    shown('features/realm/custom-emoji', 'reaches clients that ask for it alone, as does its deactivation'),
  ],
  [
    492,
    'a new API key ends all encrypted registrations',
    shown(
      'features/push/keyed-notifications',
      'when its user gets a new API key, nor do devices of the older forms',
    ),
  ],
  [493, 'calls by Webex', refuses('Webex is not configured on this server.')],
  [
    494,
    'storage for bots alone',
    shown('features/bots/bot-storage', 'is refused to people, also to administrators'),
  ],
  [495, '', unknown],
  [
    496,
    'bots use the endpoints of user groups',
    shown(
      'features/user-groups/user-groups',
      'is open to bots that manage the group, as are all endpoints of groups',
    ),
  ],
  [
    497,
    '`GET /users/{user_id}/presence`: `server_timestamp`',
    shown(
      'features/presence/presence',
      'says whether a user is active, idle or offline, by id and by address',
    ),
  ],
  [498, 'release 12.0', unknown],
  [
    499,
    'exports: `export_from_prior_server`',
    shown(
      'http/representations-by-level',
      'have types in words from 449 on; a request may name either, at any level',
    ),
  ],
  [
    500,
    '`require_e2ee_push_notifications`: no plaintext at all',
    shown(
      'features/push/what-devices-show',
      'is neither sent unencrypted nor removed if the organization requires encryption',
    ),
  ],
  [501, 'a later release of 12', unknown],
  [502, 'the first of release 13', unknown],
  [
    503,
    'Markdown: `<time:…>` takes ISO 8601 alone',
    differs(
      'At the announced level `<time:…>` also takes dates in words, UNIX seconds and names of time zones, and clients of today write them (test/markdown/global-times.test.ts). A text is rendered once for all readers, so the form cannot follow the level of each.',
    ),
  ],
  [504, '`require_e2ee_push_notifications`, as at level 500', nothing('Level 500 brought it to release 12.')],
  [
    505,
    '`MOVE_MESSAGES_TIME_LIMIT_EXCEEDED` also where the named message is too old',
    shown(
      'features/messages/update-message-topic',
      'a whole topic only if all of it is recent; the code says so',
    ),
  ],
  [
    506,
    'exports: `export_from_prior_server`, as at level 499',
    nothing('Level 499 brought it to release 12.'),
  ],
  [
    507,
    'channels: `default_push_notifications`',
    shown(
      'features/subscriptions/pushes-by-default',
      'turns on notifications on devices for those who join first',
    ),
  ],
  [
    508,
    '`POST /messages`: `message_url`, `message_link`',
    shown(
      'features/messages/addresses-of-sent',
      'has the address of a message in a channel, and a link with names',
    ),
  ],
  [
    509,
    '`PATCH /messages/{message_id}`: the present channel is no move',
    shown(
      'features/messages/update-message-channel',
      'to the present channel is none: refused alone, within the channel with a topic',
    ),
  ],
  [
    510,
    'flag `hide_link_previews`',
    shown(
      'features/messages/update-flags',
      'hides link previews from oneself alone, in events, messages and narrows',
    ),
  ],
  [
    511,
    'a report that cannot be posted is refused',
    shown(
      'features/messages/report-message',
      'is refused, and nothing is posted, when the channel for it is archived',
    ),
  ],
  [512, '`PATCH /users/me/subscriptions` removed', differs('Older clients still use it, so it stays.')],
]

export const FEATURE_LEVELS: readonly FeatureLevel[] = TABLE.map(([level, change, here]) => ({
  level,
  change,
  here,
}))
