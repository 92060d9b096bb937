import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { serverSupportedPermissionSettings } from '../../rules/supported-permission-settings.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { readMeta } from '../../store/meta-rows.ts'
import { EXTERNAL_ACCOUNTS } from '../../store/profile-fields/field-types.ts'
import {
  type RealmImageName,
  realmPermissions,
  realmProperties,
} from '../../store/realm/realm-setting-rows.ts'
import { THUMBNAIL_FORMATS } from '../../store/uploads/upload-keys.ts'
import { availableCallProviders } from '../calls/call-providers.ts'
import { presentAuthenticationMethods } from '../login-providers/login-methods.ts'
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../messages/text/compose.ts'
import { REPORT_REASONS, REPORT_TYPES } from '../notices/report-reasons.ts'
import { legacyRealmValues, MIN_DELETION_DAYS, presentRealmImage } from '../realm/present-realm.ts'
import { MAX_NOTE_LENGTH } from '../reminders/reminder-text.ts'
import { EMOJI_DATA_PATH } from '../server/version.ts'
import { presentGroupSettings } from '../user-groups/present-user-group.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../users/login/password-rules.ts'
import type { SharedSnapshot } from './snapshot.ts'

/** Keys of `realm`: properties, permissions, and facts about the server. */
export const realmSnapshot: SharedSnapshot = ({ sql, realm }, { source }) => {
  const { authentication_methods, ...properties } = realmProperties(sql)
  const permissions = realmPermissions(sql)
  const image = (name: RealmImageName) => presentRealmImage({ sql, realm }, source.origin, name)
  const deployment = deploymentOf(source)
  return {
    ...prefixed(properties),
    ...prefixed(presentGroupSettings(sql, permissions)),
    ...prefixed(legacyRealmValues({ ...properties, ...permissions })),
    realm_gif_rating_policy: properties.giphy_rating,
    realm_authentication_methods: presentAuthenticationMethods(sql, source),
    realm_email_auth_enabled: authentication_methods.Email,
    realm_password_auth_enabled: authentication_methods.Email,
    realm_url: source.origin,
    realm_uri: source.origin,
    realm_uuid: readMeta<string>(sql, 'realm_uuid')!,
    realm_date_created: realm.createdAt,
    realm_bot_domain: realm.host,
    ...(realm.copyOf
      ? { realm_copy_of: { taken_at: Math.floor(realm.copyOf.takenAt), until: realm.copyOf.until } }
      : {}),
    realm_icon_url: image('icon').url,
    realm_icon_source: image('icon').source,
    realm_logo_url: image('logo').url,
    realm_logo_source: image('logo').source,
    realm_night_logo_url: image('night_logo').url,
    realm_night_logo_source: image('night_logo').source,
    realm_plan_type: SELF_HOSTED,
    realm_owner_full_content_access: deployment.hasFullContentAccess,
    realm_upload_quota_mib: deployment.uploadQuotaMib,
    realm_push_notifications_enabled: deployment.hasPushService,
    realm_push_notifications_enabled_end_timestamp: null,
    realm_default_external_accounts: EXTERNAL_ACCOUNTS,
    realm_available_video_chat_providers: availableCallProviders(source),
    zulip_plan_is_not_limited: true,
    svc_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: '',
    settings_send_digest_emails: true,
    ...serverFacts(source),
    jitsi_server_url: properties.jitsi_server_url ?? serverFacts(source).server_jitsi_server_url,
  }
}

const SELF_HOSTED = 1

function prefixed(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`realm_${name}`, value]))
}

/** Returns facts that are the same for every organization: limits, periods, and the server's features. */
function serverFacts(source: Pick<RequestSource, 'origin' | 'development' | 'deployment' | 'level'>) {
  const { origin, development } = source
  const { maxFileUploadMib, deployedAt, allowsWebPublic } = deploymentOf(source)
  return {
    ...LIMITS,
    ...PERIODS,
    ...ABILITIES,
    max_file_upload_size_mib: maxFileUploadMib,
    server_web_public_streams_enabled: allowsWebPublic,
    // Clients in browsers reload when this changes.
    server_generation: deployedAt,
    development_environment: development === true,
    server_emoji_data_url: `${origin}${EMOJI_DATA_PATH}`,
    server_supported_permission_settings: serverSupportedPermissionSettings(source),
  }
}

/** Limits of the server. Source: docs/interface/conventions.md#limits. */
const LIMITS = {
  max_message_length: MAX_MESSAGE_LENGTH,
  max_topic_length: MAX_TOPIC_LENGTH,
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_bulk_new_subscription_messages: 100,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: MAX_NOTE_LENGTH,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  password_min_length: MIN_PASSWORD_LENGTH,
  password_max_length: MAX_PASSWORD_LENGTH,
  // A password is checked by its length alone.
  password_min_guesses: 0,
  server_min_deactivated_realm_deletion_days: MIN_DELETION_DAYS,
  server_max_deactivated_realm_deletion_days: null,
}

const PERIODS = {
  event_queue_longpoll_timeout_seconds: 90,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
}

const GIF_RATINGS = {
  disabled: { id: 0, name: 'No GIFs' },
  y: { id: 1, name: 'Rated Y: for very young people' },
  g: { id: 2, name: 'Rated G: for everybody' },
  pg: { id: 3, name: 'Rated PG: with the guidance of parents' },
  'pg-13': { id: 4, name: 'Rated PG-13: with guidance below 13' },
  r: { id: 5, name: 'Rated R: for adults' },
}

const ABILITIES = {
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  server_needs_upgrade: false,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_thumbnail_formats: THUMBNAIL_FORMATS.map(({ name, maxWidth, maxHeight }) => ({
    name,
    max_width: maxWidth,
    max_height: maxHeight,
    format: 'webp',
    animated: false,
  })),
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_jitsi_server_url: 'https://meet.jit.si',
  server_can_summarize_topics: false,
  server_report_message_types: REPORT_TYPES.map((key) => ({ key, name: REPORT_REASONS[key] })),
  giphy_rating_options: GIF_RATINGS,
  gif_rating_policy_options: GIF_RATINGS,
}
