import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeclaresLevel, getsRepresentation } from '../core/representations-by-level.ts'
import { forEachPermission, REALM_GROUP_SETTINGS } from '../rules/group-settings.ts'
import {
  defineEventType,
  defineShapedEventType,
  formSchema,
  type StoredOf,
  type WireEvent,
} from './event-type.ts'
import { groupSettingSchema } from './representations.ts'
import { settingValueFor, settingValueSchema } from './user-settings.ts'

const integer = v.pipe(v.number(), v.safeInteger())
/** −1 when there is none. */
const channelId = integer
/** A time limit in seconds; null: no limit. */
const timeLimit = v.nullable(integer)
/** A policy as older clients know it; the same number means different groups in different settings. */
const channelCreationPolicy = v.picklist([1, 2, 3, 4])

/**
 * The organization's properties as clients get them, by their names without `realm_`: those that are sent
 * one by one (`realm`/`update`). Source: docs/interface/conventions.md#limits; docs/interface/organization.md#change-settings; docs/interface/register.md#settings-of-the-organization-in-it.
 */
export const realmPropertiesOfUpdate = {
  name: v.string(),
  description: v.string(),
  emails_restricted_to_domains: v.boolean(),
  disallow_disposable_email_addresses: v.boolean(),
  invite_required: v.boolean(),
  require_unique_names: v.boolean(),
  name_changes_disabled: v.boolean(),
  email_changes_disabled: v.boolean(),
  avatar_changes_disabled: v.boolean(),
  inline_image_preview: v.boolean(),
  inline_url_embed_preview: v.boolean(),
  message_content_delete_limit_seconds: timeLimit,
  default_language: v.string(),
  waiting_period_threshold: integer,
  message_retention_days: integer,
  send_welcome_emails: v.boolean(),
  send_channel_events_messages: v.boolean(),
  message_content_allowed_in_email_notifications: v.boolean(),
  digest_emails_enabled: v.boolean(),
  digest_weekday: v.picklist([0, 1, 2, 3, 4, 5, 6]),
  presence_disabled: v.boolean(),
  enable_read_receipts: v.boolean(),
  enable_spectator_access: v.boolean(),
  want_advertise_in_communities_directory: v.boolean(),
  enable_guest_user_indicator: v.boolean(),
  enable_guest_user_dm_warning: v.boolean(),
  require_e2ee_push_notifications: v.boolean(),
  video_chat_provider: integer,
  giphy_rating: v.picklist([0, 1, 2, 3, 4, 5]),
  media_preview_size: v.picklist([100, 150, 200]),
  default_avatar_source: v.picklist(['G']),
  default_code_block_language: v.string(),
  org_type: v.picklist([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000]),
  welcome_message_custom_text: v.string(),
}

/** The properties that are sent in a `realm`/`update_dict` event. */
export const realmPropertiesOfUpdateDict = {
  message_content_edit_limit_seconds: timeLimit,
  allow_message_editing: v.boolean(),
  message_edit_history_visibility_policy: v.picklist(['all', 'moves', 'none']),
  authentication_methods: v.record(
    v.string(),
    v.strictObject({
      enabled: v.boolean(),
      available: v.boolean(),
      unavailable_reason: v.optional(v.string()),
    }),
  ),
  moderation_request_channel_id: channelId,
  new_stream_announcements_stream_id: channelId,
  signup_announcements_stream_id: channelId,
  zulip_update_announcements_stream_id: channelId,
  jitsi_server_url: v.nullable(v.string()),
  topics_policy: v.picklist(['allow_empty_topic', 'disable_empty_topic']),
  second_factor_required_for: v.picklist(['nobody', 'owners', 'administrators', 'everybody']),
  move_messages_within_stream_limit_seconds: timeLimit,
  move_messages_between_streams_limit_seconds: timeLimit,
}

/** Values for older clients, each derived from a current setting and sent with it. */
export const legacyRealmProperties = {
  create_public_stream_policy: channelCreationPolicy,
  create_private_stream_policy: channelCreationPolicy,
  create_web_public_stream_policy: v.picklist([2, 4, 6, 7]),
  wildcard_mention_policy: v.picklist([1, 2, 3, 5, 6, 7]),
  mandatory_topics: v.boolean(),
  allow_edit_history: v.boolean(),
  svc_update_announcements_stream_id: channelId,
}

/** The organization's permissions; sent in `realm`/`update_dict` too. Source: docs/interface/organization.md#change-settings. */
export const realmPermissions = forEachPermission(REALM_GROUP_SETTINGS, groupSettingSchema)

/**
 * Settings of the organization changed, one alone or several that belong together. Source:
 * docs/interface/events.md#events-about-the-organization.
 */
export type StoredRealmEvent = LogEvent & { readonly type: 'realm' } & (
    | {
        readonly op: 'update'
        readonly property: string
        readonly value: unknown
        /** HTML of the description, in addition to `description`. */
        readonly rendered_description?: string
      }
    | {
        readonly op: 'update_dict'
        readonly property: 'default' | 'icon' | 'logo' | 'night_logo'
        readonly data: Readonly<Record<string, unknown>>
      }
    | { readonly op: 'deactivated'; readonly realm_id: number }
  )

const updates = Object.entries({
  ...realmPropertiesOfUpdate,
  gif_rating_policy: realmPropertiesOfUpdate.giphy_rating,
}).map(([property, value]) => {
  const beside: v.ObjectEntries = property === 'description' ? { rendered_description: v.string() } : {}
  return formSchema('realm', { op: v.literal('update'), property: v.literal(property), value, ...beside })
})

/** A property or a permission, with the older value that follows from it. */
const data = v.partial(
  v.strictObject({
    ...realmPropertiesOfUpdateDict,
    ...realmPermissions,
    ...legacyRealmProperties,
    description: v.string(),
    rendered_description: v.string(),
  }),
)

const source = v.picklist(['U', 'G', 'D'])
const pictures = ['icon', 'logo', 'night_logo'].map((name) =>
  formSchema('realm', {
    op: v.literal('update_dict'),
    property: v.literal(name),
    data: v.strictObject({ [`${name}_url`]: v.string(), [`${name}_source`]: source }),
  }),
)

/** Returns the name of a property as a client of its level knows it. */
export function realmPropertyFor(client: DeclaresLevel, name: string): string {
  return name === 'giphy_rating' && getsRepresentation(client, 'gif_rating_policy in events and answers')
    ? 'gif_rating_policy'
    : name
}

function formFor(client: DeclaresLevel, stored: StoredRealmEvent): WireEvent {
  if (stored.op !== 'update') return { ...stored }
  const { type, property, value, rendered_description } = stored
  if (property === 'description' && getsRepresentation(client, 'description by update_dict')) {
    const data = { description: value, rendered_description }
    return { type, op: 'update_dict', property: 'default', data }
  }
  return { ...stored, property: realmPropertyFor(client, property) }
}

export const realmEvent = defineShapedEventType<StoredRealmEvent>(
  'realm',
  [
    v.variant('property', updates),
    v.variant('property', [
      formSchema('realm', { op: v.literal('update_dict'), property: v.literal('default'), data }),
      ...pictures,
    ]),
    { op: v.literal('deactivated'), realm_id: v.number() },
  ],
  { deliver: (stored, { options }) => [formFor(options, stored)] },
)

/**
 * The list of invitations changed. The event has no content, because not everybody may see all of them.
 * Source: docs/interface/events.md#events-about-the-organization.
 */
export const invitesChangedEvent = defineEventType('invites_changed', [{}])
export type InvitesChangedEvent = StoredOf<typeof invitesChangedEvent>

/** The default settings of new accounts changed. Source: docs/interface/events.md#events-about-the-organization. */
export const realmUserSettingsDefaultsEvent = defineEventType(
  'realm_user_settings_defaults',
  [{ op: v.literal('update'), property: v.string(), value: settingValueSchema }],
  (stored, { options }) => [{ ...stored, value: settingValueFor(options, stored.property, stored.value) }],
)

/**
 * The organization is served by another version from now on; each version has two names. Source:
 * docs/interface/events.md#events-about-the-server.
 */
export const restartEvent = defineEventType('restart', [
  {
    zulip_version: v.string(),
    zulip_merge_base: v.string(),
    zulip_feature_level: v.number(),
    svc_version: v.string(),
    svc_merge_base: v.string(),
    svc_feature_level: v.number(),
    server_generation: v.number(),
  },
])
export type RestartEvent = StoredOf<typeof restartEvent>
