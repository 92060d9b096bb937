import * as v from 'valibot'
import {
  byId,
  channel,
  clientDevice,
  customEmoji,
  flag,
  folder,
  integer,
  integers,
  listedUser,
  mutedUser,
  profileField,
  risingIds,
  savedSnippet,
  subscription,
  text,
  userGroup,
  userStatus,
} from './mobile-models.ts'

/** What the client registers with; every event and all data. */
export const MOBILE_PARAMS = {
  // The client sends every value but its texts as JSON, and this one too.
  idle_queue_timeout: '"mobile"',
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  },
}

const groupSetting = v.union([
  integer,
  v.looseObject({ direct_members: integers, direct_subgroups: integers }),
])

/** The part of the answer to POST /register that the mobile client reads. */
export const mobileSnapshot = v.looseObject({
  queue_id: text,
  last_event_id: integer,
  zulip_feature_level: v.pipe(integer, v.minValue(371)),
  zulip_version: text,
  zulip_merge_base: text,
  alert_words: v.array(text),
  custom_profile_fields: v.array(profileField),
  max_stream_name_length: integer,
  max_topic_length: integer,
  server_presence_ping_interval_seconds: integer,
  server_presence_offline_threshold_seconds: integer,
  server_typing_started_expiry_period_milliseconds: integer,
  server_typing_stopped_wait_period_milliseconds: integer,
  server_typing_started_wait_period_milliseconds: integer,
  muted_users: v.array(mutedUser),
  presences: byId(v.looseObject({ active_timestamp: integer, idle_timestamp: integer })),
  realm_emoji: customEmoji,
  realm_user_groups: v.array(userGroup),
  recent_private_conversations: v.array(v.looseObject({ max_message_id: integer, user_ids: integers })),
  saved_snippets: v.nullish(v.array(savedSnippet)),
  subscriptions: v.array(subscription),
  channel_folders: v.nullish(v.array(folder)),
  unread_msgs: v.looseObject({
    count: integer,
    pms: v.array(v.looseObject({ other_user_id: integer, unread_message_ids: risingIds })),
    streams: v.array(v.looseObject({ topic: text, stream_id: integer, unread_message_ids: risingIds })),
    huddles: v.array(
      v.looseObject({
        user_ids_string: v.pipe(text, v.regex(/^\d+(?:,\d+)+$/)),
        unread_message_ids: risingIds,
      }),
    ),
    mentions: integers,
    old_unreads_missing: flag,
  }),
  streams: v.array(channel),
  user_status: byId(userStatus),
  user_settings: v.looseObject({
    twenty_four_hour_time: v.nullable(flag),
    display_emoji_reaction_users: flag,
    emojiset: text,
    presence_enabled: flag,
  }),
  user_topics: v.array(
    v.looseObject({
      stream_id: integer,
      topic_name: text,
      last_updated: integer,
      visibility_policy: v.picklist([0, 1, 2, 3]),
    }),
  ),
  realm_can_delete_any_message_group: v.nullish(groupSetting),
  realm_can_delete_own_message_group: v.nullish(groupSetting),
  realm_delete_own_message_policy: v.nullish(v.picklist([1, 2, 3, 4, 5])),
  realm_wildcard_mention_policy: v.picklist([1, 2, 3, 5, 6, 7]),
  realm_mandatory_topics: flag,
  realm_name: text,
  realm_waiting_period_threshold: integer,
  realm_message_content_delete_limit_seconds: v.nullish(integer),
  realm_allow_message_editing: flag,
  realm_message_content_edit_limit_seconds: v.nullish(integer),
  realm_enable_read_receipts: flag,
  realm_icon_url: text,
  realm_presence_disabled: flag,
  realm_default_external_accounts: v.record(
    text,
    v.looseObject({ name: text, text, hint: text, url_pattern: text }),
  ),
  max_file_upload_size_mib: integer,
  server_emoji_data_url: v.pipe(text, v.url()),
  realm_empty_topic_display_name: text,
  realm_users: v.array(listedUser),
  realm_non_active_users: v.array(listedUser),
  cross_realm_bots: v.array(listedUser),
})

/** The same of the newest version, which also reads what older servers do not have. */
export const newestMobileSnapshot = v.looseObject({
  ...mobileSnapshot.entries,
  devices: byId(clientDevice),
  realm_moderation_request_channel_id: integer,
  server_report_message_types: v.pipe(v.array(v.looseObject({ key: text, name: text })), v.minLength(1)),
})
