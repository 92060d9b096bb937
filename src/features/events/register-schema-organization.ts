import * as v from 'valibot'
import { integer } from '../../api/parameter-types.ts'
import {
  legacyRealmProperties,
  realmPermissions,
  realmPropertiesOfUpdate,
  realmPropertiesOfUpdateDict,
} from '../../events/realm.ts'
import type { RealmPropertyName } from '../../store/realm/realm-properties.ts'

const properties = {
  ...realmPropertiesOfUpdate,
  ...realmPropertiesOfUpdateDict,
} satisfies Record<RealmPropertyName, v.GenericSchema>

const pictureSource = (whenNone: 'G' | 'D') => v.picklist(['U', whenNone])

/** Choices, keyed by their names. */
const choices = v.record(v.string(), v.object({ name: v.string(), id: integer }))

const thumbnailFormat = v.object({
  name: v.string(),
  max_width: integer,
  max_height: integer,
  format: v.string(),
  animated: v.boolean(),
})

const permissionSetting = v.object({
  require_system_group: v.boolean(),
  allow_internet_group: v.boolean(),
  allow_nobody_group: v.boolean(),
  allow_everyone_group: v.boolean(),
  default_group_name: v.string(),
  default_for_system_groups: v.nullable(v.string()),
  allowed_system_groups: v.array(v.string()),
})
const permissionSettings = v.record(v.string(), permissionSetting)

/**
 * The keys that are the same for every organization of the server. Source: docs/interface/register.md#settings-of-the-organization-in-it.
 */
const serverKeys = {
  max_message_length: integer,
  max_topic_length: integer,
  max_stream_name_length: integer,
  max_stream_description_length: integer,
  max_bulk_new_subscription_messages: integer,
  max_channel_folder_name_length: integer,
  max_channel_folder_description_length: integer,
  max_reminder_note_length: integer,
  max_file_upload_size_mib: integer,
  max_avatar_file_size_mib: integer,
  max_icon_file_size_mib: integer,
  max_logo_file_size_mib: integer,
  password_min_length: integer,
  password_max_length: integer,
  password_min_guesses: integer,
  event_queue_longpoll_timeout_seconds: integer,
  development_environment: v.boolean(),
  server_generation: integer,
  server_needs_upgrade: v.boolean(),
  server_min_deactivated_realm_deletion_days: v.nullable(integer),
  server_max_deactivated_realm_deletion_days: v.nullable(integer),
  server_presence_ping_interval_seconds: integer,
  server_presence_offline_threshold_seconds: integer,
  server_typing_started_expiry_period_milliseconds: integer,
  server_typing_stopped_wait_period_milliseconds: integer,
  server_typing_started_wait_period_milliseconds: integer,
  server_inline_image_preview: v.boolean(),
  server_inline_url_embed_preview: v.boolean(),
  server_thumbnail_formats: v.array(thumbnailFormat),
  server_avatar_changes_disabled: v.boolean(),
  server_name_changes_disabled: v.boolean(),
  server_web_public_streams_enabled: v.boolean(),
  server_jitsi_server_url: v.nullable(v.string()),
  server_can_summarize_topics: v.boolean(),
  server_report_message_types: v.array(v.object({ key: v.string(), name: v.string() })),
  server_emoji_data_url: v.string(),
  server_supported_permission_settings: v.object({
    realm: permissionSettings,
    stream: permissionSettings,
    group: permissionSettings,
  }),
}

/**
 * The keys of `realm`: the organization, and the server that it is on. Source:
 * docs/interface/register.md#settings-of-the-organization-in-it.
 */
export const realmKeys = {
  ...prefixed({ ...properties, ...realmPermissions, ...legacyRealmProperties }),
  realm_gif_rating_policy: realmPropertiesOfUpdate.giphy_rating,
  realm_email_auth_enabled: v.boolean(),
  realm_password_auth_enabled: v.boolean(),
  realm_url: v.string(),
  realm_uri: v.string(),
  realm_uuid: v.string(),
  realm_date_created: integer,
  realm_bot_domain: v.string(),
  /** Only in a copy of a backup: the moment that it shows, and when it is deleted (UNIX seconds). */
  realm_copy_of: v.optional(v.object({ taken_at: integer, until: integer })),
  realm_icon_url: v.string(),
  realm_icon_source: pictureSource('G'),
  realm_logo_url: v.string(),
  realm_logo_source: pictureSource('D'),
  realm_night_logo_url: v.string(),
  realm_night_logo_source: pictureSource('D'),
  realm_plan_type: integer,
  realm_owner_full_content_access: v.boolean(),
  realm_upload_quota_mib: v.nullable(integer),
  realm_push_notifications_enabled: v.boolean(),
  realm_push_notifications_enabled_end_timestamp: v.nullable(integer),
  realm_default_external_accounts: v.record(
    v.string(),
    v.object({ text: v.string(), name: v.string(), hint: v.string(), url_pattern: v.string() }),
  ),
  realm_available_video_chat_providers: choices,
  realm_empty_topic_display_name: v.string(),
  zulip_plan_is_not_limited: v.boolean(),
  svc_plan_is_not_limited: v.boolean(),
  upgrade_text_for_wide_organization_logo: v.string(),
  settings_send_digest_emails: v.boolean(),
  jitsi_server_url: v.string(),
  giphy_rating_options: choices,
  gif_rating_policy_options: choices,
  ...serverKeys,
}

function prefixed<Entries extends v.ObjectEntries>(entries: Entries) {
  return Object.fromEntries(Object.entries(entries).map(([name, schema]) => [`realm_${name}`, schema])) as {
    readonly [Name in keyof Entries & string as `realm_${Name}`]: Entries[Name]
  }
}
